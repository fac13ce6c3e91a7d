package suite

import (
	"net"
	"os"
	"path/filepath"
	"testing"
)

func TestHolderOfAPortIsTheListeningProgram(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	program, err := holderOf(port)
	if want := filepath.Base(os.Args[0]); err != nil || program != want {
		t.Errorf("port %d is served by %q (%v), want %q", port, program, err, want)
	}
	_ = listener.Close()
	if program, err := holderOf(port); err == nil {
		t.Errorf("after closing, %q still listens on port %d", program, port)
	}
}
