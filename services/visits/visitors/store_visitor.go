package visitors

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

type store struct{ *row.DB }

// mostCalls is the largest number of last calls that are read.
const mostCalls = 4

// Open calls and running sessions are selected, but not those that an earlier day has left open.
const selectLastCalls = `
SELECT token_series, token_no, counter, coalesce(called_at, sat_since) FROM visits
WHERE stage IN ('called', 'in-session') AND coalesce(called_at, sat_since) >= ` + row.StartOfToday + `
ORDER BY 4 DESC, token_series, token_no LIMIT @most`

var selectUndecided = `
SELECT ` + row.Columns + `,` + row.PointColumns + row.LastNone + `
FROM visits v WHERE v.stage = 'new' AND v.office_day = (now() AT TIME ZONE @zone)::date
ORDER BY ` + row.ByToken

// aroundLine reads the visitors of today who wait for a decision, and the last calls.
func (s *store) aroundLine(ctx context.Context) (undecided []row.Snapshot, called []contract.LineCall, err error) {
	reads := &pgx.Batch{}
	reads.Queue(selectUndecided, postgres.Args{"zone": s.Zone}).Query(func(rows pgx.Rows) error {
		undecided, err = row.Collect(rows, nil)
		return err
	})
	reads.Queue(selectLastCalls, postgres.Args{"zone": s.Zone, "most": mostCalls}).Query(func(rows pgx.Rows) error {
		called, err = pgx.CollectRows(rows, func(one pgx.CollectableRow) (c contract.LineCall, err error) {
			var series string
			var token int
			var at time.Time
			err = one.Scan(&series, &token, &c.Counter, &at)
			c.Token, c.At = visit.Token(series, token), wire.Time(at)
			return c, err
		})
		return err
	})
	return undecided, called, s.Pool.SendBatch(ctx, reads).Close()
}
