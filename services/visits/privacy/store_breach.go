package privacy

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/privacy"
)

// The SQL of the report after a breach.

// visitID is a UUID as PostgreSQL sends it.
type visitID = [16]byte

// insertBreach records the report before its first line is sent. It lists no visits, because there may be too many.
const insertBreach = `INSERT INTO access_log (user_id, role, call, visit_ids) VALUES ($1, $2, 'breach_report', '{}')`

func (s *store) logBreachReport(ctx context.Context, asked privacy.Asked) error {
	_, user, role := asked.Entry()
	_, err := s.Pool.Exec(ctx, insertBreach, user, role)
	return err
}

// A report reads whole tables, so it gets more time and memory than other requests.
const reportSettings = `SET LOCAL statement_timeout = '10min'; SET LOCAL work_mem = '96MB'`

// breachRows reads the rows of one report in one snapshot.
type breachRows struct {
	tx   pgx.Tx
	args postgres.Args
}

func (s *store) breachReport(ctx context.Context, req breachRequest, work func(breachRows) error) error {
	starts, ends := make([]string, len(req.Exported)), make([]string, len(req.Exported))
	for i, d := range req.Exported {
		starts[i], ends[i] = d.Start, d.End
	}
	args := postgres.Args{
		"from": req.From, "to": req.To, "zone": s.Zone, "phone": req.Phone, "starts": starts, "ends": ends,
	}
	snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return pgx.BeginTxFunc(ctx, s.Pool, snapshot, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, reportSettings); err != nil {
			return err
		}
		return work(breachRows{tx, args})
	})
}

const selectIDs = `SELECT id FROM visits WHERE phone = @phone`

// ofPhone returns the ids of the visits with the request's phone, or nil if the request has no phone.
func (r breachRows) ofPhone(ctx context.Context) (map[visitID]bool, error) {
	if r.args["phone"] == "" {
		return nil, nil
	}
	rows, err := r.tx.Query(ctx, selectIDs, r.args)
	if err != nil {
		return nil, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[visitID])
	only := make(map[visitID]bool, len(ids))
	for _, id := range ids {
		only[id] = true
	}
	return only, err
}

const bounds = `
WITH bounds AS (
  SELECT @from::date::timestamp AT TIME ZONE @zone AS begins, (@to::date + 1)::timestamp AT TIME ZONE @zone AS ends
)`

// selectLog is ordered by user and call, so addEntry needs to remember only the last pair that has counted a visit.
const selectLog = bounds + `
SELECT user_id, call, at, visit_ids FROM bounds, access_log WHERE at >= begins AND at < ends ORDER BY user_id, call`

// log passes the period's entries of the access log to a function, by user and call. The function must not keep ids.
func (r breachRows) log(ctx context.Context, each func(by readerCall, at time.Time, ids []pgtype.UUID)) error {
	rows, err := r.tx.Query(ctx, selectLog, r.args)
	if err != nil {
		return err
	}
	var by readerCall
	var at time.Time
	var ids pgtype.FlatArray[pgtype.UUID]
	_, err = pgx.ForEachRow(rows, []any{&by.user, &by.call, &at, &ids}, func() error {
		each(by, at, ids)
		return nil
	})
	return err
}

// The access log does not have users who handle a visit, but they receive its data: the users who registered, sent and
// decided it, its consultant from the decision on, and an admin who started or completed it in place of the consultant.
const handled = bounds + `, handled AS (
  SELECT id, phone, name, office_day, created_at, decided_at, started_at, completed_at,
    CASE WHEN created_at >= begins AND created_at < ends THEN created_by END AS registered,
    CASE WHEN created_at >= begins AND created_at < ends THEN nullif(sent_by, created_by) END AS sent,
    CASE WHEN decided_at >= begins AND decided_at < ends THEN decided_by END AS decided,
    CASE WHEN decided_at >= begins AND decided_at < ends THEN consultant_id END AS assigned,
    CASE WHEN started_at >= begins AND started_at < ends THEN started_by END AS started,
    CASE WHEN completed_at >= begins AND completed_at < ends THEN completed_by END AS completed,
    coalesce(started_by <> consultant_id, false) AS started_instead,
    coalesce(completed_by <> consultant_id AND completed_by <> started_by, false) AS completed_instead
  FROM bounds, visits WHERE @phone = '' OR phone = @phone
)`

// handledKey is equal for visits that were handled by the same users.
const handledKey = `hash_record_extended(ROW(registered, sent, decided, assigned, started, completed), 0)`

// A million visits are handled by few distinct groups of users, so the result has one row for each group.
const selectHandled = handled + `
SELECT ` + handledKey + `,
  registered, sent, decided, assigned, started, completed, started_instead, completed_instead, count(*),
  min(created_at), max(created_at), min(decided_at), max(decided_at),
  min(started_at), max(started_at), min(completed_at), max(completed_at)
FROM handled
GROUP BY registered, sent, decided, assigned, started, completed, started_instead, completed_instead`

// handledGroup is a group of visits that were handled by the same users. A user is nil for a step outside the period.
type handledGroup struct {
	key                                                     int64
	registered, sent, decided, assigned, started, completed *string
	startedInstead, completedInstead                        bool
	visits                                                  int
	created, decision, start, completion                    timeRange
}

// timeRange is the first and the last time of a group, nil when there is none.
type timeRange struct{ first, last *time.Time }

func (r breachRows) handled(ctx context.Context, each func(handledGroup)) error {
	rows, err := r.tx.Query(ctx, selectHandled, r.args)
	if err != nil {
		return err
	}
	var g handledGroup
	into := []any{
		&g.key, &g.registered, &g.sent, &g.decided, &g.assigned, &g.started, &g.completed,
		&g.startedInstead, &g.completedInstead, &g.visits,
	}
	for _, of := range []*timeRange{&g.created, &g.decision, &g.start, &g.completion} {
		into = append(into, &of.first, &of.last)
	}
	_, err = pgx.ForEachRow(rows, into, func() error {
		each(g)
		return nil
	})
	return err
}

// selectAffected returns a row for each visit that may have been disclosed, ordered by phone so that the visits of one
// visitor can be merged while reading. The key identifies the users who have handled the visit.
const selectAffected = handled + `
SELECT id, coalesce(phone, ''), name, ` + handledKey + `, exported FROM (
  SELECT *, EXISTS (
    SELECT FROM unnest(@starts::date[], @ends::date[]) AS d(first, last) WHERE office_day BETWEEN d.first AND d.last
  ) AS exported FROM handled
) v
WHERE exported OR coalesce(registered, sent, decided, assigned, started, completed) IS NOT NULL OR @all
  OR id = ANY (@seen)
ORDER BY phone COLLATE "C"`

type affectedVisit struct {
	id          pgtype.UUID
	phone, name string // "" and visit.Erased for an erased visitor
	handledKey  int64  // the key of the visit's handledGroup
	exported    bool
}

// affected calls a function with each visit that was exported or handled in the period or whose id is in the argument
// read, ordered by phone. If all is true, it calls the function with every visit.
func (r breachRows) affected(ctx context.Context, all bool, read []visitID, each func(affectedVisit) error) error {
	r.args["all"], r.args["seen"] = all, read
	rows, err := r.tx.Query(ctx, selectAffected, r.args)
	if err != nil {
		return err
	}
	var v affectedVisit
	_, err = pgx.ForEachRow(rows, []any{&v.id, &v.phone, &v.name, &v.handledKey, &v.exported}, func() error {
		return each(v)
	})
	return err
}
