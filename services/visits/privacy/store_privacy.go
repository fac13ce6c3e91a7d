package privacy

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/privacy"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

type store struct{ *row.DB }

var selectOf = `
SELECT ` + row.Columns + `,` + row.PointColumns + row.LastColumns + `
FROM visits v` + row.LastJoin + ` WHERE v.phone = @phone ORDER BY v.created_at, v.id`

func (s *store) ofPhone(ctx context.Context, tx pgx.Tx, phone string) ([]visit.Visit, error) {
	found, err := row.Collect(tx.Query(ctx, selectOf, postgres.Args{"phone": phone, "zone": s.Zone}))
	return row.VisitsOf(found), err
}

const selectOffice = `SELECT coalesce(max(brand), ''), coalesce(max(contact), '') FROM office`

// office returns the office's name and the contact of its notice, "" before they are read from directory.
func (s *store) office(ctx context.Context) (brand, contact string, err error) {
	err = s.Pool.QueryRow(ctx, selectOffice).Scan(&brand, &contact)
	return brand, contact, err
}

const selectAccess = `SELECT at, user_id, role, call FROM access_log WHERE visit_ids && $1::uuid[] ORDER BY at`

func (*store) disclosuresOf(ctx context.Context, tx pgx.Tx, ids []string) ([]privacy.Disclosure, error) {
	rows, err := tx.Query(ctx, selectAccess, ids)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, privacy.ScanDisclosure)
}

// erasing removes the personal data of the visits in due, including the class, which may reveal a visitor's health, and
// the language, which may reveal the origin. The day, the token, the status and the times remain.
const erasing = `
UPDATE visits SET name = 'Erased', phone = NULL, reception_notes = '', pa_notes = '', session_notes = '',
  held_note = '', moved_reason = '', class = 'normal', language = '',
  erased_at = now(), updated_at = now(), version = version + 1
WHERE id IN (SELECT id FROM due)
RETURNING *`

var eraseOld = `
WITH due AS (
  SELECT id FROM visits WHERE erased_at IS NULL AND updated_at < @before ORDER BY updated_at LIMIT @limit FOR UPDATE
), v AS (` + erasing + `)
SELECT ` + row.Columns + `,` + row.PointColumns + row.LastNone + ` FROM v`

// eraseOld erases at most privacy.EraseBatch visits that have not changed since a time and returns them.
func (s *store) eraseOld(ctx context.Context, tx pgx.Tx, before time.Time) ([]visit.Visit, error) {
	return s.erase(ctx, tx, eraseOld, postgres.Args{"before": before})
}

var eraseOf = `
WITH due AS (
  SELECT id FROM visits WHERE phone = @phone ORDER BY id LIMIT @limit FOR UPDATE
), v AS (` + erasing + `)
SELECT ` + row.Columns + `,` + row.PointColumns + row.LastNone + ` FROM v`

// eraseOf erases at most privacy.EraseBatch visits of a phone number and returns them.
func (s *store) eraseOf(ctx context.Context, tx pgx.Tx, phone string) ([]visit.Visit, error) {
	return s.erase(ctx, tx, eraseOf, postgres.Args{"phone": phone})
}

var eraseOne = `
WITH due AS (SELECT @id::uuid AS id), v AS (` + erasing + `)
SELECT ` + row.Columns + `,` + row.PointColumns + row.LastNone + ` FROM v`

func (s *store) eraseVisit(ctx context.Context, tx pgx.Tx, id string) ([]visit.Visit, error) {
	return s.erase(ctx, tx, eraseOne, postgres.Args{"id": id})
}

func (s *store) erase(ctx context.Context, tx pgx.Tx, statement string, args postgres.Args) ([]visit.Visit, error) {
	args["zone"], args["limit"] = s.Zone, privacy.EraseBatch
	erased, err := row.Collect(tx.Query(ctx, statement, args))
	return row.VisitsOf(erased), err
}

// The answers stored under idempotency keys contain the visit. Answers to a call of the next visitor also contain the
// reasons of the call, which repeat the class and the typed reason of a move.
const redactAnswers = `
UPDATE idempotency SET answer = jsonb_set(answer, '{visit}', (answer->'visit') ||
  '{"name": "Erased", "phone": "", "notes": "", "receptionNotes": "", "paNotes": "", "sessionNotes": "",
    "language": "", "documents": null}' ||
  jsonb_build_object('queue', coalesce(answer->'visit'->'queue', '{}') || '{"class": "normal", "held": null}')) ||
  CASE WHEN answer ? 'reasons' THEN '{"reasons": []}' ELSE '{}' END::jsonb
WHERE answer->'visit'->>'id' = ANY($1)`

// Drafts of running sessions contain notes about the visitor.
const deleteDrafts = `DELETE FROM session_drafts WHERE visit_id = ANY($1)`

// The labels of papers may name a person.
const (
	eraseReceipts = `UPDATE acknowledgements SET documents = '[]' WHERE visit_id = ANY($1)`

	// The language of a notice may reveal the visitor's origin.
	eraseConsents = `UPDATE consents SET language = '' WHERE visit_id = ANY($1)`

	redactReceipts = `
UPDATE idempotency SET answer = jsonb_set(answer, '{acknowledgement,documents}', '[]')
WHERE answer->'acknowledgement'->>'visitId' = ANY($1)`
)

func (*store) eraseCopies(ctx context.Context, tx pgx.Tx, ids []string) error {
	for _, statement := range []string{
		redactAnswers, deleteDrafts, eraseReceipts, redactReceipts, eraseConsents,
	} {
		if _, err := tx.Exec(ctx, statement, ids); err != nil {
			return err
		}
	}
	return nil
}

const countLookups = `
SELECT coalesce(max(lookups), 0) FROM (
  SELECT count(*) AS lookups FROM access_log WHERE call = 'lookup' AND at > now() - interval '24 hours' GROUP BY user_id
) of_person`

func (s *store) mostLookups() (most int64, known bool) {
	known = postgres.Sample(s.Pool, func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, countLookups).Scan(&most)
	})
	return most, known
}
