package attention

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/row"
)

// This file has the SQL that reads what needs attention, and the calls to follow up on.

type store struct{ *row.DB }

const selectHead = `
SELECT epoch::text, head, extract(epoch FROM now())::bigint FROM stream_head WHERE stream = 'visits'`

// head returns the position of the feed's newest event, and the time of the database's clock in Unix seconds.
func (s *store) head(ctx context.Context) (at feed.Position, second int64, err error) {
	err = s.Pool.QueryRow(ctx, selectHead).Scan(&at.Epoch, &at.Seq, &second)
	return at, second, err
}

// selectVisits reads the called visitors, those in session and those who wait in today's line. The first call is the
// newest event visit_called, because it begins the current series of calls; repeated calls have another event.
const selectVisits = `
SELECT v.id::text, v.token_series, v.token_no, coalesce(v.token_also, ''), v.name, v.service_name, v.stage, v.version,
  v.consultant_id, v.consultant_name, v.pinned, coalesce(v.counter, ''), v.called_at, v.called_by, v.call_count,
  v.sat_since, v.updated_at,
  CASE WHEN v.stage <> 'waiting' THEN (SELECT d.summary FROM visit_documents d WHERE d.visit_id = v.id) END,
  CASE WHEN v.stage = 'called' THEN (
    SELECT o.created_at FROM outbox o
    WHERE o.entity = 'visit' AND o.entity_id = v.id::text AND o.type = 'visit_called' ORDER BY o.version DESC LIMIT 1
  ) END,
  CASE WHEN v.stage = 'waiting' THEN (
    SELECT p.shown_to FROM promises p WHERE p.visit_id = v.id AND p.kind = 'join' AND p.ended_at IS NULL
  ) END,
  v.stage = 'waiting' AND coalesce((
    SELECT p.made_at IS NULL FROM promises p WHERE p.visit_id = v.id AND p.kind = 'join' AND p.ended_at IS NULL
  ), v.updated_at > now() - interval '1 minute')
FROM visits v
WHERE v.stage = 'called' OR v.stage = 'in-session' OR v.stage = 'waiting' AND (
  v.office_day = (now() AT TIME ZONE @zone)::date OR v.rank_at >= ` + row.StartOfToday + `)`

const selectDesks = `
SELECT c.id, c.name, coalesce(d.state, 'off'), coalesce(d.counter, ''), coalesce(d.since, 'epoch')
FROM consultants c LEFT JOIN desks d ON d.consultant_id = c.id WHERE c.is_active`

const selectAppointments = `
SELECT a.id::text, a.service_name, a.slot AT TIME ZONE @zone FROM appointments a
WHERE a.status = 'confirmed' AND a.slot >= (now() AT TIME ZONE @zone)::date
  AND a.slot < (now() AT TIME ZONE @zone)::date + 1
  AND NOT EXISTS (SELECT FROM visits v WHERE v.appointment_id = a.id AND v.stage <> 'cancelled')
ORDER BY a.slot, a.id`

func (s *store) facts(ctx context.Context) (f facts, err error) {
	f.desks = map[string]seenDesk{}
	zone := postgres.Args{"zone": s.Zone}
	snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err = pgx.BeginTxFunc(ctx, s.Pool, snapshot, func(tx pgx.Tx) error {
		reads := &pgx.Batch{}
		reads.Queue(`SELECT`+row.PointColumns, zone).QueryRow(func(one pgx.Row) error { return one.Scan(f.at.Fields()...) })
		var clock catalog.Clock
		catalog.QueueClock(reads, s.Zone, &clock)
		reads.Queue(selectVisits, zone).Query(f.readVisits)
		reads.Queue(selectDesks).Query(f.readDesks)
		reads.Queue(selectAppointments, zone).Query(f.readAppointments)
		err := tx.SendBatch(ctx, reads).Close()
		f.policy = clock.Policy
		return err
	})
	return f, err
}

func (f *facts) readVisits(rows pgx.Rows) (err error) {
	f.visits, err = pgx.CollectRows(rows, func(one pgx.CollectableRow) (v seenVisit, err error) {
		err = one.Scan(&v.ID, &v.Series, &v.TokenNo, &v.TokenAlso, &v.Name, &v.ServiceName, &v.Stage, &v.Version,
			&v.ConsultantID, &v.ConsultantName, &v.Pinned, &v.Counter, &v.CalledAt, &v.CalledBy, &v.CallCount,
			&v.SatSince, &v.UpdatedAt, &v.papers, &v.first, &v.promised, &v.owed)
		return v, err
	})
	return err
}

func (f *facts) readDesks(rows pgx.Rows) error {
	var d seenDesk
	_, err := pgx.ForEachRow(rows, []any{&d.id, &d.name, &d.state, &d.counter, &d.since}, func() error {
		f.desks[d.id] = d
		return nil
	})
	return err
}

func (f *facts) readAppointments(rows pgx.Rows) (err error) {
	f.appointments, err = pgx.CollectRows(rows, func(one pgx.CollectableRow) (a appointment, err error) {
		err = one.Scan(&a.id, &a.service, &a.slot)
		return a, err
	})
	return err
}

// selectOpenCalls reads only calls to desks in the states open and last: at a desk that is closed or on a break, no
// consultant expects the visitor.
var selectOpenCalls = `
SELECT ` + row.Columns + `,` + row.PointColumns + row.LastNone + `, d.since
FROM visits v JOIN desks d ON d.consultant_id = v.consultant_id AND d.state IN ('open', 'last')
WHERE v.stage = 'called' ORDER BY v.called_at, v.id`

// openCall is a called visit whose desk has been open since deskSince.
type openCall struct {
	row.Snapshot
	deskSince time.Time
}

// openCalls returns the clock of the office and the visitors who are called to a desk that is open.
func (s *store) openCalls(ctx context.Context) (calls []openCall, now catalog.Clock, err error) {
	reads := &pgx.Batch{}
	catalog.QueueClock(reads, s.Zone, &now)
	reads.Queue(selectOpenCalls, postgres.Args{"zone": s.Zone}).Query(func(rows pgx.Rows) (err error) {
		calls, err = pgx.CollectRows(rows, func(one pgx.CollectableRow) (call openCall, err error) {
			call.Snapshot, err = row.ScanSnapshot(one, &call.deskSince)
			return call, err
		})
		return err
	})
	err = s.Pool.SendBatch(ctx, reads).Close()
	return calls, now, err
}
