package row

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/postgres"
)

// DB has the database and the office's time zone. Every store embeds it. Times and the office day come from
// PostgreSQL's clock, never from a replica's.
type DB struct {
	Pool     *pgxpool.Pool
	Zone     string
	Location *time.Location // the location of Zone; nil if Go does not know it
}

// NewDB returns the database behind pool. zone is the IANA name of the office's time zone.
func NewDB(pool *pgxpool.Pool, zone string) *DB {
	location, err := time.LoadLocation(zone)
	if err != nil {
		location = nil
	}
	return &DB{Pool: pool, Zone: zone, Location: location}
}

// Now returns the database's time.
func (db *DB) Now(ctx context.Context) (now time.Time, err error) {
	err = db.Pool.QueryRow(ctx, `SELECT now()`).Scan(&now)
	return now, err
}

const tryLock = `
SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)), set_config('idle_in_transaction_session_timeout', $2, true)`

// WithAdvisoryLock runs work with the advisory lock of a name, in a transaction of its own, which is idle during the
// work. PostgreSQL ends that transaction after the time limit, so that a replica that hangs does not keep the lock.
// WithAdvisoryLock returns nil at once if another replica has the lock.
func (db *DB) WithAdvisoryLock(ctx context.Context, name string, limit time.Duration, work func() error) error {
	return postgres.Classify(pgx.BeginFunc(ctx, db.Pool, func(tx pgx.Tx) error {
		var alone bool
		err := tx.QueryRow(ctx, tryLock, name, fmt.Sprint(limit.Milliseconds())).Scan(&alone, nil)
		if err != nil || !alone {
			return err
		}
		return work()
	}))
}
