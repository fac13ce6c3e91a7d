// Package data has what the stores of auth share: the database with its clock, and secrets with the hashes under which
// they are stored.
package data

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/postgres"
)

// DB is the database of auth. Times are PostgreSQL's: statements add Ahead to now(), except the sweep of expired rows.
// Ahead returns zero except in tests.
type DB struct {
	Pool  *pgxpool.Pool
	Ahead func() time.Duration
}

// Querier is a transaction or a connection without a transaction.
type Querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Read runs work on a connection outside a transaction. It returns classified errors: see postgres.Classify.
func (db *DB) Read(ctx context.Context, work func(Querier) error) error {
	conn, err := postgres.Acquire(ctx, db.Pool)
	if err != nil {
		return postgres.Classify(err)
	}
	defer conn.Release()
	return postgres.Classify(work(conn))
}

const selectNow = `SELECT now() + @ahead::interval`

// Now returns the start time of the transaction or, outside a transaction, of the statement.
func (db *DB) Now(ctx context.Context, q Querier) (now time.Time, err error) {
	err = q.QueryRow(ctx, selectNow, postgres.Args{"ahead": db.Ahead()}).Scan(&now)
	return now, err
}

// IDs returns the ids that a statement selects.
func IDs(rows pgx.Rows, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
