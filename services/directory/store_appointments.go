package directory

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// The columns of an appointment request, in the order of scanAppointment.
const appointmentColumns = `
  id::text, name, coalesce(phone, ''), email, service, preferred_date::text, preferred_time, message, status,
  created_at`

func scanAppointment(row pgx.CollectableRow) (contract.Appointment, error) {
	var a contract.Appointment
	var at time.Time
	err := row.Scan(&a.ID, &a.Name, &a.Phone, &a.Email, &a.Service, &a.PreferredDate, &a.PreferredTime, &a.Message,
		&a.Status, &at)
	a.CreatedAt = wire.Time(at)
	return a, err
}

const insertAppointment = `
INSERT INTO appointments
  (id, name, phone, email, service, preferred_date, preferred_time, message, status, notice_version, mail_due)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', $9, CASE WHEN $10 THEN now() END) RETURNING created_at`

// addAppointment inserts a pending appointment request with a version of the privacy notice, and returns the time of
// the request. If mail is set, a mail about the request is due.
func (s *store) addAppointment(
	ctx context.Context, tx pgx.Tx, a contract.Appointment, notice string, mail bool,
) (wire.Time, error) {
	var at time.Time
	err := tx.QueryRow(ctx, insertAppointment, a.ID, a.Name, a.Phone, a.Email, a.Service, a.PreferredDate,
		a.PreferredTime, a.Message, notice, mail).Scan(&at)
	return wire.Time(at), err
}

const ofRequest = `(status = @status OR @status = '') AND (preferred_date = @date OR @date::date IS NULL)`

const countAppointments = `SELECT count(*) FROM appointments WHERE ` + ofRequest

// An appointment request contains a whole phone number, so the statement that reads it records the disclosure, by ids
// only and once per reader, request and office day.
const selectAppointments = `
WITH page AS (
  SELECT * FROM appointments WHERE ` + ofRequest + `
  ORDER BY created_at DESC, id DESC LIMIT @limit OFFSET @skip
), unrecorded AS (
  SELECT id FROM page WHERE phone IS NOT NULL AND NOT EXISTS (
    SELECT FROM access_log l
    WHERE l.user_id = @reader AND l.at >= (now() AT TIME ZONE @zone)::date::timestamp AT TIME ZONE @zone
      AND page.id = ANY(l.appointment_ids))
), recorded AS (
  INSERT INTO access_log (user_id, role, call, appointment_ids)
  SELECT @reader, @role, 'appointments', array_agg(id) FROM unrecorded HAVING count(*) > 0
)
SELECT` + appointmentColumns + `
FROM page ORDER BY created_at DESC, id DESC`

func (s *store) appointments(ctx context.Context, req listRequest) (Appointments, error) {
	caller, _ := identity.From(ctx)
	var date *string
	if req.Date != "" {
		date = &req.Date
	}
	args := postgres.Args{
		"status": req.Status, "date": date, "limit": req.Limit, "skip": (req.Page - 1) * req.Limit,
		"reader": caller.ID, "role": caller.Role, "zone": s.zone,
	}
	var found Appointments
	if err := s.pool.QueryRow(ctx, countAppointments, args).Scan(&found.Total); err != nil {
		return found, postgres.Classify(err)
	}
	rows, err := s.pool.Query(ctx, selectAppointments, args)
	if err != nil {
		return found, postgres.Classify(err)
	}
	found.List, err = pgx.CollectRows(rows, scanAppointment)
	return found, postgres.Classify(err)
}

const lockAppointment = `
SELECT` + appointmentColumns + `
FROM appointments WHERE id = $1 FOR UPDATE`

// lockAppointment locks an appointment request. It returns fault.ErrNotFound for an unknown id.
func (s *store) lockAppointment(ctx context.Context, tx pgx.Tx, id string) (contract.Appointment, error) {
	rows, err := tx.Query(ctx, lockAppointment, id)
	if err != nil {
		return contract.Appointment{}, err
	}
	found, err := pgx.CollectExactlyOneRow(rows, scanAppointment)
	if errors.Is(err, pgx.ErrNoRows) {
		return found, fault.ErrNotFound
	}
	return found, err
}

const updateAppointment = `UPDATE appointments SET status = $2 WHERE id = $1`

func (s *store) saveStatus(ctx context.Context, tx pgx.Tx, a contract.Appointment) error {
	_, err := tx.Exec(ctx, updateAppointment, a.ID, a.Status)
	return err
}

// Taking a request postpones its mail: if this replica ends or the mail server rejects the mail, the mail is due again
// later. After a day the request is no longer mailed, only listed on screen.
const takeDue = `
UPDATE appointments SET mail_due = now() + interval '1 minute'
WHERE id = (
  SELECT id FROM appointments WHERE mail_due <= now() AND created_at > now() - interval '1 day'
  ORDER BY mail_due LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING` + appointmentColumns

// takeDue takes the request whose mail has been due longest. taken is false when none is due.
func (s *store) takeDue(ctx context.Context) (a contract.Appointment, taken bool, err error) {
	rows, err := s.pool.Query(ctx, takeDue)
	if err != nil {
		return a, false, postgres.Classify(err)
	}
	a, err = pgx.CollectExactlyOneRow(rows, scanAppointment)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, false, nil
	}
	return a, err == nil, postgres.Classify(err)
}

const takeAllDue = `
UPDATE appointments SET mail_due = now() + interval '1 minute'
WHERE id IN (
  SELECT id FROM appointments WHERE mail_due <= now() AND created_at > now() - interval '1 day'
  FOR UPDATE SKIP LOCKED)
RETURNING id::text`

func (s *store) takeAllDue(ctx context.Context) ([]string, error) {
	rows, err := s.pool.Query(ctx, takeAllDue)
	if err != nil {
		return nil, postgres.Classify(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return ids, postgres.Classify(err)
}

const postponeDue = `
UPDATE appointments SET mail_due = now() + @wait::interval
WHERE id IN (
  SELECT id FROM appointments WHERE (id = @id OR mail_due <= now()) AND mail_due IS NOT NULL
  FOR UPDATE SKIP LOCKED)`

// postponeDue postpones the mail about a request, and all other mails that are due.
func (s *store) postponeDue(ctx context.Context, id string, wait time.Duration) error {
	_, err := s.pool.Exec(ctx, postponeDue, postgres.Args{"id": id, "wait": wait})
	return postgres.Classify(err)
}

const markMailed = `UPDATE appointments SET mail_due = NULL WHERE id = ANY($1::uuid[])`

func (s *store) markMailed(ctx context.Context, ids []string) error {
	_, err := s.pool.Exec(ctx, markMailed, ids)
	return postgres.Classify(err)
}
