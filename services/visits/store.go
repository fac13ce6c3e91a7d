package visits

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/visit"
)

// store is all SQL about visits. Times and the office's day come from PostgreSQL, never from a service's clock.
type store struct {
	pool *pgxpool.Pool
	zone string
}

// moment is what PostgreSQL says of now, read in the same statement as the visits: how far the feed was, the
// time, and the office's day.
type moment struct {
	Feed  feed.Position
	Now   time.Time
	Today string
}

// The columns of a visit and of its moment, in the order of scan. Every statement that reads a visit ends with a
// FROM that names it v.
const columns = `
  v.id::text, v.office_day::text, v.token_no, v.name, coalesce(v.phone, ''), v.service_id::text, v.service_name, v.status,
  v.consultant_id, v.consultant_name, v.reception_notes, v.pa_notes, v.session_notes, v.created_at, v.updated_at,
  v.decided_at, v.started_at, v.completed_at, v.created_by, v.created_by_name, v.decided_by, v.decided_by_name,
  v.started_by, v.completed_by, v.notice_version, v.version`

const momentColumns = `
  (SELECT epoch::text FROM stream_head WHERE stream = 'visits'), (SELECT head FROM stream_head WHERE stream = 'visits'),
  now(), (now() AT TIME ZONE @zone)::date::text`

// scan reads a row of columns and momentColumns. All columns of v are NULL when a list is empty: the row is
// then there for its moment only, and ok is false.
func scan(row pgx.Row) (v visit.Visit, at moment, ok bool, err error) {
	var day, phone *string
	var tokenNo zeronull.Int4
	var version zeronull.Int8
	err = row.Scan(
		(*zeronull.Text)(&v.ID), &day, &tokenNo, (*zeronull.Text)(&v.Name), &phone, (*zeronull.Text)(&v.ServiceID), (*zeronull.Text)(&v.ServiceName), (*zeronull.Text)(&v.Status),
		&v.ConsultantID, &v.ConsultantName, (*zeronull.Text)(&v.ReceptionNotes), (*zeronull.Text)(&v.PANotes), (*zeronull.Text)(&v.SessionNotes),
		(*zeronull.Timestamptz)(&v.CreatedAt), (*zeronull.Timestamptz)(&v.UpdatedAt),
		&v.DecidedAt, &v.StartedAt, &v.CompletedAt, (*zeronull.Text)(&v.CreatedBy), (*zeronull.Text)(&v.CreatedByName), &v.DecidedBy, &v.DecidedByName,
		&v.StartedBy, &v.CompletedBy, (*zeronull.Text)(&v.NoticeVersion), &version,
		&at.Feed.Epoch, &at.Feed.Seq, &at.Now, &at.Today)
	if err != nil || v.ID == "" {
		return v, at, false, err
	}
	v.Day, v.Phone, v.TokenNo, v.Version = *day, *phone, int(tokenNo), int64(version)
	return v, at, true, nil
}

// The counter's row lock is held through the commit, so it is the last lock a creator takes; numbers that are
// not committed are given out again.
var insertVisits = `
WITH counter AS (` + nextNumbers + `
), v AS (
  INSERT INTO visits (id, office_day, token_no, name, phone, service_id, service_name, status, reception_notes,
    created_at, updated_at, created_by, created_by_name, notice_version)
  SELECT n.id, counter.day, counter.last - @count + n.place, n.name, n.phone, n.service_id, n.service_name, 'new', n.notes,
    now(), now(), n.actor, n.actor_name, coalesce((SELECT notice_version FROM office), '')
  FROM counter, unnest(@ids::uuid[], @names::text[], @phones::text[], @services::uuid[], @service_names::text[], @notes::text[],
    @actors::text[], @actor_names::text[]) WITH ORDINALITY AS n(id, name, phone, service_id, service_name, notes, actor, actor_name, place)
  RETURNING *
)
SELECT` + columns + `,` + momentColumns + ` FROM v ORDER BY v.token_no`

