package queue

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/line"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// The SQL of the line and of the desks.

const lockSessionsOf = `
SELECT pg_advisory_xact_lock(hashtextextended('sessions:' || id, 0))::text
FROM (SELECT DISTINCT unnest($1::text[]) AS id ORDER BY 1) AS consultants`

// lockNext locks the line, then the sessions of the callers, and reads what their picks need.
func (s *store) lockNext(ctx context.Context, tx pgx.Tx, calls []*nextCall) (*locked, error) {
	have := newLocked()
	consultants := make([]string, len(calls))
	for i, c := range calls {
		consultants[i] = c.Consultant
	}
	reads := &pgx.Batch{}
	reads.Queue(lockLine)
	reads.Queue(lockSessionsOf, consultants)
	need := needs{consultants: consultants, policy: true, staff: true, engaged: true, waiting: true}
	s.queueReads(reads, need, have, len(calls) == 1)
	reads.Queue(`SELECT`+row.PointColumns, postgres.Args{"zone": s.Zone}).QueryRow(func(one pgx.Row) error {
		return one.Scan(have.at.Fields()...)
	})
	return have, tx.SendBatch(ctx, reads).Close()
}

var lockPicked = `
WITH v AS MATERIALIZED (SELECT * FROM visits WHERE id = ANY (@ids::uuid[]) ORDER BY id FOR UPDATE)
SELECT ` + row.Columns + `,` + row.PointColumns + row.LastColumns + ` FROM v` + row.LastJoin

