package audit

import (
	"context"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
)

// Counts are the visits created on one day, by current status.
type Counts struct {
	New, Approved, InSession, Completed, Denied int
}

// Total is all of them.
func (c Counts) Total() int { return c.New + c.Approved + c.InSession + c.Completed + c.Denied }

// Dashboard is today's counts and what was measured.
type Dashboard struct {
	Day         string
	Today       Counts
	WaitMinutes *float64 // from registration to the start of the session; nil when none started
	Arrivals    [24]int  // by the hour of the office's day
	At          feed.Position
}

// Averages are those of today, or of the last thirty days while today has fewer than ten visits.
const selectDashboard = `
WITH today AS (
  SELECT (coalesce(@now, now()) AT TIME ZONE @zone)::date AS day
), counts AS (
  SELECT today.day, coalesce(new_visits, 0) AS new, coalesce(approved_visits, 0) AS approved, coalesce(in_session_visits, 0) AS in_session,
    coalesce(completed_visits, 0) AS completed, coalesce(denied_visits, 0) AS denied
  FROM today LEFT JOIN daily_statistics USING (day)
), period AS (
  SELECT CASE WHEN new + approved + in_session + completed + denied < 10 THEN day - 29 ELSE day END AS first, day AS last FROM counts
), waited AS (
  SELECT sum(waited_seconds) / nullif(sum(waited_visits), 0) / 60 AS minutes FROM daily_statistics, period WHERE day BETWEEN first AND last
), arrivals AS (
  SELECT array_agg(visits ORDER BY hour) AS by_hour FROM (
    SELECT hour, coalesce(sum(visits), 0)::integer AS visits
    FROM generate_series(0, 23) hour LEFT JOIN (SELECT hour, visits FROM daily_arrivals, period WHERE day BETWEEN first AND last) a USING (hour)
    GROUP BY hour) h
)
SELECT coalesce(p.epoch, ''), coalesce(p.seq, 0), c.day::text, c.new, c.approved, c.in_session, c.completed, c.denied,
  round(w.minutes::numeric, 1)::float8, a.by_hour
FROM counts c CROSS JOIN waited w CROSS JOIN arrivals a LEFT JOIN feed_cursor p ON p.source = 'visits'`

// Dashboard returns today's counts and their feed position, read in one statement.
func (a *Audit) Dashboard(ctx context.Context) (Dashboard, error) {
	var d Dashboard
	var arrivals []int
	err := a.pool.QueryRow(ctx, selectDashboard, postgres.Args{"now": a.now(), "zone": a.options.Zone}).Scan(
		&d.At.Epoch, &d.At.Seq, &d.Day, &d.Today.New, &d.Today.Approved, &d.Today.InSession, &d.Today.Completed, &d.Today.Denied, &d.WaitMinutes, &arrivals)
	copy(d.Arrivals[:], arrivals)
	return d, postgres.Classify(err)
}

// Peak returns the first of the two consecutive hours with the most arrivals; ok is false when there were none. Of
// equal pairs it returns the one whose first hour has more arrivals, then the earliest.
func (d Dashboard) Peak() (hour int, ok bool) {
	most := 0
	for h := range 23 {
		came := d.Arrivals[h] + d.Arrivals[h+1]
		if came > most || came == most && d.Arrivals[h] > d.Arrivals[hour] {
			hour, most = h, came
		}
	}
	return hour, most > 0
}
