package forecast

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/foresight"
	"baari.dev/services/visits/line"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// This file has the SQL that reads the state of the line to simulate, and stores and reads the ranges that are shown.

type store struct{ *row.DB }

const selectOfficeServices = `SELECT id::text, coalesce(est_minutes, $1) FROM services ORDER BY id`

// defaultMinutes is the duration of a service whose estimate is not yet in the copy of directory.
const defaultMinutes = 30

// Visitors without a decision come after the line, so reading at most $2 of them is enough.
const selectPlaces = `
WITH today AS (
  SELECT (now() AT TIME ZONE $1)::date AS day, date_trunc('day', now() AT TIME ZONE $1) AT TIME ZONE $1 AS start
), placed AS (
  SELECT v.* FROM visits v, today
  WHERE v.stage = 'waiting' AND (v.office_day = today.day OR v.rank_at >= today.start)
  UNION ALL
  (SELECT v.* FROM visits v, today WHERE v.stage = 'new' AND v.office_day = today.day
  ORDER BY coalesce(v.arrived_at, v.created_at), v.id LIMIT $2)
)
SELECT id::text, token_series, token_no, service_id::text, class, rank_at, coalesce(arrived_at, created_at),
  decided_at, stage = 'new' FROM placed
ORDER BY coalesce(arrived_at, created_at), id`

const selectForecastDesks = `
SELECT c.id, coalesce(d.state, 'off'), d.since, d.until, d.back_at,
  v.service_id::text, v.stage, coalesce(v.sat_since, v.called_at), (
    SELECT max(s.ended_at) FROM sittings s
    WHERE s.consultant_id = c.id AND s.ended_at >= date_trunc('day', now() AT TIME ZONE $1) AT TIME ZONE $1
  )` + row.ConsultantDesks + ` ORDER BY c.id`

// A release without service ids publishes appointments with the service's name.
const selectExpected = `
SELECT coalesce(a.service_id, s.id)::text, a.slot AT TIME ZONE $1, coalesce(a.consultant_id, '')
FROM appointments a
  LEFT JOIN LATERAL (SELECT id FROM services WHERE name = a.service_name ORDER BY id LIMIT 1) s ON true
WHERE a.status = 'confirmed' AND a.slot >= (now() AT TIME ZONE $1)::date
  AND a.slot < (now() AT TIME ZONE $1)::date + 1 AND coalesce(a.service_id, s.id) IS NOT NULL
  AND NOT EXISTS (SELECT FROM visits v WHERE v.appointment_id = a.id AND v.stage <> 'cancelled')
ORDER BY a.slot, a.id`

// mostForecast is the largest number of visitors for whom ranges are forecast: those at the head of the line. The cost
// of a forecast grows with the square of this number.
const mostForecast = 200

// scene is the state of the office from which the simulation starts.
type scene struct {
	setup foresight.Setup
	state foresight.State
}

// scene reads the office and the state of its line. tx must read one snapshot.
func (s *store) scene(ctx context.Context, tx pgx.Tx) (now scene, err error) {
	var staff []catalog.Staff
	var waiting []line.Waiting
	var registered []foresight.Place
	joined := map[string]foresight.Place{}
	policy := line.DefaultPolicy()
	var at catalog.Clock
	reads := &pgx.Batch{}
	catalog.QueuePolicy(reads, &policy)
	catalog.QueueStaff(reads, &staff)
	s.QueueLine(reads, &waiting)
	reads.Queue(selectOfficeServices, defaultMinutes).Query(now.readServices)
	catalog.QueueClock(reads, s.Zone, &at)
	reads.Queue(selectPlaces, s.Zone, mostForecast).Query(func(rows pgx.Rows) error {
		all, err := pgx.CollectRows(rows, scanPlace)
		for _, p := range all {
			if joined[p.ID] = p; p.New {
				p.DueAt = policy.Due(p.RankAt, p.Class)
				registered = append(registered, p)
			}
		}
		return err
	})
	reads.Queue(selectExpected, s.Zone).Query(func(rows pgx.Rows) (err error) {
		now.state.Expected, err = pgx.CollectRows(rows, pgx.RowToStructByPos[foresight.Expected])
		return err
	})
	reads.Queue(selectForecastDesks, s.Zone).Query(func(rows pgx.Rows) error {
		now.state.At = at.Now
		return now.readDesks(rows, closesIn(at.Local, at.Days))
	})
	if err := tx.SendBatch(ctx, reads).Close(); err != nil {
		return now, err
	}
	now.setup.Policy, now.setup.Zone = policy, s.Location
	for _, one := range staff {
		now.setup.Consultants = append(now.setup.Consultants, foresight.Consultant{ID: one.ID, Serves: one.Serves})
	}
	for _, w := range line.Order(waiting, policy.MaxBypass) {
		place := joined[w.ID]
		place.Waiting = w
		now.state.Line = append(now.state.Line, place)
	}
	now.state.Line = append(now.state.Line, registered...)
	now.state.Line = now.state.Line[:min(len(now.state.Line), mostForecast)]
	now.completeServices()
	return now, nil
}

