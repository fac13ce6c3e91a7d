package offline

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/queue"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// This file has the SQL of paired desks: leases, and the visits that they send.

type store struct{ *row.DB }

const (
	keepDesk = `
INSERT INTO offline_desks (device_id, series, contact_at) VALUES (@device, @series, now())
ON CONFLICT (device_id) DO UPDATE
SET contact_at = CASE WHEN @empty THEN now() ELSE offline_desks.contact_at END`
	dropLeases  = `DELETE FROM desk_leases WHERE device_id = @device AND day < (now() AT TIME ZONE @zone)::date - 30`
	grantLeases = `
INSERT INTO desk_leases (device_id, day)
SELECT @device, (now() AT TIME ZONE @zone)::date + g FROM generate_series(0, @days - 1) AS g
ON CONFLICT DO NOTHING`
	selectLeases = `
SELECT now(), l.day::text, greatest(` + lastGiven + `)
FROM desk_leases l
WHERE l.device_id = @device AND l.day >= (now() AT TIME ZONE @zone)::date ORDER BY l.day`
	selectLeased = `
SELECT ` + lastNumber + ` FROM desk_leases l
WHERE l.device_id = @device AND l.day = @day::text::date AND l.day <= (now() AT TIME ZONE @zone)::date`
)

// lease grants a paired desk its days and returns those from today on. unsent is the desk's number of unsent visits.
func (s *store) lease(
	ctx context.Context, tx pgx.Tx, desk deskDevice, unsent int,
) (now wire.Time, days []leasedDay, err error) {
	args := postgres.Args{
		"device": desk.ID, "series": desk.Series, "empty": unsent == 0, "zone": s.Zone, "days": leasedDays,
	}
	for _, statement := range []string{keepDesk, dropLeases, grantLeases} {
		if _, err := tx.Exec(ctx, statement, args); err != nil {
			return now, nil, err
		}
	}
	if err := s.keepContact(ctx, tx, desk, unsent); err != nil {
		return now, nil, err
	}
	rows, err := tx.Query(ctx, selectLeases, args)
	if err != nil {
		return now, nil, err
	}
	var at time.Time
	var day leasedDay
	_, err = pgx.ForEachRow(rows, []any{&at, &day.Day, &day.Last}, func() error {
		days = append(days, day)
		return nil
	})
	return wire.Time(at), days, err
}

const selectErasedLately = `
SELECT id::text FROM visits
WHERE office_day >= (now() AT TIME ZONE @zone)::date - @days::integer AND erased_at IS NOT NULL ORDER BY id`

// erasedLately lists the erased visits of the days for which a paired desk may still have data.
func (s *store) erasedLately(ctx context.Context, tx pgx.Tx) ([]string, error) {
	rows, err := tx.Query(ctx, selectErasedLately, postgres.Args{"zone": s.Zone, "days": leasedDays})
	if err != nil {
		return nil, err
	}
	return pgx.AppendRows([]string{}, rows, pgx.RowTo[string])
}

// leased returns the largest known number of the desk's series on a day. It returns queue.ErrNoLease if the desk has no
// lease for the day, or if the day has not begun.
func (s *store) leased(ctx context.Context, desk deskDevice, day string) (last int, err error) {
	args := postgres.Args{"device": desk.ID, "series": desk.Series, "day": day, "zone": s.Zone}
	err = s.Pool.QueryRow(ctx, selectLeased, args).Scan(&last)
	if errors.Is(err, pgx.ErrNoRows) {
		err = queue.ErrNoLease
	}
	return last, err
}

// claimRegistration claims the key of a registration that the paired desk may have tried online before. It reports
// whether that registration succeeded, and reads its response into stored.
func claimRegistration(ctx context.Context, tx pgx.Tx, noted offlineVisit, stored *queue.Answer) (bool, error) {
	return idempotency.Claim(ctx, tx, noted.MadeBy, queue.RegistrationScope, noted.Key, stored)
}

const (
	lockSeries    = `SELECT pg_advisory_xact_lock(hashtextextended('offline:' || @series, 0))`
	selectOffline = `
SELECT coalesce((SELECT id::text FROM visits WHERE offline_key = @key), ''),
  EXISTS (SELECT FROM visits WHERE office_day = @day::text::date AND token_series = @series AND token_no = @number)
  OR EXISTS (SELECT FROM visits WHERE office_day = @day::text::date AND token_also = @token)`
)

// offlinePlace says which stored visits have the key and the token of an offline visit.
type offlinePlace struct {
	known string // id of the visit with the key; "" if there is none
	taken bool   // a visit has the token
}

// lockOffline locks a series until the transaction ends, and reads the offlinePlace of an offline visit.
func (s *store) lockOffline(
	ctx context.Context, tx pgx.Tx, series, day string, noted offlineVisit,
) (place offlinePlace, err error) {
	if _, err := tx.Exec(ctx, lockSeries, postgres.Args{"series": series}); err != nil {
		return place, err
	}
	err = tx.QueryRow(ctx, selectOffline, postgres.Args{
		"key": noted.Key, "day": day, "series": series, "number": noted.Number, "token": noted.token(series),
	}).Scan(&place.known, &place.taken)
	return place, err
}

