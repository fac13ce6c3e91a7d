package forecast

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/foresight"
)

// This file has the SQL that derives sittings and the ends of promises from the outbox.

// historyPage is the largest number of events that one transaction applies.
const historyPage = 500

const lockHistory = `SELECT seq FROM history_cursor FOR UPDATE`

const selectHistory = `
SELECT seq, type, before, after FROM outbox
WHERE seq > $1 AND entity = 'visit' ORDER BY seq LIMIT $2`

// After the last page of events, the cursor moves to the feed's head, which was read before the events.
const moveHistory = `UPDATE history_cursor SET seq = greatest($1, seq)`

const (
	owePromises = `
INSERT INTO promises (visit_id, kind, service_id, owed_at)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::timestamptz[]) ON CONFLICT DO NOTHING`

	// If called_at ($7) is the call of an earlier sitting, the start of the session ($8) is stored in its place.
	addSitting = `
INSERT INTO sittings (visit_id, no, service_id, consultant_id, class, registered_at, joined_at, called_at, started_at,
  ended_at, ended_as)
SELECT $1, coalesce(max(no), 0) + 1, $2, $3, $4, $5, $6,
  CASE WHEN $7 < max(ended_at) THEN coalesce($8, $7) ELSE $7 END, $8, $9, $10
FROM sittings WHERE visit_id = $1`

	dropSitting = `
DELETE FROM sittings WHERE visit_id = $1 AND no = (SELECT max(no) FROM sittings WHERE visit_id = $1)`

	// Unless waits is true, promises for which no range was shown before the change are deleted. Kind '' is all kinds.
	endPromises = `
WITH ended AS (
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::boolean[])
    AS e(visit_id, kind, outcome, at, waits)
), dropped AS (
  DELETE FROM promises p USING ended e
  WHERE p.visit_id = e.visit_id AND e.kind IN ('', p.kind) AND NOT e.waits
    AND p.outcome IS NULL AND (p.made_at IS NULL OR p.made_at > e.at)
)
UPDATE promises p SET outcome = e.outcome, ended_at = e.at,
  actual_minutes = CASE WHEN e.outcome = 'called' THEN extract(epoch FROM e.at - p.made_at) / 60 END
FROM ended e
WHERE p.visit_id = e.visit_id AND e.kind IN ('', p.kind) AND p.outcome IS NULL AND p.made_at <= e.at`

	revokePromises = `
UPDATE promises SET outcome = $2, ended_at = $3, actual_minutes = NULL
WHERE visit_id = $1 AND outcome = 'called' AND ended_at = $4`
)

// applyHistory derives sittings and the ends of promises from the next events of the outbox. It returns the number of
// events; if it is less than historyPage, there are no more. An event that causes an error is skipped, because all
// later events would wait for it. skipped has the errors of these events.
func (s *store) applyHistory(ctx context.Context) (applied int, skipped []error, err error) {
	_, applied, err = s.applyPage(ctx, historyPage)
	if !ofAnEvent(err) {
		return applied, nil, err
	}
	for applied = 0; applied < historyPage; applied++ {
		cursor, one, err := s.applyPage(ctx, 1)
		if ofAnEvent(err) {
			skipped = append(skipped, err)
			one, err = 1, s.passOver(ctx, cursor)
		}
		if err != nil || one == 0 {
			return applied, skipped, err
		}
	}
	return applied, skipped, nil
}

// ofAnEvent reports whether an error was caused by an event, not by the database or the end of the context.
func ofAnEvent(err error) bool {
	return err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) &&
		fault.Of(postgres.Classify(err)).Kind == fault.Internal
}

const passOver = `
UPDATE history_cursor c SET seq = (SELECT min(o.seq) FROM outbox o WHERE o.seq > c.seq AND o.entity = 'visit')
WHERE c.seq = $1 AND EXISTS (SELECT FROM outbox o WHERE o.seq > c.seq AND o.entity = 'visit')`

// passOver moves the cursor past the next event of a visit, unless another replica has moved it in the meantime.
func (s *store) passOver(ctx context.Context, cursor int64) error {
	_, err := s.Pool.Exec(ctx, passOver, cursor)
	return err
}

// applyPage applies the next events, at most page of them, and moves the cursor, in one transaction. It returns the
// cursor as it was before.
func (s *store) applyPage(ctx context.Context, page int) (cursor int64, applied int, err error) {
	err = pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		var head int64
		if err := tx.QueryRow(ctx, lockHistory).Scan(&cursor); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, selectHead).Scan(&head); err != nil {
			return err
		}
		writes := &historyWrites{}
		last, err := queueHistory(ctx, tx, cursor, page, writes)
		if err != nil {
			return err
		}
		if last.events < page {
			last.seq = max(last.seq, head)
		}
		applied = last.events
		writes.queue()
		writes.batch.Queue(moveHistory, last.seq)
		return tx.SendBatch(ctx, &writes.batch).Close()
	})
	return cursor, applied, err
}

// ImportPromise inserts the promise of an imported visit. Later events of the visit end it, because their sequence
// numbers are assigned after the promise is stored.
const ImportPromise = `
INSERT INTO promises (visit_id, kind, service_id, owed_at, made_at, q10, q50, q90, shown_from, shown_to, level,
  rival_place)
VALUES ($1, 'join', $2, $3, $3, $4, $5, $6, $7, $8, 0.2, $9)`

const selectHead = `SELECT head FROM stream_head WHERE stream = 'visits'`

