package testkit

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
)

// Source acts as another service whose events a follower reads. It has an outbox in its own database, the relay, and
// the feed over HTTP for clients with a service token.
type Source struct {
	Name   string
	DB     *Database
	Outbox *outbox.Outbox
	URL    string // its internal address
}

// NewSource starts a source with the given name. Until the test ends, it publishes its events on the given bus.
func NewSource(t testing.TB, name string, messages bus.Bus) *Source {
	t.Helper()
	db := NewDatabase(t, outbox.Migrations())
	if err := outbox.EnsureStream(context.Background(), db.Pool, name); err != nil {
		t.Fatal(err)
	}
	s := &Source{Name: name, DB: db, Outbox: outbox.New(name, db.Pool)}
	s.URL = ServeFeed(t, s.Outbox, db, name)
	relay := outbox.NewRelay(
		s.Outbox, db.Pool, messages, Keys(name),
		prometheus.NewRegistry(), slog.New(slog.DiscardHandler),
	)
	Background(t, relay.Run)
	return s
}

// ServeFeed serves the feed of o as the service of that name would, and returns its internal address.
func ServeFeed(t testing.TB, o *outbox.Outbox, db *Database, name string) string {
	t.Helper()
	events := o.Feed(db.Pool)
	return ServeInternal(t, name, endpoint.Route{
		Method: http.MethodGet, Pattern: "/internal/events", Access: endpoint.Service(),
		Handler: endpoint.Stream(func(w http.ResponseWriter, r *http.Request) error {
			events(w, r)
			return nil
		}),
	})
}

// ServeInternal serves internal routes as the service of that name would, and returns their address.
func ServeInternal(t testing.TB, name string, routes ...endpoint.Route) string {
	t.Helper()
	deps := endpoint.Deps{Service: name, Keys: Keys(name), Log: slog.New(slog.DiscardHandler)}
	table, err := endpoint.New(deps, routes...)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(table)
	t.Cleanup(server.Close)
	return server.URL
}

// Client returns a client that calls the source as the given service.
func (s *Source) Client(caller string) *identity.Client {
	return identity.NewClient(s.URL, Keys(caller), s.Name)
}

// Publish commits changes, at most 1,000 in each transaction. The relay publishes their events.
func (s *Source) Publish(t testing.TB, changes ...outbox.Change) {
	t.Helper()
	for some := range slices.Chunk(changes, 1000) {
		// On a busy machine there may be no free connection for a while.
		err := postgres.AtStart(context.Background(), func(ctx context.Context) error {
			return s.Outbox.InTx(ctx, func(tx pgx.Tx) error { return outbox.Append(ctx, tx, some...) })
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Head returns the position of the source's newest event.
func (s *Source) Head(t testing.TB) feed.Position {
	t.Helper()
	var head feed.Position
	const read = `SELECT epoch::text, head FROM stream_head`
	if err := s.DB.Pool.QueryRow(context.Background(), read).Scan(&head.Epoch, &head.Seq); err != nil {
		t.Fatal(err)
	}
	return head
}

// BeginEpoch gives the source a new epoch, as a restore from a backup does.
func (s *Source) BeginEpoch(t testing.TB) {
	t.Helper()
	if _, err := s.DB.Pool.Exec(context.Background(), `UPDATE stream_head SET epoch = gen_random_uuid()`); err != nil {
		t.Fatal(err)
	}
}

// BeginEmpty gives the source a new epoch without the events of the old one.
func (s *Source) BeginEmpty(t testing.TB) {
	t.Helper()
	const begin = `WITH gone AS (DELETE FROM outbox) UPDATE stream_head SET epoch = gen_random_uuid(), head = 0`
	if _, err := s.DB.Owner(t).Exec(context.Background(), begin); err != nil {
		t.Fatal(err)
	}
}

// Background runs work in a goroutine. stop and the end of the test cancel work's context and wait until it returns.
func Background(t testing.TB, work func(context.Context) error) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = work(ctx)
	}()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}
