package process

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

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/testkit/port"
)

func TestMain(m *testing.M) { testkit.VerifyNoLeaks(m) }

// service is a process with a slow call and a stream, on its own ports.
type service struct {
	*Process
	running *running
	begun   chan struct{} // closed by the slow call
	release chan struct{} // lets slow calls end
	drained chan struct{} // closed by the drain hook, ends streams
	ended   chan error
	stop    context.CancelFunc
	client  *http.Client
}

func newService(t *testing.T) *service {
	t.Helper()
	db := testkit.NewDatabase(t, outbox.Migrations())
	if err := outbox.EnsureStream(t.Context(), db.Pool, "shop"); err != nil {
		t.Fatal(err)
	}
	target := Target{Name: "shop", Migrations: []postgres.Set{outbox.Migrations()}}
	log, registry := slog.New(slog.DiscardHandler), prometheus.NewRegistry()
	s := &service{
		Process: &Process{
			Config: Config{
				Common:       Common{Host: "127.0.0.1", Port: port.Free(t), AdminPort: port.Free(t)},
				InternalPort: port.Free(t), ServiceKey: testkit.Keys("shop").Private,
				ServicePublicKeys: testkit.Keys("shop").Public,
			},
			Name: "shop", Log: log, Registry: registry, target: target, metrics: registry,
			Pool: db.Pool, Feeds: db.Pool, relaying: db.Pool, Outbox: outbox.New("shop", db.Pool),
		},
		running: &running{
			Common: Common{DrainTimeout: time.Minute}, group: Group{Targets: []Target{target}}, log: log,
			registry: prometheus.NewRegistry(), sleep: time.Sleep,
		},
		begun: make(chan struct{}), release: make(chan struct{}), drained: make(chan struct{}), ended: make(chan error, 1),
		client: &http.Client{Transport: &http.Transport{}},
	}
	s.running.processes = []*Process{s.Process}
	t.Cleanup(s.client.CloseIdleConnections)
	s.Ready("postgres", func(ctx context.Context) error { return s.Pool.Ping(ctx) })
	s.OnDrain(func() { close(s.drained) })
	slow := func(context.Context, struct{}) (string, error) { close(s.begun); <-s.release; return "slow", nil }
	quick := func(context.Context, struct{}) (string, error) { return "quick", nil }
	stream := func(w http.ResponseWriter, _ *http.Request) error {
		fmt.Fprintln(w, "open")
		_ = http.NewResponseController(w).Flush()
		<-s.drained
		fmt.Fprintln(w, "bye")
		return nil
	}
	table, err := endpoint.New(endpoint.Deps{Service: "shop", Log: s.Log},
		endpoint.Route{
			Method: "GET", Pattern: "/slow", Access: endpoint.Public(), Handler: endpoint.JSON(endpoint.Nothing, slow),
		},
		endpoint.Route{
			Method: "GET", Pattern: "/quick", Access: endpoint.Public(), Handler: endpoint.JSON(endpoint.Nothing, quick),
		},
		endpoint.Route{Method: "GET", Pattern: "/stream", Access: endpoint.Public(), Handler: endpoint.Stream(stream)})
	if err != nil {
		t.Fatal(err)
	}
	s.Public(table)
	return s
}

func (s *service) start(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.listen(t)
	go func() { s.ended <- s.running.serve(ctx) }()
	t.Cleanup(stop)
	testkit.Eventually(t, "the service is ready", func() bool {
		return s.status(s.Config.AdminPort, "/readyz") == 200
	})
}

