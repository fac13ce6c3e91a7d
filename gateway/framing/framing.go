// Package framing notices HTTP/1 requests that state both a length and a transfer encoding. net/http obeys the encoding
// and forgets the length, so that a handler cannot see it; a proxy that obeys the length would find another request
// hidden in the body.
package framing

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"sync/atomic"
)

// Listen returns a listener whose connections are watched. Context is to be the server's ConnContext.
func Listen(listener net.Listener) net.Listener { return watching{listener} }

type watching struct{ net.Listener }

// Accept waits for a connection and watches it.
func (l watching) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &watched{Conn: conn}, nil
}

type key struct{}

// Context lets Ambiguous find the connection of a request.
func Context(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, key{}, conn)
}

// Ambiguous reports whether r's connection has carried a head with both fields. It must not be used any longer.
func Ambiguous(r *http.Request) bool {
	conn, ok := r.Context().Value(key{}).(*watched)
	return ok && conn.ambiguous.Load()
}

var length, encoding = []byte("content-length:"), []byte("transfer-encoding:")

// watched reads along, line by line. It need not know where a body begins: no body of ours holds both fields in lines
// that follow each other.
type watched struct {
	net.Conn
	line                   []byte // the beginning of the present line, as long as the longer field
	hasLength, hasEncoding bool   // since the last empty line
	ambiguous              atomic.Bool
}

// NetConn is the connection that is watched.
func (w *watched) NetConn() net.Conn { return w.Conn }

// Read reads from the connection.
func (w *watched) Read(into []byte) (int, error) {
	n, err := w.Conn.Read(into)
	w.look(into[:n])
	return n, err
}

func (w *watched) look(piece []byte) {
	for len(piece) > 0 {
		line, rest, ended := bytes.Cut(piece, []byte("\n"))
		w.line = append(w.line, line[:min(len(line), len(encoding)-len(w.line))]...)
		if !ended {
			return
		}
		w.endLine()
		piece = rest
	}
}

func (w *watched) endLine() {
	line := bytes.ToLower(w.line)
	w.line = w.line[:0]
	switch {
	case len(line) == 0 || string(line) == "\r":
		w.hasLength, w.hasEncoding = false, false
	case bytes.HasPrefix(line, length):
		w.hasLength = true
	case bytes.HasPrefix(line, encoding):
		w.hasEncoding = true
	}
	if w.hasLength && w.hasEncoding {
		w.ambiguous.Store(true)
	}
}
