package realtime

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

func TestMain(m *testing.M) {
	if testkit.IsChild() {
		testkit.AsChild(newStreamClients().do)
	}
	testkit.VerifyNoLeaks(m)
}

const epoch = "0f8b6c1e-6f0a-4d3e-9a53-0f1f9a1f8f11"

// shelf is a Pager in memory, for tests in a synctest bubble. If gate is not nil, Read waits until gate is closed.
type shelf struct {
	events []outbox.Event
	gate   chan struct{}
	reads  int
}

func (s *shelf) Read(_ context.Context, after feed.Position, limit int) (outbox.Page, error) {
	s.reads++
	if s.gate != nil {
		<-s.gate
	}
	page := outbox.Page{Epoch: epoch, Head: int64(len(s.events))}
	if after.Epoch != epoch {
		return page, feed.ErrEpoch
	}
	for _, event := range s.events {
		if event.Seq > after.Seq && len(page.Events) < limit {
			page.Events = append(page.Events, event)
		}
	}
	return page, nil
}

// rig is one replica whose clients are connected by pipes. A write to a pipe blocks until it is read.
type rig struct {
	t       testing.TB
	hub     *Hub
	people  *testkit.People
	visits  *shelf
	auth    *shelf
	conns   chan net.Conn
	served  *countedConns
	verify  identity.Verifier
	handler http.Handler
}

func newRig(t testing.TB, limits Limits) *rig {
	t.Helper()
	r := &rig{
		t: t, people: testkit.NewPeople(roleNames[:]...), visits: &shelf{}, auth: &shelf{},
		conns: make(chan net.Conn), served: &countedConns{},
	}
	r.verify = r.people
	log := slog.New(slog.DiscardHandler)
	registry := prometheus.NewRegistry()
	r.hub = NewHub(map[string]Pager{"auth": r.auth, "visits": r.visits}, limits, func(string) {}, registry, log)
	table, err := Table(endpoint.Deps{Service: "realtime", Verifier: r, Log: log}, r.hub, New(nil, nil), registry)
	if err != nil {
		t.Fatal(err)
	}
	r.handler = table
	return r
}

// Verify implements identity.Verifier with r.verify, which a test can replace.
func (r *rig) Verify(ctx context.Context, token string) (identity.Caller, error) {
	return r.verify.Verify(ctx, token)
}

