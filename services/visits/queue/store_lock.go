package queue

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// The locks of a transaction, in the order that README.md defines: the idempotency key, the line, the sessions of the
// consultants concerned, the series of a paired desk, desks, visits, consultants, the day's counter.

// The line has one advisory lock. Actions that depend on its order take the lock exclusively (visit.ReadLine). Actions
// that only change the line do not conflict with each other and take it in share mode (visit.ChangeLine).
const (
	lockLine      = `SELECT pg_advisory_xact_lock(hashtextextended('dispatch', 0))::text`
	lockLineShare = `SELECT pg_advisory_xact_lock_shared(hashtextextended('dispatch', 0))::text`
)

// Changes that begin or end a call or a session of a consultant run one after another. The unique indexes also prevent
// two calls or sessions at a time, but a change that waits for an index has read the time before, so its session would
// begin before the previous one ended. The visit's consultant is read before the lock, and compared after (errMoved).
const lockSessions = `
WITH of AS MATERIALIZED (SELECT consultant_id AS id FROM visits WHERE id = @id AND consultant_id IS NOT NULL),
  wanted AS MATERIALIZED (
    SELECT id FROM of UNION SELECT unnest(@named::text[])
    UNION SELECT o.before->>'consultantId'
    FROM visits v JOIN outbox o ON o.entity = 'visit' AND o.entity_id = v.id::text AND o.version = v.version
    WHERE @undo AND v.id = @id AND v.version > 0 AND o.before->>'consultantId' IS NOT NULL
    ORDER BY 1
  )
SELECT id, id IN (SELECT id FROM of), pg_advisory_xact_lock(hashtextextended('sessions:' || id, 0))::text FROM wanted`

// errMoved is returned if the consultant of a visit changes between lockSessions and row.LockOne.
var errMoved = errors.New("the visit has another consultant now")

// A visit that another transaction has locked is skipped: a batch never waits for a slow transaction or another batch.
// With the lateral join, PostgreSQL looks up each id by the primary key even with stale statistics.
var lockMany = `
WITH v AS MATERIALIZED (
  SELECT free.* FROM unnest(@ids::uuid[]) AS asked(id)
  CROSS JOIN LATERAL (SELECT * FROM visits WHERE visits.id = asked.id FOR UPDATE SKIP LOCKED) free
)
SELECT ` + row.Columns + `,` + row.PointColumns + row.LastNone + ` FROM v`

const selectEngaged = `
SELECT id::text, consultant_id, coalesce(consultant_name, ''), token_series, token_no, stage FROM visits
WHERE stage IN ('called', 'in-session') AND consultant_id IS NOT NULL`

const selectBefore = `
SELECT o.before FROM visits v JOIN outbox o ON o.entity = 'visit' AND o.entity_id = v.id::text AND o.version = v.version
WHERE v.id = $1 AND v.version > 0`

// A called visit's newest event visit_called has the state before its present call: each call ends before the next.
const selectBeforeCalls = `
SELECT asked.id, o.before FROM unnest(@released::text[]) AS asked(id) CROSS JOIN LATERAL (
  SELECT before FROM outbox WHERE entity = 'visit' AND entity_id = asked.id AND type = 'visit_called' AND version > 0
  ORDER BY version DESC LIMIT 1
) o WHERE o.before ? 'stage'`

const selectAppointment = `
SELECT a.id::text, a.slot AT TIME ZONE @zone,
  a.status IN ('confirmed', 'no-show') AND a.slot::date = (now() AT TIME ZONE @zone)::date AND NOT used.taken,
  used.taken, now()
FROM appointments a CROSS JOIN LATERAL (
  SELECT EXISTS (SELECT FROM visits v WHERE v.appointment_id = a.id AND v.stage <> 'cancelled') AS taken
) used
WHERE a.id = ANY (@appointments::uuid[])`