// historyEnd has the sequence number of the last event of a page, and the number of events.
type historyEnd struct {
	seq    int64
	events int
}

// queueHistory reads at most page events after the cursor, and adds their sittings and promises to writes.
func queueHistory(ctx context.Context, tx pgx.Tx, cursor int64, page int, writes *historyWrites) (historyEnd, error) {
	end := historyEnd{seq: cursor}
	rows, err := tx.Query(ctx, selectHistory, cursor, page)
	if err != nil {
		return end, err
	}
	var kind string
	var old, now []byte
	_, err = pgx.ForEachRow(rows, []any{&end.seq, &kind, &old, &now}, func() error {
		end.events++
		var after contract.Visit
		if err := json.Unmarshal(now, &after); err != nil {
			return err
		}
		var before *contract.Visit
		if old != nil {
			before = &contract.Visit{}
			if err := json.Unmarshal(old, before); err != nil {
				return err
			}
		}
		writes.add(historyOf(kind, before, after), after)
		return nil
	})
	return end, err
}

func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// A promise of an earlier day cannot be kept any more. It may have ended with a call that is not applied yet, so
// promises end only when all events are applied. Promises for which no range was shown are deleted.
const endDay = `
WITH start AS (SELECT date_trunc('day', now() AT TIME ZONE $1) AT TIME ZONE $1 AS at),
  dropped AS (
    DELETE FROM promises USING start WHERE outcome IS NULL AND made_at IS NULL AND owed_at < start.at
  )
UPDATE promises SET outcome = 'day-over', ended_at = now() FROM start
WHERE outcome IS NULL AND made_at < start.at AND NOT EXISTS (SELECT FROM outbox WHERE seq IS NULL)
  AND (SELECT seq FROM history_cursor) >= (SELECT head FROM stream_head WHERE stream = 'visits')`

func (s *store) endDay(ctx context.Context) error {
	_, err := s.Pool.Exec(ctx, endDay, s.Zone)
	return err
}

const selectSittings = `
SELECT visit_id::text, service_id::text, consultant_id, class, registered_at, joined_at, called_at, started_at,
  ended_at, ended_as
FROM sittings WHERE ended_at > now() - interval '120 days' ORDER BY ended_at, visit_id, no`

// sittings returns the sittings of the last 120 days.
func (s *store) sittings(ctx context.Context, tx pgx.Tx) ([]foresight.Sitting, error) {
	rows, err := tx.Query(ctx, selectSittings)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(one pgx.CollectableRow) (s foresight.Sitting, err error) {
		var started *time.Time
		err = one.Scan(&s.VisitID, &s.ServiceID, &s.ConsultantID, &s.Class, &s.Registered, &s.Joined, &s.Called,
			&started, &s.Ended, &s.EndedAs)
		if started != nil {
			s.Started = *started
		}
		return s, err
	})
}

const selectDepartures = `
SELECT owed_at, ended_at FROM promises
WHERE kind = 'join' AND outcome = 'left' AND ended_at > now() - interval '120 days'
ORDER BY ended_at, visit_id`

// departures returns the visitors who, in the last 120 days, left the line before their first call.
func (s *store) departures(ctx context.Context, tx pgx.Tx) ([]foresight.Departure, error) {
	rows, err := tx.Query(ctx, selectDepartures)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[foresight.Departure])
}

const selectAttendance = `
SELECT count(*) FILTER (WHERE status = 'arrived'), count(*) FILTER (WHERE status = 'no-show') FROM appointments
WHERE slot >= (now() AT TIME ZONE $1)::date - 120 AND slot < now() AT TIME ZONE $1`

// attendance counts the appointments of the last 120 days whose visitors came, and those whose visitors did not.
func (s *store) attendance(ctx context.Context, tx pgx.Tx) (booked foresight.Attendance, err error) {
	err = tx.QueryRow(ctx, selectAttendance, s.Zone).Scan(&booked.Arrived, &booked.NoShow)
	return booked, err
}

const selectScores = `
SELECT kind, service_id::text, made_at, q10, q50, q90, shown_from, shown_to, actual_minutes
FROM promises WHERE outcome = 'called' AND ended_at > now() - interval '120 days'
ORDER BY ended_at, visit_id, kind`

// record returns the Record of the promises of the last 120 days that ended with a call.
func (s *store) record(ctx context.Context, tx pgx.Tx) (*foresight.Record, error) {
	rows, err := tx.Query(ctx, selectScores)
	if err != nil {
		return nil, err
	}
	record := foresight.NewRecord()
	var one foresight.Score
	into := []any{
		&one.Kind, &one.ServiceID, &one.MadeAt, &one.Q10, &one.Q50, &one.Q90, &one.From, &one.To,
		&one.ActualMinutes,
	}
	_, err = pgx.ForEachRow(rows, into, func() error {
		record.Resolve(one)
		return nil
	})
	return record, err
}

const forgetForecasts = `
WITH old AS (DELETE FROM promises WHERE outcome IS NOT NULL AND ended_at < $1 RETURNING 1),
  gone AS (DELETE FROM sittings WHERE ended_at < $1 RETURNING 1)
SELECT (SELECT count(*) FROM old) + (SELECT count(*) FROM gone)`

func (s *store) forgetForecasts(ctx context.Context, before time.Time) (deleted int64, err error) {
	err = s.Pool.QueryRow(ctx, forgetForecasts, before).Scan(&deleted)
	return deleted, err
}
