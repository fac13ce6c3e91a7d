package audit

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
)

// All parts of the statement share one snapshot, so the part "was" has the visits before the change. A day's counts are
// changed by the difference between a visit's old and new state, so the cost is independent of the day's size, and
// applying an event twice has no effect. sent_by_name is kept, because later events of a desk's visit name no sender.
const upsertVisits = `
WITH incoming AS (
  SELECT id, day, "tokenNo", token, name, phone, "serviceName", status, "consultantName", "receptionNotes", "paNotes",
    "sessionNotes", coalesce("arrivedAt", "createdAt") AS "createdAt", "decidedAt", "startedAt", "completedAt",
    "waitMinutes", "durationMinutes", "createdByName", "decidedByName", "serviceId", "consultantId", stage, class,
    "calledAt", "callCount", "sessionSeconds", "afterNo", "tokenAlso", "sentBy"
  FROM jsonb_to_recordset(@visits) AS v (
    id uuid, day date, "tokenNo" integer, token text, name text, phone text, "serviceName" text, status text,
    "consultantName" text, "receptionNotes" text, "paNotes" text, "sessionNotes" text,
    "createdAt" timestamptz, "decidedAt" timestamptz,
    "startedAt" timestamptz, "completedAt" timestamptz, "waitMinutes" integer, "durationMinutes" integer,
    "createdByName" text, "decidedByName" text, "serviceId" text, "consultantId" text,
    stage text, class text, "calledAt" timestamptz, "callCount" integer, "sessionSeconds" integer,
    "arrivedAt" timestamptz, "afterNo" integer, "tokenAlso" text, "sentBy" text)
), was AS (
  SELECT v.* FROM visits v JOIN incoming USING (id)
), kept AS (
  INSERT INTO visits (id, day, token_no, token, name, phone, service_name, status, consultant_name,
    reception_notes, pa_notes, session_notes, created_at, decided_at, started_at, completed_at,
    wait_minutes, duration_minutes, created_by_name, decided_by_name, service_id, consultant_id,
    stage, class, called_at, call_count, session_seconds, after_no, token_also, sent_by_name)
  SELECT * FROM incoming
  ON CONFLICT (id) DO UPDATE SET
    name = EXCLUDED.name, phone = EXCLUDED.phone, service_name = EXCLUDED.service_name, status = EXCLUDED.status,
    consultant_name = EXCLUDED.consultant_name,
    reception_notes = EXCLUDED.reception_notes, pa_notes = EXCLUDED.pa_notes, session_notes = EXCLUDED.session_notes,
    decided_at = EXCLUDED.decided_at, started_at = EXCLUDED.started_at, completed_at = EXCLUDED.completed_at,
    wait_minutes = EXCLUDED.wait_minutes, duration_minutes = EXCLUDED.duration_minutes,
    decided_by_name = EXCLUDED.decided_by_name, service_id = EXCLUDED.service_id,
    consultant_id = EXCLUDED.consultant_id, stage = EXCLUDED.stage, class = EXCLUDED.class,
    called_at = EXCLUDED.called_at, call_count = EXCLUDED.call_count, session_seconds = EXCLUDED.session_seconds,
    token_also = EXCLUDED.token_also, sent_by_name = coalesce(EXCLUDED.sent_by_name, visits.sent_by_name)
), moved AS (
  SELECT day, status, stage, "createdAt" AS created_at, "startedAt" AS started_at, 1 AS sign FROM incoming
  UNION ALL
  SELECT day, status, stage, created_at, started_at, -1 FROM was
), counted AS (
  INSERT INTO daily_statistics (day, new_visits, approved_visits, in_session_visits, completed_visits, denied_visits,
    waited_visits, waited_seconds, called_visits, held_visits, missed_visits, left_visits, no_show_visits,
    cancelled_visits)
  SELECT day,
    coalesce(sum(sign) FILTER (WHERE status = 'new'), 0),
    coalesce(sum(sign) FILTER (WHERE status = 'approved'), 0),
    coalesce(sum(sign) FILTER (WHERE status = 'in-session'), 0),
    coalesce(sum(sign) FILTER (WHERE status = 'completed'), 0),
    coalesce(sum(sign) FILTER (WHERE status = 'denied'), 0),
    coalesce(sum(sign) FILTER (WHERE started_at IS NOT NULL), 0),
    coalesce(sum(sign * extract(epoch FROM started_at - created_at)), 0),
    coalesce(sum(sign) FILTER (WHERE stage = 'called'), 0),
    coalesce(sum(sign) FILTER (WHERE stage = 'held'), 0),
    coalesce(sum(sign) FILTER (WHERE stage = 'missed'), 0),
    coalesce(sum(sign) FILTER (WHERE stage = 'left'), 0),
    coalesce(sum(sign) FILTER (WHERE stage = 'no-show'), 0),
    coalesce(sum(sign) FILTER (WHERE stage = 'cancelled'), 0)
  FROM moved GROUP BY day
  ON CONFLICT (day) DO UPDATE SET
    new_visits = daily_statistics.new_visits + EXCLUDED.new_visits,
    approved_visits = daily_statistics.approved_visits + EXCLUDED.approved_visits,
    in_session_visits = daily_statistics.in_session_visits + EXCLUDED.in_session_visits,
    completed_visits = daily_statistics.completed_visits + EXCLUDED.completed_visits,
    denied_visits = daily_statistics.denied_visits + EXCLUDED.denied_visits,
    waited_visits = daily_statistics.waited_visits + EXCLUDED.waited_visits,
    waited_seconds = daily_statistics.waited_seconds + EXCLUDED.waited_seconds,
    called_visits = daily_statistics.called_visits + EXCLUDED.called_visits,
    held_visits = daily_statistics.held_visits + EXCLUDED.held_visits,
    missed_visits = daily_statistics.missed_visits + EXCLUDED.missed_visits,
    left_visits = daily_statistics.left_visits + EXCLUDED.left_visits,
    no_show_visits = daily_statistics.no_show_visits + EXCLUDED.no_show_visits,
    cancelled_visits = daily_statistics.cancelled_visits + EXCLUDED.cancelled_visits
)
INSERT INTO daily_arrivals
SELECT day, extract(hour FROM created_at AT TIME ZONE @zone)::integer AS hour, sum(sign)
FROM moved GROUP BY day, hour HAVING sum(sign) <> 0
ON CONFLICT (day, hour) DO UPDATE SET visits = daily_arrivals.visits + EXCLUDED.visits`

