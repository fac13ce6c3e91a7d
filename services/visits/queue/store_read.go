package queue

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/line"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

const selectByPhone = `
WITH known AS (
  SELECT name, language, office_day, count(*) OVER () AS visits, id
  FROM visits WHERE phone = @phone ORDER BY created_at DESC LIMIT 1
), logged AS (
  INSERT INTO access_log (user_id, role, call, visit_ids)
  SELECT @actor, @role, 'lookup', coalesce((SELECT array_agg(id) FROM known), '{}')
)
SELECT known.name, known.language, known.visits, known.office_day::text, h.epoch::text, h.head
FROM stream_head h LEFT JOIN known ON true WHERE h.stream = 'visits'`

// byPhone finds a returning visitor, nil for a new one, and records the disclosure in the access log.
func (s *store) byPhone(ctx context.Context, phone string, by visit.Actor) (*visitor, feed.Position, error) {
	var name, language, day *string
	var visits *int
	var at feed.Position
	err := s.Pool.QueryRow(ctx, selectByPhone, postgres.Args{"phone": phone, "actor": by.ID, "role": by.Role}).
		Scan(&name, &language, &visits, &day, &at.Epoch, &at.Seq)
	if err != nil || name == nil {
		return nil, at, err
	}
	return &visitor{Name: *name, Language: *language, Visits: *visits, LastVisit: *day}, at, nil
}

const selectDraft = `
SELECT coalesce(d.notes, ''), d.saved_at
FROM (SELECT @id::uuid AS visit_id) v LEFT JOIN session_drafts d USING (visit_id)`

// draft returns the draft of a visit's notes and the time at which it was saved, nil if there is none.
func (s *store) draft(ctx context.Context, tx pgx.Tx, id string) (notes string, savedAt *time.Time, err error) {
	err = tx.QueryRow(ctx, selectDraft, postgres.Args{"id": id}).Scan(&notes, &savedAt)
	return notes, savedAt, err
}

const upsertDraft = `
INSERT INTO session_drafts (visit_id, notes, saved_at) VALUES (@id, @notes, now())
ON CONFLICT (visit_id) DO UPDATE SET notes = EXCLUDED.notes, saved_at = EXCLUDED.saved_at
RETURNING notes, saved_at`

// saveDraft stores the draft of a visit's notes. Its results are those of draft.
func (s *store) saveDraft(ctx context.Context, tx pgx.Tx, id, notes string) (saved string, at *time.Time, err error) {
	err = tx.QueryRow(ctx, upsertDraft, postgres.Args{"id": id, "notes": notes}).Scan(&saved, &at)
	return saved, at, err
}

// mostEarlier is the largest number of earlier visits in a response; the latest are returned.
const mostEarlier = 20

// A visitor is identified by phone. The disclosure is recorded in the same statement.
const selectEarlier = `
WITH earlier AS (
  SELECT id, office_day, name, service_id, service_name, consultant_name, session_notes, created_at
  FROM visits WHERE phone = @phone AND status = 'completed' AND created_at < @before
  ORDER BY created_at DESC LIMIT @most
), logged AS (
  INSERT INTO access_log (user_id, role, call, visit_ids)
  SELECT @actor, @role, 'earlier', array_agg(id) FROM earlier HAVING count(*) > 0
)
SELECT h.epoch::text, h.head,
  e.id::text, e.office_day::text, e.name, e.service_id::text, e.service_name, e.consultant_name, e.session_notes
FROM stream_head h LEFT JOIN earlier e ON true WHERE h.stream = 'visits'
ORDER BY e.created_at DESC`

// earlier lists the visitor's completed visits before v, latest first, and records the disclosure.
func (s *store) earlier(
	ctx context.Context, tx pgx.Tx, v visit.Visit, by visit.Actor,
) (list []earlierVisit, at feed.Position, err error) {
	list = []earlierVisit{}
	rows, err := tx.Query(ctx, selectEarlier, postgres.Args{
		"phone": v.Phone, "before": v.CreatedAt, "most": mostEarlier, "actor": by.ID, "role": by.Role,
	})
	if err != nil {
		return list, at, err
	}
	var id, day, name, serviceID, service, consultant, notes *string
	into := []any{&at.Epoch, &at.Seq, &id, &day, &name, &serviceID, &service, &consultant, &notes}
	_, err = pgx.ForEachRow(rows, into, func() error {
		if id == nil { // no visits: the row has only the position
			return nil
		}
		list = append(list, earlierVisit{
			ID:                 *id,
			Day:                *day,
			Name:               *name,
			Service:            row.Service{ID: *serviceID, Name: *service},
			AssignedConsultant: *consultant,
			SessionNotes:       *notes,
		})
		return nil
	})
	return list, at, err
}

// Each term of the WHERE clause has its own index.
const selectQueue = `
SELECT stage, office_day = (now() AT TIME ZONE $1)::date, count(*), extract(epoch FROM now() - min(created_at))::float8,
  coalesce(max(bypassed) FILTER (WHERE stage = 'waiting'), 0), sum(passed_by_hand)
FROM visits
WHERE office_day = (now() AT TIME ZONE $1)::date OR status = 'new' OR status IN ('approved', 'in-session')
GROUP BY 1, 2`

const selectDeskStates = `
SELECT coalesce(d.state, 'off'), count(*)
FROM consultants c LEFT JOIN desks d ON d.consultant_id = c.id WHERE c.is_active GROUP BY 1`

// figures reads the state of the queue for the metrics; known is false while the database is unavailable.
func (s *store) figures() (q figures, known bool) {
	q = figures{today: map[visit.Status]int64{}, stages: map[visit.Stage]int64{}, desks: map[string]int64{}}
	known = postgres.Sample(s.Pool, func(ctx context.Context, conn *pgx.Conn) error {
		rows, err := conn.Query(ctx, selectQueue, s.Zone)
		if err != nil {
			return err
		}
		var stage visit.Stage
		var ofToday bool
		var count, bypassed, byHand int64
		var age float64
		_, err = pgx.ForEachRow(rows, []any{&stage, &ofToday, &count, &age, &bypassed, &byHand}, func() error {
			q.add(stage, ofToday, count, time.Duration(age*float64(time.Second)))
			if ofToday {
				q.bypassed, q.byHand = max(q.bypassed, bypassed), q.byHand+byHand
			}
			return nil
		})
		if err != nil {
			return err
		}
		return q.readDesks(ctx, conn)
	})
	return q, known
}

// readDesks counts the active consultants' desks by state, and reads how often the policy lets a visitor be passed.
func (q *figures) readDesks(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, selectDeskStates)
	if err != nil {
		return err
	}
	var state string
	var count int64
	_, err = pgx.ForEachRow(rows, []any{&state, &count}, func() error {
		q.desks[state] = count
		q.active += count
		return nil
	})
	if err != nil {
		return err
	}
	policy, reads := line.DefaultPolicy(), &pgx.Batch{}
	catalog.QueuePolicy(reads, &policy)
	err = conn.SendBatch(ctx, reads).Close()
	q.maxBypass = int64(policy.MaxBypass)
	return err
}
