package audit

import (
	"context"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
)

// projectVisits applies events of visits. For each visit it applies only the last event, which has the whole visit.
func (s *Service) projectVisits(ctx context.Context, tx pgx.Tx, events []outbox.Event) error {
	latest := map[string]jsontext.Value{}
	for _, event := range events {
		if event.Subject.Entity == contract.EntityVisit {
			latest[event.Subject.ID] = event.After
		}
	}
	if len(latest) == 0 {
		return nil
	}
	visits := make([]jsontext.Value, 0, len(latest))
	for _, visit := range latest {
		visits = append(visits, visit)
	}
	data, err := json.Marshal(visits)
	if err != nil {
		return err
	}
	return s.store.saveVisits(ctx, tx, data)
}
