package directory

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/contract"
	"baari.dev/services/office"
	"baari.dev/services/office/due"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
)

// store executes the SQL of the service. This file has the services and consultants;
// store_appointments.go has the appointment requests, store_due_dates.go the calendar, store_privacy.go the access log,
// erasure and breach reports, store_voice.go the voice packs. A method with a transaction returns PostgreSQL's errors
// as they are: outbox.InTx classifies them. Other methods classify them, except countLoads and those in store_voice.go.
type store struct {
	pool  *pgxpool.Pool
	zone  string            // IANA name of the time zone in which days begin
	clock func() *time.Time // nil: PostgreSQL's clock; only tests set another
}

// now is the time argument of statements: nil selects PostgreSQL's clock.
func (s *store) now() *time.Time {
	if s.clock == nil {
		return nil
	}
	return s.clock()
}

type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

const selectToday = `SELECT (coalesce($1, now()) AT TIME ZONE $2)::date::text`

func (s *store) today(ctx context.Context) (string, error) {
	var today string
	err := s.pool.QueryRow(ctx, selectToday, s.now(), s.zone).Scan(&today)
	return today, postgres.Classify(err)
}

const selectTime = `SELECT coalesce($1, now()) AT TIME ZONE $2`

func (s *store) officeTime(ctx context.Context) (now time.Time, err error) {
	err = s.pool.QueryRow(ctx, selectTime, s.now(), s.zone).Scan(&now)
	return now, postgres.Classify(err)
}

const selectServices = `
SELECT id::text, name, description, est_minutes, is_active, texts, coalesce(due_group, ''), documents FROM services
WHERE is_active OR $1 ORDER BY is_active DESC, place NULLS LAST, lower(name)`

func (s *store) services(ctx context.Context, inactive bool) ([]contract.Service, error) {
	rows, err := s.pool.Query(ctx, selectServices, inactive)
	if err != nil {
		return nil, postgres.Classify(err)
	}
	services, err := pgx.CollectRows(rows, scanService)
	return services, postgres.Classify(err)
}

const selectOfferedServices = `
SELECT name, description, est_minutes, texts, NULL::jsonb FROM services WHERE is_active
ORDER BY place NULLS LAST, lower(name)`

func (s *store) offeredServices(ctx context.Context) ([]office.Service, error) {
	rows, err := s.pool.Query(ctx, selectOfferedServices)
	if err != nil {
		return nil, postgres.Classify(err)
	}
	services, err := pgx.CollectRows(rows, pgx.RowToStructByPos[office.Service])
	return services, postgres.Classify(err)
}

// scanService reads a service. A service that was stored before groups of due dates existed gets the group of its name.
func scanService(row pgx.CollectableRow) (contract.Service, error) {
	service, err := pgx.RowToStructByPos[contract.Service](row)
	if service.Group == "" {
		service.Group = due.GroupOf(service.Name)
	}
	return service, err
}

const selectService = `
SELECT id::text, name, description, est_minutes, is_active, texts, coalesce(due_group, ''), documents FROM services
WHERE id = $1`

func (s *store) service(ctx context.Context, id string) (contract.Service, error) {
	service, err := collectService(s.pool.Query(ctx, selectService, id))
	return service, postgres.Classify(err)
}

func (s *store) lockService(ctx context.Context, tx pgx.Tx, id string) (contract.Service, error) {
	return collectService(tx.Query(ctx, selectService+` FOR UPDATE`, id))
}

// collectService returns the service of the row, or fault.ErrNotFound.
func collectService(rows pgx.Rows, err error) (contract.Service, error) {
	if err != nil {
		return contract.Service{}, err
	}
	service, err := pgx.CollectExactlyOneRow(rows, scanService)
	if errors.Is(err, pgx.ErrNoRows) {
		return service, fault.ErrNotFound
	}
	return service, err
}

const insertService = `
INSERT INTO services (id, name, description, est_minutes, is_active, place, texts, due_group, documents)
VALUES ($1, $2, $3, $4, $5, $6, coalesce($7::jsonb, '{}'), $8, coalesce($9::jsonb, '[]'))`

// addService inserts a service. place is its index in the office file, nil for a service that an admin added. It
// returns errNameTaken if another service has the name.
func (s *store) addService(ctx context.Context, tx pgx.Tx, service contract.Service, place *int) error {
	_, err := tx.Exec(ctx, insertService,
		service.ID, service.Name, service.Description, service.EstMinutes, service.IsActive, place, service.Texts,
		service.Group, service.Documents)
	return nameTaken(err)
}

const updateService = `
UPDATE services SET name = $2, description = $3, est_minutes = $4, is_active = $5, texts = coalesce($6::jsonb, '{}'),
  due_group = $7, documents = coalesce($8::jsonb, '[]')
WHERE id = $1`

