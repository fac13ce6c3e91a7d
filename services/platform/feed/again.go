package feed

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
)

// rereadAfter is when RereadTwice reads again: later than the end of a rolling upgrade. rereadRetry is the pause after
// a read that failed.
const (
	rereadAfter = 10 * time.Minute
	rereadRetry = 5 * time.Second
)

// RereadTwice calls Reread now and after ten minutes, each until it succeeds or ctx ends. It returns nil.
func (p *Projection) RereadTwice(ctx context.Context, reader Reader, entity string, log *slog.Logger) error {
	for _, wait := range []time.Duration{0, rereadAfter} {
		for pause(ctx, wait) {
			err := p.Reread(ctx, reader, entity)
			if err == nil {
				break
			}
			log.DebugContext(ctx, "the events are read again later", "source", p.Source, "cause", err)
			wait = rereadRetry
		}
	}
	return nil
}

// pause waits, and reports whether ctx still runs.
func pause(ctx context.Context, wait time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(wait):
		return true
	}
}

// Reread applies the source's event with the highest version about each subject of an entity, without a change of the
// position. It is for rows with versions, which Apply does not replace by lower ones. A replica of the previous release
// skips events of kinds that it does not know, moves the position past them, and replaces the values of a row but not
// its version. Reread does nothing while the position is in another epoch, because all events of the new epoch will be
// applied.
func (p *Projection) Reread(ctx context.Context, reader Reader, entity string) error {
	events, end, err := reader.about(ctx, entity)
	if err != nil || len(events) == 0 {
		return err
	}
	return postgres.InTx(ctx, p.Pool, func(tx pgx.Tx) error {
		pos, err := p.lock(ctx, tx)
		if err != nil || pos.Epoch != end.Epoch {
			return err
		}
		return p.apply(ctx, tx, events)
	})
}

// about returns, for each subject of an entity, the source's event with the highest version, and the position of the
// newest event. It keeps no other events in memory.
func (r Reader) about(ctx context.Context, entity string) (events []outbox.Event, at Position, err error) {
	newest := map[string]outbox.Event{}
	for {
		page, err := r.Read(ctx, at, outbox.MaxPage)
		if err != nil {
			return nil, at, err
		}
		batch, err := batchOf(at, page)
		if err != nil {
			return nil, at, err
		}
		for _, event := range batch.Events {
			last, known := newest[event.Subject.ID]
			if event.Subject.Entity == entity && (!known || event.Version >= last.Version) {
				newest[event.Subject.ID] = event
			}
		}
		if batch.UpTo.Seq == at.Seq || batch.UpTo.Seq >= page.Head {
			bySeq := func(a, b outbox.Event) int { return cmp.Compare(a.Seq, b.Seq) }
			return slices.SortedFunc(maps.Values(newest), bySeq), batch.UpTo, nil
		}
		at = batch.UpTo
	}
}
