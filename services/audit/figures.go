package audit

import (
	"context"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
)

// Tally is the counts and average minutes of a set of visits. Minutes are nil when no visit has the measured interval.
type Tally struct {
	Counts
	WaitMinutes, LongestWait       *float64 // from registration to the start of the session
	SessionMinutes, LongestSession *float64 // from start to completion
}

// Slice is the tally of one day, or of one partner: a consultant's service or a service's consultant.
type Slice struct {
	Key, Name string
	Tally
}

// Figures are the tallies of one consultant or one service in a period.
type Figures struct {
	Days     Days
	Total    Tally
	ByDay    []Slice // days with visits, in order
	Partners []Slice // most visits first
	At       feed.Position
}

// One statement reads one snapshot: a row for the whole period, one per day and one per partner. A statement is the
// concatenation of head, subject and tail.
const (
	figuresHead = `
SELECT coalesce(p.epoch, ''), coalesce(p.seq, 0), f.* FROM (
  SELECT CASE WHEN grouping(day) = 0 THEN 'day' WHEN grouping(partner) = 0 THEN 'partner' ELSE 'total' END AS kind,
    coalesce(day::text, partner, '') AS key, coalesce(max(partner_name), '') AS name,
    count(*) FILTER (WHERE status = 'new') AS new, count(*) FILTER (WHERE status = 'approved') AS approved,
    count(*) FILTER (WHERE status = 'in-session') AS in_session, count(*) FILTER (WHERE status = 'completed') AS completed,
    count(*) FILTER (WHERE status = 'denied') AS denied,
    round(avg(waited), 1)::float8 AS wait, round(max(waited), 1)::float8 AS longest_wait,
    round(avg(sat), 1)::float8 AS session, round(max(sat), 1)::float8 AS longest_session
  FROM (
    SELECT day, status, extract(epoch FROM started_at - created_at) / 60 AS waited, extract(epoch FROM completed_at - started_at) / 60 AS sat, `
	figuresTail = ` AND day BETWEEN @start AND @end
  ) v
  GROUP BY GROUPING SETS ((), (day), (partner))
) f LEFT JOIN feed_cursor p ON p.source = 'visits'
WHERE f.kind <> 'partner' OR f.key <> ''
ORDER BY f.kind, CASE WHEN f.kind = 'day' THEN f.key END, f.new + f.approved + f.in_session + f.completed + f.denied DESC, f.name, f.key`

	selectConsultantFigures = figuresHead + `service_id AS partner, service_name AS partner_name FROM visits WHERE consultant_id = @id` + figuresTail
	selectServiceFigures    = figuresHead + `consultant_id AS partner, consultant_name AS partner_name FROM visits WHERE service_id = @id` + figuresTail
)

// ConsultantFigures returns the figures of a consultant, by day and by service.
func (a *Audit) ConsultantFigures(ctx context.Context, id string, days Days) (Figures, error) {
	return a.figures(ctx, selectConsultantFigures, id, days)
}

// ServiceFigures returns the figures of a service, by day and by consultant.
func (a *Audit) ServiceFigures(ctx context.Context, id string, days Days) (Figures, error) {
	return a.figures(ctx, selectServiceFigures, id, days)
}

func (a *Audit) figures(ctx context.Context, statement, id string, days Days) (Figures, error) {
	f := Figures{Days: days}
	rows, err := a.pool.Query(ctx, statement, postgres.Args{"id": id, "start": days.Start, "end": days.End})
	if err != nil {
		return f, postgres.Classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		var kind string
		var s Slice
		err := rows.Scan(&f.At.Epoch, &f.At.Seq, &kind, &s.Key, &s.Name, &s.New, &s.Approved, &s.InSession, &s.Completed, &s.Denied,
			&s.WaitMinutes, &s.LongestWait, &s.SessionMinutes, &s.LongestSession)
		if err != nil {
			return f, err
		}
		switch kind {
		case "day":
			f.ByDay = append(f.ByDay, s)
		case "partner":
			f.Partners = append(f.Partners, s)
		default:
			f.Total = s.Tally
		}
	}
	return f, postgres.Classify(rows.Err())
}
