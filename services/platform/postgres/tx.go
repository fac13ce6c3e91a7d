package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/fault"
)

// acquireTimeout is how long a request waits for a free connection.
const acquireTimeout = 2 * time.Second

// endLimit is how long a commit or rollback may take.
const endLimit = 5 * time.Second

// InTx runs work in one transaction of the server's default isolation level, READ COMMITTED, and commits it. After a
// serialization failure or a deadlock it runs work again, at most three times, and then returns fault.ErrBusy. It
// returns fault.ErrUnknownOutcome for a commit whose response was lost; other errors are those of Classify.
func InTx(ctx context.Context, pool *pgxpool.Pool, work func(pgx.Tx) error) error {
	var err error
	for attempt := range 4 {
		if attempt > 0 {
			time.Sleep(time.Duration(5+rand.IntN(20*attempt)) * time.Millisecond)
		}
		err = once(ctx, pool, work)
		if !retryable(err) {
			return Classify(err)
		}
	}
	return fault.ErrBusy.Because(err).After(time.Second)
}

func once(ctx context.Context, pool *pgxpool.Pool, work func(pgx.Tx) error) error {
	conn, err := Acquire(ctx, pool)
	if err != nil {
		return err
	}
	defer conn.Release()
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	failed := work(tx)
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endLimit)
	defer cancel()
	if failed != nil {
		_ = tx.Rollback(ending)
		return failed
	}
	return commit(ending, tx)
}

// commit distinguishes a failed commit from one whose response was lost, which may have succeeded. ctx is not the
// request's, so that a disconnecting client does not lose the response. (pgconn.SafeToRetry does not help: it is also
// true if the connection broke before the response arrived.)
func commit(ctx context.Context, tx pgx.Tx) error {
	unsent := tx.Conn().IsClosed()
	err := tx.Commit(ctx)
	certain := err == nil || unsent || rejected(err)
	if certain || errors.Is(err, pgx.ErrTxCommitRollback) || errors.Is(err, pgx.ErrTxClosed) {
		return err
	}
	return fault.ErrUnknownOutcome.Because(err)
}

// rejected reports whether PostgreSQL returned an error that rules out the commit. A shutdown error (57P) does not rule
// it out, because it may be sent after the commit.
func rejected(err error) bool {
	code := Code(err)
	return code != "" && !strings.HasPrefix(code, "57P")
}

// Acquire takes a connection of the pool. It returns fault.ErrBusy if none is free within two seconds.
func Acquire(ctx context.Context, pool *pgxpool.Pool) (*pgxpool.Conn, error) {
	bounded, cancel := context.WithTimeout(ctx, acquireTimeout)
	defer cancel()
	conn, err := pool.Acquire(bounded)
	if err != nil && bounded.Err() != nil && ctx.Err() == nil {
		return nil, fault.ErrBusy.Because(err)
	}
	return conn, err
}

func retryable(err error) bool {
	code := Code(err)
	return code == "40001" || code == "40P01"
}
