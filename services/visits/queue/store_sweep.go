package queue

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/visits/catalog"
)

// The SQL of the sweep.

// overdue has the ids of late visitors' visits whose hold has ended (resume), and of visits called long ago (sweep).
type overdue struct {
	resume, sweep []string
	closed        bool // whether the office has been closed for long enough
}

// Only a hold with the reason late is resumed, and at most a day after its end. It ends on the day on which it began.
const selectDue = `
SELECT id::text, stage FROM visits
WHERE stage = 'held' AND held_reason = 'late' AND held_until < now() AND held_until > now() - interval '1 day'
  OR stage IN ('called', 'missed') AND called_at < now() - $1::interval
ORDER BY office_day, token_series, token_no`

func (s *store) dueVisits(ctx context.Context) (d overdue, err error) {
	rows, err := s.Pool.Query(ctx, selectDue, sweepAge)
	if err != nil {
		return d, err
	}
	var id, stage string
	_, err = pgx.ForEachRow(rows, []any{&id, &stage}, func() error {
		if stage == "held" {
			d.resume = append(d.resume, id)
		} else {
			d.sweep = append(d.sweep, id)
		}
		return nil
	})
	if err != nil {
		return d, err
	}
	var now catalog.Clock
	reads := &pgx.Batch{}
	catalog.QueueClock(reads, s.Zone, &now)
	err = s.Pool.SendBatch(ctx, reads).Close()
	d.closed = err == nil && isClosed(now.Local, now.Days, now.Policy.SweepAfterClosing)
	return d, err
}

// isClosed reports whether the office has been closed for at least the given time: after today's closing or, before
// today's opening, after yesterday's.
func isClosed(local time.Time, days string, since time.Duration) bool {
	start := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, local.Location())
	if opens := catalog.Opening(days, start); local.Before(opens) {
		yesterday := catalog.Closing(days, start.AddDate(0, 0, -1))
		return !local.Before(yesterday.Add(since))
	}
	return !local.Before(catalog.Closing(days, start).Add(since))
}

// The desks of inactive consultants are closed without an event, because no screen shows them.
const selectUnclosed = `
WITH inactive AS (
  UPDATE desks SET state = 'off', since = now(), until = NULL, back_at = NULL
  WHERE state <> 'off' AND consultant_id NOT IN (SELECT id FROM consultants WHERE is_active)
)
SELECT d.consultant_id FROM desks d JOIN consultants c ON c.id = d.consultant_id AND c.is_active
WHERE d.state <> 'off' ORDER BY d.consultant_id`

// unclosedDesks lists the active consultants whose desks are not off. It closes the desks of inactive consultants.
func (s *store) unclosedDesks(ctx context.Context) (ids []string, err error) {
	rows, err := s.Pool.Query(ctx, selectUnclosed)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// A reopened visit continues with its draft, so the draft of a visit that ended uncompleted stays for at least an hour.
const dropDrafts = `
DELETE FROM session_drafts d USING visits v
WHERE v.id = d.visit_id AND v.status IN ('completed', 'denied') AND v.updated_at < now() - interval '1 hour'`

func (s *store) dropDrafts(ctx context.Context) error {
	_, err := s.Pool.Exec(ctx, dropDrafts)
	return err
}