// start runs the hub and an HTTP server with the read timeouts of a service.
func (r *rig) start() {
	server := &http.Server{Handler: r.handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { _ = server.Serve(r) }()
	go func() { _ = r.hub.Run(ctx) }()
	r.t.Cleanup(func() {
		cancel()
		_ = server.Close()
	})
}

func (r *rig) begin(auth, visits int64) {
	for name, head := range map[string]int64{"auth": auth, "visits": visits} {
		if _, err := r.hub.Sink(name).Restart(context.Background(), feed.Position{Epoch: epoch, Seq: head}); err != nil {
			r.t.Fatal(err)
		}
	}
}

func (r *rig) deliver(source string, events ...outbox.Event) {
	if err := r.hub.Sink(source).Deliver(context.Background(), feed.Following(events...)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) clients() int {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	return len(r.hub.streams)
}

func (r *rig) cut(why ending) float64 {
	return testutil.ToFloat64(r.hub.metrics.cut.WithLabelValues(endings[why]))
}

// Accept, Close and Addr make the rig a listener of pipes.
func (r *rig) Accept() (net.Conn, error) {
	conn, open := <-r.conns
	if !open {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (r *rig) Close() error {
	defer func() { _ = recover() }() // http.Server closes its listener more than once
	close(r.conns)
	return nil
}

func (r *rig) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// countedConns counts the server's writes to all connections.
type countedConns struct {
	mu     sync.Mutex
	writes int
}

func (c *countedConns) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.writes
}

type countedConn struct {
	net.Conn
	of *countedConns
}

func (c countedConn) Write(data []byte) (int, error) {
	c.of.mu.Lock()
	c.of.writes++
	c.of.mu.Unlock()
	return c.Conn.Write(data)
}

func (countedConn) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}
}

type receivedFrame struct {
	ID    string
	Type  string
	Data  map[string]any
	Trace string // traceparent in the comment before the frame
}

// dashboard is the client of one stream.
type dashboard struct {
	status int
	header http.Header
	body   string // an error's body
	mu     sync.Mutex
	frames []receivedFrame
	retry  string
	over   error // how the stream ended; nil while it is open
	calm   bool  // heartbeats are not kept: on a slow machine they come between any two frames
	reader *bufio.Reader
	conn   io.Closer
}

// open connects a client that reads all frames. resume is the client's Last-Event-ID or, if it begins with "?", is
// appended to the query.
func (r *rig) open(name, role, resume string) *dashboard {
	d := r.connect(name, role, resume)
	go d.readAll()
	return d
}

func (r *rig) openAs(token, name, role string) *dashboard {
	d := r.request(token, name, role, "")
	go d.readAll()
	return d
}

// connect opens a stream and reads only the head of the response.
func (r *rig) connect(name, role, resume string) *dashboard {
	return r.request(name, name, role, resume)
}

// stall opens a stream of a PA whose client stops reading after the first frame.
func (r *rig) stall(t *testing.T) {
	t.Helper()
	if err := r.connect("pa", contract.RolePA, "").readFrame(); err != nil {
		t.Fatal(err)
	}
}

func (r *rig) request(token, name, role, resume string) *dashboard {
	near, far := net.Pipe()
	r.conns <- countedConn{far, r.served}
	target := fmt.Sprintf("/api/stream?role=%s&user_id=%s", role, testkit.ID(name))
	if raw, inQuery := strings.CutPrefix(resume, "?"); inQuery {
		target, resume = target+"&"+raw, ""
	}
	request := "GET " + target + " HTTP/1.1\r\nHost: baari\r\nAuthorization: Bearer token-" + token + "\r\n"
	if resume != "" {
		request += "Last-Event-ID: " + resume + "\r\n"
	}
	go func() { _, _ = io.WriteString(near, request+"\r\n") }()
	response, err := http.ReadResponse(bufio.NewReader(near), nil)
	if err != nil {
		r.t.Fatal(err)
	}
	d := &dashboard{
		status: response.StatusCode, header: response.Header, conn: near, reader: bufio.NewReaderSize(response.Body, 16),
	}
	r.t.Cleanup(func() { _ = near.Close() })
	if response.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(response.Body)
		d.body = string(body)
	}
	return d
}

func (d *dashboard) readAll() {
	for {
		if err := d.readFrame(); err != nil {
			d.mu.Lock()
			d.over = err
			d.mu.Unlock()
			return
		}
	}
}

func (d *dashboard) readFrame() error {
	var f receivedFrame
	for {
		line, err := d.reader.ReadString('\n')
		if err != nil {
			return err
		}
		field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch field {
		case "id":
			f.ID = value
		case "retry":
			d.mu.Lock()
			d.retry = value
			d.mu.Unlock()
		case "data":
			var event struct {
				Type string         `json:"type"`
				Data map[string]any `json:"data"`
			}
			if err := json.Unmarshal([]byte(value), &event, json.RejectUnknownMembers(true)); err != nil {
				return err
			}
			f.Type, f.Data = event.Type, event.Data
		case "":
			if trace, ok := strings.CutPrefix(value, "traceparent "); ok {
				f.Trace = trace
				continue
			}
			if f.Type != "" && (!d.calm || f.Type != typeHeartbeat) {
				d.mu.Lock()
				d.frames = append(d.frames, f)
				d.mu.Unlock()
			}
			return nil
		default:
			return errors.New("unexpected line: " + line)
		}
	}
}

func (d *dashboard) received() []receivedFrame {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]receivedFrame(nil), d.frames...)
}

func (d *dashboard) types() string {
	var types []string
	for _, f := range d.received() {
		types = append(types, f.Type)
	}
	return strings.Join(types, " ")
}

func (d *dashboard) versions() (versions []int) {
	for _, f := range d.received() {
		if version, ok := f.Data["version"].(float64); ok {
			versions = append(versions, int(version))
		}
	}
	return versions
}

func (d *dashboard) ended() (retry string, over error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.retry, d.over
}

func (d *dashboard) lastID() string {
	frames := d.received()
	if len(frames) == 0 {
		return ""
	}
	return frames[len(frames)-1].ID
}

func at(auth, visits int64) string {
	return fmt.Sprintf("auth=%s:%d;visits=%s:%d", epoch, auth, epoch, visits)
}

func positionOf(epoch string, seq int64) feed.Position { return feed.Position{Epoch: epoch, Seq: seq} }
