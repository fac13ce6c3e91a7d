package row

import (
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/line"
	"baari.dev/services/visits/visit"
)

const selectLine = `
SELECT id::text, token_series, token_no, service_id::text, class, rank_at, due_at, moved_due, moved_by, moved_reason,
  moved_forced,
  missed_count > 0, appointment_at, bypassed, CASE WHEN pinned THEN consultant_id ELSE '' END,
  CASE WHEN pinned THEN consultant_name ELSE '' END
FROM visits
WHERE stage = 'waiting' AND (office_day = (now() AT TIME ZONE @zone)::date
  OR rank_at >= date_trunc('day', now() AT TIME ZONE @zone) AT TIME ZONE @zone)`

// QueueLine queues the read of the visitors in the line of today. It truncates times as InMilliseconds does.
func (db *DB) QueueLine(reads *pgx.Batch, waiting *[]line.Waiting) {
	reads.Queue(selectLine, postgres.Args{"zone": db.Zone}).Query(func(rows pgx.Rows) error {
		var w line.Waiting
		into := []any{
			&w.ID, &w.Series, &w.Token, &w.ServiceID, &w.Class, &w.RankAt, &w.DueAt, &w.MovedDue, &w.MovedBy, &w.MovedReason,
			&w.Forced, &w.Returned, &w.AppointmentAt, &w.Bypassed, &w.PinnedTo, &w.PinnedName,
		}
		_, err := pgx.ForEachRow(rows, into, func() error {
			*waiting = append(*waiting, InMilliseconds(w))
			return nil
		})
		return err
	})
}

// ConsultantDesks are the desks d of active consultants c, with the visit v that is called or in session there.
const ConsultantDesks = `
FROM consultants c LEFT JOIN desks d ON d.consultant_id = c.id
LEFT JOIN (
  SELECT DISTINCT ON (consultant_id) * FROM visits
  WHERE stage IN ('called', 'in-session') AND consultant_id IS NOT NULL ORDER BY consultant_id, stage DESC
) v ON v.consultant_id = c.id
WHERE c.is_active`

// LineOf returns a visit in the form of package line.
func LineOf(v visit.Visit) line.Waiting {
	w := line.Waiting{
		ID: v.ID, Series: v.Series, Token: v.TokenNo, ServiceID: v.ServiceID, Class: line.Class(v.Class), RankAt: v.RankAt,
		MovedDue: v.MovedDue, MovedBy: v.MovedBy, MovedReason: v.MovedReason, Forced: v.MovedForced,
		Returned: v.MissedCount > 0, AppointmentAt: v.AppointmentAt, Bypassed: v.Bypassed,
	}
	if v.DueAt != nil {
		w.DueAt = *v.DueAt
	}
	if v.Pinned && v.ConsultantID != nil {
		w.PinnedTo, w.PinnedName = *v.ConsultantID, *v.ConsultantName
	}
	return InMilliseconds(w)
}

// InMilliseconds truncates the times that define the order to milliseconds, the resolution of events. The due time of a
// move is not truncated, because it may be between two times that differ by a millisecond.
func InMilliseconds(w line.Waiting) line.Waiting {
	w.RankAt, w.DueAt = w.RankAt.Truncate(time.Millisecond), w.DueAt.Truncate(time.Millisecond)
	return w
}
