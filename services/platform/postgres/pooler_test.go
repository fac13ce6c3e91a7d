package postgres_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

// pooled opens a pool on a database whose pooler has two sessions. Each session first executes the statement in begin.
func pooled(t *testing.T, db *testkit.Database, begin string) *pgxpool.Pool {
	t.Helper()
	behind := testkit.NewPooler(t, 2, begin).Before(t, db)
	pool, err := postgres.Open(t.Context(), behind.URL, behind.Settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// With several sessions, a statement prepared by name could exist twice in one session, or be missing in another.
func TestTransactionsBehindAPoolerShareSessions(t *testing.T) {
	db := shop(t)
	pool := pooled(t, db, testkit.Timeouts)
	var writers errgroup.Group
	for range 10 {
		writers.Go(func() error {
			for range 20 {
				err := postgres.InTx(t.Context(), pool, func(tx pgx.Tx) error {
					const lock = `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`
					if _, err := tx.Exec(t.Context(), lock, "shelves"); err != nil {
						return err
					}
					const add = `UPDATE shelf SET note = note || $2 WHERE id = ANY($1::int[])`
					_, err := tx.Exec(t.Context(), add, []int32{1, 2}, "x")
					return err
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := writers.Wait(); err != nil {
		t.Fatal(err)
	}
	var note string
	if err := pool.QueryRow(t.Context(), `SELECT note FROM shelf WHERE id = $1`, 1).Scan(&note); err != nil ||
		note != strings.Repeat("x", 200) {
		t.Errorf("%d of 200 changes are there, %v", len(note), err)
	}
	const count = `SELECT count(*) FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`
	var sessions int
	if err := db.Owner(t).QueryRow(t.Context(), count).Scan(&sessions); err != nil || sessions > 2 {
		t.Errorf("ten writers had %d sessions, %v", sessions, err)
	}
}

func TestBehindAPoolerTheSessionsHaveTimeoutsAlready(t *testing.T) {
	db := shop(t)
	err := postgres.AssertTimeouts(t.Context(), pooled(t, db, "SELECT 1"))
	for _, name := range []string{"statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s the error is %v", name, err)
		}
	}
	if err := postgres.AssertTimeouts(t.Context(), pooled(t, db, testkit.Timeouts)); err != nil {
		t.Error(err)
	}
}

func TestAStatementBehindAPoolerThatTakesTooLongIsBusy(t *testing.T) {
	pool := pooled(t, shop(t), strings.ReplaceAll(testkit.Timeouts, "'5s'", "'20ms'"))
	expectBusy(t, 0, func() error {
		return postgres.InTx(t.Context(), pool, func(tx pgx.Tx) error {
			_, err := tx.Exec(context.WithoutCancel(t.Context()), `SELECT pg_sleep($1)`, 5)
			return err
		})
	})
}
