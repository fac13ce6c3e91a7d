package directory

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

// This file has the SQL of slots: the locks, and who has a place. The locks of a transaction are taken in this order:
// the key of the request, the slots by their text, the row.

// slot is a day, such as 2026-11-23, and a time, such as 09:00.
type slot struct{ Date, Time string }

func slotOf(a contract.Appointment) slot { return slot{a.PreferredDate, a.PreferredTime} }

// moment is one instant: Now, and the wall clock of the office as a time in UTC.
type moment struct{ Now, Local time.Time }

// The clock is read after the locks, which can take long, and not at the begin of the transaction.
const selectMoment = `
SELECT at, at AT TIME ZONE $2 FROM (SELECT coalesce($1, clock_timestamp()) AS at) AS clock`

type rowQuerier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func (s *store) moment(ctx context.Context, q rowQuerier) (m moment, err error) {
	err = q.QueryRow(ctx, selectMoment, s.now(), s.zone).Scan(&m.Now, &m.Local)
	return m, err
}

const lockSlots = `SELECT pg_advisory_xact_lock(hashtextextended('slot:' || slot, 0)) FROM unnest($1::text[]) AS slot`

func (s *store) lockSlots(ctx context.Context, tx pgx.Tx, all ...slot) error {
	texts := make([]string, len(all))
	for i, one := range all {
		texts[i] = one.Date + " " + one.Time
	}
	slices.Sort(texts)
	_, err := tx.Exec(ctx, lockSlots, slices.Compact(texts))
	return err
}

const (
	selectSlots = `
SELECT preferred_date::text, preferred_time, coalesce(undo->>'date', ''), coalesce(undo->>'time', '')
FROM appointments WHERE id = $1`
	lockAppointment = `
SELECT` + appointmentColumns + `, undo
FROM appointments WHERE id = $1 AND preferred_date = $2::text::date AND preferred_time = $3 FOR UPDATE`
)

// lockAppointment locks the slot of an appointment, the slot that an undo would restore and those of targets, and then
// the appointment. It returns fault.ErrNotFound for an unknown id, and fault.ErrBusy for one that moves all the time.
func (s *store) lockAppointment(ctx context.Context, tx pgx.Tx, id string, targets ...slot) (Booking, error) {
	for range 3 {
		var has, had slot
		err := tx.QueryRow(ctx, selectSlots, id).Scan(&has.Date, &has.Time, &had.Date, &had.Time)
		if errors.Is(err, pgx.ErrNoRows) {
			return Booking{}, fault.ErrNotFound
		}
		if err != nil {
			return Booking{}, err
		}
		if err := s.lockSlots(ctx, tx, append(slices.Clone(targets), has, had)...); err != nil {
			return Booking{}, err
		}
		booking, err := collectBooking(tx.Query(ctx, lockAppointment, id, has.Date, has.Time))
		last := booking.Last
		switch {
		case errors.Is(err, fault.ErrNotFound): // it has moved while the slot was locked
			continue
		case err != nil:
			return booking, err
		case last != nil && (slot{last.Date, last.Time}) != had:
			booking.Last = nil // a change of this moment, whose slot is not locked
		}
		return booking, nil
	}
	return Booking{}, fault.ErrBusy
}

// holding is the condition of the two unique indexes.
const holding = `status IN ('pending', 'confirmed', 'arrived')`

const selectHeld = `
SELECT coalesce(place, 0), coalesce(consultant_id, '') FROM appointments
WHERE preferred_date = $1::text::date AND preferred_time = $2 AND ` + holding + ` AND id <> $3`

// held returns the places of a slot that other appointments than id have, and the consultants of these appointments.
func (s *store) held(
	ctx context.Context, tx pgx.Tx, at slot, id string,
) (places []int, consultants []string, err error) {
	rows, err := tx.Query(ctx, selectHeld, at.Date, at.Time, id)
	if err != nil {
		return nil, nil, err
	}
	var place int
	var consultant string
	_, err = pgx.ForEachRow(rows, []any{&place, &consultant}, func() error {
		places, consultants = append(places, place), append(consultants, consultant)
		return nil
	})
	return places, consultants, err
}

// occupied says how many places of a slot are taken, and whether one of them is of the consultant asked about.
type occupied struct {
	Taken  int
	Booked bool
}

const selectTaken = `
SELECT preferred_date::text, preferred_time, count(*), bool_or(consultant_id = $3) IS TRUE FROM appointments
WHERE preferred_date BETWEEN $1::text::date AND $2::text::date AND ` + holding + `
GROUP BY preferred_date, preferred_time`

// taken returns the slots between two days, inclusive, of which places are taken. consultant can be empty.
func (s *store) taken(ctx context.Context, from, until, consultant string) (map[slot]occupied, error) {
	rows, err := s.pool.Query(ctx, selectTaken, from, until, consultant)
	if err != nil {
		return nil, postgres.Classify(err)
	}
	all := map[slot]occupied{}
	var at slot
	var one occupied
	_, err = pgx.ForEachRow(rows, []any{&at.Date, &at.Time, &one.Taken, &one.Booked}, func() error {
		all[at] = one
		return nil
	})
	return all, postgres.Classify(err)
}

const selectOffered = `
SELECT id::text, name FROM services WHERE is_active AND CASE WHEN $1 = '' THEN name = $2 ELSE id = $1::uuid END`

// offered returns the id and the name of an active service, found by its id or, if id is empty, by its name. It returns
// errServiceUnknown if there is none.
func (s *store) offered(ctx context.Context, tx pgx.Tx, id, name string) (foundID, foundName string, err error) {
	err = tx.QueryRow(ctx, selectOffered, id, name).Scan(&foundID, &foundName)
	if errors.Is(err, pgx.ErrNoRows) {
		err = errServiceUnknown
	}
	return foundID, foundName, err
}

const selectAvailable = `SELECT name FROM consultants WHERE id = $1 AND is_active`

// available returns the name of an active consultant, or errConsultantUnavailable.
func (s *store) available(ctx context.Context, tx pgx.Tx, id string) (name string, err error) {
	err = tx.QueryRow(ctx, selectAvailable, id).Scan(&name)
	if errors.Is(err, pgx.ErrNoRows) {
		err = errConsultantUnavailable
	}
	return name, err
}

const selectUnended = `
SELECT id::text, preferred_date::text FROM appointments
WHERE status = 'confirmed' AND place IS NOT NULL AND preferred_date <= $1::text::date ORDER BY preferred_date, id`

// unended lists the confirmed appointments until a day, inclusive, by id, with their days. Appointments without a place
// are of the time before slots and have no end.
func (s *store) unended(ctx context.Context, until string) (days map[string]string, err error) {
	rows, err := s.pool.Query(ctx, selectUnended, until)
	if err != nil {
		return nil, postgres.Classify(err)
	}
	days = map[string]string{}
	var id, day string
	_, err = pgx.ForEachRow(rows, []any{&id, &day}, func() error {
		days[id] = day
		return nil
	})
	return days, postgres.Classify(err)
}

const selectConsultantName = `SELECT coalesce((SELECT name FROM consultants WHERE id = $1), '')`

// consultantName returns the name of a consultant, active or not, "" for none.
func (s *store) consultantName(ctx context.Context, tx pgx.Tx, id string) (name string, err error) {
	err = tx.QueryRow(ctx, selectConsultantName, id).Scan(&name)
	return name, err
}
