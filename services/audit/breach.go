package audit

import (
	"context"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// breachRoutes returns the routes for breach reports: who exported visits and read the trail, and the users' names
// (reliability.md P4).
func (a *Audit) breachRoutes() []endpoint.Route {
	return []endpoint.Route{
		{Method: http.MethodPost, Pattern: "/internal/breach", Access: endpoint.Service(), Handler: endpoint.JSON(readBreach, a.reportBreach)},
		{Method: http.MethodPost, Pattern: "/internal/people", Access: endpoint.Service(), Handler: endpoint.JSON(readSubject, a.people)},
	}
}

// breachAnswer is the data disclosed by this service, by user and, for exports, by the days they contain.
type breachAnswer struct {
	Exports []taken `json:"exports"`
	Reads   []taken `json:"reads"`
}

// taken summarizes one user's disclosures of one kind. Start and End are the days of an export.
type taken struct {
	UserID string    `json:"userId"`
	Name   string    `json:"name"`
	Email  string    `json:"email"`
	Start  string    `json:"start,omitempty"`
	End    string    `json:"end,omitempty"`
	Times  int       `json:"times"`
	Rows   int       `json:"rows"`
	First  wire.Time `json:"first"`
	Last   wire.Time `json:"last"`
}

func readBreach(r *http.Request) (Days, error) {
	var body struct {
		From string `json:"from"`
		To   string `json:"to"`
	}
	if err := wire.Read(r, &body); err != nil {
		return Days{}, err
	}
	for _, day := range []string{body.From, body.To} {
		if parsed, err := time.Parse(time.DateOnly, day); err != nil || parsed.Format(time.DateOnly) != day {
			return Days{}, fault.Field("from", "Please enter the days as YYYY-MM-DD")
		}
	}
	return Days{Start: body.From, End: body.To}, nil
}

const selectTaken = `
SELECT entity, actor_id, actor_name, actor_email,
  CASE entity WHEN 'export' THEN coalesce(new_values->'filters'->>'start_date', '') ELSE '' END,
  CASE entity WHEN 'export' THEN coalesce(new_values->'filters'->>'end_date', '') ELSE '' END,
  count(*), coalesce(sum((new_values->>'rows')::bigint), 0)::bigint, min(created_at), max(created_at)
FROM audit_records WHERE entity IN ('export', 'audit') AND ` + onDays + `
GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY min(created_at)`

func (a *Audit) reportBreach(ctx context.Context, days Days) (breachAnswer, error) {
	answer := breachAnswer{Exports: []taken{}, Reads: []taken{}}
	rows, err := a.feeds.Query(ctx, selectTaken, postgres.Args{"start": days.Start, "end": days.End, "zone": a.options.Zone})
	if err != nil {
		return answer, postgres.Classify(err)
	}
	var entity string
	var one taken
	_, err = pgx.ForEachRow(rows, []any{&entity, &one.UserID, &one.Name, &one.Email, &one.Start, &one.End, &one.Times, &one.Rows,
		(*time.Time)(&one.First), (*time.Time)(&one.Last)}, func() error {
		if entity == "export" {
			answer.Exports = append(answer.Exports, one)
		} else {
			answer.Reads = append(answer.Reads, one)
		}
		return nil
	})
	return answer, postgres.Classify(err)
}

// peopleAnswer names members of staff.
type peopleAnswer struct {
	People []member `json:"people"`
}

type member struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Email string `json:"email"`
	Role  string `json:"role"`
}

// Every reader has signed in or signed up before, so the trail has the user's latest name.
const selectPeople = `
SELECT DISTINCT ON (entity_id) entity_id, actor_name, actor_email, actor_role
FROM audit_records WHERE entity_id = ANY($1) AND entity IN ('session', 'user') AND actor_id = entity_id
ORDER BY entity_id, created_at DESC, n DESC`

func (a *Audit) people(ctx context.Context, ids []string) (peopleAnswer, error) {
	answer := peopleAnswer{People: []member{}}
	rows, err := a.feeds.Query(ctx, selectPeople, ids)
	if err != nil {
		return answer, postgres.Classify(err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[member])
	answer.People = append(answer.People, found...)
	return answer, postgres.Classify(err)
}
