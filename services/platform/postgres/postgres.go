// Package postgres opens a service's database: pools with timeouts, migrations, and transactions with retries and a
// distinct error for an unknown outcome. Start with Open and InTx.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/fault"
)

// MaxConns is the largest number of connections in a replica's pool.
const MaxConns = 10

// acquireTimeout is how long a request waits for a free connection before it answers 503.
const acquireTimeout = 2 * time.Second

// endLimit is how long a commit or rollback may take.
const endLimit = 5 * time.Second

// Open makes a pool whose sessions have statement, lock and idle-in-transaction timeouts. It does not
// wait for the database: readiness does.
func Open(ctx context.Context, url string) (*pgxpool.Pool, error) {
	return open(ctx, url, MaxConns, map[string]string{
		"statement_timeout":                   "5s",
		"lock_timeout":                        "2s",
		"idle_in_transaction_session_timeout": "10s",
	})
}

// OpenUnhurried makes a small pool without a statement timeout, for exports and feeds.
func OpenUnhurried(ctx context.Context, url string) (*pgxpool.Pool, error) {
	return open(ctx, url, 3, map[string]string{"lock_timeout": "2s"})
}

// OpenRelay returns a pool of one connection with short timeouts, so that PostgreSQL releases the locks of a stopped
// process quickly.
func OpenRelay(ctx context.Context, url string) (*pgxpool.Pool, error) {
	return open(ctx, url, 1, map[string]string{
		"statement_timeout":                   "5s",
		"lock_timeout":                        "2s",
		"idle_in_transaction_session_timeout": "3s",
	})
}

func open(ctx context.Context, url string, size int32, settings map[string]string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("read the database address: %w", err)
	}
	config.MaxConns = size
	config.MaxConnIdleTime = 5 * time.Minute
	config.ConnConfig.ConnectTimeout = 3 * time.Second
	config.ConnConfig.Tracer = tracer{}
	config.ConnConfig.DialFunc = (&net.Dialer{KeepAlive: 5 * time.Second}).DialContext
	for name, value := range settings {
		config.ConnConfig.RuntimeParams[name] = value
	}
	return pgxpool.NewWithConfig(ctx, config)
}

// AssertDurable returns an error if the server is configured to lose acknowledged commits in a crash.
func AssertDurable(ctx context.Context, pool *pgxpool.Pool) error {
	var fsync, commit string
	err := pool.QueryRow(ctx, `SELECT current_setting('fsync'), current_setting('synchronous_commit')`).Scan(&fsync, &commit)
	if err != nil {
		return err
	}
	if fsync != "on" || commit == "off" || commit == "local" {
		return fmt.Errorf("PostgreSQL may lose acknowledged writes: fsync=%s, synchronous_commit=%s; set both on", fsync, commit)
	}
	return nil
}

// InTx runs work in one READ COMMITTED transaction. Serialization failures and deadlocks are retried up to three times.
// It returns fault.ErrUnknownOutcome for a commit whose response was lost.
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
// request's, so that a client that disconnects does not cause the latter. (pgconn.SafeToRetry does not help: it is also
// true for a connection that broke while the response was on its way.)
func commit(ctx context.Context, tx pgx.Tx) error {
	unsent := tx.Conn().IsClosed()
	err := tx.Commit(ctx)
	if err == nil || unsent || refused(err) || errors.Is(err, pgx.ErrTxCommitRollback) || errors.Is(err, pgx.ErrTxClosed) {
		return err
	}
	return fault.ErrUnknownOutcome.Because(err)
}

// refused reports whether PostgreSQL returned an error that rules out the commit. A shutdown error (57P) does not: it
// may be sent after the commit.
func refused(err error) bool {
	code := Code(err)
	return code != "" && !strings.HasPrefix(code, "57P")
}

// Acquire takes a connection, waiting at most two seconds; then fault.ErrBusy.
func Acquire(ctx context.Context, pool *pgxpool.Pool) (*pgxpool.Conn, error) {
	bounded, cancel := context.WithTimeout(ctx, acquireTimeout)
	defer cancel()
	conn, err := pool.Acquire(bounded)
	if err != nil && bounded.Err() != nil && ctx.Err() == nil {
		return nil, fault.ErrBusy.Because(err)
	}
	return conn, err
}

// Code returns the SQLSTATE of err, "" if it is not an error of PostgreSQL.
func Code(err error) string {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused.Code
	}
	return ""
}

// Violates reports whether err is a violation of the named unique constraint or index.
func Violates(err error, constraint string) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == "23505" && refused.ConstraintName == constraint
}

func retryable(err error) bool {
	code := Code(err)
	return code == "40001" || code == "40P01"
}

// Classify turns what the database could not do in time, or at all, into a fault of 503, and text it cannot hold
// into a bad body; other errors stay.
func Classify(err error) error {
	var known *fault.Fault
	if err == nil || errors.As(err, &known) {
		return err
	}
	if code := Code(err); code != "" {
		return classifyCode(code, err)
	}
	var connect *pgconn.ConnectError
	var network net.Error
	if errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err) {
		return fault.ErrUnavailable.Because(err)
	}
	return err
}

// The codes and classes of https://www.postgresql.org/docs/current/errcodes-appendix.html that are no fault of the
// statement.
func classifyCode(code string, err error) error {
	switch code {
	case "55P03", "57014", "53300", "25P03": // a lock, a statement, a connection or a transaction that took too long
		return fault.ErrBusy.Because(err)
	case "25006": // this server is a standby now
		return fault.ErrUnavailable.Because(err)
	case "22021", "22P05": // NUL, or bytes that are no UTF-8
		return fault.ErrBadBody.Because(err)
	}
	switch code[:2] {
	case "08", "53", "57", "58": // connection, resources, operator, system
		return fault.ErrUnavailable.Because(err)
	}
	return err
}