// lockPicked locks and reads the visits of the calls, in the order of their ids.
func (s *store) lockPicked(ctx context.Context, tx pgx.Tx, calls []*nextCall, have *locked) error {
	var ids []string
	for _, c := range calls {
		if c.visit != "" {
			ids = append(ids, c.visit)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := tx.Query(ctx, lockPicked, postgres.Args{"zone": s.Zone, "ids": ids})
	if err != nil {
		return err
	}
	return row.IntoSnapshots(have.visits)(rows)
}

// The counts of passes are no change of a visit: its version stays, and there is no event. The rows are locked in the
// order of their ids.
const countPassed = `
WITH passed AS MATERIALIZED (
  SELECT id, n, by_hand FROM visits
  JOIN (SELECT id, count(*) AS n, by_hand FROM unnest($1::uuid[], $2::boolean[]) AS p(id, by_hand) GROUP BY 1, 3) p
    USING (id)
  ORDER BY id FOR UPDATE OF visits
)
UPDATE visits SET
  bypassed = bypassed + coalesce((SELECT n FROM passed p WHERE p.id = visits.id AND NOT by_hand), 0),
  passed_by_hand = passed_by_hand + coalesce((SELECT n FROM passed p WHERE p.id = visits.id AND by_hand), 0)
WHERE id IN (SELECT id FROM passed)`

// A call or the start of a session opens a desk. A desk that takes its last visitors stays in that state.
const openDesks = `
INSERT INTO desks (consultant_id, state, counter, since, changed_by)
SELECT DISTINCT ON (id) id, 'open', counter, now(), by
FROM unnest($1::text[], $2::text[], $3::text[]) AS d(id, counter, by)
ORDER BY id
ON CONFLICT (consultant_id) DO UPDATE SET
  state = CASE desks.state WHEN 'last' THEN 'last' ELSE 'open' END,
  counter = coalesce(nullif(EXCLUDED.counter, ''), desks.counter),
  since = CASE WHEN desks.state IN ('open', 'last') THEN desks.since ELSE EXCLUDED.since END,
  until = CASE WHEN desks.until > now() THEN desks.until END, back_at = NULL, changed_by = EXCLUDED.changed_by
WHERE desks.state NOT IN ('open', 'last') OR EXCLUDED.counter NOT IN ('', desks.counter)`

// The notes of an undone completion become the draft again.
const keepDraft = `
INSERT INTO session_drafts (visit_id, notes, saved_at) VALUES ($1, $2, now())
ON CONFLICT (visit_id) DO UPDATE SET notes = EXCLUDED.notes, saved_at = EXCLUDED.saved_at`

// queueSideEffects adds the writes of other rows: the counters of visitors who were passed, the desks that calls and
// sessions open, and the draft of an undone completion.
func queueSideEffects(writes *pgx.Batch, changes []*planned) {
	var passed []string
	var byHand []bool
	var desks, counters, actors []string
	for _, p := range changes {
		for _, id := range p.passed {
			passed, byHand = append(passed, id), append(byHand, p.byHand)
		}
		switch p.action {
		case visit.Next, visit.Call, visit.Start, visit.Take:
			desks = append(desks, *p.after.ConsultantID)
			counters, actors = append(counters, p.after.Counter), append(actors, p.By.ID)
		case visit.Undo:
			typed := visit.Typed(p.after.SessionNotes, p.before.Visit.SessionNotes)
			if p.before.Visit.Stage == visit.StageCompleted && typed != "" {
				writes.Queue(keepDraft, p.after.ID, typed)
			}
		}
	}
	if len(passed) > 0 {
		writes.Queue(countPassed, passed, byHand)
	}
	if len(desks) > 0 {
		writes.Queue(openDesks, desks, counters, actors)
	}
}

const (
	deskOpen  = "open"
	deskBreak = "break"
	deskLast  = "last"
	deskOff   = "off"
)

// desk is a consultant's desk. The State of a desk that was never opened is deskOff.
type desk struct {
	ConsultantID, Name, State, Counter string
	Since, Until, BackAt               *time.Time
	Serves                             []string
	Version                            int64
	DefaultCounter                     string // the number that the admin suggests, "" for none
	CounterRequired                    bool   // set if several consultants are active, or if the policy says so
	Visit                              *deskVisit
}

// deskVisit is the visitor who is called to a desk, or in session there.
type deskVisit struct {
	ID     string
	Series string
	Token  int
	Also   string // another token, "" for none
	Stage  string
	Since  time.Time
}

const deskColumns = `
  c.id, c.name, coalesce(c.serves, '{}')::text[], coalesce(d.state, 'off'), coalesce(d.counter, ''), d.since, d.until,
  d.back_at, coalesce(d.version, 0), coalesce(c.counter, ''),
  (SELECT count(*) > 1 FROM consultants WHERE is_active)
    OR coalesce((SELECT policy->>'requireCounter' = 'true' FROM office), false),
  v.id::text, v.token_series, v.token_no, coalesce(v.token_also, ''), v.stage,
  coalesce(v.sat_since, v.called_at)`

const selectDesks = `SELECT` + deskColumns + row.ConsultantDesks + ` ORDER BY c.name, c.id`

func (l *locked) readDesks(rows pgx.Rows) error {
	list, err := pgx.CollectRows(rows, scanDesk)
	for _, d := range list {
		l.desks[d.ConsultantID] = d
	}
	return err
}

func scanDesk(one pgx.CollectableRow) (d desk, err error) {
	var id, series, stage *string
	var token *int
	var also string
	var since *time.Time
	err = one.Scan(&d.ConsultantID, &d.Name, &d.Serves, &d.State, &d.Counter, &d.Since, &d.Until, &d.BackAt, &d.Version,
		&d.DefaultCounter, &d.CounterRequired, &id, &series, &token, &also, &stage, &since)
	if id != nil && since != nil {
		d.Visit = &deskVisit{ID: *id, Series: *series, Token: *token, Also: also, Stage: *stage, Since: *since}
	}
	return d, err
}

// View is the line, the desks, and the rows of visits that a screen of the line shows, read in one snapshot.
type View struct {
	locked
	Rows row.Snapshots // waiting, held, missed and left-over visits; ended visits of earlier days that changed today
}

var selectView = `
SELECT ` + row.Columns + `,` + row.PointColumns + row.LastColumns + `
FROM stream_head h LEFT JOIN (
  SELECT * FROM visits WHERE stage IN ('waiting', 'held', 'missed')
    OR stage IN ('new', 'called', 'in-session') AND office_day < (now() AT TIME ZONE @zone)::date
  UNION ALL
  SELECT * FROM visits WHERE status IN ('completed', 'denied') AND office_day < (now() AT TIME ZONE @zone)::date
    AND erased_at IS NULL AND updated_at >= ` + row.StartOfToday + `
) v ON true` + row.LastJoin + `
WHERE h.stream = 'visits'
ORDER BY ` + row.ByToken

// View reads the line.
func (q *Queue) View(ctx context.Context) (view View, err error) {
	view.locked = *newLocked()
	snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err = pgx.BeginTxFunc(ctx, q.store.Pool, snapshot, func(tx pgx.Tx) error {
		reads := &pgx.Batch{}
		q.store.queueReads(reads, needs{policy: true, staff: true, waiting: true}, &view.locked, true)
		reads.Queue(selectView, postgres.Args{"zone": q.store.Zone}).Query(func(rows pgx.Rows) error {
			all, err := row.Collect(rows, nil)
			view.Rows = row.ListRows(all)
			return err
		})
		return tx.SendBatch(ctx, reads).Close()
	})
	return view, err
}

func (*store) policy(ctx context.Context, tx pgx.Tx) (line.Policy, error) {
	policy, reads := line.DefaultPolicy(), &pgx.Batch{}
	catalog.QueuePolicy(reads, &policy)
	err := tx.SendBatch(ctx, reads).Close()
	return policy, err
}

func (l *locked) desksByName() []desk {
	return slices.SortedFunc(maps.Values(l.desks), func(a, b desk) int {
		return slices.Compare([]string{a.Name, a.ConsultantID}, []string{b.Name, b.ConsultantID})
	})
}

// desks lists the desks of the active consultants by name.
func (s *store) desks(ctx context.Context) (list []desk, at row.Point, err error) {
	snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err = pgx.BeginTxFunc(ctx, s.Pool, snapshot, func(tx pgx.Tx) error {
		if at, err = s.ReadPoint(ctx, tx); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, selectDesks)
		if err == nil {
			list, err = pgx.CollectRows(rows, scanDesk)
		}
		return err
	})
	return list, at, err
}

const lockDesk = `SELECT` + deskColumns + row.ConsultantDesks + ` AND c.id = $1`

const upsertDesk = `
INSERT INTO desks (consultant_id, state, counter, since, until, back_at, changed_by)
VALUES ($1, $2, $3, now(), $4, $5, $6)
ON CONFLICT (consultant_id) DO UPDATE SET
  state = EXCLUDED.state, counter = EXCLUDED.counter, until = EXCLUDED.until, back_at = EXCLUDED.back_at,
  since = CASE WHEN desks.state = EXCLUDED.state THEN desks.since ELSE EXCLUDED.since END,
  changed_by = EXCLUDED.changed_by, version = desks.version + 1`

// changeDesk writes a desk and returns it before and after; a nil counter keeps the counter. It returns row.ErrNoDesk
// for a consultant who is not active.
func (s *store) changeDesk(
	ctx context.Context, tx pgx.Tx, to desk, counter *string, by visit.Actor,
) (before, after desk, err error) {
	if _, err = tx.Exec(ctx, lockSessionsOf, []string{to.ConsultantID}); err != nil {
		return before, after, err
	}
	if before, err = s.oneDesk(ctx, tx, to.ConsultantID); err != nil {
		return before, after, err
	}
	to.Counter = before.Counter
	if counter != nil {
		to.Counter = *counter
	}
	_, err = tx.Exec(ctx, upsertDesk, to.ConsultantID, to.State, to.Counter, to.Until, to.BackAt, by.ID)
	if err != nil {
		return before, after, err
	}
	after, err = s.oneDesk(ctx, tx, to.ConsultantID)
	return before, after, err
}

func (*store) oneDesk(ctx context.Context, tx pgx.Tx, id string) (desk, error) {
	rows, err := tx.Query(ctx, lockDesk, id)
	if err != nil {
		return desk{}, err
	}
	found, err := pgx.CollectRows(rows, scanDesk)
	if err == nil && len(found) == 0 {
		err = row.ErrNoDesk
	}
	if err != nil {
		return desk{}, err
	}
	return found[0], nil
}
