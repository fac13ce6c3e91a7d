package visits

import (
	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/line"
)

const selectLine = `
SELECT id::text, token_series, token_no, service_id::text, class, rank_at, due_at, moved_due, moved_by, moved_reason,
  moved_forced,
  missed_count > 0, appointment_at, bypassed, CASE WHEN pinned THEN consultant_id ELSE '' END,
  CASE WHEN pinned THEN consultant_name ELSE '' END
FROM visits
WHERE stage = 'waiting' AND (office_day = (now() AT TIME ZONE @zone)::date
  OR rank_at >= date_trunc('day', now() AT TIME ZONE @zone) AT TIME ZONE @zone)`

// queueLine queues the read of the waiting visitors of today. Events have milliseconds, and so has the order.
func (db *DB) queueLine(reads *pgx.Batch, waiting *[]line.Waiting) {
	reads.Queue(selectLine, postgres.Args{"zone": db.zone}).Query(func(rows pgx.Rows) error {
		var w line.Waiting
		into := []any{
			&w.ID, &w.Series, &w.Token, &w.ServiceID, &w.Class, &w.RankAt, &w.DueAt, &w.MovedDue, &w.MovedBy, &w.MovedReason,
			&w.Forced, &w.Returned, &w.AppointmentAt, &w.Bypassed, &w.PinnedTo, &w.PinnedName,
		}
		_, err := pgx.ForEachRow(rows, into, func() error {
			*waiting = append(*waiting, inMilliseconds(w))
			return nil
		})
		return err
	})
}
