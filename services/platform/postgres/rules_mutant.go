//go:build mutant

package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/mutant"
)

// finish, in M11, lets the caller go on before the commit.
func finish(ctx context.Context, conn *pgxpool.Conn, tx pgx.Tx) error {
	if !mutant.Is("M11") {
		defer conn.Release()
		return commit(ctx, tx)
	}
	own := conn.Hijack()
	go func() {
		_ = tx.Commit(context.Background())
		_ = own.Close(context.Background())
	}()
	return nil
}