// saveVisits stores the states of visits, a JSON array of contract.Visit, and updates the statistics.
func (s *store) saveVisits(ctx context.Context, tx pgx.Tx, visits jsontext.Value) error {
	_, err := tx.Exec(ctx, upsertVisits, postgres.Args{"visits": []byte(visits), "zone": s.zone})
	return err
}

const truncateVisits = `TRUNCATE visits, daily_statistics, daily_arrivals`

func (s *store) emptyVisits(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, truncateVisits)
	return err
}

// Waiting time and arrivals cover today, or the last thirty days while today has fewer than ten visits. denied_visits
// also counts visitors who left, did not come or were cancelled; they are subtracted.
const selectDashboard = `
WITH today AS (
  SELECT (coalesce(@now, now()) AT TIME ZONE @zone)::date AS day
), counts AS (
  SELECT today.day, coalesce(new_visits, 0) AS new, coalesce(approved_visits, 0) AS approved,
    coalesce(in_session_visits, 0) AS in_session, coalesce(completed_visits, 0) AS completed,
    coalesce(denied_visits - left_visits - no_show_visits - cancelled_visits, 0) AS denied,
    coalesce(new_visits + approved_visits + in_session_visits + completed_visits + denied_visits, 0) AS total,
    coalesce(waiting_visits, 0) AS waiting, coalesce(called_visits, 0) AS called, coalesce(held_visits, 0) AS held,
    coalesce(missed_visits, 0) AS missed, coalesce(left_visits, 0) AS gone, coalesce(no_show_visits, 0) AS no_show,
    coalesce(cancelled_visits, 0) AS cancelled
  FROM today LEFT JOIN daily_statistics USING (day)
), period AS (
  SELECT CASE WHEN total < 10 THEN day - 29 ELSE day END AS first, day AS last FROM counts
), waited AS (
  SELECT sum(waited_seconds) / nullif(sum(waited_visits), 0) / 60 AS minutes
  FROM daily_statistics, period WHERE day BETWEEN first AND last
), arrivals AS (
  SELECT array_agg(visits ORDER BY hour) AS by_hour FROM (
    SELECT hour, coalesce(sum(visits), 0)::integer AS visits
    FROM generate_series(0, 23) hour
    LEFT JOIN (SELECT hour, visits FROM daily_arrivals, period WHERE day BETWEEN first AND last) a USING (hour)
    GROUP BY hour) h
)
SELECT coalesce(p.epoch, ''), coalesce(p.seq, 0), c.day::text,
  c.total, c.new, c.approved, c.in_session, c.completed, c.denied,
  c.waiting, c.called, c.held, c.missed, c.gone, c.no_show, c.cancelled,
  round(w.minutes::numeric, 1)::float8, a.by_hour
FROM counts c CROSS JOIN waited w CROSS JOIN arrivals a LEFT JOIN feed_cursor p ON p.source = 'visits'`

