package audit

import (
	"context"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
)

// In each row, span is 0 for the period and 1 for the period before it.
const selectOutcomes = `
SELECT coalesce((SELECT epoch FROM feed_cursor WHERE source = 'visits'), ''),
  coalesce((SELECT seq FROM feed_cursor WHERE source = 'visits'), 0), s.span,
  coalesce(sum(new_visits + approved_visits + in_session_visits + completed_visits + denied_visits), 0)::bigint,
  coalesce(sum(completed_visits), 0)::bigint,
  coalesce(sum(denied_visits - left_visits - no_show_visits - cancelled_visits), 0)::bigint,
  coalesce(sum(left_visits), 0)::bigint, coalesce(sum(no_show_visits), 0)::bigint,
  coalesce(sum(cancelled_visits), 0)::bigint
FROM (VALUES (0, @start::date, @end::date), (1, @before::date, @start::date - 1)) s (span, first, last)
LEFT JOIN daily_statistics d ON d.day BETWEEN s.first AND s.last
GROUP BY s.span`

const selectArrivals = `
SELECT (day < @start::date)::integer, extract(isodow FROM day)::integer - 1, hour,
  sum(visits)::bigint
FROM daily_arrivals WHERE day BETWEEN @before::date AND @end::date
GROUP BY 1, 2, 3`

// An arrival's hour is its quarter of the UTC day, moved by the zone's offset on that day. @moved has these offsets, in
// quarters of an hour, for each day from @before on. The rows are summed once and then grouped in two ways.
const selectWaits = `
WITH waits AS MATERIALIZED (
  SELECT (day < @start::date)::integer AS span, service_id,
    (quarter + (@moved::integer[])[day - @before::date + 1] + 96) % 96 / 4 AS hour, minutes,
    sum(visits)::integer AS visits
  FROM daily_waits WHERE day BETWEEN @before::date AND @end::date GROUP BY 1, 2, 3, 4
)
SELECT span, service_id, hour, minutes, sum(visits)::bigint
FROM waits GROUP BY GROUPING SETS ((span, service_id, minutes), (span, hour, minutes))
HAVING sum(visits) > 0`

const selectSessions = `
SELECT span, of_service, key, coalesce(CASE WHEN of_service
    THEN (SELECT service_name FROM visits WHERE service_id = key ORDER BY day DESC LIMIT 1)
    ELSE (SELECT consultant_name FROM visits WHERE consultant_id = key ORDER BY day DESC LIMIT 1) END, '') AS name,
  visits, sessions, minutes
FROM (
  SELECT span, grouping(service_id) = 0 AS of_service, coalesce(service_id, consultant_id) AS key,
    sum(visits)::bigint AS visits, sum(sessions)::bigint AS sessions,
    round((sum(session_seconds) / 60)::numeric, 1)::float8 AS minutes
  FROM (
    SELECT *, (day < @start::date)::integer AS span FROM daily_sessions
    WHERE day BETWEEN @before::date AND @end::date
  ) s
  GROUP BY GROUPING SETS ((span, service_id), (span, consultant_id))
) g WHERE key <> '' AND visits > 0
ORDER BY visits DESC, name, key`

// compare reads the figures of a period and of the period before it from one snapshot.
func (s *store) compare(ctx context.Context, days, before Days) (Comparison, error) {
	c := Comparison{Period: Span{Days: days}, Before: Span{Days: before}}
	spans := [2]*Span{&c.Period, &c.Before}
	moved, err := quartersMoved(s.zone, before.Start, days.End)
	if err != nil {
		return c, err
	}
	args := postgres.Args{"start": days.Start, "end": days.End, "before": before.Start, "moved": moved}
	err = pgx.BeginTxFunc(ctx, s.pool, snapshot, func(tx pgx.Tx) error {
		if err := readOutcomes(ctx, tx, args, &c, spans); err != nil {
			return err
		}
		if err := readArrivals(ctx, tx, args, spans); err != nil {
			return err
		}
		if err := readSessions(ctx, tx, args, spans); err != nil {
			return err
		}
		return readWaits(ctx, tx, args, spans)
	})
	return c, postgres.Classify(err)
}

