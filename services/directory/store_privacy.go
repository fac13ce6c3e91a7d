package directory

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/privacy"
)

// erasing erases the personal data of the appointments in the CTE "due". The service and the slot remain. An open
// appointment is cancelled, and its place is free.
const erasing = `
UPDATE appointments SET name = 'Erased', phone = NULL, email = '', message = '', mail_due = NULL, erased_at = now(),
  language = '', messages = false, request_key = NULL, request_digest = NULL, undo = NULL, version = version + 1,
  sequence = sequence + (status IN ('pending', 'confirmed'))::integer,
  place = CASE WHEN status = 'arrived' THEN place END,
  ended_at = CASE WHEN status IN ('pending', 'confirmed') THEN now() ELSE ended_at END,
  status = CASE WHEN status IN ('pending', 'confirmed') THEN 'cancelled' ELSE status END
WHERE id IN (SELECT id FROM due)
RETURNING` + appointmentColumns

// Retention counts from the preferred day if this day is later than the request, but from at most a year after the
// request. Otherwise a preferred day far in the future would extend retention without bound.
const eraseOld = `
WITH due AS (
  SELECT id FROM appointments
  WHERE erased_at IS NULL AND created_at < @before
    AND least(preferred_date, created_at + interval '1 year') < @before ORDER BY created_at LIMIT @limit FOR UPDATE
)` + erasing

const eraseOf = `
WITH due AS (
  SELECT id FROM appointments WHERE phone = @phone ORDER BY id LIMIT @limit FOR UPDATE
)` + erasing

// eraseOld erases at most privacy.EraseBatch appointment requests whose retention began before a time. It returns them.
func (s *store) eraseOld(ctx context.Context, tx pgx.Tx, before time.Time) ([]contract.Appointment, error) {
	return collectErased(tx.Query(ctx, eraseOld, postgres.Args{"before": before, "limit": privacy.EraseBatch}))
}

// eraseOf erases at most privacy.EraseBatch appointment requests of a phone number and returns them.
func (s *store) eraseOf(ctx context.Context, tx pgx.Tx, phone string) ([]contract.Appointment, error) {
	return collectErased(tx.Query(ctx, eraseOf, postgres.Args{"phone": phone, "limit": privacy.EraseBatch}))
}

func collectErased(rows pgx.Rows, err error) ([]contract.Appointment, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanAppointment)
}

const selectOf = `
SELECT` + appointmentColumns + `
FROM appointments WHERE phone = $1 ORDER BY created_at, id`

const (
	selectAccess = `SELECT at, user_id, role, call FROM access_log WHERE appointment_ids && $1::uuid[] ORDER BY at`
	insertExport = `
INSERT INTO access_log (user_id, role, call, appointment_ids) VALUES ($1, $2, $3, $4)`
)

// exportSubject returns the appointment requests of a phone number with their disclosures, and records the export.
func (s *store) exportSubject(ctx context.Context, req privacy.Person) (answer subjectAnswer, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, selectOf, req.Phone)
		if err != nil {
			return err
		}
		if answer.Appointments, err = pgx.CollectRows(rows, scanAppointment); err != nil {
			return err
		}
		answer.Access, err = disclosuresOf(ctx, tx, req.Asked, idsOf(answer.Appointments))
		return err
	})
	return answer, postgres.Classify(err)
}

// disclosuresOf lists the disclosures of the appointment requests and records the export, unless ids is empty.
func disclosuresOf(
	ctx context.Context, tx pgx.Tx, asked privacy.Asked, ids []string,
) ([]privacy.Disclosure, error) {
	rows, err := tx.Query(ctx, selectAccess, ids)
	if err != nil {
		return nil, err
	}
	found, err := pgx.CollectRows(rows, privacy.ScanDisclosure)
	if err != nil || len(ids) == 0 {
		return found, err
	}
	call, user, role := asked.Entry()
	_, err = tx.Exec(ctx, insertExport, user, role, call, ids)
	return found, err
}

const disclosed = `
WITH disclosed AS (
  SELECT a.id, a.name, coalesce(a.phone, '') AS phone, a.email, l.user_id, l.call, l.at
  FROM access_log l CROSS JOIN LATERAL unnest(l.appointment_ids) u(id) JOIN appointments a ON a.id = u.id
  WHERE l.at >= @from::date::timestamp AT TIME ZONE @zone AND l.at < (@to::date + 1)::timestamp AT TIME ZONE @zone
    AND (@phone = '' OR a.phone = @phone)
)`

const selectReaders = disclosed + `
SELECT user_id, call, count(DISTINCT id), min(at), max(at)
FROM disclosed GROUP BY user_id, call ORDER BY user_id, call`

const selectAffected = disclosed + `
SELECT max(name), phone, max(email), count(DISTINCT id), array_agg(DISTINCT user_id)
FROM disclosed GROUP BY phone ORDER BY phone`

func (s *store) breach(ctx context.Context, req breachRequest) (breachAnswer, error) {
	answer := breachAnswer{Readers: []breachReader{}, Affected: []breachAffected{}}
	args := postgres.Args{"from": req.From, "to": req.To, "phone": req.Phone, "zone": s.zone}
	rows, err := s.pool.Query(ctx, selectReaders, args)
	if err != nil {
		return answer, postgres.Classify(err)
	}
	var r breachReader
	columns := []any{&r.UserID, &r.Call, &r.Requests, (*time.Time)(&r.First), (*time.Time)(&r.Last)}
	_, err = pgx.ForEachRow(rows, columns, func() error {
		answer.Readers = append(answer.Readers, r)
		return nil
	})
	if err != nil {
		return answer, postgres.Classify(err)
	}
	if rows, err = s.pool.Query(ctx, selectAffected, args); err != nil {
		return answer, postgres.Classify(err)
	}
	affected, err := pgx.CollectRows(rows, pgx.RowToStructByPos[breachAffected])
	answer.Affected = append(answer.Affected, affected...)
	return answer, postgres.Classify(err)
}

const selectUses = `
SELECT (at AT TIME ZONE @zone)::date::text, user_id, role, call, count(*), sum(cardinality(appointment_ids))::bigint
FROM access_log
WHERE at >= @from::date::timestamp AT TIME ZONE @zone AND at < (@to::date + 1)::timestamp AT TIME ZONE @zone
GROUP BY 1, 2, 3, 4 ORDER BY 1 DESC, 2, 4`

func (s *store) uses(ctx context.Context, period privacy.Period) (privacy.Uses, error) {
	args := postgres.Args{"from": period.From, "to": period.To, "zone": s.zone}
	rows, err := s.pool.Query(ctx, selectUses, args)
	if err != nil {
		return privacy.Uses{}, postgres.Classify(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[privacy.Use])
	return privacy.Uses{Uses: append([]privacy.Use{}, all...)}, postgres.Classify(err)
}
