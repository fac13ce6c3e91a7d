package audit

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/privacy"
)

// redact_erased runs with the rights of its owner, because this service's own role cannot change records.
const redactSubject = `SELECT redact_erased($1, $2)`

// redact removes the values from a subject's records that precede its erasure.
func (s *store) redact(ctx context.Context, tx pgx.Tx, entity, id string) error {
	_, err := tx.Exec(ctx, redactSubject, entity, id)
	return err
}

// These are the records that still have a person's data. For an export, $2 is true and adds the records that do not
// name the person: consents, privacy requests, the link, messages, and requests for a token.
const selectOfSubjects = `
SELECT n, entity, entity_id, action, actor_id, actor_name, actor_email, actor_role, ip,
  old_values, new_values, created_at
FROM audit_records
WHERE entity_id = ANY($1) AND (entity IN ('visit', 'visit_documents', 'appointment', 'notification')
    OR $2 AND entity IN ('consent', 'link', 'message', 'arrival', 'privacy'))
  AND coalesce(old_values::jsonb, '{}') <> '{"redacted": true}'
  AND coalesce(new_values::jsonb, '{}') <> '{"redacted": true}' AND action <> 'erased'
ORDER BY n`

// recordsOf returns the subjects' records that still have values.
func (s *store) recordsOf(ctx context.Context, of subjects) ([]Entry, error) {
	rows, err := s.pool.Query(ctx, selectOfSubjects, of.IDs, of.All)
	if err != nil {
		return nil, postgres.Classify(err)
	}
	entries, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (e Entry, err error) {
		err = row.Scan(&e.N, &e.Entity, &e.EntityID, &e.Action, &e.ActorID, &e.ActorName, &e.ActorEmail, &e.ActorRole,
			&e.IP, (*[]byte)(&e.Old), (*[]byte)(&e.New), &e.CreatedAt)
		return e, err
	})
	return entries, postgres.Classify(err)
}

const selectDisclosures = `
SELECT entity, actor_id, actor_name, actor_email,
  CASE entity WHEN 'export' THEN coalesce(new_values->'filters'->>'start_date', '') ELSE '' END,
  CASE entity WHEN 'export' THEN coalesce(new_values->'filters'->>'end_date', '') ELSE '' END,
  count(*), coalesce(sum((new_values->>'rows')::bigint), 0)::bigint, min(created_at), max(created_at)
FROM audit_records WHERE entity IN ('export', 'audit') AND ` + onDays + `
GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY min(created_at)`

func (s *store) disclosures(ctx context.Context, days Days) (breachAnswer, error) {
	answer := breachAnswer{Exports: []disclosure{}, Reads: []disclosure{}}
	args := postgres.Args{"start": days.Start, "end": days.End, "zone": s.zone}
	rows, err := s.feeds.Query(ctx, selectDisclosures, args)
	if err != nil {
		return answer, postgres.Classify(err)
	}
	var entity string
	var d disclosure
	columns := []any{
		&entity, &d.UserID, &d.Name, &d.Email, &d.Start, &d.End, &d.Times, &d.Rows,
		(*time.Time)(&d.First), (*time.Time)(&d.Last),
	}
	_, err = pgx.ForEachRow(rows, columns, func() error {
		if entity == "export" {
			answer.Exports = append(answer.Exports, d)
		} else {
			answer.Reads = append(answer.Reads, d)
		}
		return nil
	})
	return answer, postgres.Classify(err)
}

const selectUses = `
SELECT (created_at AT TIME ZONE @zone)::date::text, actor_id, actor_role,
  CASE entity WHEN 'export' THEN 'export' ELSE 'trail' END, count(*),
  coalesce(sum((new_values->>'rows')::bigint), 0)::bigint
FROM audit_records WHERE entity IN ('export', 'audit') AND actor_id <> '' AND ` + onDays + `
GROUP BY 1, 2, 3, 4 ORDER BY 1 DESC, 2, 4`

// uses counts the exports and the reads of the trail by day and user.
func (s *store) uses(ctx context.Context, days Days) (privacy.Uses, error) {
	rows, err := s.feeds.Query(ctx, selectUses, postgres.Args{"start": days.Start, "end": days.End, "zone": s.zone})
	if err != nil {
		return privacy.Uses{}, postgres.Classify(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[privacy.Use])
	return privacy.Uses{Uses: append([]privacy.Use{}, all...)}, postgres.Classify(err)
}

// Every user who has read data has signed in or signed up, so the trail has a record with the user's name.
const selectPeople = `
SELECT DISTINCT ON (entity_id) entity_id, actor_name, actor_email, actor_role
FROM audit_records WHERE entity_id = ANY($1) AND entity IN ('session', 'user') AND actor_id = entity_id
ORDER BY entity_id, created_at DESC, n DESC`

// people returns the users with these ids. A name is that of the latest record by and about the user.
func (s *store) people(ctx context.Context, ids []string) ([]member, error) {
	rows, err := s.feeds.Query(ctx, selectPeople, ids)
	if err != nil {
		return nil, postgres.Classify(err)
	}
	people, err := pgx.CollectRows(rows, pgx.RowToStructByPos[member])
	return people, postgres.Classify(err)
}
