//go:build !mutant

package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// finish commits, and only then the caller goes on. rules_mutant.go turns that round, to show that the proof finds it.
func finish(ctx context.Context, conn *pgxpool.Conn, tx pgx.Tx) error {
	defer conn.Release()
	return commit(ctx, tx)
}
