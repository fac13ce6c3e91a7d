package audit

import (
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/audit/chain"
	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

const zone = "Asia/Kolkata"

var testKey = chain.Key("a key of more than thirty-two characters")

// T18: no test leaves a goroutine behind.
func TestMain(m *testing.M) {
	feed.WaitLimit = time.Minute
	testkit.VerifyNoLeaks(m)
}

// office is the service with a real database and one signed-in user of each role.
type office struct {
	*Service
	db       *testkit.Database
	redis    *testkit.Redis
	table    *endpoint.Table
	contract *testkit.Contract
	follows  feed.Set
}

func newOffice(t *testing.T, edits ...func(*Options)) *office {
	t.Helper()
	o := &office{
		db: testkit.NewDatabase(t, Migrations()...), redis: testkit.NewRedis(t),
		contract: testkit.LoadContract(t, "api.yaml"), follows: feed.Set{},
	}
	options := Options{Key: testKey, Zone: zone}
	for _, edit := range edits {
		edit(&options)
	}
	if err := outbox.EnsureStream(t.Context(), o.db.Pool, contract.SourceAudit); err != nil {
		t.Fatal(err)
	}
	own := outbox.New(contract.SourceAudit, o.db.Pool)
	relay := outbox.NewRelay(
		own, o.db.Pool, o.redis.Bus, testkit.Keys(contract.SourceAudit),
		prometheus.NewRegistry(), slog.New(slog.DiscardHandler),
	)
	testkit.Background(t, relay.Run)
	o.Service = New(o.db.Pool, o.withoutStatementTimeout(t), own, options, slog.New(slog.DiscardHandler))
	table, err := endpoint.New(endpoint.Deps{
		Service: contract.SourceAudit, Registry: prometheus.NewRegistry(), Log: slog.New(slog.DiscardHandler),
		Await:    o.follows.Await,
		Verifier: testkit.NewPeople(contract.RoleReception, contract.RolePA, contract.RoleConsultant, contract.RoleAdmin),
	}, o.Routes()...)
	if err != nil {
		t.Fatal(err)
	}
	o.table = table
	return o
}

func (o *office) withoutStatementTimeout(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool, err := postgres.OpenWithoutStatementTimeout(t.Context(), o.db.URL, o.db.Settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

func (o *office) source(t *testing.T, name string) *testkit.Source {
	t.Helper()
	return testkit.NewSource(t, name, o.redis.Bus)
}

// follow runs the follower of a source until stop is called or the test ends.
func (o *office) follow(t *testing.T, source *testkit.Source) (stop func()) {
	t.Helper()
	follower := feed.NewFollower(source.Name, source.Client(contract.SourceAudit), o.redis.Bus, o.Follow(source.Name),
		prometheus.NewRegistry(), slog.New(slog.DiscardHandler)).FeedAlone()
	o.follows[source.Name] = follower
	return testkit.Background(t, follower.Run)
}

// own returns audit itself as a source of events.
func (o *office) own(t *testing.T) *testkit.Source {
	t.Helper()
	return &testkit.Source{Name: contract.SourceAudit, DB: o.db, Outbox: o.outbox,
		URL: testkit.ServeFeed(t, o.outbox, o.db, contract.SourceAudit)}
}

func (o *office) caughtUp(t *testing.T, source *testkit.Source) {
	t.Helper()
	testkit.Eventually(t, "audit has copied all events of "+source.Name, func() bool {
		var unpublished int
		if err := source.DB.Pool.QueryRow(t.Context(),
			`SELECT count(*) FROM outbox WHERE seq IS NULL`).Scan(&unpublished); err != nil {
			t.Fatal(err)
		}
		return unpublished == 0 && o.follows[source.Name].Position() == source.Head(t)
	})
}

// call sends a request as the user of a role, "" for no session, and validates the response against the API document.
func (o *office) call(t *testing.T, role, target string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	token := ""
	if role != "" {
		token = "token-" + role
	}
	return o.contract.Call(t, o.table, token, "GET", target, "", headers...)
}

func (o *office) read(t *testing.T, query string) trailAnswer {
	t.Helper()
	w := o.call(t, "admin", "/api/analytics/audit"+query)
	if w.Code != 200 {
		t.Fatalf("%s answered %d %s", query, w.Code, w.Body)
	}
	return decode[trailAnswer](t, w.Body.Bytes())
}

// sql returns the single value of a query that the owner of the database executes.
func sql[T any](t *testing.T, db *testkit.Database, query string, args ...any) T {
	t.Helper()
	var value T
	if err := db.Owner(t).QueryRow(t.Context(), query, args...).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value
}

func decode[T any](t *testing.T, data []byte) T {
	t.Helper()
	var value T
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return value
}

func (o *office) verify(t *testing.T, anchors ...chain.Head) (Report, error) {
	t.Helper()
	return Verify(t.Context(), o.db.Owner(t), testKey, anchors...)
}

// noon is 12:00 at the office.
var noon = time.Date(2026, 11, 20, 6, 30, 0, 0, time.UTC)

func at(now time.Time) func() *time.Time { return func() *time.Time { return &now } }

// internal serves the internal routes and returns their base URL.
func (o *office) internal(t *testing.T) string {
	t.Helper()
	return testkit.ServeInternal(t, contract.SourceAudit, o.InternalRoutes()...)
}
