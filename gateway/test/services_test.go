package test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"baari.dev/gateway"
	"baari.dev/gateway/answer"
	"baari.dev/gateway/webserver"
	"baari.dev/services/platform/framing"
)

// services are the servers behind a gateway: services that respond with the request they received, and the real web
// server with a small page.
type services struct {
	addresses map[string]string
	servers   map[string]*httptest.Server
	received  atomic.Int64  // requests with valid framing that reached a service
	release   chan struct{} // lets the streams send their second event
}

// seen is the request as a service received it.
type seen struct {
	Service, Method, Path, Query, Host string
	Header                             http.Header
	Body                               int
}

// made counts the sets of services that were started. Each set has its own loopback address, so that a later set cannot
// take its ports.
var made atomic.Int32

func newServices(t *testing.T) *services {
	t.Helper()
	host := fmt.Sprintf("127.0.1.%d", made.Add(1)%250+1)
	s := &services{addresses: map[string]string{}, servers: map[string]*httptest.Server{}, release: make(chan struct{})}
	for _, name := range gateway.Upstreams {
		handler := s.service(name)
		if name == gateway.Web {
			web, err := webserver.New("../testdata/web", "../testdata/office.json", "https://office.example")
			if err != nil {
				t.Fatal(err)
			}
			handler = web
		}
		server := httptest.NewUnstartedServer(handler)
		if own, err := net.Listen("tcp", host+":0"); err == nil { // fails if this system has only one loopback address
			_ = server.Listener.Close()
			server.Listener = own
		}
		if name != gateway.Web {
			server.Config.Handler = rejectFaulty(handler)
			framing.Guard(server.Config)
			server.Listener = framing.Listen(server.Listener)
		}
		server.Start()
		t.Cleanup(server.Close)
		s.servers[name], s.addresses[name] = server, server.URL
	}
	return s
}

// rejectFaulty responds with 400 to a request with faulty framing, as the services do.
func rejectFaulty(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if framing.Faulty(r) {
			own(w, "400")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// service returns a handler that responds with the request it received. The query selects other behaviour: ?status=N,
// ?never, ?break.
func (s *services) service(name string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.received.Add(1)
		w.Header().Set(answer.RequestIDHeader, answer.RequestID(r)) // every service returns the id of the request
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		query := r.URL.Query()
		switch {
		case r.URL.Path == "/api/stream":
			s.stream(w, r)
		case query.Has("never"):
			<-r.Context().Done()
		case query.Has("break"):
			panic(http.ErrAbortHandler)
		case query.Has("status"):
			own(w, query.Get("status"))
		default:
			echo(w, r, name)
		}
	})
}

func echo(w http.ResponseWriter, r *http.Request, name string) {
	size, err := io.Copy(io.Discard, r.Body)
	if err != nil {
		return
	}
	_ = json.NewEncoder(w).Encode(seen{name, r.Method, r.URL.Path, r.URL.RawQuery, r.Host, r.Header, int(size)})
}

// own responds with an error of the service itself, which no gateway may replace.
func own(w http.ResponseWriter, status string) {
	w.Header().Set("Retry-After", "77")
	code, err := strconv.Atoi(status)
	if err != nil {
		code = http.StatusInternalServerError
	}
	w.WriteHeader(code)
	_, _ = io.WriteString(w, `{"error":"own sentence","code":"own_code"}`)
}

// stream sends one event immediately, and a second one after the test has received the first.
func (s *services) stream(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	for i := range 2 {
		_, _ = fmt.Fprintf(w, "id: %d\ndata: {\"type\":\"heartbeat\",\"data\":{}}\n\n", i)
		_ = control.Flush()
		if i == 0 {
			select {
			case <-s.release:
			case <-r.Context().Done():
				return
			case <-time.After(30 * time.Second):
				return
			}
		}
	}
}

func parse(t *testing.T, r reply) seen {
	t.Helper()
	var got seen
	if err := json.Unmarshal([]byte(r.body), &got); err != nil || got.Service == "" {
		t.Fatalf("no service answered: %d %s", r.status, r.body)
	}
	return got
}

// fault is the body of an error response of the gateway itself.
type fault struct {
	Error     string `json:"error"`
	Code      string `json:"code"`
	RequestID string `json:"request_id"`
}

func mustBeFault(t *testing.T, got reply, status int, code string) {
	t.Helper()
	var f fault
	if err := json.Unmarshal([]byte(got.body), &f); err != nil {
		t.Errorf("%d %q is no JSON: %v", got.status, got.body, err)
		return
	}
	if got.status != status || f.Code != code || f.Error == "" {
		t.Errorf("got %d %s, want %d %s", got.status, got.body, status, code)
	}
	if f.RequestID == "" || f.RequestID != got.header.Get(answer.RequestIDHeader) {
		t.Errorf("request_id %q, header %q", f.RequestID, got.header.Get(answer.RequestIDHeader))
	}
	mustBeFixed(t, got)
}

// mustBeFixed checks the headers that every response must have.
func mustBeFixed(t *testing.T, got reply) {
	t.Helper()
	want := map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}
	for name, value := range want {
		if values := got.header.Values(name); len(values) != 1 || values[0] != value {
			t.Errorf("%d: %s is %q, want %q once", got.status, name, values, value)
		}
	}
	if ids := got.header.Values(answer.RequestIDHeader); len(ids) != 1 || ids[0] == "" {
		t.Errorf("%d: X-Request-Id is %q, want one", got.status, ids)
	}
}