// create inserts visits with the day's next numbers, in their order.
func (s *store) create(ctx context.Context, tx pgx.Tx, visits []visit.Visit) ([]seen, error) {
	column := func(of func(visit.Visit) string) []string {
		values := make([]string, len(visits))
		for i, v := range visits {
			values[i] = of(v)
		}
		return values
	}
	rows, err := tx.Query(ctx, insertVisits, postgres.Args{
		"zone": s.zone, "count": len(visits),
		"ids": column(func(v visit.Visit) string { return v.ID }), "names": column(func(v visit.Visit) string { return v.Name }),
		"phones": column(func(v visit.Visit) string { return v.Phone }), "services": column(func(v visit.Visit) string { return v.ServiceID }),
		"service_names": column(func(v visit.Visit) string { return v.ServiceName }), "notes": column(func(v visit.Visit) string { return v.ReceptionNotes }),
		"actors": column(func(v visit.Visit) string { return v.CreatedBy }), "actor_names": column(func(v visit.Visit) string { return v.CreatedByName }),
	})
	if err != nil {
		return nil, err
	}
	made, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (seen, error) {
		v, at, _, err := scan(row)
		return seen{v, at}, err
	})
	if err == nil && len(made) != len(visits) {
		return nil, fmt.Errorf("%d visits were inserted of %d", len(made), len(visits))
	}
	return made, err
}

var selectForUpdate = `
WITH v AS MATERIALIZED (SELECT * FROM visits WHERE id = @id FOR UPDATE),
  waited AS (SELECT ` + oneAfterAnother + ` FROM v WHERE status IN ('approved', 'in-session'))
SELECT` + columns + `,` + momentColumns + ` FROM v LEFT JOIN waited ON true`

var errNoVisit = errors.New("no such visit")

// lock reads a visit and keeps others from changing it, or another session of its consultant, until the transaction ends.
func (s *store) lock(ctx context.Context, tx pgx.Tx, id string) (visit.Visit, moment, error) {
	v, at, ok, err := scan(tx.QueryRow(ctx, selectForUpdate, postgres.Args{"zone": s.zone, "id": id}))
	if errors.Is(err, pgx.ErrNoRows) || (err == nil && !ok) {
		return v, at, errNoVisit
	}
	return v, at, err
}

// The guards in WHERE repeat what Decide said: a change that slipped past it changes no row. The time is that of the statement: of transactions
// that wait for each other the first to begin may be the last to end.
var updateSession = `
WITH v AS (
  UPDATE visits SET
    status = @to, version = version + 1, updated_at = moment.at,
    session_notes = CASE WHEN @notes <> '' THEN @notes ELSE session_notes END,
    started_at   = CASE WHEN @to = 'in-session' THEN moment.at ELSE started_at END,
    started_by   = CASE WHEN @to = 'in-session' THEN @actor ELSE started_by END,
    completed_at = CASE WHEN @to = 'completed' THEN moment.at ELSE completed_at END,
    completed_by = CASE WHEN @to = 'completed' THEN @actor ELSE completed_by END
  FROM (SELECT clock_timestamp() AS at) moment
  WHERE id = @id AND status = @from AND version = @version
    AND ` + mayChange + `
  RETURNING visits.*
), gone AS (
  DELETE FROM session_drafts WHERE visit_id = (SELECT id FROM v) AND @to = 'completed'
)
SELECT` + columns + `,` + momentColumns + ` FROM v`

// change is one admitted change of status.
type change struct {
	from           visit.Visit
	to             visit.Status
	by             visit.Actor
	consultantID   *string // of a decision
	consultantName *string
	owner          *string // whose visit it must be, nil for anybody's; of a session
	notes          string
}

// errBusyConsultant says that the consultant already has a running session.
var errBusyConsultant = errors.New("the consultant has a running session")

// apply makes one change.
func (s *store) apply(ctx context.Context, tx pgx.Tx, c change) (seen, error) {
	if transition, _ := visit.To(c.to); !transition.Decides() {
		return s.applySession(ctx, tx, c)
	}
	made, err := s.applyDecisions(ctx, tx, []change{c})
	after, ok := made[c.from.ID]
	if err == nil && !ok {
		err = visit.ErrStale
	}
	return after, err
}

