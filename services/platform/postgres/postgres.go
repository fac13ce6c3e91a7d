// Package postgres is a service's access to its database. It owns the settings of the connection pools, transactions
// with retries and their errors, the migration and creation of databases, and the metrics and spans of statements. It
// uses no table of a service.
//
// Start with InTx in tx.go and Classify in errors.go; Open in this file makes the pools. migrate.go and provision.go
// run before a service starts.
package postgres

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// MaxConns is the largest number of connections in a replica's pool, unless its Settings name another number.
const MaxConns = 10

// Settings are what an installation chooses for the pools of each replica.
type Settings struct {
	// MaxConns is the size of the pool for requests; 0 selects the constant MaxConns.
	MaxConns int32
	// Pooler is set if the address belongs to a pooler in transaction mode, such as PgBouncer. Consecutive transactions
	// can then have different sessions, so no statement is prepared by name and no session setting is sent. See
	// AssertTimeouts.
	Pooler bool
}

// Open returns a pool whose sessions have statement, lock and idle-in-transaction timeouts. It does not connect; see
// Await.
func Open(ctx context.Context, url string, settings Settings) (*pgxpool.Pool, error) {
	return settings.open(ctx, url, cmp.Or(settings.MaxConns, MaxConns), map[string]string{
		"statement_timeout":                   "5s",
		"lock_timeout":                        "2s",
		"idle_in_transaction_session_timeout": "10s",
	})
}

// OpenWithoutStatementTimeout returns a pool of three connections without a statement timeout, for exports and feeds.
func OpenWithoutStatementTimeout(ctx context.Context, url string, settings Settings) (*pgxpool.Pool, error) {
	return settings.open(ctx, url, 3, map[string]string{"statement_timeout": "0", "lock_timeout": "2s"})
}

// OpenRelay returns a pool of one connection with short timeouts, so that PostgreSQL releases the locks of a stopped
// process quickly.
func OpenRelay(ctx context.Context, url string, settings Settings) (*pgxpool.Pool, error) {
	return settings.open(ctx, url, 1, map[string]string{
		"statement_timeout":                   "5s",
		"lock_timeout":                        "2s",
		"idle_in_transaction_session_timeout": "3s",
	})
}

func (s Settings) open(
	ctx context.Context, url string, size int32, session map[string]string,
) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("read the database address: %w", err)
	}
	config.MaxConns = size
	config.MaxConnIdleTime = 5 * time.Minute
	config.ConnConfig.ConnectTimeout = 3 * time.Second
	config.ConnConfig.Tracer = tracer{}
	config.ConnConfig.DialFunc = (&net.Dialer{KeepAlive: 5 * time.Second}).DialContext
	if s.Pooler {
		config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	} else {
		maps.Copy(config.ConnConfig.RuntimeParams, session)
	}
	return pgxpool.NewWithConfig(ctx, config)
}

// AssertTimeouts returns an error unless the sessions have statement, lock and idle-in-transaction timeouts. Behind a
// pooler they are settings of the role, because a pooler in transaction mode rejects or drops those of its clients.
func AssertTimeouts(ctx context.Context, pool *pgxpool.Pool) error {
	var missing, role string
	const read = `
SELECT coalesce(string_agg(name, ', ' ORDER BY name), ''), current_user FROM pg_settings
WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') AND setting = '0'`
	if err := pool.QueryRow(ctx, read).Scan(&missing, &role); err != nil {
		return err
	}
	if missing != "" {
		return fmt.Errorf("behind the pooler the role %s has no %s: ALTER ROLE %s SET each of them", role, missing, role)
	}
	return nil
}

// AssertDurable returns an error unless fsync is on and synchronous_commit is neither off nor local. If one of the two
// is off, a crash can lose acknowledged commits; with local, a failover to a standby can:
// https://www.postgresql.org/docs/current/runtime-config-wal.html.
func AssertDurable(ctx context.Context, pool *pgxpool.Pool) error {
	var fsync, commit string
	const settings = `SELECT current_setting('fsync'), current_setting('synchronous_commit')`
	if err := pool.QueryRow(ctx, settings).Scan(&fsync, &commit); err != nil {
		return err
	}
	if fsync != "on" || commit == "off" || commit == "local" {
		return fmt.Errorf("PostgreSQL may lose acknowledged writes: fsync=%s, synchronous_commit=%s; set both on",
			fsync, commit)
	}
	return nil
}