func (n *scene) readServices(rows pgx.Rows) error {
	var one foresight.Service
	_, err := pgx.ForEachRow(rows, []any{&one.ID, &one.EstMinutes}, func() error {
		n.setup.Services = append(n.setup.Services, one)
		return nil
	})
	return err
}

// completeServices adds visitors' services that are missing in the copy of directory, which is empty during a rebuild.
func (n *scene) completeServices() {
	add := func(id string) {
		if !slices.ContainsFunc(n.setup.Services, func(s foresight.Service) bool { return s.ID == id }) {
			n.setup.Services = append(n.setup.Services, foresight.Service{ID: id, EstMinutes: defaultMinutes})
		}
	}
	for _, p := range n.state.Line {
		add(p.ServiceID)
	}
	for _, d := range n.state.Desks {
		if d.Visit != nil {
			add(d.Visit.ServiceID)
		}
	}
	for _, e := range n.state.Expected {
		add(e.ServiceID)
	}
}

func scanPlace(one pgx.CollectableRow) (p foresight.Place, err error) {
	var joined *time.Time
	err = one.Scan(&p.ID, &p.Series, &p.Token, &p.ServiceID, &p.Class, &p.RankAt, &p.Registered, &joined, &p.New)
	if p.Joined = p.Registered; joined != nil {
		p.Joined = *joined
	}
	if p.New {
		p.Joined = time.Time{}
	}
	p.Waiting = row.InMilliseconds(p.Waiting)
	return p, err
}

// readDesks reads rows of selectForecastDesks. The state's time must be set before. closes is the time until the office
// and its desks close; 0 means that the office has no hours today or is already closed.
func (n *scene) readDesks(rows pgx.Rows, closes time.Duration) error {
	var one foresight.Desk
	var since, until, backAt, visitSince, freed *time.Time
	var service, stage *string
	into := []any{&one.ConsultantID, &one.State, &since, &until, &backAt, &service, &stage, &visitSince, &freed}
	_, err := pgx.ForEachRow(rows, into, func() error {
		d := one
		if d.State == foresight.Off && visitSince != nil { // closed during the visit, or called by an older release
			d.State, since = foresight.Open, visitSince
		}
		if d.State == foresight.Off || since == nil {
			return nil
		}
		if d.Since = *since; freed != nil && freed.After(d.Since) && d.State != foresight.Break {
			d.Since = *freed
		}
		if closes > 0 {
			d.Until = n.state.At.Add(closes)
		}
		if until != nil && (d.Until.IsZero() || until.Before(d.Until)) {
			d.Until = *until
		}
		if backAt != nil && backAt.After(n.state.At) {
			d.BackAt = *backAt
		}
		if visitSince != nil {
			d.Since = *visitSince
			d.Visit = &foresight.DeskVisit{
				ServiceID: *service, InSession: visit.Stage(*stage) == visit.StageInSession, Since: *visitSince,
			}
		}
		n.state.Desks = append(n.state.Desks, d)
		return nil
	})
	return err
}

// closesIn returns the time from local to today's closing, or 0 if the office has no hours that day or has closed.
func closesIn(local time.Time, days string) time.Duration {
	start := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, local.Location())
	if len(catalog.HoursOn(days, start)) == 0 {
		return 0
	}
	return max(0, catalog.Closing(days, start).Sub(local))
}

// shown is the range that is shown to one visitor now.
type shown struct {
	visitID          string
	kind             foresight.Kind
	estimate         foresight.Estimate
	from, to, likely *time.Time // nil if no desk could call the visitor
	level            float64
	early            bool
	note             foresight.Note
	sooner           *int // minutes gained without the pin
	place            *float64
	madeAt           time.Time
}