// applySession begins or completes a session.
func (s *store) applySession(ctx context.Context, tx pgx.Tx, c change) (seen, error) {
	v, at, ok, err := scan(tx.QueryRow(ctx, updateSession, postgres.Args{
		"zone": s.zone, "id": c.from.ID, "from": string(c.from.Status), "to": string(c.to), "version": c.from.Version, "owner": c.owner,
		"notes": c.notes, "actor": c.by.ID,
	}))
	if postgres.Violates(err, "one_session_per_consultant") {
		return seen{}, errBusyConsultant
	}
	if err == nil && !ok || errors.Is(err, pgx.ErrNoRows) {
		return seen{}, visit.ErrStale
	}
	return seen{v, at}, err
}

// The list and the feed's head are read in one statement: one snapshot. The outer join keeps the head's row when
// no visit is found.
const selectToday = `
SELECT` + columns + `,` + momentColumns + `
FROM stream_head h LEFT JOIN visits v ON v.office_day = (now() AT TIME ZONE @zone)::date
WHERE h.stream = 'visits'
ORDER BY v.token_no`

// today lists the visits of the office's day.
func (s *store) today(ctx context.Context) ([]visit.Visit, moment, error) {
	return s.list(ctx, selectToday, postgres.Args{"zone": s.zone})
}

const selectAssigned = `
SELECT` + columns + `,` + momentColumns + `
FROM stream_head h LEFT JOIN (
  SELECT * FROM visits WHERE office_day = (now() AT TIME ZONE @zone)::date AND consultant_id = @consultant
  UNION
  SELECT * FROM visits WHERE status IN ('approved', 'in-session') AND consultant_id = @consultant
) v ON true
WHERE h.stream = 'visits'
ORDER BY v.office_day, v.token_no`

// assigned lists a consultant's visits of the day and those that earlier days left open.
func (s *store) assigned(ctx context.Context, consultantID string) ([]visit.Visit, moment, error) {
	return s.list(ctx, selectAssigned, postgres.Args{"zone": s.zone, "consultant": consultantID})
}

const selectPending = `
SELECT` + columns + `,` + momentColumns + `
FROM stream_head h LEFT JOIN visits v ON v.status = 'new'
WHERE h.stream = 'visits'
ORDER BY v.created_at, v.id`

// pending lists every visit that waits for a decision, oldest first, whatever its day.
func (s *store) pending(ctx context.Context) ([]visit.Visit, moment, error) {
	return s.list(ctx, selectPending, postgres.Args{"zone": s.zone})
}

func (s *store) list(ctx context.Context, query string, args postgres.Args) ([]visit.Visit, moment, error) {
	rows, err := s.pool.Query(ctx, query, args)
	if err != nil {
		return nil, moment{}, err
	}
	defer rows.Close()
	var visits []visit.Visit
	var at moment
	for rows.Next() {
		v, now, ok, err := scan(rows)
		if err != nil {
			return nil, moment{}, err
		}
		at = now
		if ok {
			visits = append(visits, v)
		}
	}
	return visits, at, rows.Err()
}

const selectByPhone = `
WITH known AS (
  SELECT name, office_day, count(*) OVER () AS visits, id FROM visits WHERE phone = @phone ORDER BY created_at DESC LIMIT 1
), logged AS (
  INSERT INTO access_log (user_id, role, call, visit_ids)
  SELECT @actor, @role, 'lookup', coalesce((SELECT array_agg(id) FROM known), '{}')
)
SELECT known.name, known.visits, known.office_day::text, h.epoch::text, h.head
FROM stream_head h LEFT JOIN known ON true WHERE h.stream = 'visits'`

// returning is a person who has been at the office before.
type returning struct {
	Name    string
	Visits  int
	LastDay string
}

// byPhone finds a returning visitor, nil for a new one, and records the look in the access log.
func (s *store) byPhone(ctx context.Context, phone string, by visit.Actor) (*returning, feed.Position, error) {
	var name, day *string
	var visits *int
	var at feed.Position
	err := s.pool.QueryRow(ctx, selectByPhone, postgres.Args{"phone": phone, "actor": by.ID, "role": by.Role}).
		Scan(&name, &visits, &day, &at.Epoch, &at.Seq)
	if err != nil || name == nil {
		return nil, at, err
	}
	return &returning{Name: *name, Visits: *visits, LastDay: *day}, at, nil
}
