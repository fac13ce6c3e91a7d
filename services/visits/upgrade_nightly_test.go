//go:build nightly

package visits_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/visits"
)

// The figures of T24.
const (
	visitEvery  = time.Second / 10 // interval of the visits, each made by four statements of the previous release
	workAround  = 5 * time.Second  // how long these visits are made before the migration, and again after it
	longestLock = 100 * time.Millisecond
)

// There are a million visits, so that a migration that rewrites or scans a table under a lock takes measurable time.
const aPast = `
INSERT INTO visits (
  id, office_day, token_no, name, phone, service_id, service_name, status, consultant_id, consultant_name,
  created_at, updated_at, decided_at, started_at, completed_at,
  created_by, created_by_name, decided_by, decided_by_name, started_by, completed_by, notice_version
)
SELECT gen_random_uuid(), at::date, n / 1000 + 1, 'Visitor ' || n, (9000000000 + n)::text,
  gen_random_uuid(), 'ITR Filing', 'completed', 'c', 'Consultant',
  at, at, at, at, at, 'r', 'Reception', 'p', 'PA', 'c', 'c', ''
FROM (SELECT n, now() - make_interval(days => 1 + n % 1000) AS at FROM generate_series(0, 999999) n) x`

// T24: the migrations since the previous release are applied to a million visits while replicas of that release
// register, approve, start and complete. No statement fails or waits longer than a tenth of a second for a table, the
// schema is that of a new database, and each visit has the stage of its status.
func TestT24MigrationsRunWhileTheReleaseBeforeWorks(t *testing.T) {
	db := testkit.NewDatabase(t, upTo(t, releaseBefore)...)
	d := newDeskOn(t, db)
	exec(t, d.owner, `SET session_replication_role = replica`)
	exec(t, d.owner, aPast)
	exec(t, d.owner, `ANALYZE visits`)
	before := testkit.Catalog(t, d.owner)

	ctx, stop := context.WithCancel(t.Context())
	var busy sync.WaitGroup
	var made, waited atomic.Int64
	busy.Go(func() { d.workAsBefore(ctx, &made) })
	watching := d.db.Owner(t)
	busy.Go(func() { watchLocks(ctx, t, watching, &waited) })
	time.Sleep(workAround)
	began := time.Now()
	if err := postgres.Migrate(t.Context(), db.OwnerURL, "baari_test_app", visits.Migrations()...); err != nil {
		t.Error(err)
	}
	lasted := time.Since(began)
	time.Sleep(workAround)
	stop()
	busy.Wait()

	if least := int64(workAround / visitEvery); made.Load() < least {
		t.Errorf("only %d visits were made, want at least %d", made.Load(), least)
	}
	if longest := time.Duration(waited.Load()); longest > longestLock {
		t.Errorf("a statement waited %s for a table, want at most %s", longest, longestLock)
	}
	after := testkit.Catalog(t, d.owner)
	if len(after) == len(before) {
		t.Error("the migrations changed nothing")
	}
	testkit.SameCatalog(t, after, testkit.Catalog(t, testkit.NewDatabase(t, visits.Migrations()...).Owner(t)))
	wrong := count(t, d, `SELECT count(*) FROM visits
		WHERE stage IS DISTINCT FROM (CASE status WHEN 'approved' THEN 'waiting' ELSE status END)`)
	if wrong != 0 {
		t.Errorf("%d visits have a stage that does not fit their status", wrong)
	}
	t.Logf("migrated in %s; %d visits made meanwhile, the longest wait for a table %s", lasted, made.Load(),
		time.Duration(waited.Load()))
}

// releaseBefore is the newest migration of the release before this one.
const releaseBefore = "0004_"

// workAsBefore takes visitors from registration to completion by the statements of the previous release, until ctx
// ends. It retries nothing: every failed statement is an error.
func (d *desk) workAsBefore(ctx context.Context, made *atomic.Int64) {
	ticks := time.NewTicker(visitEvery)
	defer ticks.Stop()
	var visitors sync.WaitGroup
	defer visitors.Wait()
	for ; ctx.Err() == nil; <-ticks.C {
		visitors.Go(func() {
			consultant := uuid.NewString()
			var id string
			err := d.db.Pool.QueryRow(context.Background(), oldInsert, d.offered).Scan(&id)
			if err == nil {
				_, err = d.db.Pool.Exec(context.Background(), oldApprove, id, consultant)
			}
			for _, change := range []string{oldStart, oldComplete} {
				if err == nil {
					_, err = d.db.Pool.Exec(context.Background(), change, id)
				}
			}
			if err != nil {
				d.t.Errorf("a statement of the release before failed: %v", err)
				return
			}
			made.Add(1)
		})
	}
}

const longestWait = `
SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart)), 0)::float8 FROM pg_locks
WHERE NOT granted AND locktype = 'relation' AND pid <> pg_backend_pid() AND pid IN (
  SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND usename = 'baari_test_app'
)`

// watchLocks records the longest time that a statement waits for a table.
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
