package realtime

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"

	"baari.dev/services/contract"
	"baari.dev/services/platform/framing"
	"baari.dev/services/platform/testkit"
)

// overSockets starts a replica behind the listener of a service, with sockets and real time. It returns the rig, the
// server and a function that stops the hub.
func overSockets(t *testing.T) (*rig, *httptest.Server, func()) {
	t.Helper()
	r := newRig(t, Limits{})
	r.begin(0, 0)
	server := httptest.NewUnstartedServer(r.handler)
	server.Listener = framing.Listen(server.Listener)
	framing.Guard(server.Config)
	server.Start()
	t.Cleanup(server.Close)
	return r, server, inBackground(t, r.hub.Run)
}

// dial opens a stream over a connection with a small receive buffer.
func (r *rig) dial(t *testing.T, server *httptest.Server, name, role string) *dashboard {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	const request = "GET /api/stream?role=%s&user_id=%s HTTP/1.1\r\nHost: baari\r\nAuthorization: Bearer token-%s\r\n\r\n"
	_, _ = fmt.Fprintf(conn, request, role, testkit.ID(name), name)
	response, err := http.ReadResponse(bufio.NewReaderSize(conn, 512), nil)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("answered %v, %v", response, err)
	}
	d := &dashboard{status: response.StatusCode, conn: conn, reader: bufio.NewReader(response.Body)}
	if err := d.readFrame(); err != nil {
		t.Fatal(err)
	}
	return d
}

// newest calls use with the newest stream of a user, and holds the stream's lock meanwhile.
func (r *rig) newest(name string, use func(*subscriber)) {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	own := r.hub.byUser[testkit.ID(name)]
	s := own[len(own)-1]
	s.mu.Lock()
	defer s.mu.Unlock()
	use(s)
}

// shrinkWriteBuffer gives the newest stream of a user a small socket buffer, so that few frames fill it.
func (r *rig) shrinkWriteBuffer(name string) {
	r.newest(name, func(s *subscriber) {
		_ = s.conn.(interface{ NetConn() net.Conn }).NetConn().(*net.TCPConn).SetWriteBuffer(4 << 10)
	})
}

// A client that stops reading for a while receives all frames, in order.
func TestFullSocketLosesNoFrame(t *testing.T) {
	r, server, _ := overSockets(t)
	late, healthy := r.dial(t, server, "pa", contract.RolePA), r.dial(t, server, "admin", contract.RoleAdmin)
	go healthy.readAll()
	r.shrinkWriteBuffer("pa")
	published := int64(0)
	full := func() bool { // more than two deliveries wait: the socket is full
		r.deliver("visits", visitsFrom(published+1, 50)...)
		published += 50
		waiting := 0
		r.newest("pa", func(s *subscriber) { waiting = s.events })
		return waiting > 100
	}
	testkit.Eventually(t, "a socket is full", full)
	go late.readAll()
	for _, d := range []*dashboard{late, healthy} {
		testkit.Eventually(t, "all frames are received",
			func() bool { return int64(len(d.versions())) == published })
		for i, version := range d.versions() {
			if version != i+1 {
				t.Fatalf("version %d came at place %d", version, i+1)
			}
		}
	}
	if r.cut(endedSlow) != 0 {
		t.Error("a client that catches up was disconnected")
	}
}

func TestClientThatNeverReadsIsDisconnected(t *testing.T) {
	r, server, _ := overSockets(t)
	r.dial(t, server, "pa", contract.RolePA)
	r.shrinkWriteBuffer("pa")
	next := int64(1)
	testkit.Eventually(t, "it is disconnected", func() bool {
		r.deliver("visits", visitsFrom(next, 100)...)
		next += 100
		return r.cut(endedSlow) == 1 && r.clients() == 0
	})
}

func TestStopWaitsForTheRetryField(t *testing.T) {
	r, server, stop := overSockets(t)
	d := r.dial(t, server, "pa", contract.RolePA)
	r.deliver("visits", visitsFrom(1, 1)...)
	stop()
	if r.clients() != 0 {
		t.Errorf("%d streams are open after the end", r.clients())
	}
	d.readAll()
	if retry, over := d.ended(); retry == "" || over != io.EOF || len(d.versions()) != 1 {
		t.Errorf("received %q, retry %q, and ended with %v", d.types(), retry, over)
	}
}

func TestDisconnectedClientLeavesTheHub(t *testing.T) {
	r, server, _ := overSockets(t)
	d := r.dial(t, server, "pa", contract.RolePA)
	_ = d.conn.Close()
	testkit.Eventually(t, "the stream is gone", func() bool { return r.clients() == 0 })
}

// An idle stream has one goroutine, which waits for the stream's end, and no goroutine of the HTTP server.
func TestIdleStreamIsOneGoroutine(t *testing.T) {
	const streams = 100
	r, server, _ := overSockets(t)
	before := runtime.NumGoroutine()
	for range streams {
		r.dial(t, server, "pa", contract.RolePA)
	}
	const own = 10 // goroutines of the hub: pumps and clock
	testkit.Eventually(t, "only the goroutine of listen is left",
		func() bool { return runtime.NumGoroutine()-before <= streams+own })
}

func TestDeliveryAllocatesNothingPerStream(t *testing.T) {
	const streams = 100
	r := newRig(t, Limits{})
	r.begin(0, 0)
	quiet, reader := net.Pipe()
	defer reader.Close()
	defer quiet.Close()
	caller, _ := r.people.Verify(t.Context(), "token-pa")
	var open []*subscriber
	for range streams {
		s, _, _, err := r.hub.join(caller)
		if err != nil {
			t.Fatal(err)
		}
		s.attach(quiet)
		s.release(nil)
		open = append(open, s)
	}
	f := frame{topics: to(pa), data: []byte(`{}`)}
	allocated := testing.AllocsPerRun(100, func() {
		r.hub.mu.Lock()
		r.hub.publish(f)
		r.hub.mu.Unlock()
		for _, s := range open {
			frames, _ := s.take()
			s.release(frames)
		}
		for _, p := range r.hub.pumps {
			p.ready = p.ready[:0]
		}
	})
	if allocated > 8 {
		t.Errorf("an event for %d streams allocates %.0f times", streams, allocated)
	}
}

func TestHEADOpensNoStream(t *testing.T) {
	r, server, _ := overSockets(t)
	request, err := http.NewRequestWithContext(context.Background(), http.MethodHead,
		server.URL+"/api/stream?role=pa&user_id="+testkit.ID("pa"), http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer token-pa")
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK || r.clients() != 0 {
		t.Errorf("answered %d, %d streams are open", response.StatusCode, r.clients())
	}
}
