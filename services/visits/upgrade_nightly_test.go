//go:build nightly

package visits_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/visits"
)

// The figures of T24.
const (
	requestEvery = time.Second / 30
	workAround   = 5 * time.Second // before the migration begins, and after it
	longestLock  = 200 * time.Millisecond
)

// 50,000 visits, so that a migration that rewrites or scans a table under a lock takes measurable time.
const aPast = `
INSERT INTO visits (
  id, office_day, token_no, name, phone, service_id, service_name, status, consultant_id, consultant_name,
  created_at, updated_at, decided_at, started_at, completed_at,
  created_by, created_by_name, decided_by, decided_by_name, started_by, completed_by, notice_version
)
SELECT gen_random_uuid(), at::date, n / 400 + 1, 'Visitor ' || n, (9000000000 + n)::text,
  gen_random_uuid(), 'ITR Filing', 'completed', 'c', 'Consultant',
  at, at, at, at, at, 'r', 'Reception', 'p', 'PA', 'c', 'c', ''
FROM (SELECT n, now() - make_interval(days => 1 + n % 400) AS at FROM generate_series(0, 49999) n) x;
INSERT INTO outbox (type, entity, entity_id, version, after) SELECT 'visit_created', 'visit', id, 1, '{}' FROM visits;
INSERT INTO access_log (at, user_id, role, call, visit_ids)
SELECT created_at, 'r', 'reception', 'today', ARRAY[id] FROM visits`

// T24: the newest migrations are applied while the front desk works, thirty requests a second. No request fails, none
// waits for a table longer than a fifth of a second, and the schema is that of a new database.
func TestT24MigrationsRunWhileTheDeskWorks(t *testing.T) {
	db := testkit.NewDatabase(t, testkit.Earlier(t, visits.Migrations()...)...)
	d := newDeskOn(t, db)
	d.unchecked = true
	exec(t, d.owner, `SET session_replication_role = replica`)
	exec(t, d.owner, aPast)
	before := testkit.Catalog(t, d.owner)

	ctx, stop := context.WithCancel(t.Context())
	var busy sync.WaitGroup
	var requests, waited atomic.Int64
	busy.Go(func() { d.work(ctx, &requests) })
	watching := d.db.Owner(t)
	busy.Go(func() { watchLocks(ctx, t, watching, &waited) })
	time.Sleep(workAround)
	if err := postgres.Migrate(t.Context(), db.OwnerURL, "baari_test_app", visits.Migrations()...); err != nil {
		t.Error(err)
	}
	time.Sleep(workAround)
	stop()
	busy.Wait()

	if least := int64(workAround / requestEvery); requests.Load() < least {
		t.Errorf("only %d requests were made, want at least %d", requests.Load(), least)
	}
	if longest := time.Duration(waited.Load()); longest > longestLock {
		t.Errorf("a request waited %s for a table, want at most %s", longest, longestLock)
	}
	after := testkit.Catalog(t, d.owner)
	if len(after) == len(before) {
		t.Error("the migrations changed nothing")
	}
	testkit.SameCatalog(t, after, testkit.Catalog(t, testkit.NewDatabase(t, visits.Migrations()...).Owner(t)))
	t.Logf("%d requests, the longest wait for a table %s", requests.Load(), time.Duration(waited.Load()))
}

// work registers, lists and denies visitors until ctx ends. Requests are not retried: every failed request is an error.
func (d *desk) work(ctx context.Context, requests *atomic.Int64) {
	ticks := time.NewTicker(requestEvery)
	defer ticks.Stop()
	var calls sync.WaitGroup
	defer calls.Wait()
	for ctx.Err() == nil {
		calls.Go(func() {
			a := d.as("reception", http.MethodPost, "/api/visits", d.visitor("Asha Rao"))
			requests.Add(1)
			if a.status != http.StatusCreated {
				d.t.Errorf("a create answered %d %s", a.status, a.text)
				return
			}
			if list := d.as("pa", http.MethodGet, "/api/visits/pending-approval", ""); list.status != http.StatusOK {
				d.t.Errorf("the list answered %d %s", list.status, list.text)
			}
			if denied := d.set("pa", a.Visit.ID, "denied"); denied.status != http.StatusOK {
				d.t.Errorf("a decision answered %d %s", denied.status, denied.text)
			}
			requests.Add(2)
		})
		for range 3 { // requests each
			<-ticks.C
		}
	}
}

const longestWait = `
SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart)), 0)::float8 FROM pg_locks
WHERE NOT granted AND locktype = 'relation' AND pid <> pg_backend_pid() AND pid IN (
  SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND usename = 'baari_test_app'
)`

// watchLocks stores in longest the longest wait of a request for a table.
func watchLocks(ctx context.Context, t *testing.T, conn *pgx.Conn, longest *atomic.Int64) {
	ticks := time.NewTicker(5 * time.Millisecond)
	defer ticks.Stop()
	for ; ctx.Err() == nil; <-ticks.C {
		var seconds float64
		if err := conn.QueryRow(context.WithoutCancel(ctx), longestWait).Scan(&seconds); err != nil {
			t.Error(err)
			return
		}
		longest.Store(max(longest.Load(), int64(seconds*float64(time.Second))))
	}
}
