package queue

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/row"
)

// The SQL that registers visits that a paired desk has noted without network.

// Errors of a noted visit: another visit has its number, or the paired desk had no lease for its day.
var (
	ErrSeriesConflict = errors.New("the number of the series is another visit's")
	ErrNoLease        = fault.New(
		fault.Unprocessable, "no_lease", "This desk had no permission to give out tokens on that day.",
	)
)

// knownNotice is the notice version that the paired desk has noted, or the current one if the office never had it.
const knownNotice = `CASE
    WHEN nullif(@notice, '') IN (SELECT notice_version FROM office UNION SELECT version FROM notice_versions)
    THEN @notice ELSE ` + row.CurrentNotice + ` END`

// offlineValues are the expressions of insertOffline that replace those of insertVisits.
var offlineValues = map[string]string{
	"office_day": "@day::text::date", "token_no": "@number::integer", "created_at": "now()", "updated_at": "now()",
	"rank_at": "came.at", "notice_version": knownNotice,
}

// The arrival is the time that the paired desk has noted, on the day of the token and not after now. It is not before
// the desk's last contact before it gave out the number, and not before the arrival of the previous number.
var insertOffline = `
WITH came AS (
  SELECT least(
    greatest(@noted::timestamptz, d.contact_at, @earliest::timestamptz, @day::text::timestamp AT TIME ZONE @zone, (
      SELECT max(b.arrived_at) FROM visits b
      WHERE b.office_day = @day::text::date AND b.token_series = @series AND b.token_no < @number)),
    now(), (@day::text::date + 1)::timestamp AT TIME ZONE @zone - interval '1 millisecond') AS at
  FROM offline_desks d WHERE d.device_id = @device
), v AS (
  INSERT INTO visits (` + row.InsertedColumns + `, arrived_at, after_no, offline_key)
  SELECT ` + row.InsertedWith(offlineValues) + `, came.at, (
    SELECT coalesce(max(t.token_no), 0) FROM visits t
    WHERE t.office_day = @day::text::date AND t.token_series = 'T' AND t.created_at <= came.at), @key
  FROM came, jsonb_populate_recordset(NULL::visits, @rows) AS n
  RETURNING *
)
SELECT ` + row.Columns + `,` + row.PointColumns + row.LastNone + ` FROM v`

// insertOffline stores an offline visit. It returns ErrSeriesConflict when another transaction has used its number.
func (s *store) insertOffline(ctx context.Context, tx pgx.Tx, p *planned) ([]row.Snapshot, error) {
	noted := p.registration.Noted
	rows, err := row.RowsOf(row.VisitsOf([]row.Snapshot{{Visit: p.after}}), row.OnInsert)
	if err != nil {
		return nil, err
	}
	inserted, err := row.Collect(tx.Query(ctx, insertOffline, postgres.Args{
		"zone": s.Zone, "rows": rows, "device": noted.Device, "series": noted.Series, "day": noted.Day,
		"number": noted.Number, "noted": noted.ArrivedAt, "key": noted.Key, "notice": noted.NoticeVersion,
		"earliest": noted.Earliest,
	}))
	if postgres.Violates(err, "visits_token") || postgres.Violates(err, "visits_token_also") {
		return nil, ErrSeriesConflict
	}
	if err == nil && len(inserted) != 1 {
		err = ErrNoLease // the paired desk and its leases were deleted meanwhile
	}
	return inserted, err
}
