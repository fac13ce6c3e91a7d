package feed

import (
	"context"
	"embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations returns the migration of the table feed_cursor.
func Migrations() postgres.Set {
	return postgres.Embedded("feed", migrations)
}

// Projection is a Sink that writes to PostgreSQL: events and cursor are written in one transaction.
type Projection struct {
	Pool   *pgxpool.Pool
	Source string
	// Apply applies one event.
	Apply func(ctx context.Context, tx pgx.Tx, event outbox.Event) error
	// ApplyAll, when set, is called instead of Apply with all events of a delivery.
	ApplyAll func(ctx context.Context, tx pgx.Tx, events []outbox.Event) error
	// Empty deletes what was projected from the source. Restart calls it.
	Empty func(ctx context.Context, tx pgx.Tx) error
}

const readCursor = `SELECT epoch, seq FROM feed_cursor WHERE source = $1`

// Position implements Sink.
func (p *Projection) Position(ctx context.Context) (Position, error) {
	var pos Position
	err := p.Pool.QueryRow(ctx, readCursor, p.Source).Scan(&pos.Epoch, &pos.Seq)
	if errors.Is(err, pgx.ErrNoRows) {
		return Position{}, nil
	}
	return pos, err
}

const ensureCursor = `INSERT INTO feed_cursor (source, epoch, seq) VALUES ($1, '', 0) ON CONFLICT DO NOTHING`

const lockCursor = `SELECT epoch, seq FROM feed_cursor WHERE source = $1 FOR UPDATE`

const moveCursor = `UPDATE feed_cursor SET epoch = $2, seq = $3 WHERE source = $1`

// isNext reports whether a batch follows the stored position. If not, another replica has moved the position.
func isNext(stored Position, batch Batch) bool {
	return stored.Seq == batch.After.Seq && (stored.Epoch == batch.UpTo.Epoch || stored.Epoch == "")
}

// Deliver implements Sink.
func (p *Projection) Deliver(ctx context.Context, batch Batch) error {
	return postgres.InTx(ctx, p.Pool, func(tx pgx.Tx) error {
		pos, err := p.lock(ctx, tx)
		if err != nil {
			return err
		}
		if !isNext(pos, batch) {
			return ErrMoved
		}
		if err := p.apply(ctx, tx, batch.Events); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, moveCursor, p.Source, batch.UpTo.Epoch, batch.UpTo.Seq)
		return err
	})
}

func (p *Projection) apply(ctx context.Context, tx pgx.Tx, events []outbox.Event) error {
	if len(events) == 0 {
		return nil
	}
	if p.ApplyAll != nil {
		if err := p.ApplyAll(ctx, tx, events); err != nil {
			return fmt.Errorf("events %d to %d: %w", events[0].Seq, events[len(events)-1].Seq, err)
		}
		return nil
	}
	for _, event := range events {
		if err := p.Apply(ctx, tx, event); err != nil {
			return fmt.Errorf("%s %d: %w", event.Type, event.Seq, err)
		}
	}
	return nil
}

// Restart implements Sink: all events are applied again. The cursor is locked before Empty is called, so that Empty
// does not delete what another replica has already applied from the new epoch.
func (p *Projection) Restart(ctx context.Context, head Position) (Position, error) {
	var begun Position
	err := postgres.InTx(ctx, p.Pool, func(tx pgx.Tx) error {
		pos, err := p.lock(ctx, tx)
		if err != nil {
			return err
		}
		begun = head.Beginning()
		if pos.Epoch == head.Epoch && pos.Seq <= head.Seq {
			begun = pos
			return nil
		}
		if err := p.Empty(ctx, tx); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, moveCursor, p.Source, head.Epoch, 0)
		return err
	})
	return begun, err
}

func (p *Projection) lock(ctx context.Context, tx pgx.Tx) (pos Position, err error) {
	err = tx.QueryRow(ctx, lockCursor, p.Source).Scan(&pos.Epoch, &pos.Seq)
	if !errors.Is(err, pgx.ErrNoRows) {
		return pos, err
	}
	if _, err := tx.Exec(ctx, ensureCursor, p.Source); err != nil {
		return pos, err
	}
	err = tx.QueryRow(ctx, lockCursor, p.Source).Scan(&pos.Epoch, &pos.Seq)
	return pos, err
}
