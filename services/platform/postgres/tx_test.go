package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

func write(ctx context.Context, id int, note string) func(pgx.Tx) error {
	return func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE shelf SET note = $2 WHERE id = $1`, id, note)
		return err
	}
}

func note(t *testing.T, pool *pgxpool.Pool, id int) (note string) {
	t.Helper()
	if err := pool.QueryRow(context.Background(), `SELECT note FROM shelf WHERE id = $1`, id).Scan(&note); err != nil {
		t.Fatal(err)
	}
	return note
}

// raise returns work that fails with the SQLSTATE code in its first calls; times is the number of these calls.
func raise(ctx context.Context, code string, times int, calls *int) func(pgx.Tx) error {
	return func(tx pgx.Tx) error {
		*calls++
		if *calls > times {
			return write(ctx, 1, "done")(tx)
		}
		_, err := tx.Exec(ctx, fmt.Sprintf(`DO $$ BEGIN RAISE EXCEPTION 'raised' USING ERRCODE = '%s'; END $$`, code))
		return err
	}
}

// Work that fails with a serialization failure or a deadlock is repeated up to three times; then the client may retry
// after a second.
func TestRetriedErrors(t *testing.T) {
	db := shop(t)
	for _, c := range []struct {
		code               string
		fails, calls, want int
	}{
		{"40001", 3, 4, 0}, {"40P01", 3, 4, 0}, {"40001", 9, 4, 503}, {"23514", 9, 1, 500}, {"55P03", 9, 1, 503},
	} {
		calls := 0
		err := postgres.InTx(t.Context(), db.Pool, raise(t.Context(), c.code, c.fails, &calls))
		status := 0
		if err != nil {
			status = fault.Of(err).Status()
		}
		if calls != c.calls || status != c.want {
			t.Errorf("%s failing %d times: %d calls and %d, want %d and %d", c.code, c.fails, calls, status, c.calls, c.want)
		}
		if c.code == "40001" && err != nil && fault.Of(err).RetryAfter != time.Second {
			t.Errorf("asks to wait %v", fault.Of(err).RetryAfter)
		}
	}
}

func TestADeadlockIsRetried(t *testing.T) {
	db := shop(t)
	var bothHoldOne, done sync.WaitGroup
	bothHoldOne.Add(2)
	errs := make(chan error, 2)
	for _, ids := range [][2]int{{1, 2}, {2, 1}} {
		first := true
		done.Go(func() {
			errs <- postgres.InTx(t.Context(), db.Pool, func(tx pgx.Tx) error {
				if err := write(t.Context(), ids[0], "locked")(tx); err != nil {
					return err
				}
				if first {
					first = false
					bothHoldOne.Done()
					bothHoldOne.Wait()
				}
				return write(t.Context(), ids[1], "locked")(tx)
			})
		})
	}
	done.Wait()
	for range 2 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestAFailedTransactionIsRolledBack(t *testing.T) {
	db := shop(t)
	mine := errors.New("mine")
	err := postgres.InTx(t.Context(), db.Pool, func(tx pgx.Tx) error {
		return errors.Join(write(t.Context(), 1, "lost")(tx), mine)
	})
	// ASVS 2.3.3
	if !errors.Is(err, mine) || note(t, db.Pool, 1) != "" {
		t.Errorf("%v, the note is %q", err, note(t, db.Pool, 1))
	}
	err = postgres.InTx(t.Context(), db.Pool, func(pgx.Tx) error { return fault.ErrNotFound })
	if !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("a fault became %v", err)
	}
}

func TestAPanicRollsTheTransactionBack(t *testing.T) {
	db := shop(t)
	func() {
		defer func() { _ = recover() }()
		_ = postgres.InTx(t.Context(), db.Pool, func(tx pgx.Tx) error {
			_ = write(t.Context(), 1, "lost")(tx)
			panic("mine")
		})
	}()
	// ASVS 1.4.3, 2.3.3
	if got := note(t, db.Pool, 1); got != "" || db.Pool.Stat().AcquiredConns() != 0 {
		t.Errorf("the note is %q, %d connections are taken", got, db.Pool.Stat().AcquiredConns())
	}
}

func TestADisconnectDuringTheCommitDoesNotCancelIt(t *testing.T) {
	db := shop(t)
	ctx, leave := context.WithCancel(t.Context())
	err := postgres.InTx(ctx, db.Pool, func(tx pgx.Tx) error {
		defer leave()
		return write(ctx, 1, "kept")(tx)
	})
	if err != nil || note(t, db.Pool, 1) != "kept" {
		t.Errorf("%v, the note is %q", err, note(t, db.Pool, 1))
	}
}

// A statement that waits for a lock fails after two seconds.
func TestALockHeldTooLongIsBusy(t *testing.T) {
	db := shop(t)
	holder, err := db.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = holder.Rollback(context.Background()) }()
	if err := write(t.Context(), 1, "mine")(holder); err != nil {
		t.Fatal(err)
	}
	expectBusy(t, 2*time.Second, func() error {
		return postgres.InTx(t.Context(), db.Pool, write(t.Context(), 1, "other"))
	})
}

// The pool has ten connections; a request waits two seconds for one.
func TestAPoolInUseIsBusy(t *testing.T) {
	db := shop(t)
	for range postgres.MaxConns {
		conn, err := postgres.Acquire(t.Context(), db.Pool)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Release()
	}
	expectBusy(t, 2*time.Second, func() error {
		return postgres.InTx(t.Context(), db.Pool, write(t.Context(), 1, "other"))
	})
	left, leave := context.WithCancel(t.Context())
	leave()
	if _, err := postgres.Acquire(left, db.Pool); errors.Is(err, fault.ErrBusy) || !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who left is published %v", err)
	}
}

func TestAStatementThatTakesTooLongIsBusy(t *testing.T) {
	db := shop(t)
	expectBusy(t, 0, func() error {
		return postgres.InTx(t.Context(), db.Pool, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), `SET LOCAL statement_timeout = '20ms'; SELECT pg_sleep(5)`)
			return err
		})
	})
}

func expectBusy(t *testing.T, after time.Duration, do func() error) {
	t.Helper()
	started := time.Now()
	err := do()
	took := time.Since(started)
	if !errors.Is(err, fault.ErrBusy) || took < after {
		t.Errorf("%v after %v, want busy after %v", err, took, after)
	}
	testkit.AtMost(t, "the error", took, after+2*time.Second)
}

// The timeouts of the pools keep one slow session from blocking all others.
func TestPoolsSetTimeouts(t *testing.T) {
	db := shop(t)
	for name, c := range map[string]struct {
		open                  func(context.Context, string, postgres.Settings) (*pgxpool.Pool, error)
		statement, lock, idle string
	}{
		"requests":  {open: postgres.Open, statement: "5s", lock: "2s", idle: "10s"},
		"exports":   {open: postgres.OpenWithoutStatementTimeout, statement: "0", lock: "2s", idle: "0"},
		"the relay": {open: postgres.OpenRelay, statement: "5s", lock: "2s", idle: "3s"},
	} {
		pool, err := c.open(t.Context(), db.URL, postgres.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		var statement, lock, idle string
		err = pool.QueryRow(
			t.Context(),
			`SELECT current_setting('statement_timeout'), current_setting('lock_timeout'),
			 current_setting('idle_in_transaction_session_timeout')`,
		).Scan(&statement, &lock, &idle)
		pool.Close()
		if err != nil || statement != c.statement || lock != c.lock || idle != c.idle {
			t.Errorf("%s: statement %s, lock %s, idle %s, %v", name, statement, lock, idle, err)
		}
	}
}
