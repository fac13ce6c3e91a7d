package lobby

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/wire"
)

const (
	insertArrival = `
INSERT INTO arrivals (id, language, person, phone_mark, beside_mark, service_id, notice_version, messages, state)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (phone_mark) WHERE state = 'waiting' DO NOTHING`
	countWaiting    = `SELECT count(*) FROM arrivals WHERE state = 'waiting'`
	selectOfWaiting = `
SELECT ` + arrivalColumns + ` FROM arrivals WHERE state = 'waiting' AND $1 IN (phone_mark, beside_mark)`
)

// addArrival stores an arrival. added is false if an identical arrival of the same phone already waits. It returns
// errDoorFull if mostWaiting arrivals already wait.
func (s *store) addArrival(ctx context.Context, tx pgx.Tx, a arrival) (added bool, err error) {
	text, err := json.Marshal(a.Person)
	if err != nil {
		return false, err
	}
	var waiting int
	if err := tx.QueryRow(ctx, countWaiting).Scan(&waiting); err != nil {
		return false, err
	}
	if waiting >= mostWaiting {
		return false, errDoorFull
	}
	mark := s.box.Mark(a.Person.Phone)
	insert := func(first, beside []byte) (bool, error) {
		done, err := tx.Exec(ctx, insertArrival, a.ID, a.Language, s.box.Seal(a.ID, text), first, beside, a.ServiceID,
			a.NoticeVersion, a.Messages, a.State)
		return done.RowsAffected() > 0, err
	}
	if added, err = insert(mark, nil); err != nil || added {
		return added, err
	}
	earlier, err := s.arrivalsIn(ctx, tx, selectOfWaiting, mark)
	if err != nil || slices.ContainsFunc(earlier, a.repeats) {
		return false, err
	}
	return insert(nil, mark)
}

func (s *store) arrivalsIn(ctx context.Context, q querier, statement string, mark []byte) ([]arrival, error) {
	rows, err := q.Query(ctx, statement, mark)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (arrival, error) { return s.scanArrival(row) })
}

const arrivalColumns = `id::text, language, person, service_id::text, notice_version, messages, state, visit_id::text,
  created_at`

// scanArrival reads a row of arrivalColumns. It reads the columns after these into the variables in more.
func (s *store) scanArrival(row pgx.Row, more ...any) (a arrival, err error) {
	var sealed []byte
	err = row.Scan(append([]any{&a.ID, &a.Language, &sealed, &a.ServiceID, &a.NoticeVersion, &a.Messages, &a.State,
		&a.VisitID, &a.CreatedAt}, more...)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, fault.ErrNotFound
	}
	if err != nil || sealed == nil {
		return a, err
	}
	text, err := s.box.Open(a.ID, sealed)
	if err == nil {
		err = json.Unmarshal(text, &a.Person)
	}
	return a, err
}

const selectWaiting = `
SELECT a.id::text, a.language, a.person, a.service_id::text, a.notice_version, a.messages, a.state, a.visit_id::text,
  a.created_at, coalesce(s.name, '')
FROM arrivals a LEFT JOIN services s ON s.id = a.service_id WHERE a.state = 'waiting' ORDER BY a.created_at, a.id`

func (s *store) waitingArrivals(ctx context.Context) ([]arrivalBody, error) {
	rows, err := s.pool.Query(ctx, selectWaiting)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (arrivalBody, error) {
		var service string
		a, err := s.scanArrival(row, &service)
		return arrivalBody{
			ID: a.ID, Name: a.Person.Name, Phone: masked(a.Person.Phone), Language: a.Language, Messages: a.Messages,
			Service: serviceBody{a.ServiceID, service}, CreatedAt: wire.Time(a.CreatedAt),
		}, err
	})
}

const selectReturns = `
SELECT l.visit_id::text, v.token, l.back_at FROM links l JOIN visits v ON v.id = l.visit_id
WHERE v.stage = 'missed' AND l.replaced_at IS NULL AND l.back_at > coalesce(v.called_at, '-infinity')
ORDER BY l.back_at`

func (s *store) returns(ctx context.Context) ([]returnBody, error) {
	rows, err := s.pool.Query(ctx, selectReturns)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (r returnBody, err error) {
		err = row.Scan(&r.VisitID, &r.Token, (*time.Time)(&r.At))
		return r, err
	})
}

const useBack = `
UPDATE links SET back_at = now() FROM visits v
WHERE visit_id = $1 AND v.id = visit_id AND v.stage = 'missed'
  AND (back_at IS NULL OR back_at <= coalesce(v.called_at, '-infinity'))`

// takeBack records that a missed visitor announces the return; first is false if this was recorded since the last call.
func (*store) takeBack(ctx context.Context, tx pgx.Tx, visitID string) (first bool, err error) {
	done, err := tx.Exec(ctx, useBack, visitID)
	return done.RowsAffected() > 0, err
}

const markAccepting = `
UPDATE arrivals SET accepting_at = coalesce(accepting_at, now())
WHERE id = $1 AND state = 'waiting' RETURNING ` + arrivalColumns

