package port_test

import (
	"fmt"
	"net"
	"testing"

	"baari.dev/services/platform/testkit/port"
)

func TestAPortIsReservedUntilTheTestHasEnded(t *testing.T) {
	var address string
	t.Run("while it runs", func(t *testing.T) {
		address = fmt.Sprintf("127.0.0.1:%d", port.Free(t))
		if second, err := net.ListenPacket("udp", address); err == nil {
			second.Close()
			t.Error("another caller could reserve it")
		}
		listener, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatalf("the program that it is for cannot listen: %v", err)
		}
		listener.Close()
	})
	again, err := net.ListenPacket("udp", address)
	if err != nil {
		t.Fatalf("it stays reserved: %v", err)
	}
	again.Close()
}
