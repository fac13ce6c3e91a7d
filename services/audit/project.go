package audit

import (
	"context"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
)

// Follow returns the sink that copies a source's events to the trail. For the events of the service visits, it also
// updates the projection of visits. Records, projection and cursor are written in one transaction.
func (s *Service) Follow(source string) feed.Sink {
	projection := &feed.Projection{Pool: s.store.pool, Source: source, ApplyAll: s.copyEvents, Empty: keepRecords}
	if source == contract.SourceVisits {
		projection.ApplyAll, projection.Empty = s.copyVisits, s.store.emptyVisits
	}
	return projection
}

// keepRecords does nothing, because the records remain when a source starts a new epoch.
func keepRecords(context.Context, pgx.Tx) error { return nil }

func (s *Service) copyVisits(ctx context.Context, tx pgx.Tx, events []outbox.Event) error {
	if err := s.copyEvents(ctx, tx, events); err != nil {
		return err
	}
	return s.projectVisits(ctx, tx, events)
}

// copyEvents adds a record for each event that has none yet, and removes the values that these events erase.
func (s *Service) copyEvents(ctx context.Context, tx pgx.Tx, events []outbox.Event) error {
	head, err := s.store.lockHead(ctx, tx)
	if err != nil {
		return err
	}
	known, err := s.store.knownEvents(ctx, tx, events)
	if err != nil {
		return err
	}
	var rows [][]any
	for _, event := range events {
		if known[event.ID] {
			continue
		}
		r, err := recordOf(event)
		if err != nil {
			return err
		}
		row, next := r.link(s.options.Key, head)
		rows, head = append(rows, row), next
	}
	if len(rows) == 0 {
		return nil
	}
	if err := s.store.addRecords(ctx, tx, rows, head); err != nil {
		return err
	}
	return s.redactErased(ctx, tx, events)
}
