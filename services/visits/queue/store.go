package queue

import (
	"context"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// The day's number is assigned last, because the lock of the counter's row is held until the commit. A rollback also
// takes back the numbers.
var insertVisits = `
WITH counter AS (
  INSERT INTO day_counter (day, last) VALUES ((coalesce(@at, now()) AT TIME ZONE @zone)::date, @count)
  ON CONFLICT (day) DO UPDATE SET last = day_counter.last + @count
  RETURNING day, last
), v AS (
  INSERT INTO visits (` + row.InsertedColumns + `)
  SELECT ` + row.InsertedValues + `
  FROM counter, jsonb_populate_recordset(NULL::visits, @rows) WITH ORDINALITY AS n
  RETURNING *
)
SELECT ` + row.Columns + `,` + row.PointColumns + row.LastNone + ` FROM v ORDER BY v.token_no`

// save stores planned registrations or planned changes and returns the stored visits; nil for a change whose visit has
// changed since the plan. The errors are those of insert and update.
func (s *store) save(ctx context.Context, tx pgx.Tx, plans []*planned) ([]*row.Snapshot, error) {
	stored := make([]*row.Snapshot, len(plans))
	if len(plans) > 0 && plans[0].registration != nil {
		registered, err := s.insert(ctx, tx, plans)
		for i := range registered {
			stored[i] = &registered[i]
		}
		return stored, err
	}
	updated, err := s.update(ctx, tx, plans)
	for i, p := range plans {
		if now, ok := updated[p.after.ID]; ok {
			stored[i] = &now
		}
	}
	return stored, err
}

type store struct{ *row.DB }

// oneVisit is the unique index that allows an appointment only one visit that is not cancelled.
const oneVisit = "one_visit_per_appointment"

// insert stores and returns new visits: in their order with the day's next numbers, or one noted visit with its own
// number. It returns row.ErrAppointmentUsed when an appointment would have two visits.
func (s *store) insert(ctx context.Context, tx pgx.Tx, registrations []*planned) ([]row.Snapshot, error) {
	if len(registrations) == 0 {
		return nil, nil
	}
	if registrations[0].registration.Noted != nil {
		return s.insertOffline(ctx, tx, registrations[0])
	}
	visits := make([]visit.Visit, len(registrations))
	for i, p := range registrations {
		visits[i] = p.after
	}
	rows, err := row.RowsOf(visits, row.OnInsert)
	if err != nil {
		return nil, err
	}
	inserted, err := row.Collect(tx.Query(ctx, insertVisits, postgres.Args{
		"zone": s.Zone, "count": len(visits), "at": registrations[0].At, "rows": rows,
	}))
	if postgres.Violates(err, oneVisit) { // the appointment has got another visit meanwhile
		return nil, row.ErrAppointmentUsed
	}
	return inserted, err
}

// The rows have been locked since the rules read them. Comparing stage and version again prevents a stale write.
var updateVisits = `
WITH v AS (
  UPDATE visits SET (` + row.UpdatedColumns + `) = (` + row.UpdatedValues + `)
  FROM jsonb_populate_recordset(NULL::visits, @rows) AS n
    JOIN unnest(@ids::uuid[], @stages::text[], @versions::bigint[]) AS was(id, stage, version) USING (id)
  WHERE visits.id = n.id AND visits.stage = was.stage AND visits.version = was.version
  RETURNING visits.*
), gone AS (
  DELETE FROM session_drafts WHERE visit_id IN (SELECT id FROM v WHERE status = 'completed')
)
SELECT ` + row.Columns + `,` + row.PointColumns + row.LastNone + ` FROM v`

// update stores changed visits and returns those whose rows had not changed since they were planned, by id. It returns
// visit.ErrSessionActive when a consultant would have two running sessions, a visit.CallOpenError without a token when
// a consultant would have two open calls, and row.ErrAppointmentUsed when an appointment would have two visits.
func (s *store) update(ctx context.Context, tx pgx.Tx, changes []*planned) (map[string]row.Snapshot, error) {
	if len(changes) == 0 {
		return nil, nil
	}
	after := make([]visit.Visit, len(changes))
	ids, stages := make([]string, len(changes)), make([]string, len(changes))
	versions := make([]int64, len(changes))
	for i, p := range changes {
		after[i] = p.after
		ids[i], stages[i], versions[i] = p.before.Visit.ID, string(p.before.Visit.Stage), p.before.Visit.Version
	}
	rows, err := row.RowsOf(after, row.OnUpdate)
	if err != nil {
		return nil, err
	}
	updated := map[string]row.Snapshot{}
	found, err := tx.Query(ctx, updateVisits, postgres.Args{
		"zone": s.Zone, "rows": rows, "ids": ids, "stages": stages, "versions": versions,
	})
	if err == nil {
		err = row.IntoSnapshots(updated)(found)
	}
	switch {
	case postgres.Violates(err, oneVisit): // a cancelled visit that is reopened
		return nil, row.ErrAppointmentUsed
	case postgres.Violates(err, "one_session_per_consultant"):
		return nil, visit.ErrSessionActive
	case postgres.Violates(err, "one_call_per_consultant"):
		return nil, &visit.CallOpenError{}
	}
	return updated, err
}
