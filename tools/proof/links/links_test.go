package links

import (
	"bytes"
	"context"
	"io"
	"net"
	"testing"
	"time"
)

// echo starts a server that sends ten thousand bytes to every client. It returns the address of the server.
func echo(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write(bytes.Repeat([]byte("x"), 10_000))
			_ = conn.Close()
		}
	}()
	return listener.Addr().String()
}

func TestRenewRemovesAToxicThatHoldsBytesForAClosedConnection(t *testing.T) {
	at := Link{From: "gateway", To: "realtime"}
	all := New(at)
	t.Cleanup(all.Close)
	address, err := all.Stand(at.From, at.To, echo(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := all.Poison(at, "slicer", map[string]any{
		"average_size": 1, "size_variation": 0, "delay": 10_000,
	}); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		left, err := new(net.Dialer).DialContext(context.Background(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(left, make([]byte, 3)); err != nil {
			t.Fatal(err)
		}
		_ = left.Close()
	}
	if err := all.Renew(at); err != nil {
		t.Fatal(err)
	}
	conn, err := new(net.Dialer).DialContext(context.Background(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	if text, err := io.ReadAll(conn); err != nil || len(text) != 10_000 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}
