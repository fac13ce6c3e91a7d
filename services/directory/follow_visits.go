package directory

import (
	"context"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
)

// FollowVisits returns the sink that projects the status of each assigned visit.
func (d *Directory) FollowVisits() feed.Sink {
	return &feed.Projection{Pool: d.pool, Source: contract.SourceVisits, ApplyAll: keepAssigned, Empty: forgetAssigned}
}

const upsertAssigned = `
INSERT INTO assigned_visits (id, consultant_id, status, completed_at)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[])
ON CONFLICT (id) DO UPDATE
SET consultant_id = EXCLUDED.consultant_id, status = EXCLUDED.status, completed_at = EXCLUDED.completed_at`

// keepAssigned applies events of assigned visits. Only the last event of each visit is applied: every event has the
// whole visit.
func keepAssigned(ctx context.Context, tx pgx.Tx, events []outbox.Event) error {
	latest := map[string]contract.Visit{}
	for _, event := range events {
		if event.Subject.Entity != contract.EntityVisit {
			continue
		}
		var visit contract.Visit
		if err := json.Unmarshal(event.After, &visit); err != nil {
			return err
		}
		if visit.ConsultantID != nil {
			latest[visit.ID] = visit
		}
	}
	if len(latest) == 0 {
		return nil
	}
	var ids, consultants, statuses []string
	var completed []*time.Time
	for id, visit := range latest {
		ids, consultants, statuses = append(ids, id), append(consultants, *visit.ConsultantID), append(statuses, visit.Status)
		completed = append(completed, (*time.Time)(visit.CompletedAt))
	}
	_, err := tx.Exec(ctx, upsertAssigned, ids, consultants, statuses, completed)
	return err
}

const truncateAssigned = `TRUNCATE assigned_visits`

func forgetAssigned(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, truncateAssigned)
	return err
}
