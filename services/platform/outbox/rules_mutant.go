//go:build mutant

package outbox

import (
	"context"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/mutant"
	"baari.dev/services/platform/postgres"
)

var (
	waitingRows = mutant.Choose("M1", // a naive cursor
		`SELECT id FROM outbox WHERE seq IS NULL ORDER BY id LIMIT 500`,
		`SELECT id FROM outbox WHERE seq IS NULL AND id > (SELECT coalesce(max(id), 0) FROM outbox WHERE seq IS NOT NULL) ORDER BY id LIMIT 500`)
	lockRelay = mutant.Choose("M12", // relays without a lock
		`SELECT pg_try_advisory_xact_lock(hashtextextended('outbox:' || current_database() || ':' || $1, 0))`,
		`SELECT true WHERE $1 <> ''`)
	newEpoch = mutant.Choose("M8", `gen_random_uuid()`, `s.epoch`) // the epoch is kept after a restore
)

// late are the rows of open transactions that are written after their commit, by transaction.
var late sync.Map

// transact, in M5, commits before it tells.
func (o *Outbox) transact(ctx context.Context, work func(pgx.Tx) error) error {
	if !mutant.Is("M5") {
		return postgres.InTx(ctx, o.pool, work)
	}
	var told *pgx.Batch
	err := postgres.InTx(ctx, o.pool, func(tx pgx.Tx) error {
		told = &pgx.Batch{}
		late.Store(tx, told)
		defer late.Delete(tx)
		return work(tx)
	})
	if err != nil || told.Len() == 0 {
		return err
	}
	return postgres.InTx(ctx, o.pool, func(tx pgx.Tx) error { return tx.SendBatch(ctx, told).Close() })
}

func write(ctx context.Context, tx pgx.Tx, rows *pgx.Batch) error {
	if told, is := late.Load(tx); is {
		told.(*pgx.Batch).QueuedQueries = append(told.(*pgx.Batch).QueuedQueries, rows.QueuedQueries...)
		return nil
	}
	if err := tx.SendBatch(ctx, rows).Close(); err != nil {
		return fmt.Errorf("append to the outbox: %w", err)
	}
	return nil
}

// commit, in M2, tells what may still be rolled back.
func (r *Relay) commit(ctx context.Context, tx pgx.Tx, events []Event) error {
	if mutant.Is("M2") && len(events) > 0 {
		r.handOver(events)
	}
	return tx.Commit(ctx)
}
