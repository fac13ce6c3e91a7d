// Package framing detects HTTP/1 requests whose end can be read in two ways (RFC 9112, 6.1 to 6.3), such as a head with
// both Content-Length and Transfer-Encoding, or with either of them twice. net/http repairs some such heads before a
// handler sees them, so a second parser reads the same bytes and finds where each body begins and ends.
//
// Start reading at Guard; the parser is in parser.go.
package framing

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
)

// Listen returns a listener for a server that Guard has prepared.
func Listen(listener net.Listener) net.Listener { return guardedListener{listener} }

// Guard prepares server so that handlers can call Faulty. server.Handler must be set before, and the server must accept
// its connections from Listen.
func Guard(server *http.Server) {
	server.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, conn)
	}
	// Every request must reach the handler, also "OPTIONS *", because requests and heads are matched by their numbers.
	server.DisableGeneralOptionsHandler = true
	next := server.Handler
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connKey{}).(*conn); ok && c.nextIsFaulty() {
			w.Header().Set("Connection", "close")
			r = r.WithContext(context.WithValue(r.Context(), faultyKey{}, true))
		}
		next.ServeHTTP(w, r)
	})
}

// Faulty reports whether the framing of r, or of an earlier message on its connection, is faulty. The response to such
// a request must be 400; the connection is closed after it.
func Faulty(r *http.Request) bool {
	faulty, _ := r.Context().Value(faultyKey{}).(bool)
	return faulty
}

type (
	connKey   struct{}
	faultyKey struct{}
)

type guardedListener struct{ net.Listener }

// Accept waits for a connection.
func (l guardedListener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: accepted}, nil
}

// conn parses the bytes that are read from it. The server reads a head to its end before it calls the handler, so the
// nth call of the handler is for the nth parsed head.
type conn struct {
	net.Conn
	parser parser
	served int64        // calls of the handler
	faulty atomic.Int64 // number of the first faulty head, 0: none; atomic, because the server may read during a call
}

// NetConn returns the connection that is parsed.
func (c *conn) NetConn() net.Conn { return c.Conn }

// Read reads from the connection.
func (c *conn) Read(into []byte) (int, error) {
	n, err := c.Conn.Read(into)
	c.parser.parse(into[:n])
	c.faulty.Store(c.parser.firstFaulty)
	return n, err
}

// nextIsFaulty counts a call of the handler and reports whether its head, or an earlier one, is faulty.
func (c *conn) nextIsFaulty() bool {
	c.served++
	first := c.faulty.Load()
	return first != 0 && c.served >= first
}
