package row

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/office"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/visit"
)

// Snapshot is a visit, its last change if that is less than a minute old, and the time and feed position of the read.
type Snapshot struct {
	Visit visit.Visit
	Last  *visit.Last
	At    Point
	// Forecast is set only in responses with lists.
	Forecast *Forecast
	// Documents is nil if no papers were recorded.
	Documents *Papers
	// AskedFor is the consultant of the visit's appointment, nil if there is none.
	AskedFor *AskedFor
	// Policy is the line's policy for a visit that is called, and the zero value for any other visit.
	Policy office.Policy
}

// Snapshots is a list of visits and the time and feed position of the read.
type Snapshots struct {
	Rows []Snapshot
	At   Point
}

// Point is the time of the database and the position of the feed. A statement that reads Snapshots also reads a Point.
type Point struct {
	Feed  feed.Position // head of this service's feed
	Now   time.Time     // start of the transaction
	Clock time.Time     // time of the read of the row, after any wait for its lock
	Today string        // the office day, YYYY-MM-DD
	Start time.Time     // beginning of the office day
	End   time.Time     // end of the office day, which is the beginning of the next day
	Local string        // the office's day and time of day, for texts
}

// WithinToday returns the time d from now, or the last second of the office day if that is earlier.
func (p *Point) WithinToday(d time.Duration) time.Time {
	then, end := p.Now.Add(d), p.End.Add(-time.Second)
	if then.After(end) {
		return end
	}
	return then
}

// PointColumns are the columns of a Point. The argument @zone is the office's time zone.
const PointColumns = `
  (SELECT epoch::text FROM stream_head WHERE stream = 'visits'), (SELECT head FROM stream_head WHERE stream = 'visits'),
  now(), clock_timestamp(), (now() AT TIME ZONE @zone)::date::text,
  date_trunc('day', now() AT TIME ZONE @zone) AT TIME ZONE @zone,
  (date_trunc('day', now() AT TIME ZONE @zone) + interval '1 day') AT TIME ZONE @zone,
  to_char(now() AT TIME ZONE @zone, 'FMDD Mon, FMHH12:MI AM')`

// Fields are the scan targets of PointColumns.
func (p *Point) Fields() []any {
	return []any{&p.Feed.Epoch, &p.Feed.Seq, &p.Now, &p.Clock, &p.Today, &p.Start, &p.End, &p.Local}
}

// ReadPoint reads the Point of a transaction.
func (db *DB) ReadPoint(ctx context.Context, tx pgx.Tx) (at Point, err error) {
	err = tx.QueryRow(ctx, `SELECT`+PointColumns, postgres.Args{"zone": db.Zone}).Scan(at.Fields()...)
	return at, err
}

// StartOfToday is the beginning of the office's day.
const StartOfToday = `date_trunc('day', now() AT TIME ZONE @zone) AT TIME ZONE @zone`

// The orders of lists. A client that merges changes sorts by the same fields of the response, whose times have
// milliseconds. In ByToken, an offline visit follows the last token of series T that was given before its arrival.
const (
	ByToken = `v.office_day, coalesce(v.after_no, v.token_no), v.after_no IS NOT NULL,
  date_trunc('milliseconds', v.arrived_at), v.token_series, v.token_no`
	OldestFirst = `date_trunc('milliseconds', coalesce(v.arrived_at, v.created_at)), v.id`
)

// Collect reads rows of Columns, PointColumns and LastColumns.
func Collect(rows pgx.Rows, err error) ([]Snapshot, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanOne)
}

// IntoSnapshots returns a function that reads rows like Collect and stores them in the given map, keyed by visit id.
func IntoSnapshots(visits map[string]Snapshot) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		all, err := Collect(rows, nil)
		for _, one := range all {
			visits[one.Visit.ID] = one
		}
		return err
	}
}

// VisitsOf returns the visits of a list.
func VisitsOf(list []Snapshot) []visit.Visit {
	visits := make([]visit.Visit, len(list))
	for i, one := range list {
		visits[i] = one.Visit
	}
	return visits
}

// ListRows removes the row of NULLs that an outer join may return.
func ListRows(rows []Snapshot) (list Snapshots) {
	for _, row := range rows {
		list.At = row.At
		if row.Visit.ID != "" {
			list.Rows = append(list.Rows, row)
		}
	}
	return list
}
