package directory

import (
	"context"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
)

// FollowVisits returns the sink that projects the status and stage of each assigned visit.
func (s *Service) FollowVisits() feed.Sink {
	return &feed.Projection{
		Pool: s.store.pool, Source: contract.SourceVisits, ApplyAll: s.applyVisits, Empty: s.store.emptyAssigned,
	}
}

// applyVisits applies events of visits. It applies only the last event of each visit, which has the whole visit. A
// visit without a consultant, for example after an undo or a move to the line, is no longer assigned.
func (s *Service) applyVisits(ctx context.Context, tx pgx.Tx, events []outbox.Event) error {
	latest := map[string]contract.Visit{}
	for _, event := range events {
		if event.Subject.Entity != contract.EntityVisit {
			continue
		}
		var visit contract.Visit
		if err := json.Unmarshal(event.After, &visit); err != nil {
			return err
		}
		latest[visit.ID] = visit
	}
	if len(latest) == 0 {
		return nil
	}
	return s.store.saveAssigned(ctx, tx, latest)
}
