package forecast

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/catalog"
)

// This file has the SQL that compares promises with calls.

// Promises of a call at once (q90 < 1 minute) are counted separately, because they nearly always hold: a desk is free.
const selectTallies = `
SELECT kind, service_id::text, extract(hour FROM made_at AT TIME ZONE @zone)::int,
  count(*) FILTER (WHERE judged), count(*) FILTER (WHERE outcome <> 'called'),
  count(*) FILTER (WHERE outcome = 'called' AND NOT judged),
  count(*) FILTER (WHERE judged AND called_at BETWEEN shown_from AND shown_to),
  count(*) FILTER (WHERE judged AND called_at > shown_to + interval '5 minutes'),
  coalesce(sum(abs(y - q50)) FILTER (WHERE judged), 0), coalesce(sum(y - q50) FILTER (WHERE judged), 0),
  coalesce(sum((y - q50) ^ 2) FILTER (WHERE judged), 0),
  coalesce(sum(extract(epoch FROM shown_to - shown_from) / 60) FILTER (WHERE judged), 0)::float8,
  coalesce(sum(greatest(0.1 * (y - q10), 0.9 * (q10 - y))) FILTER (WHERE judged), 0),
  coalesce(sum(0.5 * abs(y - q50)) FILTER (WHERE judged), 0),
  coalesce(sum(greatest(0.9 * (y - q90), 0.1 * (q90 - y))) FILTER (WHERE judged), 0),
  count(*) FILTER (WHERE judged AND y < q10), count(*) FILTER (WHERE judged AND y < q50),
  count(*) FILTER (WHERE judged AND y < q90),
  coalesce(sum(abs(y - @fixed)) FILTER (WHERE judged), 0),
  coalesce(sum(abs(y - rival_place)) FILTER (WHERE judged), 0)
FROM (
  SELECT *, actual_minutes AS y, made_at + actual_minutes * interval '1 minute' AS called_at,
    outcome = 'called' AND q90 >= 1 AS judged
  FROM promises WHERE ended_at > now() - make_interval(days => @days)
) p
GROUP BY 1, 2, 3`

// tallies returns counts and sums of the promises of the given number of past days, by kind, service and hour.
func (s *store) tallies(ctx context.Context, days int) ([]tally, error) {
	rows, err := s.Pool.Query(ctx, selectTallies, s.tallyArgs(days))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanTally)
}

func (s *store) tallyArgs(days int) postgres.Args {
	return postgres.Args{"zone": s.Zone, "days": days, "fixed": float64(fixedMinutes)}
}

func scanTally(one pgx.CollectableRow) (t tally, err error) {
	err = one.Scan(&t.kind, &t.service, &t.hour, &t.n, &t.censored, &t.atOnce, &t.covered, &t.late,
		&t.abs, &t.err, &t.squares, &t.width, &t.pinball[0], &t.pinball[1], &t.pinball[2],
		&t.below[0], &t.below[1], &t.below[2], &t.absFixed, &t.absPlace)
	return t, err
}

const selectServiceNames = `SELECT id::text, name FROM services`

// serviceNames returns the names of all services, by id, and the database's time.
func (s *store) serviceNames(ctx context.Context) (names map[string]string, now time.Time, err error) {
	names = map[string]string{}
	rows, err := s.Pool.Query(ctx, selectServiceNames)
	if err == nil {
		err = catalog.ReadNames(names)(rows)
	}
	if err != nil {
		return nil, now, err
	}
	now, err = s.Now(ctx)
	return names, now, err
}

// kept has the data that forecastCollector reads.
type kept struct {
	month, week []tally
	names       map[string]string // active services only
	age         float64           // seconds
}

const selectForecastAge = `
SELECT coalesce(extract(epoch FROM now() - max(made_at)), 0)::float8 FROM forecasts
WHERE ` + anyWaits

const selectActiveNames = `SELECT id::text, name FROM services WHERE is_active`

func (s *store) kept() (k kept, known bool) {
	k.names = map[string]string{}
	known = postgres.Sample(s.Pool, func(ctx context.Context, conn *pgx.Conn) error {
		for _, span := range []struct {
			days int
			into *[]tally
		}{{accuracyDays, &k.month}, {7, &k.week}} {
			rows, err := conn.Query(ctx, selectTallies, s.tallyArgs(span.days))
			if err != nil {
				return err
			}
			if *span.into, err = pgx.CollectRows(rows, scanTally); err != nil {
				return err
			}
		}
		rows, err := conn.Query(ctx, selectActiveNames)
		if err == nil {
			err = catalog.ReadNames(k.names)(rows)
		}
		if err != nil {
			return err
		}
		return conn.QueryRow(ctx, selectForecastAge, s.Zone).Scan(&k.age)
	})
	return k, known
}
