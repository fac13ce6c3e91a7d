package visits

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/retention"
	"baari.dev/services/visits/visit"
)

// Erases the personal data of visits. The day, the token, the status and the times remain.
const erasing = `
UPDATE visits SET name = 'Erased', phone = NULL, reception_notes = '', pa_notes = '', session_notes = '',
  erased_at = now(), updated_at = now(), version = version + 1
WHERE id IN (SELECT id FROM due)
RETURNING *`

var eraseOld = `
WITH due AS (
  SELECT id FROM visits WHERE erased_at IS NULL AND updated_at < @before ORDER BY updated_at LIMIT @limit FOR UPDATE
), v AS (` + erasing + `)
SELECT ` + columns + `,` + momentColumns + ` FROM v`

var eraseOf = `
WITH due AS (
  SELECT id FROM visits WHERE phone = @phone ORDER BY id LIMIT @limit FOR UPDATE
), v AS (` + erasing + `)
SELECT ` + columns + `,` + momentColumns + ` FROM v`

// The answers stored under idempotency keys contain the visit.
const redactAnswers = `
UPDATE idempotency SET answer = jsonb_set(answer, '{visit}', (answer->'visit') ||
  '{"name": "Erased", "phone": "", "notes": "", "receptionNotes": "", "paNotes": "", "sessionNotes": ""}')
WHERE answer->'visit'->>'id' = ANY($1)`

// Drafts of running sessions contain notes about the visitor.
const deleteDrafts = `DELETE FROM session_drafts WHERE visit_id = ANY($1)`

// eraseBatch is the largest number of visits erased in one transaction.
const eraseBatch = 200

// redaction replaces the personal data in stored events.
type redaction struct {
	Name           string `json:"name"`
	Phone          string `json:"phone"`
	ReceptionNotes string `json:"receptionNotes"`
	PANotes        string `json:"paNotes"`
	SessionNotes   string `json:"sessionNotes"`
}

// erase erases the visits that the statement selects, at most eraseBatch, and appends an event for each. It returns the
// erased visits.
func (s *Service) erase(ctx context.Context, statement string, args postgres.Args) (erased []visit.Visit, err error) {
	args["zone"], args["limit"] = s.store.zone, eraseBatch
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		found, err := collect(tx.Query(ctx, statement, args))
		if err != nil || len(found) == 0 {
			return err
		}
		erased = visitsOf(found)
		ids := make([]string, len(erased))
		changes := make([]outbox.Change, len(erased))
		for i, v := range erased {
			ids[i], changes[i] = v.ID, visitChange(contract.VisitErased, nil, v)
		}
		if err := outbox.Redact(ctx, tx, contract.EntityVisit, ids, redaction{Name: visit.Erased}); err != nil {
			return err
		}
		for _, statement := range []string{redactAnswers, deleteDrafts} {
			if _, err := tx.Exec(ctx, statement, ids); err != nil {
				return err
			}
		}
		return outbox.Append(ctx, tx, changes...)
	})
	return erased, postgres.Classify(err)
}

const forgetAccess = `DELETE FROM access_log WHERE at < $1`

// Retention returns the retention tasks: visits that have not changed for the retention period are erased, entries of
// the access log are deleted.
func (s *Service) Retention() []retention.Task {
	return []retention.Task{
		{Name: "visits", Erase: func(ctx context.Context, before time.Time) (int64, error) {
			erased, err := s.erase(ctx, eraseOld, postgres.Args{"before": before})
			return int64(len(erased)), err
		}},
		{Name: "access_log", Erase: func(ctx context.Context, before time.Time) (int64, error) {
			tag, err := s.store.pool.Exec(ctx, forgetAccess, before)
			return tag.RowsAffected(), err
		}},
	}
}