// lock reads what commands need, and locks it until the transaction ends. A single command waits for locks. In a batch,
// rows that another transaction has locked are left out. It returns errMoved if a single command must be repeated.
func (s *store) lock(ctx context.Context, tx pgx.Tx, need needs, single bool) (*locked, error) {
	have := newLocked()
	reads := &pgx.Batch{}
	switch need.line {
	case visit.ReadLine:
		reads.Queue(lockLine)
	case visit.ChangeLine:
		reads.Queue(lockLineShare)
	}
	var consultant string
	alone := single && len(need.visits) == 1
	if alone {
		reads.Queue(lockSessions, postgres.Args{
			"id": need.visits[0], "named": need.sessions, "undo": need.before != "",
		}).Query(ownConsultant(&consultant))
	}
	if len(need.visits) > 0 {
		statement := lockMany
		if alone {
			statement = row.LockOne
		}
		args := postgres.Args{"zone": s.Zone, "ids": need.visits}
		reads.Queue(statement, args).Query(row.IntoSnapshots(have.visits))
	}
	s.queueReads(reads, need, have, single)
	if err := tx.SendBatch(ctx, reads).Close(); err != nil {
		return have, err
	}
	if alone {
		found, exists := have.visits[need.visits[0]]
		if id := found.Visit.ConsultantID; exists && id != nil && *id != consultant {
			return have, errMoved
		}
	}
	return have, nil
}

// queueReads queues the reads of the records that the commands name and of the values that their rules need.
func (s *store) queueReads(reads *pgx.Batch, need needs, have *locked, alone bool) {
	if len(need.services) > 0 {
		catalog.QueueServices(reads, need.services, have.services)
	}
	if len(need.consultants) > 0 {
		catalog.QueueConsultants(reads, need.consultants, have.consultants, alone)
	}
	if need.policy {
		catalog.QueuePolicy(reads, &have.policy)
	}
	if need.staff {
		catalog.QueueStaff(reads, &have.staff)
	}
	if need.engaged {
		reads.Queue(selectEngaged).Query(have.readEngaged)
	}
	if need.waiting {
		s.QueueLine(reads, &have.waiting)
		reads.Queue(selectDesks).Query(have.readDesks)
	}
	if need.before != "" {
		reads.Queue(selectBefore, need.before).QueryRow(have.readBefore(need.before))
	}
	if len(need.released) > 0 {
		reads.Queue(selectBeforeCalls, postgres.Args{"released": need.released}).Query(have.readBeforeCalls)
	}
	if len(need.appointments) > 0 {
		args := postgres.Args{"zone": s.Zone, "appointments": need.appointments}
		reads.Queue(selectAppointment, args).Query(have.readAppointments)
	}
}

// ownConsultant returns a function that reads the rows of lockSessions and sets own to the consultant of the visit.
func ownConsultant(own *string) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var id, lock string
		var isOwn bool
		_, err := pgx.ForEachRow(rows, []any{&id, &isOwn, &lock}, func() error {
			if isOwn {
				*own = id
			}
			return nil
		})
		return err
	}
}

func (l *locked) readEngaged(rows pgx.Rows) error {
	var other visit.Engagement
	var series string
	var number int
	into := []any{&other.ID, &other.ConsultantID, &other.ConsultantName, &series, &number, &other.Stage}
	_, err := pgx.ForEachRow(rows, into, func() error {
		other.Token = visit.Token(series, number)
		l.engaged = append(l.engaged, other)
		return nil
	})
	return err
}

func (l *locked) readBefore(id string) func(pgx.Row) error {
	return func(one pgx.Row) error {
		var text []byte
		err := one.Scan(&text)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && text == nil {
			return nil
		}
		if err != nil {
			return err
		}
		before, err := row.ReadEvent(text)
		if err != nil {
			return err
		}
		if s, ok := l.visits[id]; ok && s.Last != nil {
			s.Last.Before = &before
		}
		return nil
	}
}

func (l *locked) readBeforeCalls(rows pgx.Rows) error {
	var id string
	var text []byte
	_, err := pgx.ForEachRow(rows, []any{&id, &text}, func() error {
		before, err := row.ReadEvent(text)
		l.beforeCall[id] = &before
		return err
	})
	return err
}

func (l *locked) readAppointments(rows pgx.Rows) error {
	var a appointment
	var id string
	_, err := pgx.ForEachRow(rows, []any{&id, &a.slot, &a.usable, &a.taken, &a.now}, func() error {
		l.appointments[id] = a
		return nil
	})
	return err
}
