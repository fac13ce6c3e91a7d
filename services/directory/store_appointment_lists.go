package directory

import (
	"context"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/postgres"
)

const ofRequest = `(status = @status OR @status = '') AND (preferred_date = @date OR @date::date IS NULL)
  AND (@text = '' OR position(lower(@text) IN lower(name)) > 0 OR position(@text IN coalesce(phone, '')) > 0)
  AND (@needs <> 'answer' OR status = 'pending' AND preferred_date::text || ' ' || preferred_time <= @local)
  AND (@needs <> 'time' OR status IN ('pending', 'confirmed') AND (preferred_date, preferred_time) IN
    (SELECT * FROM unnest(@dates::text[]::date[], @times::text[])))`

const countAppointments = `SELECT count(*) FROM appointments WHERE ` + ofRequest

// recordedRead records the disclosure of the appointments in the CTE "page", because they contain whole phone numbers:
// by ids only, and once per reader, appointment and office day.
const recordedRead = `
), unrecorded AS (
  SELECT id FROM page WHERE phone IS NOT NULL AND NOT EXISTS (
    SELECT FROM access_log l
    WHERE l.user_id = @reader AND l.at >= (now() AT TIME ZONE @zone)::date::timestamp AT TIME ZONE @zone
      AND page.id = ANY(l.appointment_ids))
), recorded AS (
  INSERT INTO access_log (user_id, role, call, appointment_ids)
  SELECT @reader, @role, 'appointments', array_agg(id) FROM unrecorded HAVING count(*) > 0
)
SELECT` + appointmentColumns + `, undo
FROM page `

const selectAppointments = `
WITH page AS (
  SELECT * FROM appointments WHERE ` + ofRequest + `
  ORDER BY created_at DESC, id DESC LIMIT @limit OFFSET @skip` + recordedRead + `ORDER BY created_at DESC, id DESC`

// appointments returns a page of the list. outside has the slots of open appointments that need a new time.
func (s *store) appointments(
	ctx context.Context, req listRequest, outside []slot, at moment,
) (Appointments, error) {
	caller, _ := identity.From(ctx)
	var date *string
	if req.Date != "" {
		date = &req.Date
	}
	dates, times := make([]string, len(outside)), make([]string, len(outside))
	for i, one := range outside {
		dates[i], times[i] = one.Date, one.Time
	}
	args := postgres.Args{
		"status": req.Status, "date": date, "limit": req.Limit, "skip": (req.Page - 1) * req.Limit,
		"text": req.Text, "needs": req.Needs, "dates": dates, "times": times, "local": at.Local.Format("2006-01-02 15:04"),
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
	found.List, err = pgx.CollectRows(rows, scanBooking)
	return found, postgres.Classify(err)
}

const selectOpenSlots = `
SELECT DISTINCT preferred_date::text, preferred_time FROM appointments
WHERE status IN ('pending', 'confirmed') AND preferred_date >= $1::text::date`

// openSlots lists the slots, from a day on, of open appointments.
func (s *store) openSlots(ctx context.Context, from string) ([]slot, error) {
	rows, err := s.pool.Query(ctx, selectOpenSlots, from)
	if err != nil {
		return nil, postgres.Classify(err)
	}
	slots, err := pgx.CollectRows(rows, pgx.RowToStructByPos[slot])
	return slots, postgres.Classify(err)
}

const (
	byPlace      = `ORDER BY preferred_time, place NULLS LAST, created_at, id`
	selectDayOwn = `
SELECT` + appointmentColumns + `, undo
FROM appointments WHERE preferred_date = @date::text::date AND consultant_id = @reader ` + byPlace
	selectDayAll = `
WITH page AS (SELECT * FROM appointments WHERE preferred_date = @date::text::date` + recordedRead + byPlace
)

// day lists the appointments of a day. own is for a consultant, who is shown the own ones without phone numbers, so
// that nothing is recorded.
func (s *store) day(ctx context.Context, date string, own bool) ([]Booking, error) {
	caller, _ := identity.From(ctx)
	statement := selectDayAll
	if own {
		statement = selectDayOwn
	}
	rows, err := s.pool.Query(ctx, statement, postgres.Args{
		"date": date, "reader": caller.ID, "role": caller.Role, "zone": s.zone,
	})
	if err != nil {
		return nil, postgres.Classify(err)
	}
	bookings, err := pgx.CollectRows(rows, scanBooking)
	return bookings, postgres.Classify(err)
}