const selectArrival = `SELECT ` + arrivalColumns + ` FROM arrivals WHERE id = $1`

// beginAccept records that an arrival is being accepted. It returns the arrival, unchanged if it no longer waits.
func (s *store) beginAccept(ctx context.Context, id string) (arrival, error) {
	a, err := s.scanArrival(s.pool.QueryRow(ctx, markAccepting, id))
	if errors.Is(err, fault.ErrNotFound) {
		return s.scanArrival(s.pool.QueryRow(ctx, selectArrival, id))
	}
	return a, err
}

const unmarkAccepting = `UPDATE arrivals SET accepting_at = NULL WHERE id = $1 AND state = 'waiting'`

// endAccept undoes beginAccept. It may be called only if the arrival certainly has no visit.
func (s *store) endAccept(ctx context.Context, id string) error {
	_, err := s.pool.Exec(ctx, unmarkAccepting, id)
	return err
}

// An arrival that is being accepted can only become accepted, because its visit may exist already.
const setAnswer = `
UPDATE arrivals SET state = $2, visit_id = $3, answered_at = now(), accepting_at = NULL,
  person = CASE WHEN $2 = 'accepted' THEN NULL ELSE person END,
  phone_mark = CASE WHEN $2 = 'accepted' THEN NULL ELSE phone_mark END,
  beside_mark = CASE WHEN $2 = 'accepted' THEN NULL ELSE beside_mark END
WHERE id = $1 AND state = 'waiting' AND ($2 = 'accepted') = ($3::uuid IS NOT NULL)
  AND ($2 = 'accepted' OR accepting_at IS NULL)
RETURNING ` + arrivalColumns

// answerArrival sets the state of an arrival if setAnswer allows it, and returns the arrival, changed or not.
func (s *store) answerArrival(
	ctx context.Context, tx pgx.Tx, id, state string, visitID *string,
) (a arrival, changed bool, err error) {
	a, err = s.scanArrival(tx.QueryRow(ctx, setAnswer, id, state, visitID))
	if errors.Is(err, fault.ErrNotFound) {
		a, err = s.scanArrival(tx.QueryRow(ctx, selectArrival, id))
		return a, false, err
	}
	return a, err == nil, err
}

const endOld = `
UPDATE arrivals SET state = 'gone', answered_at = $1::timestamptz, accepting_at = NULL
WHERE state = 'waiting' AND created_at < CASE WHEN accepting_at IS NULL THEN $2::timestamptz ELSE $3::timestamptz END
RETURNING ` + arrivalColumns

// endOldArrivals closes the arrivals that were not answered in time, and returns them.
func (s *store) endOldArrivals(ctx context.Context, tx pgx.Tx, now time.Time) ([]arrival, error) {
	rows, err := tx.Query(ctx, endOld, now, now.Add(-goneAfter), now.Add(-acceptableFor))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (arrival, error) { return s.scanArrival(row) })
}

const (
	removePersons = `
UPDATE arrivals SET person = NULL, phone_mark = NULL, beside_mark = NULL
WHERE state <> 'waiting' AND answered_at < $1 AND person IS NOT NULL`
	deleteArrivals = `DELETE FROM arrivals WHERE state <> 'waiting' AND answered_at < $1`
)

// forgetArrivals removes the name and phone from arrivals that were answered before the time in persons, and deletes
// arrivals that were answered before the time in rows.
func (*store) forgetArrivals(ctx context.Context, tx pgx.Tx, persons, rows time.Time) error {
	if _, err := tx.Exec(ctx, removePersons, persons); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, deleteArrivals, rows)
	return err
}

const selectOfPhone = `
SELECT ` + arrivalColumns + ` FROM arrivals WHERE $1 IN (phone_mark, beside_mark) ORDER BY created_at, id`

func (s *store) arrivalsOf(ctx context.Context, phone string) ([]arrival, error) {
	return s.arrivalsIn(ctx, s.pool, selectOfPhone, s.box.Mark(phone))
}

const (
	closeOfPhone = `
UPDATE arrivals SET state = 'gone', answered_at = now(), accepting_at = NULL
WHERE $1 IN (phone_mark, beside_mark) AND state = 'waiting' RETURNING ` + arrivalColumns
	eraseOfPhone = `
UPDATE arrivals SET person = NULL, phone_mark = NULL, beside_mark = NULL
WHERE $1 IN (phone_mark, beside_mark) RETURNING id::text`
)

// eraseArrivals removes name and phone from a phone number's arrivals. It returns all ids and the closed arrivals.
func (s *store) eraseArrivals(
	ctx context.Context, tx pgx.Tx, phone string,
) (ids []string, closed []arrival, err error) {
	mark := s.box.Mark(phone)
	if closed, err = s.arrivalsIn(ctx, tx, closeOfPhone, mark); err != nil {
		return nil, nil, err
	}
	rows, err := tx.Query(ctx, eraseOfPhone, mark)
	if err != nil {
		return nil, nil, err
	}
	ids, err = pgx.CollectRows(rows, pgx.RowTo[string])
	return ids, closed, err
}
