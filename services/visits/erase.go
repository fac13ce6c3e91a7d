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

// What becomes of a visit whose person is erased: the day, the token and how the visit went stay.
const erasing = `
UPDATE visits SET name = 'Erased', phone = NULL, reception_notes = '', pa_notes = '', session_notes = '',
  erased_at = now(), updated_at = now(), version = version + 1
WHERE id IN (SELECT id FROM due)
RETURNING *`

const eraseOld = `
WITH due AS (
  SELECT id FROM visits WHERE erased_at IS NULL AND updated_at < @before ORDER BY updated_at LIMIT @limit FOR UPDATE
), v AS (` + erasing + `)
SELECT` + columns + `,` + momentColumns + ` FROM v`

const eraseOf = `
WITH due AS (
  SELECT id FROM visits WHERE phone = @phone ORDER BY id LIMIT @limit FOR UPDATE
), v AS (` + erasing + `)
SELECT` + columns + `,` + momentColumns + ` FROM v`

// Answers that are kept for a repeated request hold the visit as it was answered.
const redactAnswers = `
UPDATE idempotency SET answer = jsonb_set(answer, '{visit}', (answer->'visit') ||
  '{"name": "Erased", "phone": "", "notes": "", "receptionNotes": "", "paNotes": "", "sessionNotes": ""}')
WHERE answer->'visit'->>'id' = ANY($1)`

// What a consultant has typed about the visitor of a session that goes on.
const deleteDrafts = `DELETE FROM session_drafts WHERE visit_id = ANY($1)`

// eraseBatch is the most visits of one transaction.
const eraseBatch = 200

// redaction stands where events told of the person.
type redaction struct {
	Name           string `json:"name"`
	Phone          string `json:"phone"`
	ReceptionNotes string `json:"receptionNotes"`
	PANotes        string `json:"paNotes"`
	SessionNotes   string `json:"sessionNotes"`
}

// erase erases the persons of the visits that the statement chooses, at most a batch, and tells it.
func (s *Service) erase(ctx context.Context, statement string, args postgres.Args) (erased []visit.Visit, err error) {
	args["zone"], args["limit"] = s.store.zone, eraseBatch
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		if erased, err = collect(tx.Query(ctx, statement, args)); err != nil || len(erased) == 0 {
			return err
		}
		ids := make([]string, len(erased))
		changes := make([]outbox.Change, len(erased))
		for i, v := range erased {
			ids[i], changes[i] = v.ID, tell(contract.VisitErased, nil, v)
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

func collect(rows pgx.Rows, err error) ([]visit.Visit, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (visit.Visit, error) {
		v, _, _, err := scan(row)
		return v, err
	})
}

const forgetAccess = `DELETE FROM access_log WHERE at < $1`

// Retention is what this service erases when its time is over: persons of visits that nothing has happened to since,
// and who looked at them.
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
