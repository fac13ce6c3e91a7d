package visits

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/visit"
)

// snapshot is a visit, its last change if that was less than a minute ago, and the time and feed position of the read.
type snapshot struct {
	Visit visit.Visit
	Last  *visit.Last
	At    readPoint
	// Forecast is in the answers of lists alone.
	Forecast *forecastBody
	// Documents is nil when no papers were noted.
	Documents *documentsSummary
}

// snapshots is a list of visits and the time and feed position of the read.
type snapshots struct {
	Rows []snapshot
	At   readPoint
}

// readPoint is the time of the database and the position of the feed, read in the same statement as the visits.
type readPoint struct {
	Feed  feed.Position // head of this service's feed
	Now   time.Time     // begin of the transaction
	Clock time.Time     // when the row was read, after any wait for its lock
	Today string        // the office day, YYYY-MM-DD
	Start time.Time     // its beginning
	End   time.Time     // its end, the beginning of the next one
	Local string        // the office's day and time of day, for people
}

// withinToday returns the time d from now, or the last second of the office day if that is earlier.
func (p *readPoint) withinToday(d time.Duration) time.Time {
	then, end := p.Now.Add(d), p.End.Add(-time.Second)
	if then.After(end) {
		return end
	}
	return then
}

// readPointColumns are the columns of a readPoint. The argument @zone is that of the office.
const readPointColumns = `
  (SELECT epoch::text FROM stream_head WHERE stream = 'visits'), (SELECT head FROM stream_head WHERE stream = 'visits'),
  now(), clock_timestamp(), (now() AT TIME ZONE @zone)::date::text,
  date_trunc('day', now() AT TIME ZONE @zone) AT TIME ZONE @zone,
  (date_trunc('day', now() AT TIME ZONE @zone) + interval '1 day') AT TIME ZONE @zone,
  to_char(now() AT TIME ZONE @zone, 'FMDD Mon, FMHH12:MI AM')`

// fields are the targets of readPointColumns.
func (p *readPoint) fields() []any {
	return []any{&p.Feed.Epoch, &p.Feed.Seq, &p.Now, &p.Clock, &p.Today, &p.Start, &p.End, &p.Local}
}

// readPointIn reads the readPoint of a transaction.
func (db *DB) readPointIn(ctx context.Context, tx pgx.Tx) (at readPoint, err error) {
	err = tx.QueryRow(ctx, `SELECT`+readPointColumns, postgres.Args{"zone": db.zone}).Scan(at.fields()...)
	return at, err
}

// startOfToday is the beginning of the office's day.
const startOfToday = `date_trunc('day', now() AT TIME ZONE @zone) AT TIME ZONE @zone`

// The orders of lists. A client that merges changes sorts by the same fields of the answer, whose times have
// milliseconds. By token an offline visit follows the number of T that was the last one at its arrival.
const (
	byToken = `v.office_day, coalesce(v.after_no, v.token_no), v.after_no IS NOT NULL,
  date_trunc('milliseconds', v.arrived_at), v.token_series, v.token_no`
	oldestFirst = `date_trunc('milliseconds', coalesce(v.arrived_at, v.created_at)), v.id`
)

// collect reads rows of columns, readPointColumns and lastColumns.
func collect(rows pgx.Rows, err error) ([]snapshot, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanSnapshot)
}

// intoSnapshots reads the rows of collect, by id.
func intoSnapshots(visits map[string]snapshot) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		all, err := collect(rows, nil)
		for _, one := range all {
			visits[one.Visit.ID] = one
		}
		return err
	}
}

// visitsOf returns the visits of a list.
func visitsOf(list []snapshot) []visit.Visit {
	visits := make([]visit.Visit, len(list))
	for i, one := range list {
		visits[i] = one.Visit
	}
	return visits
}

// listRows removes the rows of NULLs that an outer join has.
func listRows(rows []snapshot) (list snapshots) {
	for _, row := range rows {
		list.At = row.At
		if row.Visit.ID != "" {
			list.Rows = append(list.Rows, row)
		}
	}
	return list
}
