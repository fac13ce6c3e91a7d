package realtime

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

// office has four sources with real databases, relays and feeds over HTTP, and one Redis.
type office struct {
	redis   *testkit.Redis
	people  *testkit.People
	sources map[string]*branch
}

// branch is one source of an office.
type branch struct {
	db     *testkit.Database
	outbox *outbox.Outbox
	feed   *httptest.Server
}

func openOffice(t *testing.T) *office {
	t.Helper()
	o := &office{redis: testkit.NewRedis(t), people: testkit.NewPeople(roleNames[:]...), sources: map[string]*branch{}}
	for _, name := range []string{contract.SourceAuth, contract.SourceDirectory, contract.SourceRealtime,
		contract.SourceVisits} {
		o.sources[name] = o.openBranch(t, name)
	}
	return o
}

func (o *office) openBranch(t *testing.T, name string) *branch {
	t.Helper()
	b := &branch{db: testkit.NewDatabase(t, Migrations()...)}
	if err := outbox.EnsureStream(t.Context(), b.db.Pool, name); err != nil {
		t.Fatal(err)
	}
	b.outbox = outbox.New(name, b.db.Pool)
	relay := outbox.NewRelay(
		b.outbox, b.db.Pool, o.redis.Bus, testkit.Keys(name), prometheus.NewRegistry(), slog.New(slog.DiscardHandler),
	)
	inBackground(t, relay.Run)
	b.feed = httptest.NewServer(b.outbox.Feed(b.db.Pool))
	t.Cleanup(b.feed.Close)
	return b
}

func inBackground(t testing.TB, work func(context.Context) error) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = work(ctx) }()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

// publish commits changes of a source, each in its own transaction.
func (o *office) publish(t *testing.T, source string, changes ...outbox.Change) {
	t.Helper()
	for _, change := range changes {
		o.commit(t, source, change)
	}
}

// visitors registers count visitors, whose tokens are numbered from first.
func (o *office) visitors(t *testing.T, first, count int) {
	t.Helper()
	var changes []outbox.Change
	for n := first; n < first+count; n++ {
		changes = append(changes, visitor(n))
	}
	o.commit(t, contract.SourceVisits, changes...)
}

// commit commits changes of a source in one transaction. On a busy machine there may be no free connection for a while.
func (o *office) commit(t *testing.T, source string, changes ...outbox.Change) {
	t.Helper()
	err := postgres.AtStart(t.Context(), func(ctx context.Context) error {
		return o.sources[source].outbox.InTx(ctx, func(tx pgx.Tx) error { return outbox.Append(ctx, tx, changes...) })
	})
	if err != nil {
		t.Fatal(err)
	}
}

func visitor(n int) outbox.Change {
	id := fmt.Sprintf("01890a5d-ac96-774b-bcce-%012d", n)
	return outbox.Change{Type: contract.VisitCreated, Entity: contract.EntityVisit, EntityID: id, Version: 1,
		After: contract.Visit{
			ID: id, Token: fmt.Sprintf("T-%03d", n), Name: visitorName, Phone: visitorPhone, ServiceName: "ITR Filing",
			Version: 1,
		}}
}

type replica struct {
	hub    *Hub
	server *httptest.Server
	stop   func()
}

// openReplica starts a replica and waits until it has read the positions of its sources.
func (o *office) openReplica(t *testing.T, limits Limits) *replica {
	t.Helper()
	log, registry := slog.New(slog.DiscardHandler), prometheus.NewRegistry()
	pagers, clients := map[string]Pager{}, map[string]*identity.Client{}
	for name, source := range o.sources {
		clients[name] = identity.NewClient(source.feed.URL, testkit.Keys(contract.SourceRealtime), name)
		pagers[name] = feed.NewReader(clients[name])
	}
	hub := NewHub(pagers, limits, func(string) {}, registry, log)
	hub.fillLimit = time.Minute // a resumption on a busy machine may take long, but must not become a reset
	var stops []func()
	for name, client := range clients {
		stops = append(stops, inBackground(t,
			feed.NewFollower(name, client, o.redis.Bus, hub.Sink(name), registry, log).Run))
	}
	stops = append(stops, inBackground(t, hub.Run))
	own := o.sources[contract.SourceRealtime]
	deps := endpoint.Deps{Service: contract.SourceRealtime, Verifier: o.people, Log: log}
	table, err := Table(deps, hub, New(own.db.Pool, own.outbox), registry)
	if err != nil {
		t.Fatal(err)
	}
	r := &replica{hub: hub, server: httptest.NewServer(table)}
	r.stop = func() {
		hub.Drain()
		r.server.Close()
		for _, stop := range stops {
			stop()
		}
	}
	t.Cleanup(r.server.Close)
	t.Cleanup(hub.Drain)
	testkit.Eventually(t, "the replica has read its sources", func() bool { return hub.Settled() == nil })
	return r
}

// open connects a user's dashboard. If resume is not "", the stream resumes at that position.
func (r *replica) open(t *testing.T, name, role, resume string) *dashboard {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		r.server.URL+"/api/stream?role="+role+"&user_id="+testkit.ID(name), nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer token-"+name)
	if resume != "" {
		request.Header.Set("Last-Event-ID", resume)
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	if response.StatusCode != http.StatusOK {
		t.Fatalf("the stream answered %d", response.StatusCode)
	}
	d := &dashboard{
		calm: true, status: response.StatusCode, conn: response.Body, reader: bufio.NewReader(response.Body),
	}
	go d.readAll()
	return d
}

func (d *dashboard) tokens() (tokens []string) {
	for _, f := range d.received() {
		if token, ok := f.Data["token"].(string); ok {
			tokens = append(tokens, token)
		}
	}
	return tokens
}

// awaitVisitors waits until the dashboard has received count visitors, numbered from first, each once and in order.
func (d *dashboard) awaitVisitors(t *testing.T, first, count int) {
	t.Helper()
	testkit.Eventually(t, fmt.Sprintf("visitors %d to %d are received", first, first+count-1),
		func() bool { return len(d.tokens()) >= count })
	for i, token := range d.tokens() {
		if token != fmt.Sprintf("T-%03d", first+i) {
			t.Fatalf("received %s at place %d, want T-%03d", token, i, first+i)
		}
	}
}
