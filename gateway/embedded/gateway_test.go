package embedded

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace/noop"
	"go.uber.org/goleak"

	"baari.dev/gateway"
	"baari.dev/services/platform/testkit/port"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// before starts a gateway in front of one service, which serves as every upstream.
func before(t *testing.T, service string) *httptest.Server {
	t.Helper()
	address, err := url.Parse(service)
	if err != nil {
		t.Fatal(err)
	}
	routes, err := gateway.Routes()
	if err != nil {
		t.Fatal(err)
	}
	config := Config{
		Routes: routes, Upstreams: map[string]*url.URL{}, AnswerLimit: gateway.AnswerLimit,
		Registry: prometheus.NewRegistry(),
		Logger:   slog.New(slog.DiscardHandler), Tracer: noop.NewTracerProvider().Tracer(""),
	}
	for _, name := range gateway.Upstreams {
		config.Upstreams[name] = address
	}
	g, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(g)
	t.Cleanup(func() {
		g.Close()
		server.Close()
	})
	return server
}

func post(t *testing.T, address, key string) int {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, address+"/api/visits", strings.NewReader(`{"name":"Asha"}`))
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	request.Close = true
	res, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, res.Body)
	return res.StatusCode
}

func listen(t *testing.T, address string) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return listener
}

func serve(listener net.Listener) *httptest.Server {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body)
	}))
	_ = server.Listener.Close()
	server.Listener = listener
	server.Start()
	return server
}

func TestACallWaitsForAServiceThatRestarts(t *testing.T) {
	first := serve(listen(t, fmt.Sprintf("127.0.0.1:%d", port.Free(t))))
	// Without keep-alives, the gateway cannot send the next request over a connection that the service has just closed.
	// It would not repeat that request, because the service may have received it.
	first.Config.SetKeepAlivesEnabled(false)
	address := first.Listener.Addr().String()
	edge := before(t, first.URL)
	if status := post(t, edge.URL, ""); status != http.StatusOK {
		t.Fatalf("before the restart: %d", status)
	}
	first.Close()
	back := make(chan *httptest.Server, 1)
	time.AfterFunc(patience/4, func() { back <- serve(listen(t, address)) })
	if status := post(t, edge.URL, ""); status != http.StatusOK {
		t.Errorf("a call during the restart: %d", status)
	}
	(<-back).Close()
	if status := post(t, edge.URL, ""); status != http.StatusServiceUnavailable {
		t.Errorf("a call to a service that stays away: %d", status)
	}
}

// A service that exits while it handles a request may have carried it out. A POST is sent again only if it has an
// Idempotency-Key.
func TestARequestThatMayHaveArrivedIsRetriedOnlyWithItsKey(t *testing.T) {
	for key, want := range map[string]int{"": http.StatusBadGateway, "one-submit": http.StatusOK} {
		listener := listen(t, "127.0.0.1:0")
		go answerOnceThenDie(listener)
		edge := before(t, "http://"+listener.Addr().String())
		if status := post(t, edge.URL, "warm-up"); status != http.StatusOK {
			t.Fatalf("first request: %d", status)
		}
		if status := post(t, edge.URL, key); status != want {
			t.Errorf("key %q: %d, want %d", key, status, want)
		}
		_ = listener.Close()
	}
}

func answerOnceThenDie(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		reader := bufio.NewReader(conn)
		if request, err := http.ReadRequest(reader); err == nil {
			_, _ = io.Copy(io.Discard, request.Body)
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			_, _ = http.ReadRequest(reader)
		}
		_ = conn.Close()
	}
}

// T12: a browser that does not read its stream is disconnected after stallLimit, and the request to the service ends.
func TestAStalledReaderIsDisconnected(t *testing.T) {
	ended := make(chan time.Duration, 1)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		w.Header().Set("Content-Type", "text/event-stream")
		event := strings.Repeat("data: x\n\n", 1000)
		for r.Context().Err() == nil {
			_, _ = io.WriteString(w, event)
		}
		ended <- time.Since(began)
	}))
	defer service.Close()
	edge := before(t, service.URL)
	conn, err := net.Dial("tcp", edge.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET /api/stream HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	select {
	// ASVS 15.2.2
	case took := <-ended:
		if limit := stallLimit(gateway.Stream); took < limit {
			t.Errorf("cut after %s, before the limit of %s", took, limit)
		}
	case <-time.After(3 * stallLimit(gateway.Stream)):
		t.Error("still open")
	}
}
