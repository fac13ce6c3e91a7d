//go:build !mutant

package outbox

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
)

// The lines on which the promises rest. rules_mutant.go breaks them one by one, to show that the proof finds it.

// waitingRows are the committed rows that have no number yet, whatever their ids: commit order is not the order of ids.
const waitingRows = `SELECT id FROM outbox WHERE seq IS NULL ORDER BY id LIMIT 500`

// lockRelay lets one relay of a source number at a time.
const lockRelay = `SELECT pg_try_advisory_xact_lock(hashtextextended('outbox:' || current_database() || ':' || $1, 0))`

// newEpoch begins one when the stream's database is another than it was.
const newEpoch = `gen_random_uuid()`

// transact runs work in one transaction, what it tells included.
func (o *Outbox) transact(ctx context.Context, work func(pgx.Tx) error) error {
	return postgres.InTx(ctx, o.pool, work)
}

// write sends the rows of changes into the transaction that makes them.
func write(ctx context.Context, tx pgx.Tx, rows *pgx.Batch) error {
	if err := tx.SendBatch(ctx, rows).Close(); err != nil {
		return fmt.Errorf("append to the outbox: %w", err)
	}
	return nil
}

// commit makes the numbers of events last. Only then they may be handed over.
func (r *Relay) commit(ctx context.Context, tx pgx.Tx, _ []Event) error { return tx.Commit(ctx) }
