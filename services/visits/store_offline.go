package visits

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// The SQL of desks without network: leases, and the visits that they send.

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
SELECT now(), l.day::text, greatest(
  (SELECT max(token_no) FROM visits v WHERE v.office_day = l.day AND v.token_series = @series),
  (SELECT max(substr(token_also, 3)::integer) FROM visits v
   WHERE v.office_day = l.day AND v.token_also <> '' AND left(v.token_also, 1) = @series),
  0)
FROM desk_leases l
WHERE l.device_id = @device AND l.day >= (now() AT TIME ZONE @zone)::date ORDER BY l.day`
	selectLeased = `
SELECT EXISTS (SELECT FROM desk_leases
  WHERE device_id = @device AND day = @day::text::date AND day <= (now() AT TIME ZONE @zone)::date)`
)

// lease grants a desk its days and returns those from today on. empty: the desk has nothing to send.
func (s *store) lease(
	ctx context.Context, tx pgx.Tx, desk deskDevice, empty bool,
) (now wire.Time, days []leasedDay, err error) {
	args := postgres.Args{
		"device": desk.ID, "series": desk.Series, "empty": empty, "zone": s.zone, "days": leasedDays,
	}
	for _, statement := range []string{keepDesk, dropLeases, grantLeases} {
		if _, err := tx.Exec(ctx, statement, args); err != nil {
			return now, nil, err
		}
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

// erasedLately lists the visits of the days that a desk keeps something of, whose persons were erased.
func (s *store) erasedLately(ctx context.Context, tx pgx.Tx) ([]string, error) {
	rows, err := tx.Query(ctx, selectErasedLately, postgres.Args{"zone": s.zone, "days": leasedDays})
	if err != nil {
		return nil, err
	}
	return pgx.AppendRows([]string{}, rows, pgx.RowTo[string])
}

// leased returns errNoLease unless the desk had a lease for a day that has begun.
func (s *store) leased(ctx context.Context, device, day string) error {
	var had bool
	args := postgres.Args{"device": device, "day": day, "zone": s.zone}
	if err := s.pool.QueryRow(ctx, selectLeased, args).Scan(&had); err != nil {
		return err
	}
	if !had {
		return errNoLease
	}
	return nil
}

var zeroKey idempotency.Key

// claimRegistration takes the key of the registration that the desk has tried before it went offline. It returns
// whether that one has succeeded, and its answer.
func claimRegistration(ctx context.Context, tx pgx.Tx, noted offlineVisit, stored *visitAnswer) (bool, error) {
	return idempotency.Claim(ctx, tx, noted.MadeBy, createRoute, noted.Key, stored)
}

const (
	lockSeries    = `SELECT pg_advisory_xact_lock(hashtextextended('offline:' || @series, 0))`
	selectOffline = `
SELECT coalesce((SELECT id::text FROM visits WHERE offline_key = @key), ''),
  EXISTS (SELECT FROM visits WHERE office_day = @day::text::date AND token_series = @series AND token_no = @number)
  OR EXISTS (SELECT FROM visits WHERE office_day = @day::text::date AND token_also = @token)`
)

// offlinePlace says what there is at the key and at the token of an offline visit.
type offlinePlace struct {
	known string // id of the visit of the key, "" for none
	taken bool   // the token is a visit's
}

// lockOffline locks a series until the transaction ends, and reads what there is of the visit already.
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

const updateOfflineKey = `UPDATE visits SET offline_key = @key WHERE id = @id AND offline_key IS NULL`

// keepOfflineKey stores a desk's key with the visit of the registration that was not answered.
func (*store) keepOfflineKey(ctx context.Context, tx pgx.Tx, id, key string) error {
	tag, err := tx.Exec(ctx, updateOfflineKey, postgres.Args{"id": id, "key": key})
	if err == nil && tag.RowsAffected() != 1 {
		err = errors.New("the visit of the registration is gone, or has another desk's key")
	}
	return err
}

// offlineValues are the expressions of insertOffline in place of those of insertVisits.
var offlineValues = map[string]string{
	"office_day": "@day::text::date", "token_no": "@number::integer", "created_at": "now()", "updated_at": "now()",
	"rank_at": "came.at", "notice_version": "coalesce(nullif(@notice, ''), " + currentNotice + ")",
}

func (c column) offlineValue() string { return cmp.Or(offlineValues[c.name], c.insertedValue()) }

// The arrival is as the desk says, but not before its last contact nor before the number before it, not after now, and
// on the day of the token.
var insertOffline = `
WITH came AS (
  SELECT least(
    greatest(@noted::timestamptz, d.contact_at, @day::text::timestamp AT TIME ZONE @zone, (
      SELECT max(b.arrived_at) FROM visits b
      WHERE b.office_day = @day::text::date AND b.token_series = @series AND b.token_no < @number)),
    now(), (@day::text::date + 1)::timestamp AT TIME ZONE @zone - interval '1 millisecond') AS at
  FROM offline_desks d WHERE d.device_id = @device
), v AS (
  INSERT INTO visits (` + insertedColumns + `, arrived_at, after_no, offline_key)
  SELECT ` + columnList(column.isInserted, column.offlineValue) + `, came.at, (
    SELECT coalesce(max(t.token_no), 0) FROM visits t
    WHERE t.office_day = @day::text::date AND t.token_series = 'T' AND t.created_at <= came.at), @key
  FROM came, jsonb_populate_recordset(NULL::visits, @rows) AS n
  RETURNING *
)
SELECT ` + columns + `,` + readPointColumns + lastNone + ` FROM v`

// insertOffline stores an offline visit. It returns errSeriesConflict when another transaction has used its number.
func (s *store) insertOffline(ctx context.Context, tx pgx.Tx, p *planned) ([]snapshot, error) {
	facts := p.command.offline
	rows, err := rowsOf(visitsOf([]snapshot{{Visit: p.after}}), onInsert)
	if err != nil {
		return nil, err
	}
	inserted, err := collect(tx.Query(ctx, insertOffline, postgres.Args{
		"zone": s.zone, "rows": rows, "device": facts.ID, "series": facts.Series, "day": facts.Day,
		"number": facts.Number, "noted": facts.ArrivedAt, "key": facts.Key, "notice": facts.NoticeVersion,
	}))
	if postgres.Violates(err, "visits_token") || postgres.Violates(err, "visits_token_also") {
		return nil, errSeriesConflict
	}
	if err == nil && len(inserted) != 1 {
		err = errNoLease // the desk and its leases were deleted meanwhile
	}
	return inserted, err
}
