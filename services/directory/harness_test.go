package directory

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/contract"
	"baari.dev/services/directory/settings"
	"baari.dev/services/office"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// T18: no test leaves a goroutine behind.
func TestMain(m *testing.M) {
	feed.WaitLimit = time.Minute
	testkit.VerifyNoLeaks(m)
}

// front is the service with a real database and one signed-in user of each role.
type front struct {
	*Service
	db       *testkit.Database
	table    *endpoint.Table
	contract *testkit.Contract
	follows  feed.Set
}

func newFront(t *testing.T, edits ...func(*office.Document)) *front {
	t.Helper()
	f := &front{
		db: testkit.NewDatabase(t, Migrations()...), contract: testkit.LoadContract(t, "api.yaml"), follows: feed.Set{},
	}
	document, err := office.ReadFile("")
	if err != nil {
		t.Fatal(err)
	}
	for _, edit := range edits {
		edit(&document)
	}
	f.Service = New(f.db.Pool, outbox.New(contract.SourceDirectory, f.db.Pool), nil, settings.Options{
		File: document, Mode: settings.ModeProduct, Log: slog.New(slog.DiscardHandler),
	})
	if err := outbox.EnsureStream(t.Context(), f.db.Pool, contract.SourceDirectory); err != nil {
		t.Fatal(err)
	}
	if err := f.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.serve(t, nil)
	return f
}

// limited limits appointment requests per phone number, and mails, from now on. It returns the Redis that counts them.
func (f *front) limited(t *testing.T) *testkit.Redis {
	t.Helper()
	redis := testkit.NewRedis(t)
	f.limiter = limit.New(redis.Client, contract.SourceDirectory)
	return redis
}

// serve builds the table of routes with a limiter; nil means that requests are not limited.
func (f *front) serve(t *testing.T, limiter *limit.Limiter) {
	t.Helper()
	table, err := endpoint.New(endpoint.Deps{
		Service: contract.SourceDirectory, Limiter: limiter, Registry: prometheus.NewRegistry(),
		Log: slog.New(slog.DiscardHandler), Await: f.follows.Await,
		Verifier: testkit.NewPeople(contract.RoleReception, contract.RolePA, contract.RoleConsultant, contract.RoleAdmin,
			contract.RoleDisplay),
	}, f.Routes()...)
	if err != nil {
		t.Fatal(err)
	}
	f.table = table
}

// follow runs a follower of source until stop is called or the test ends.
func (f *front) follow(t *testing.T, source *testkit.Source, redis *testkit.Redis, sink feed.Sink) (stop func()) {
	t.Helper()
	follower := feed.NewFollower(source.Name, source.Client(contract.SourceDirectory), redis.Bus, sink,
		prometheus.NewRegistry(), slog.New(slog.DiscardHandler))
	f.follows[source.Name] = follower
	return testkit.Background(t, follower.Run)
}

func (f *front) caughtUp(t *testing.T, source *testkit.Source) {
	t.Helper()
	testkit.Eventually(t, "directory has applied all events of "+source.Name, func() bool {
		var unpublished int
		if err := source.DB.Pool.QueryRow(t.Context(),
			`SELECT count(*) FROM outbox WHERE seq IS NULL`).Scan(&unpublished); err != nil {
			t.Fatal(err)
		}
		return unpublished == 0 && f.follows[source.Name].Position() == source.Head(t)
	})
}

// call sends a request as the user of a role, "" for no session, and validates the response against the API document.
func (f *front) call(t *testing.T, role, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	token := ""
	if role != "" {
		token = "token-" + role
	}
	return f.contract.Call(t, f.table, token, method, target, body, headers...)
}

// published is an event of directory's outbox.
type published struct {
	Type, Entity, EntityID string
	Actor                  *outbox.Actor
	Before, After          jsontext.Value
}

// events lists directory's events of the given types, in order, or all events if no type is given.
func (f *front) events(t *testing.T, types ...string) []published {
	t.Helper()
	rows, err := f.db.Pool.Query(t.Context(),
		`SELECT type, entity, entity_id, actor, before, after FROM outbox ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (published, error) {
		var e published
		var actor []byte
		err := row.Scan(&e.Type, &e.Entity, &e.EntityID, &actor, (*[]byte)(&e.Before), (*[]byte)(&e.After))
		if err != nil || actor == nil {
			return e, err
		}
		return e, json.Unmarshal(actor, &e.Actor)
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(e published) bool { return len(types) > 0 && !slices.Contains(types, e.Type) })
}

func decode[T any](t *testing.T, data []byte) T {
	t.Helper()
	var value T
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return value
}

// as returns a context whose caller is the user of a role.
func as(t *testing.T, role string) context.Context {
	t.Helper()
	return testkit.NewPeople(role).As(t, role)
}

// internal serves the internal routes and returns their base URL.
func (f *front) internal(t *testing.T) string {
	t.Helper()
	return testkit.ServeInternal(t, contract.SourceDirectory, f.InternalRoutes()...)
}

// addConsultants inserts active consultants: CA Rao with the first id, CA Anand with the second.
func (f *front) addConsultants(t *testing.T, ids ...string) {
	t.Helper()
	for i, id := range ids {
		name := []string{"CA Rao", "CA Anand"}[i]
		testkit.Exec(t, f.db.Pool, `INSERT INTO consultants VALUES ($1, $2, '{GST}', true)`, id, name)
	}
}
