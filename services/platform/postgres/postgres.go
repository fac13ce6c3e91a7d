// Package postgres is a service's access to its database. It owns the settings of the connection pools, transactions
// with retries and their errors, the migration and creation of databases, and the metrics and spans of statements. It
// uses no table of a service.
//
// Start with InTx in tx.go and Classify in errors.go; Open in this file makes the pools. migrate.go and provision.go
// run before a service starts.
package postgres

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// MaxConns is the largest number of connections in a replica's pool.
const MaxConns = 10

// Open returns a pool whose sessions have statement, lock and idle-in-transaction timeouts. It does not connect; see
// Await.
func Open(ctx context.Context, url string) (*pgxpool.Pool, error) {
	return open(ctx, url, MaxConns, map[string]string{
		"statement_timeout":                   "5s",
		"lock_timeout":                        "2s",
		"idle_in_transaction_session_timeout": "10s",
	})
}

// OpenWithoutStatementTimeout returns a pool of three connections without a statement timeout, for exports and feeds.
func OpenWithoutStatementTimeout(ctx context.Context, url string) (*pgxpool.Pool, error) {
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

// AssertDurable returns an error unless fsync is on and synchronous_commit is neither off nor local. With other
// settings PostgreSQL acknowledges commits that a crash, or with local a failover to a standby, can lose:
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
