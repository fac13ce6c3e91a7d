package directory

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

// This file has the SQL of the calendars of appointments.

const selectCalendars = `
SELECT f.id::text, f.consultant_id, c.name, f.created_at, f.read_at
FROM calendar_feeds f LEFT JOIN consultants c ON c.id = f.consultant_id
WHERE f.revoked_at IS NULL AND ($1::text IS NULL OR f.consultant_id = $1) ORDER BY f.created_at, f.id`

// calendars returns the addresses in use, those of one consultant if only is not nil.
func (s *store) calendars(ctx context.Context, only *string) ([]CalendarFeed, error) {
	rows, err := s.pool.Query(ctx, selectCalendars, only)
	if err != nil {
		return nil, postgres.Classify(err)
	}
	feeds, err := pgx.CollectRows(rows, pgx.RowToStructByPos[CalendarFeed])
	return feeds, postgres.Classify(err)
}

const insertCalendar = `
INSERT INTO calendar_feeds (id, consultant_id, code_hash, created_by) VALUES ($1, $2, $3, $4) RETURNING created_at`

func (*store) addCalendar(
	ctx context.Context, tx pgx.Tx, made CalendarFeed, digest []byte, by string,
) (at time.Time, err error) {
	err = tx.QueryRow(ctx, insertCalendar, made.ID, made.ConsultantID, digest, by).Scan(&at)
	return at, err
}

const lockCalendar = `SELECT consultant_id FROM calendar_feeds WHERE id = $1 AND revoked_at IS NULL FOR UPDATE`

// lockCalendar locks an address in use and returns its consultant, or fault.ErrNotFound.
func (*store) lockCalendar(ctx context.Context, tx pgx.Tx, id string) (consultantID *string, err error) {
	err = tx.QueryRow(ctx, lockCalendar, id).Scan(&consultantID)
	if errors.Is(err, pgx.ErrNoRows) {
		err = fault.ErrNotFound
	}
	return consultantID, err
}

const revokeCalendar = `UPDATE calendar_feeds SET revoked_at = now() WHERE id = $1`

func (*store) revokeCalendar(ctx context.Context, tx pgx.Tx, id string) error {
	_, err := tx.Exec(ctx, revokeCalendar, id)
	return err
}

const readCalendar = `
UPDATE calendar_feeds f SET read_at = now()
WHERE code_hash = $1 AND revoked_at IS NULL AND (consultant_id IS NULL
  OR EXISTS (SELECT FROM consultants c WHERE c.id = f.consultant_id AND c.is_active))
RETURNING consultant_id`

// readCalendar notes the read of a code and returns its consultant, nil for the office. It returns fault.ErrNotFound for
// a code that is not in use.
func (s *store) readCalendar(ctx context.Context, digest []byte) (consultantID *string, err error) {
	err = s.pool.QueryRow(ctx, readCalendar, digest).Scan(&consultantID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, fault.ErrNotFound
	}
	return consultantID, postgres.Classify(err)
}

// defaultMinutes is the duration of an appointment whose service does not exist any more.
const defaultMinutes = 30

const selectBooked = `
SELECT a.id::text, a.service, CASE WHEN a.erased_at IS NULL THEN split_part(btrim(a.name), ' ', 1) ELSE '' END,
  a.sequence, a.created_at, t.at, t.at + make_interval(mins => coalesce(s.est_minutes, @minutes))
FROM appointments a LEFT JOIN services s ON s.id = a.service_id
CROSS JOIN LATERAL (SELECT (a.preferred_date + a.preferred_time::time) AT TIME ZONE @zone AS at) t
CROSS JOIN (SELECT (coalesce(@now, now()) AT TIME ZONE @zone)::date AS day) today
WHERE a.status IN ('confirmed', 'arrived') AND (@consultant::text IS NULL OR a.consultant_id = @consultant)
  AND a.preferred_date BETWEEN today.day - 30 AND today.day + 180
ORDER BY t.at, a.id`

// booked returns the confirmed and arrived appointments from 30 days ago to 180 days ahead, those of one consultant if
// consultantID is not nil.
func (s *store) booked(ctx context.Context, consultantID *string) ([]bookedTime, error) {
	rows, err := s.pool.Query(ctx, selectBooked, postgres.Args{
		"consultant": consultantID, "zone": s.zone, "now": s.now(), "minutes": defaultMinutes,
	})
	if err != nil {
		return nil, postgres.Classify(err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[bookedTime])
	return found, postgres.Classify(err)
}