func (s *store) dashboard(ctx context.Context) (Dashboard, error) {
	var d Dashboard
	var arrivals []int
	err := s.pool.QueryRow(ctx, selectDashboard, postgres.Args{"now": s.now(), "zone": s.zone}).Scan(
		&d.At.Epoch, &d.At.Seq, &d.Day,
		&d.Today.Total, &d.Today.New, &d.Today.Approved, &d.Today.InSession, &d.Today.Completed, &d.Today.Denied,
		&d.Stages.Waiting, &d.Stages.Called, &d.Stages.Held, &d.Stages.Missed, &d.Stages.Left, &d.Stages.NoShow,
		&d.Stages.Cancelled,
		&d.WaitMinutes, &arrivals)
	copy(d.Arrivals[:], arrivals)
	return d, postgres.Classify(err)
}

// One statement reads one snapshot: a row for the whole period, one per day and one per partner. A statement is the
// concatenation of head, subject and tail. session_seconds does not include holds; it is 0 or NULL for visits of
// releases without stages, whose sessions had no holds.
const (
	figuresHead = `
SELECT coalesce(p.epoch, ''), coalesce(p.seq, 0), f.* FROM (
  SELECT CASE WHEN grouping(day) = 0 THEN 'day' WHEN grouping(partner) = 0 THEN 'partner' ELSE 'total' END AS kind,
    coalesce(day::text, partner, '') AS key, coalesce(max(partner_name), '') AS name,
    count(*) AS total, count(*) FILTER (WHERE status = 'new') AS new,
    count(*) FILTER (WHERE status = 'approved') AS approved,
    count(*) FILTER (WHERE status = 'in-session') AS in_session,
    count(*) FILTER (WHERE status = 'completed') AS completed,
    count(*) FILTER (WHERE status = 'denied' AND coalesce(stage, 'denied') = 'denied') AS denied,
    round(avg(waited), 1)::float8 AS wait, round(max(waited), 1)::float8 AS longest_wait,
    round(avg(sat), 1)::float8 AS session, round(max(sat), 1)::float8 AS longest_session
  FROM (
    SELECT day, status, stage, extract(epoch FROM started_at - created_at) / 60 AS waited,
      CASE WHEN completed_at IS NOT NULL THEN
        coalesce(nullif(session_seconds, 0), extract(epoch FROM completed_at - started_at)) / 60 END AS sat, `
	figuresTail = ` AND day BETWEEN @start AND @end
  ) v
  GROUP BY GROUPING SETS ((), (day), (partner))
) f LEFT JOIN feed_cursor p ON p.source = 'visits'
WHERE f.kind <> 'partner' OR f.key <> ''
ORDER BY f.kind, CASE WHEN f.kind = 'day' THEN f.key END,
  f.total DESC, f.name, f.key`

	selectConsultantFigures = figuresHead + `
      service_id AS partner, service_name AS partner_name FROM visits WHERE consultant_id = @id` + figuresTail
	selectServiceFigures = figuresHead + `
      consultant_id AS partner, consultant_name AS partner_name FROM visits WHERE service_id = @id` + figuresTail
)

// figures executes one of the two statements above for the consultant or service with the id.
func (s *store) figures(ctx context.Context, statement, id string, days Days) (Figures, error) {
	f := Figures{Days: days}
	rows, err := s.pool.Query(ctx, statement, postgres.Args{"id": id, "start": days.Start, "end": days.End})
	if err != nil {
		return f, postgres.Classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		var kind string
		var one Slice
		err := rows.Scan(&f.At.Epoch, &f.At.Seq, &kind, &one.Key, &one.Name,
			&one.Total, &one.New, &one.Approved, &one.InSession, &one.Completed, &one.Denied,
			&one.WaitMinutes, &one.LongestWait, &one.SessionMinutes, &one.LongestSession)
		if err != nil {
			return f, err
		}
		switch kind {
		case "day":
			f.ByDay = append(f.ByDay, one)
		case "partner":
			f.Partners = append(f.Partners, one)
		default:
			f.Total = one.Tally
		}
	}
	return f, postgres.Classify(rows.Err())
}