const updateOfflineKey = `
UPDATE visits SET offline_key = @key, sent_by = @by, sent_by_name = @name WHERE id = @id AND offline_key IS NULL`

// keepOfflineKey stores the key of a paired desk's visit, and the sender, in the visit that was registered online.
func (*store) keepOfflineKey(ctx context.Context, tx pgx.Tx, id, key string, by visit.Actor) error {
	tag, err := tx.Exec(ctx, updateOfflineKey, postgres.Args{"id": id, "key": key, "by": by.ID, "name": by.Name})
	if err == nil && tag.RowsAffected() != 1 {
		err = errors.New("the visit of the registration is gone, or has another desk's key")
	}
	return err
}

// The rows of desk_people: the users who were at a paired desk at one of its contacts with the service.

const (
	meetAtDesk = `
INSERT INTO desk_people (device_id, user_id, name, seen_at) VALUES (@device, @user, @name, now())
ON CONFLICT (device_id, user_id) DO UPDATE SET name = EXCLUDED.name, seen_at = EXCLUDED.seen_at`
	selectMet = `SELECT name FROM desk_people WHERE device_id = @device AND user_id = @user`
	// 37 days: a desk leases 7 days at a contact, and may send the visits of a day for 30 days.
	forgetMet = `DELETE FROM desk_people WHERE seen_at < now() - interval '37 days'`
)

// meet records that a user was at a paired desk.
func (*store) meet(ctx context.Context, on row.Execer, device string, by visit.Actor) error {
	_, err := on.Exec(ctx, meetAtDesk, postgres.Args{"device": device, "user": by.ID, "name": by.Name})
	return err
}

// metAt returns the name of a user who was at a paired desk, or "" if the user was not.
func (*store) metAt(ctx context.Context, tx pgx.Tx, device, user string) (name string, err error) {
	err = tx.QueryRow(ctx, selectMet, postgres.Args{"device": device, "user": user}).Scan(&name)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return name, err
}

// forgetDeskPeople deletes the rows of users whose visits no desk may send any more, whatever the retention period is.
func (s *store) forgetDeskPeople(ctx context.Context, _ time.Time) (int64, error) {
	tag, err := s.Pool.Exec(ctx, forgetMet)
	return tag.RowsAffected(), postgres.Classify(err)
}

// lastGiven lists the largest numbers of visits, also merged ones, on the day of lease l. lastNumber adds refused ones.
const (
	lastGiven = `
  (SELECT max(token_no) FROM visits v WHERE v.office_day = l.day AND v.token_series = @series),
  (SELECT max(substr(token_also, 3)::integer) FROM visits v
   WHERE v.office_day = l.day AND v.token_also <> '' AND left(v.token_also, 1) = @series),
  0`
	lastNumber = `greatest(` + lastGiven + `, l.refused_no)`
)

const (
	forgetContacts = `DELETE FROM desk_contacts WHERE device_id = @device`
	keepContacts   = `
INSERT INTO desk_contacts (device_id, day, upto, first_at, last_at)
SELECT l.device_id, l.day, ` + lastNumber + ` + least(@unsent::bigint, @most)::integer, now(), now()
FROM desk_leases l WHERE l.device_id = @device AND l.day <= (now() AT TIME ZONE @zone)::date
ON CONFLICT (device_id, day, upto) DO UPDATE SET last_at = EXCLUDED.last_at`
	selectBounds = `
SELECT (SELECT max(last_at) FROM desk_contacts
    WHERE device_id = @device AND day = @day::text::date AND upto < @number),
  EXISTS (SELECT FROM desk_contacts
    WHERE device_id = @device AND day = @day::text::date AND upto >= @number
      AND first_at > @noted AND first_at < now() - @late::interval)`
	keepRefused = `
UPDATE desk_leases SET refused_no = greatest(refused_no, @number)
WHERE device_id = @device AND day = @day::text::date`
)

// keepContact records which numbers a paired desk has issued until this contact: the known ones, and as many more as it
// has unsent visits. Without unsent visits it deletes the records. The caller has locked the row in offline_desks.
func (s *store) keepContact(ctx context.Context, tx pgx.Tx, desk deskDevice, unsent int) error {
	statement := keepContacts
	if unsent == 0 {
		statement = forgetContacts
	}
	_, err := tx.Exec(ctx, statement, postgres.Args{
		"device": desk.ID, "series": desk.Series, "unsent": unsent, "most": greatestToken, "zone": s.Zone,
	})
	return err
}

func (*store) boundsOf(
	ctx context.Context, tx pgx.Tx, desk deskDevice, day string, noted offlineVisit,
) (b offlineBounds, err error) {
	err = tx.QueryRow(ctx, selectBounds, postgres.Args{
		"device": desk.ID, "day": day, "number": noted.Number, "noted": noted.ArrivedAt, "late": lateAfter,
	}).Scan(&b.earliest, &b.late)
	return b, err
}

// refuse records that a number of a paired desk was refused. The number counts as used, so that the next number is not
// too far ahead.
func (s *store) refuse(ctx context.Context, device, day string, number int) error {
	_, err := s.Pool.Exec(ctx, keepRefused, postgres.Args{"device": device, "day": day, "number": number})
	return err
}
