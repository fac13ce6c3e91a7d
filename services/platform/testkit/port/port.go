// Package port finds ports for the programs that tests start.
package port

import (
	"net"
	"testing"
)

// Free returns a free loopback port.
func Free(t testing.TB) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}