const selectExtent = `
SELECT coalesce((SELECT epoch FROM feed_cursor WHERE source = 'visits'), ''),
  coalesce((SELECT seq FROM feed_cursor WHERE source = 'visits'), 0),
  coalesce(sum(new_visits + approved_visits + in_session_visits + completed_visits + denied_visits), 0)::bigint
FROM daily_statistics WHERE day BETWEEN $1 AND $2`

// extent returns the feed position of the projection and the number of visits in the period.
func (s *store) extent(ctx context.Context, tx pgx.Tx, days Days) (at feed.Position, visits int, err error) {
	err = tx.QueryRow(ctx, selectExtent, days.Start, days.End).Scan(&at.Epoch, &at.Seq, &visits)
	return at, visits, err
}

// byToken orders the visits of a day by their number. A token of an offline desk follows the last number of the series
// T that existed when its visitor arrived.
const byToken = `coalesce(after_no, token_no), after_no IS NOT NULL, created_at, token`

const selectVisits = `
SELECT day::text, token, name, phone, service_name, status, coalesce(consultant_name, ''),
  created_at, decided_at, started_at, completed_at, wait_minutes, duration_minutes,
  reception_notes, pa_notes, session_notes, created_by_name, coalesce(decided_by_name, ''),
  coalesce(stage, CASE status WHEN 'approved' THEN 'waiting' ELSE status END), coalesce(class, 'normal'),
  called_at, coalesce(call_count, 0), coalesce(token_also, ''), coalesce(sent_by_name, ''),
  CASE WHEN $3 THEN (` + heldMinutes + `) END
FROM visits WHERE day BETWEEN $1 AND $2 ORDER BY day, ` + byToken

// heldMinutes sums the times from each hold in the trail to the next change of the visit's stage. A change that keeps
// the stage, or the undo of one, does not end a hold; undoing the end of a hold begins a hold. If the values of a
// record were erased, its action is read as the stage. A hold that has not ended is not counted.
const heldMinutes = `
  SELECT round(sum(extract(epoch FROM ended_at - created_at)) / 60)::integer FROM (
    SELECT coalesce(new_values->>'stage', action) AS step, created_at,
      lead(created_at) OVER (ORDER BY version) AS ended_at
    FROM audit_records
    WHERE entity = 'visit' AND entity_id = visits.id::text
      AND action NOT IN ('corrected', 'prioritised', 'erased', 'merged')
      AND (new_values->>'redacted' = 'true' OR new_values->>'stage' IS NOT NULL)
  ) steps WHERE step = 'held'
`

type exportedVisit struct {
	day, token, name, phone, service, status, consultant string
	created                                              time.Time
	decided, started, completed                          *time.Time
	wait, session                                        *int
	receptionNotes, paNotes, sessionNotes                string
	createdBy, decidedBy                                 string
	stage, class                                         string
	called                                               *time.Time
	calls                                                int
	also, sentBy                                         string // second token; user who sent a paired desk's visit
	held                                                 *int   // detail only: minutes on hold, nil without a hold
}

// eachVisit calls handle with each visit of the period, ordered by day and byToken. Rows are streamed. A visit is only
// valid during the call.
func (s *store) eachVisit(
	ctx context.Context, tx pgx.Tx, days Days, detail bool, handle func(*exportedVisit) error,
) error {
	rows, err := tx.Query(ctx, selectVisits, days.Start, days.End, detail)
	if err != nil {
		return err
	}
	defer rows.Close()
	var v exportedVisit
	for rows.Next() {
		err := rows.Scan(&v.day, &v.token, &v.name, &v.phone, &v.service, &v.status, &v.consultant,
			&v.created, &v.decided, &v.started, &v.completed, &v.wait, &v.session,
			&v.receptionNotes, &v.paNotes, &v.sessionNotes, &v.createdBy, &v.decidedBy,
			&v.stage, &v.class, &v.called, &v.calls, &v.also, &v.sentBy, &v.held)
		if err != nil {
			return err
		}
		if err := handle(&v); err != nil {
			return err
		}
	}
	return rows.Err()
}
