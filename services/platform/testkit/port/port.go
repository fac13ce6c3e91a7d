// Package port finds ports for the programs that tests start.
package port

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// The range is below Linux's range for outgoing connections, so that no such connection takes a reserved port before
// its program listens. The launcher in tools/stack uses the same range and reserves ports in the same way.
const (
	firstPort = 18000
	lastPort  = 32000
)

// Free returns a free loopback port. A UDP socket on the same port number reserves the port until the test has ended,
// so that no other test on this machine gets it meanwhile.
func Free(t testing.TB) int {
	t.Helper()
	for range 1000 {
		port := firstPort + rand.IntN(lastPort-firstPort)
		address := fmt.Sprintf("127.0.0.1:%d", port)
		reservation, err := net.ListenPacket("udp", address)
		if err != nil {
			continue
		}
		listener, err := net.Listen("tcp", address)
		if err != nil { // another process uses it without a reservation
			reservation.Close()
			continue
		}
		listener.Close()
		t.Cleanup(func() { reservation.Close() })
		return port
	}
	t.Fatal("no free loopback port found")
	return 0
}