const keepForecasts = `
INSERT INTO forecasts (visit_id, shown_from, shown_to, likely, early, note, sooner, made_at)
SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::boolean[], $6::text[],
  $7::integer[], $8::timestamptz[])
ON CONFLICT (visit_id) DO UPDATE SET shown_from = EXCLUDED.shown_from, shown_to = EXCLUDED.shown_to,
  likely = EXCLUDED.likely, early = EXCLUDED.early, note = EXCLUDED.note, sooner = EXCLUDED.sooner,
  made_at = EXCLUDED.made_at`

const dropForecasts = `DELETE FROM forecasts WHERE visit_id <> ALL ($1::uuid[])`

// The first range that a visitor is shown after the registration, and the first in the line, are promises.
const makePromise = `
UPDATE promises SET made_at = $3, q10 = $4, q50 = $5, q90 = $6, shown_from = $7, shown_to = $8, level = $9, early = $10,
  rival_place = $11
WHERE visit_id = $1 AND kind = $2 AND made_at IS NULL`

// keepForecasts replaces the ranges that are shown. It records each visitor's first range of each kind as a promise.
func (s *store) keepForecasts(ctx context.Context, all []shown) error {
	n := len(all)
	ids, notes, early := make([]string, n), make([]string, n), make([]bool, n)
	from, to, likely := make([]*time.Time, n), make([]*time.Time, n), make([]*time.Time, n)
	sooner, madeAt := make([]*int, n), make([]time.Time, n)
	writes := &pgx.Batch{}
	for i, f := range all {
		ids[i], notes[i], early[i], sooner[i], madeAt[i] = f.visitID, string(f.note), f.early, f.sooner, f.madeAt
		from[i], to[i], likely[i] = f.from, f.to, f.likely
		if f.from != nil {
			e := f.estimate
			writes.Queue(makePromise, f.visitID, f.kind, f.madeAt, e.Q10, e.Q50, e.Q90, f.from, f.to, f.level, f.early, f.place)
		}
	}
	writes.Queue(keepForecasts, ids, from, to, likely, early, notes, sooner, madeAt)
	writes.Queue(dropForecasts, ids)
	return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error { return tx.SendBatch(ctx, writes).Close() })
}

const selectForecasts = `
SELECT visit_id::text, shown_from, shown_to, likely, early, note, sooner, made_at FROM forecasts
WHERE made_at > now() - $1::interval`

// forecasts reads the ranges that are shown, by visit id.
func (s *store) forecasts(ctx context.Context) (map[string]shown, error) {
	rows, err := s.Pool.Query(ctx, selectForecasts, staleAfter)
	if err != nil {
		return nil, err
	}
	all := map[string]shown{}
	var one shown
	into := []any{
		&one.visitID, &one.from, &one.to, &one.likely, &one.early, &one.note, &one.sooner, &one.madeAt,
	}
	_, err = pgx.ForEachRow(rows, into, func() error {
		all[one.visitID] = one
		one.from, one.to, one.likely, one.sooner = nil, nil, nil, nil
		return nil
	})
	return all, err
}

// pulse says whether there is work to do: events to apply (behind), or waiting visitors whose forecast is old.
type pulse struct {
	at      time.Time
	behind  bool
	waiting bool
	madeAt  time.Time // time of the ranges that are shown; zero if there are none
	age     time.Duration
}

// anyWaits is true if a visitor waits today, for a decision or in the line. A visit of an earlier day counts if it has
// a place in today's line.
const anyWaits = `(
  EXISTS (SELECT FROM visits WHERE stage IN ('new', 'waiting') AND office_day = (now() AT TIME ZONE $1)::date)
  OR EXISTS (SELECT FROM visits WHERE stage = 'waiting'
    AND rank_at >= date_trunc('day', now() AT TIME ZONE $1) AT TIME ZONE $1))`

const selectPulse = `
SELECT now(), h.head > c.seq,
  ` + anyWaits + `,
  f.made_at, extract(epoch FROM now() - f.made_at)::float8
FROM stream_head h, history_cursor c, (SELECT max(made_at) AS made_at FROM forecasts) f
WHERE h.stream = 'visits'`

func (s *store) pulse(ctx context.Context) (p pulse, err error) {
	var madeAt *time.Time
	var age *float64
	err = s.Pool.QueryRow(ctx, selectPulse, s.Zone).Scan(&p.at, &p.behind, &p.waiting, &madeAt, &age)
	if madeAt != nil {
		p.madeAt, p.age = *madeAt, time.Duration(*age*float64(time.Second))
	}
	return p, err
}