// saveService updates a service. It returns errNameTaken if another service has the name.
func (s *store) saveService(ctx context.Context, tx pgx.Tx, service contract.Service) error {
	_, err := tx.Exec(ctx, updateService,
		service.ID, service.Name, service.Description, service.EstMinutes, service.IsActive, service.Texts, service.Group,
		service.Documents)
	return nameTaken(err)
}

func nameTaken(err error) error {
	if postgres.Violates(err, "services_name") {
		return errNameTaken.Because(err)
	}
	return err
}

// The lock ensures that only one of two replicas that start together finds the table empty.
const lockSeed = `SELECT pg_advisory_xact_lock(hashtextextended('directory:services', 0))`

const (
	anyService = `SELECT EXISTS (SELECT FROM services)`
	anyDueDate = `SELECT EXISTS (SELECT FROM due_dates)`
)

// lockSeed takes the lock for seeding until the transaction ends. seeded is the result of query: whether the database
// already has the rows.
func (s *store) lockSeed(ctx context.Context, tx pgx.Tx, query string) (seeded bool, err error) {
	if _, err := tx.Exec(ctx, lockSeed); err != nil {
		return false, err
	}
	err = tx.QueryRow(ctx, query).Scan(&seeded)
	return seeded, err
}

// One statement reads counts and positions, so that both are of one snapshot. The outer joins return the positions even
// if there is no consultant. seq is the oldest transaction that has not ended, because the list may lack its changes
// (migrations/0013_followed.sql).
const selectColleagues = `
WITH since AS (
  SELECT h.epoch::text AS epoch, pg_snapshot_xmin(pg_current_snapshot()) AS seq,
    (coalesce(@now, now()) AT TIME ZONE @zone)::date AS day
  FROM stream_head h WHERE h.stream = 'directory'
), list AS (
  SELECT since.*, epoch = @epoch AND seq >= @seq::text::xid8 AND day::text = @day
    AND NOT EXISTS (SELECT FROM consultants WHERE placed >= @seq::text::xid8) AS continues
  FROM since
)
SELECT list.epoch, list.seq::text::bigint, list.day::text, list.continues, coalesce(p.epoch, ''), coalesce(p.seq, 0),
  c.id, c.name, c.specialization, c.serves::text[], c.is_active, c.counter, open.waiting, done.completed, open.running
FROM list
LEFT JOIN feed_cursor p ON p.source = 'visits'
LEFT JOIN consultants c ON (c.id = @id OR @id::text IS NULL)
  AND (NOT list.continues OR c.changed >= @seq::text::xid8)
LEFT JOIN LATERAL (
  SELECT count(*) FILTER (WHERE status = 'approved' AND coalesce(stage, '') NOT IN ('held', 'missed')) AS waiting,
    bool_or(status = 'in-session') IS TRUE AS running
  FROM assigned_visits v WHERE v.consultant_id = c.id AND v.status IN ('approved', 'in-session')
) open ON true
LEFT JOIN LATERAL (
  SELECT count(*) AS completed
  FROM assigned_visits v
  WHERE v.consultant_id = c.id AND v.status = 'completed'
    AND v.completed_at >= list.day::timestamp AT TIME ZONE @zone
    AND v.completed_at < (list.day + 1)::timestamp AT TIME ZONE @zone
) done ON true
ORDER BY lower(c.name), c.name, c.id`

func (s *store) consultants(ctx context.Context, id *string, since feed.Since) (Colleagues, error) {
	all, err := s.countLoads(ctx, s.pool, id, since)
	return all, postgres.Classify(err)
}

// countLoads reads the consultants with their load; if id is not nil, only that consultant. If the list can continue
// from the place in since, only the consultants that changed after this place are read.
func (s *store) countLoads(ctx context.Context, from querier, id *string, since feed.Since) (Colleagues, error) {
	var all Colleagues
	rows, err := from.Query(ctx, selectColleagues, postgres.Args{
		"id": id, "now": s.now(), "zone": s.zone,
		"epoch": since.Epoch, "seq": strconv.FormatInt(since.Seq, 10), "day": since.Day,
	})
	if err != nil {
		return all, err
	}
	defer rows.Close()
	for rows.Next() {
		var c Colleague
		var id, name *string
		var active *bool
		err := rows.Scan(&all.Place.Epoch, &all.Place.Seq, &all.Place.Day, &all.Continues, &all.At.Epoch, &all.At.Seq,
			&id, &name, &c.Specialization, &c.Serves, &active, &c.Counter, &c.Load.Waiting, &c.Load.Completed, &c.Load.Running)
		if err != nil {
			return all, err
		}
		if id != nil {
			c.ID, c.Name, c.IsActive = *id, *name, *active
			all.List = append(all.List, c)
		}
	}
	return all, rows.Err()
}

const allConsultants = `SELECT id, name, specialization, serves::text[], is_active, counter FROM consultants `