func (s *service) listen(t *testing.T) {
	t.Helper()
	for port, listener := range map[int]*net.Listener{
		s.Config.Port: &s.public, s.Config.InternalPort: &s.internal, s.Config.AdminPort: &s.running.admin,
	} {
		var err error
		if *listener, err = listen("127.0.0.1", port); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(s.running.unbind)
}

func (s *service) status(port int, path string) int {
	res, err := s.client.Get(fmt.Sprintf("http://127.0.0.1:%d%s", port, path))
	if err != nil {
		return 0
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, res.Body)
	return res.StatusCode
}

func (s *service) open(t *testing.T, path string) *http.Response {
	t.Helper()
	res, err := s.client.Get(fmt.Sprintf("http://127.0.0.1:%d%s", s.Config.Port, path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	return res
}

// A stopping process first becomes not ready while it still serves requests, then closes streams, then waits for open
// requests, then stops the background work.
func TestTheOrderOfAStop(t *testing.T) {
	s := newService(t)
	delay := make(chan struct{})
	endDelay := sync.OnceFunc(func() { close(delay) })
	t.Cleanup(endDelay)
	s.running.sleep = func(time.Duration) { <-delay }
	background := make(chan struct{})
	s.Go(func(ctx context.Context) error { <-ctx.Done(); close(background); return nil })
	s.start(t)
	stream := bufio.NewReader(s.open(t, "/stream").Body)
	expectLine(t, stream, "open")
	slow := make(chan string, 1)
	go func() {
		res, err := s.client.Get(fmt.Sprintf("http://127.0.0.1:%d/slow", s.Config.Port))
		if err != nil {
			slow <- err.Error()
			return
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		slow <- string(body)
	}()

	testkit.Receive(t, "the slow request has begun", s.begun)

	s.stop()
	testkit.Eventually(t, "it is not ready", func() bool {
		return s.status(s.Config.AdminPort, "/readyz") == 503
	})
	if public, alive := s.status(s.Config.Port, "/quick"), s.status(s.Config.AdminPort, "/healthz"); public != 200 ||
		alive != 200 {
		t.Errorf("while others learn of it, a request is answered %d and it is alive: %d", public, alive)
	}
	if last := s.open(t, "/quick"); !last.Close {
		t.Error("a connection is kept that the service is about to close")
	}
	select {
	case <-s.drained:
		t.Error("streams were closed before the delay was over")
	default:
	}
	endDelay()
	expectLine(t, stream, "bye")
	testkit.Eventually(t, "new connections are rejected", func() bool {
		return s.status(s.Config.Port, "/quick") == 0
	})
	select {
	case <-background:
		t.Error("background work ended before an open request")
	case got := <-slow:
		t.Errorf("the open request got %s", got)
	case err := <-s.ended:
		t.Errorf("the service ended with an open request: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(s.release)
	if got := <-slow; got != `"slow"` {
		t.Errorf("the open request got %s", got)
	}
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
	<-background
}

func expectLine(t *testing.T, from *bufio.Reader, want string) {
	t.Helper()
	if line, err := from.ReadString('\n'); strings.TrimSpace(line) != want {
		t.Errorf("the stream said %q (%v), want %q", line, err, want)
	}
}

func TestAFailureOfBackgroundWorkEndsTheService(t *testing.T) {
	s := newService(t)
	s.running.ShutdownDelay = time.Hour // not awaited after a failure of background work
	broken, now := errors.New("the work broke"), make(chan struct{})
	s.Go(func(context.Context) error { <-now; return broken })
	s.start(t)
	close(now)
	if err := testkit.Receive(t, "the service ends", s.ended); !errors.Is(err, broken) {
		t.Error(err)
	}
}

func TestATargetWithoutAPublicHandlerDoesNotStart(t *testing.T) {
	s := newService(t)
	s.handler = nil
	s.listen(t)
	if err := s.running.serve(t.Context()); err == nil {
		t.Error("it started")
	}
}

// /healthz does not depend on PostgreSQL, /readyz does.
func TestReadyMeansThatTheDatabaseAnswers(t *testing.T) {
	s := newService(t)
	away := make(chan struct{})
	s.Ready("database", func(context.Context) error {
		select {
		case <-away:
			return errors.New("no database")
		default:
			return nil
		}
	})
	s.start(t)
	close(away)
	if ready, alive := s.status(s.Config.AdminPort, "/readyz"), s.status(s.Config.AdminPort, "/healthz"); ready != 503 ||
		alive != 200 {
		t.Errorf("ready %d, alive %d", ready, alive)
	}
	if without := s.status(s.Config.AdminPort, "/readyz?exclude=database"); without != 200 {
		t.Errorf("ready without the check: %d", without)
	}
	s.stop()
	<-s.ended
}

// The internal listener serves the feed, to services only. The admin listener serves the metrics.
func TestWhatEachListenerServes(t *testing.T) {
	s := newService(t)
	s.start(t)
	for _, c := range []struct {
		port int
		path string
		want int
	}{
		{s.Config.Port, "/internal/events", 404}, {s.Config.Port, "/metrics", 404}, {s.Config.Port, "/readyz", 404},
		{s.Config.InternalPort, "/internal/events", 401}, {s.Config.InternalPort, "/quick", 404},
		{s.Config.AdminPort, "/metrics", 200}, {s.Config.AdminPort, "/internal/events", 404},
		{s.Config.Port, "/debug/pprof/allocs", 404}, {
			s.Config.AdminPort, "/debug/pprof/allocs", 404,
		}, {s.Config.AdminPort, "/debug/pprof/", 404},
	} {
		// ASVS 13.4.2, 13.4.5, 15.2.3
		if got := s.status(c.port, c.path); got != c.want {
			t.Errorf("%s answered %d, want %d", c.path, got, c.want)
		}
	}
	client := identity.NewClient(fmt.Sprintf("http://127.0.0.1:%d", s.Config.InternalPort), testkit.Keys("till"), "shop")
	var page outbox.Page
	if status, err := client.Call(t.Context(), http.MethodGet, "/internal/events", nil, &page); err != nil ||
		status != 200 || page.Source != "shop" {
		t.Errorf("a service was answered %d %+v, %v", status, page, err)
	}
	s.stop()
	<-s.ended
}

type querying struct{ *pgxpool.Pool }

func (querying) Describe(chan<- *prometheus.Desc) {}

func (q querying) Collect(chan<- prometheus.Metric) {
	postgres.Sample(q.Pool, func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "SELECT pg_sleep(0.05)")
		return err
	})
}

func TestAScrapeDoesNotCountItsOwnConnections(t *testing.T) {
	s := newService(t)
	s.Registry.MustRegister(querying{s.Pool})
	s.start(t)
	for range 5 {
		res, err := s.client.Get(fmt.Sprintf("http://127.0.0.1:%d/metrics", s.Config.AdminPort))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		res.Body.Close()
		if want := `baari_pg_pool_conns{pool="main",state="used"} 0`; err != nil || !strings.Contains(string(text), want) {
			t.Fatalf("%v: no line %s in\n%s", err, want, text)
		}
	}
	s.stop()
	<-s.ended
}

// T11: an ambiguous or too large request is rejected and its connection closed.
func TestInvalidRequests(t *testing.T) {
	s := newService(t)
	s.start(t)
	for name, c := range map[string]struct{ request, want string }{
		"two lengths":           {"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", "400"},
		"length and encoding":   {"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400"},
		"a length that is none": {"Content-Length: +1\r\n\r\na", "400"},
		"a header of 21 KiB":    {"X-Long: " + strings.Repeat("a", 21<<10) + "\r\n\r\n", "431"},
		"a name with a space":   {"X Name: a\r\n\r\n", "400"},
		"a bare CR":             {"X-Name: a\rb\r\n\r\n", "400"},
		"a NUL":                 {"X-Name: a\x00b\r\n\r\n", "400"},
	} {
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", s.Config.Port))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "GET /quick HTTP/1.1\r\nHost: office\r\n%s", c.request)
		_ = conn.SetReadDeadline(time.Now().Add(5 * time.Second))
		answer, err := io.ReadAll(conn)
		_ = conn.Close()
		// ASVS 4.2.1
		if err != nil && len(answer) == 0 || !strings.HasPrefix(string(answer), "HTTP/1.1 "+c.want) {
			t.Errorf("%s: %.40q, %v", name, answer, err)
		}
	}
	s.stop()
	<-s.ended
}
