package audit

import (
	"context"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
)

// Follow returns the sink that copies a source's events to the trail and projects the visits from those of visits.
// Records, projection and cursor are written in one transaction.
func (a *Audit) Follow(source string) feed.Sink {
	projection := &feed.Projection{Pool: a.pool, Source: source, ApplyAll: a.copyEvents, Empty: keepRecords}
	if source == contract.SourceVisits {
		projection.ApplyAll, projection.Empty = a.copyVisits, forgetVisits
	}
	return projection
}

// keepRecords does nothing: a new epoch of a source deletes no records.
func keepRecords(context.Context, pgx.Tx) error { return nil }

func (a *Audit) copyVisits(ctx context.Context, tx pgx.Tx, events []outbox.Event) error {
	if err := a.copyEvents(ctx, tx, events); err != nil {
		return err
	}
	return a.keepVisits(ctx, tx, events)
}
