package embedded

import (
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace/noop"

	"baari.dev/gateway"
	"baari.dev/gateway/answer"
	"baari.dev/gateway/test/hostile"
	"baari.dev/services/platform/framing"
)

// pairsService is a service that records smuggled requests: those with faulty framing or without the gateway's headers.
type pairsService struct {
	mu       sync.Mutex
	smuggled []string
}

// ServeHTTP responds with the method, target and body that it received. It rejects faulty framing, as the services do.
func (s *pairsService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	ids, hops := r.Header.Values(answer.RequestIDHeader), r.Header.Values("X-Forwarded-For")
	made := len(ids) == 1 && len(hops) == 1 && strings.HasSuffix(hops[0], "127.0.0.1")
	if !made || framing.Faulty(r) || len(r.TransferEncoding) > 0 && r.ContentLength >= 0 {
		s.mu.Lock()
		s.smuggled = append(s.smuggled, fmt.Sprintf("%s %s %v %.200q", r.Method, r.RequestURI, r.Header, body))
		s.mu.Unlock()
	}
	if framing.Faulty(r) || err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	_, _ = fmt.Fprintf(w, "%s %s %q", r.Method, r.RequestURI, body)
}

func (s *pairsService) takeSmuggled() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.smuggled
	s.smuggled = nil
	return all
}

// guarded starts a server that rejects faulty framing, as the programs of the gateway and the services do.
func guarded(tb testing.TB, handler http.Handler) *httptest.Server {
	tb.Helper()
	server := httptest.NewUnstartedServer(handler)
	framing.Guard(server.Config)
	server.Listener = framing.Listen(server.Listener)
	server.Config.MaxHeaderBytes = gateway.MaxHeaderBytes
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.Start()
	tb.Cleanup(server.Close)
	return server
}

// FuzzPairs sends the bytes of one client, then requests of another client over the same pooled connections. The
// responses to the second client must be those of a fresh connection, and only requests that the gateway made may reach
// the service.
func FuzzPairs(f *testing.F) {
	for _, path := range []string{"/api/visits", "/api/stream"} {
		seeds, err := hostile.Requests("../testdata/hostile.tsv", path)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(seeds)) {
			f.Add([]byte(seeds[name]))
		}
	}
	service := &pairsService{}
	upstream, err := url.Parse(guarded(f, service).URL)
	if err != nil {
		f.Fatal(err)
	}
	routes, err := gateway.Routes()
	if err != nil {
		f.Fatal(err)
	}
	config := Config{
		Routes: routes, Upstreams: map[string]*url.URL{}, AnswerLimit: gateway.AnswerLimit,
		Registry: prometheus.NewRegistry(),
		Logger:   slog.New(slog.DiscardHandler), Tracer: noop.NewTracerProvider().Tracer(""),
	}
	for _, name := range gateway.Upstreams {
		config.Upstreams[name] = upstream
	}
	g, err := New(config)
	if err != nil {
		f.Fatal(err)
	}
	edge := guarded(f, g)
	f.Cleanup(g.Close)
	alone := ordinary(f, edge)

	f.Fuzz(func(t *testing.T, first []byte) {
		sendRaw(t, edge.Listener.Addr().String(), first)
		// ASVS 4.2.1
		if got := ordinary(t, edge); got != alone {
			t.Errorf("after %.500q another client is answered\n%s\nalone\n%s", first, got, alone)
		}
		for _, request := range service.takeSmuggled() {
			t.Errorf("after %.500q the service received %s", first, request)
		}
	})
}

// ordinary makes one request over each of the gateway's pools of connections and returns the answers.
func ordinary(tb testing.TB, edge *httptest.Server) string {
	tb.Helper()
	var all strings.Builder
	for _, ask := range []struct{ method, path, body string }{
		{http.MethodPost, "/api/visits?of=another", `{"name":"Asha"}`}, {http.MethodGet, "/api/stream?of=another", ""},
	} {
		request, err := http.NewRequestWithContext(tb.Context(), ask.method, edge.URL+ask.path, strings.NewReader(ask.body))
		if err != nil {
			tb.Fatal(err)
		}
		request.Close = true
		res, err := http.DefaultClient.Do(request)
		if err != nil {
			tb.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if err != nil {
			tb.Fatal(err)
		}
		_ = res.Body.Close()
		_, _ = fmt.Fprintf(&all, "%d %s\n", res.StatusCode, body)
	}
	return all.String()
}

// sendRaw sends bytes on a new connection and closes it after the end of the response. An earlier close would end the
// requests, and their connections to the service would not return to the pool.
func sendRaw(t *testing.T, address string, text []byte) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = conn.Write(text) // the gateway may reject the request before all of it was sent
	wait, buffer := 100*time.Millisecond, make([]byte, 4<<10)
	for err == nil {
		if err = conn.SetReadDeadline(time.Now().Add(wait)); err == nil {
			_, err = conn.Read(buffer)
		}
		wait = 10 * time.Millisecond // shorter, because an answer has begun
	}
	_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	_ = conn.(*net.TCPConn).CloseWrite()
	_, _ = io.Copy(io.Discard, conn)
}