const selectConsultant = allConsultants + `WHERE id = $1`

func (s *store) consultant(ctx context.Context, id string) (contract.Consultant, error) {
	consultant, err := collectConsultant(s.pool.Query(ctx, selectConsultant, id))
	return consultant, postgres.Classify(err)
}

func (s *store) lockConsultant(ctx context.Context, tx pgx.Tx, id string) (contract.Consultant, error) {
	return collectConsultant(tx.Query(ctx, selectConsultant+` FOR UPDATE`, id))
}

// collectConsultant returns the consultant of the row, or fault.ErrNotFound.
func collectConsultant(rows pgx.Rows, err error) (contract.Consultant, error) {
	if err != nil {
		return contract.Consultant{}, err
	}
	consultant, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[contract.Consultant])
	if errors.Is(err, pgx.ErrNoRows) {
		return consultant, fault.ErrNotFound
	}
	return consultant, err
}

const selectActiveConsultants = allConsultants + `WHERE is_active FOR UPDATE`

func (s *store) lockActiveConsultants(ctx context.Context, tx pgx.Tx) ([]contract.Consultant, error) {
	rows, err := tx.Query(ctx, selectActiveConsultants)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[contract.Consultant])
}

const insertConsultant = `INSERT INTO consultants (id, name, specialization, is_active) VALUES ($1, $2, $3, $4)`

func (s *store) addConsultant(ctx context.Context, tx pgx.Tx, c contract.Consultant) error {
	_, err := tx.Exec(ctx, insertConsultant, c.ID, c.Name, c.Specialization, c.IsActive)
	return err
}

const updateConsultant = `
UPDATE consultants SET name = $2, specialization = $3, serves = $4, is_active = $5, counter = $6 WHERE id = $1`

func (s *store) saveConsultant(ctx context.Context, tx pgx.Tx, c contract.Consultant) error {
	_, err := tx.Exec(ctx, updateConsultant, c.ID, c.Name, c.Specialization, c.Serves, c.IsActive, c.Counter)
	return err
}

const countServices = `SELECT count(*) FROM services WHERE id = ANY($1::uuid[])`

// countServices returns the number of existing services among the ids, active or not.
func (s *store) countServices(ctx context.Context, tx pgx.Tx, ids []string) (known int, err error) {
	err = tx.QueryRow(ctx, countServices, ids).Scan(&known)
	return known, err
}

const upsertAssigned = `
INSERT INTO assigned_visits (id, consultant_id, status, completed_at, stage)
SELECT id, consultant_id, status, completed_at, nullif(stage, '')
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::text[])
  AS v (id, consultant_id, status, completed_at, stage)
ON CONFLICT (id) DO UPDATE
SET consultant_id = EXCLUDED.consultant_id, status = EXCLUDED.status, completed_at = EXCLUDED.completed_at,
  stage = EXCLUDED.stage`

const deleteAssigned = `DELETE FROM assigned_visits WHERE id = ANY($1::uuid[])`

// saveAssigned stores the state of the visits that have a consultant, and deletes the others.
func (s *store) saveAssigned(ctx context.Context, tx pgx.Tx, visits map[string]contract.Visit) error {
	var ids, consultants, statuses, stages, unassigned []string
	var completed []*time.Time
	for id, visit := range visits {
		if visit.ConsultantID == nil {
			unassigned = append(unassigned, id)
			continue
		}
		ids, consultants = append(ids, id), append(consultants, *visit.ConsultantID)
		statuses, completed = append(statuses, visit.Status), append(completed, (*time.Time)(visit.CompletedAt))
		stages = append(stages, visit.Stage)
	}
	if _, err := tx.Exec(ctx, upsertAssigned, ids, consultants, statuses, completed, stages); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, deleteAssigned, unassigned)
	return err
}

const truncateAssigned = `TRUNCATE assigned_visits`

func (s *store) emptyAssigned(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, truncateAssigned)
	return err
}

// The first head of the audit trail stored for a record number is kept, so that a rebuilt trail cannot replace it.
const insertAnchor = `INSERT INTO audit_anchors (n, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING`

func (s *store) addAnchor(ctx context.Context, n int64, digest []byte) error {
	_, err := s.pool.Exec(ctx, insertAnchor, n, digest)
	return postgres.Classify(err)
}

const selectAnchors = `
SELECT n, encode(digest, 'hex') AS digest FROM audit_anchors WHERE n > $1 ORDER BY n LIMIT $2`

// anchorsAfter returns the stored heads of the audit trail after record n, at most limit, ordered by record number.
func (s *store) anchorsAfter(ctx context.Context, n int64, limit int) ([]contract.AuditAnchor, error) {
	rows, err := s.pool.Query(ctx, selectAnchors, n, limit)
	if err != nil {
		return nil, postgres.Classify(err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[contract.AuditAnchor])
	return found, postgres.Classify(err)
}
