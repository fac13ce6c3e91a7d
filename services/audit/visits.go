package audit

import (
	"context"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
)

// All parts of the statement share one snapshot: was reads the visits before the change. A day's counts are changed by
// the difference of a visit's states, so the cost is independent of the day's size and applying twice is idempotent.
const upsertVisits = `
WITH incoming AS (
  SELECT v.* FROM jsonb_to_recordset(@visits) AS v (
    id uuid, day date, "tokenNo" integer, token text, name text, phone text, "serviceName" text, status text, "consultantName" text,
    "receptionNotes" text, "paNotes" text, "sessionNotes" text, "createdAt" timestamptz, "decidedAt" timestamptz,
    "startedAt" timestamptz, "completedAt" timestamptz, "waitMinutes" integer, "durationMinutes" integer,
    "createdByName" text, "decidedByName" text, "serviceId" text, "consultantId" text)
), was AS (
  SELECT v.* FROM visits v JOIN incoming USING (id)
), kept AS (
  INSERT INTO visits (id, day, token_no, token, name, phone, service_name, status, consultant_name, reception_notes, pa_notes, session_notes,
    created_at, decided_at, started_at, completed_at, wait_minutes, duration_minutes, created_by_name, decided_by_name,
    service_id, consultant_id)
  SELECT * FROM incoming
  ON CONFLICT (id) DO UPDATE SET
    name = EXCLUDED.name, phone = EXCLUDED.phone, status = EXCLUDED.status, consultant_name = EXCLUDED.consultant_name,
    reception_notes = EXCLUDED.reception_notes, pa_notes = EXCLUDED.pa_notes, session_notes = EXCLUDED.session_notes,
    decided_at = EXCLUDED.decided_at, started_at = EXCLUDED.started_at, completed_at = EXCLUDED.completed_at,
    wait_minutes = EXCLUDED.wait_minutes, duration_minutes = EXCLUDED.duration_minutes, decided_by_name = EXCLUDED.decided_by_name,
    service_id = EXCLUDED.service_id, consultant_id = EXCLUDED.consultant_id
), moved AS (
  SELECT day, status, "createdAt" AS created_at, "startedAt" AS started_at, 1 AS sign FROM incoming
  UNION ALL
  SELECT day, status, created_at, started_at, -1 FROM was
), counted AS (
  INSERT INTO daily_statistics
  SELECT day,
    coalesce(sum(sign) FILTER (WHERE status = 'new'), 0), coalesce(sum(sign) FILTER (WHERE status = 'approved'), 0),
    coalesce(sum(sign) FILTER (WHERE status = 'in-session'), 0), coalesce(sum(sign) FILTER (WHERE status = 'completed'), 0),
    coalesce(sum(sign) FILTER (WHERE status = 'denied'), 0), coalesce(sum(sign) FILTER (WHERE started_at IS NOT NULL), 0),
    coalesce(sum(sign * extract(epoch FROM started_at - created_at)), 0)
  FROM moved GROUP BY day
  ON CONFLICT (day) DO UPDATE SET
    new_visits = daily_statistics.new_visits + EXCLUDED.new_visits,
    approved_visits = daily_statistics.approved_visits + EXCLUDED.approved_visits,
    in_session_visits = daily_statistics.in_session_visits + EXCLUDED.in_session_visits,
    completed_visits = daily_statistics.completed_visits + EXCLUDED.completed_visits,
    denied_visits = daily_statistics.denied_visits + EXCLUDED.denied_visits,
    waited_visits = daily_statistics.waited_visits + EXCLUDED.waited_visits,
    waited_seconds = daily_statistics.waited_seconds + EXCLUDED.waited_seconds
)
INSERT INTO daily_arrivals
SELECT day, extract(hour FROM created_at AT TIME ZONE @zone)::integer AS hour, sum(sign)
FROM moved GROUP BY day, hour HAVING sum(sign) <> 0
ON CONFLICT (day, hour) DO UPDATE SET visits = daily_arrivals.visits + EXCLUDED.visits`

// keepVisits applies events of visits. Only the last event of each visit is applied: every event has the whole visit.
func (a *Audit) keepVisits(ctx context.Context, tx pgx.Tx, events []outbox.Event) error {
	latest := map[string]jsontext.Value{}
	for _, event := range events {
		if event.Subject.Entity == contract.EntityVisit {
			latest[event.Subject.ID] = event.After
		}
	}
	if len(latest) == 0 {
		return nil
	}
	visits := make([]jsontext.Value, 0, len(latest))
	for _, visit := range latest {
		visits = append(visits, visit)
	}
	data, err := json.Marshal(visits)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, upsertVisits, postgres.Args{"visits": data, "zone": a.options.Zone})
	return err
}

const truncateVisits = `TRUNCATE visits, daily_statistics, daily_arrivals`

// forgetVisits empties the projection of visits before a rebuild.
func forgetVisits(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, truncateVisits)
	return err
}