func readOutcomes(ctx context.Context, tx pgx.Tx, args postgres.Args, c *Comparison, spans [2]*Span) error {
	rows, err := tx.Query(ctx, selectOutcomes, args)
	if err != nil {
		return err
	}
	var span int
	var o Outcomes
	_, err = pgx.ForEachRow(rows, []any{&c.At.Epoch, &c.At.Seq, &span, &o.Total, &o.Completed, &o.Denied, &o.Left,
		&o.NoShow, &o.Cancelled}, func() error {
		spans[span].Outcomes = o
		return nil
	})
	return err
}

func readArrivals(ctx context.Context, tx pgx.Tx, args postgres.Args, spans [2]*Span) error {
	rows, err := tx.Query(ctx, selectArrivals, args)
	if err != nil {
		return err
	}
	var span, weekday, hour, visits int
	_, err = pgx.ForEachRow(rows, []any{&span, &weekday, &hour, &visits}, func() error {
		spans[span].Arrivals[weekday][hour] = visits
		return nil
	})
	return err
}

func readSessions(ctx context.Context, tx pgx.Tx, args postgres.Args, spans [2]*Span) error {
	rows, err := tx.Query(ctx, selectSessions, args)
	if err != nil {
		return err
	}
	var span int
	var ofService bool
	var one Sessions
	_, err = pgx.ForEachRow(rows, []any{&span, &ofService, &one.ID, &one.Name, &one.Visits, &one.Sessions, &one.Minutes},
		func() error {
			if ofService {
				spans[span].Services = append(spans[span].Services, ServiceWaits{Sessions: one})
			} else {
				spans[span].Consultants = append(spans[span].Consultants, one)
			}
			return nil
		})
	return err
}

// readWaits reads the waits by service and by hour into spans, whose services must have been read before.
func readWaits(ctx context.Context, tx pgx.Tx, args postgres.Args, spans [2]*Span) error {
	rows, err := tx.Query(ctx, selectWaits, args)
	if err != nil {
		return err
	}
	services := [2]map[string]histogram{{}, {}}
	hours := [2][24]histogram{}
	all := [2]histogram{{}, {}}
	var span, minutes, visits int
	var service *string
	var hour *int
	_, err = pgx.ForEachRow(rows, []any{&span, &service, &hour, &minutes, &visits}, func() error {
		if service != nil {
			if services[span][*service] == nil {
				services[span][*service] = histogram{}
			}
			services[span][*service][minutes] = visits
			return nil
		}
		if hours[span][*hour] == nil {
			hours[span][*hour] = histogram{}
		}
		hours[span][*hour][minutes] = visits
		all[span][minutes] += visits
		return nil
	})
	for i, span := range spans {
		span.Waits = all[i].waits()
		for j := range span.Services {
			span.Services[j].Waits = services[i][span.Services[j].ID].waits()
		}
		for hour, of := range hours[i] {
			if of != nil {
				span.Hours = append(span.Hours, HourWaits{hour, of.waits()})
			}
		}
	}
	return err
}

const selectRegister = `
SELECT coalesce((SELECT epoch FROM feed_cursor WHERE source = 'visits'), ''),
  coalesce((SELECT seq FROM feed_cursor WHERE source = 'visits'), 0), v.*
FROM (SELECT 1) one LEFT JOIN (
  SELECT token_no, after_no, token, coalesce(token_also, '') AS also, name, service_name, coalesce(consultant_name, ''),
    coalesce(stage, CASE status WHEN 'approved' THEN 'waiting' ELSE status END), created_at, called_at, started_at,
    completed_at
  FROM visits WHERE day = $1
) v ON true ORDER BY ` + byToken

func (s *store) register(ctx context.Context, day string) (Register, error) {
	register := Register{Day: day}
	rows, err := s.pool.Query(ctx, selectRegister, day)
	if err != nil {
		return register, postgres.Classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		var number, after *int
		var token, also, name, service, consultant, stage *string
		var v RegisterEntry
		err := rows.Scan(&register.At.Epoch, &register.At.Seq, &number, &after, &token, &also, &name, &service, &consultant,
			&stage, &v.Arrived, &v.Called, &v.Started, &v.Completed)
		if err != nil {
			return register, err
		}
		if number == nil {
			break // a day without visits
		}
		v.Token, v.Also, v.Name, v.Service = *token, *also, maskName(*name), *service
		v.Consultant, v.Stage = *consultant, *stage
		register.Entries = append(register.Entries, v)
	}
	return register, postgres.Classify(rows.Err())
}
