package directory

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/retention"
	"baari.dev/services/platform/wire"
)

// A request holds a whole phone, so reading it is recorded in the statement that reads it (reliability.md P2): once for
// each reader and request in a day of the office, ids only.
const selectAppointments = `
WITH page AS (
  SELECT * FROM appointments WHERE status = @status OR @status = ''
  ORDER BY created_at DESC, id DESC LIMIT @limit OFFSET @skip
), unrecorded AS (
  SELECT id FROM page WHERE phone IS NOT NULL AND NOT EXISTS (
    SELECT FROM access_log l
    WHERE l.user_id = @reader AND l.at >= (now() AT TIME ZONE @zone)::date::timestamp AT TIME ZONE @zone AND page.id = ANY(l.appointment_ids))
), recorded AS (
  INSERT INTO access_log (user_id, role, call, appointment_ids)
  SELECT @reader, @role, 'appointments', array_agg(id) FROM unrecorded HAVING count(*) > 0
)
SELECT` + appointmentColumns + `
FROM page ORDER BY created_at DESC, id DESC`

// reading adds the arguments of selectAppointments that identify the reader and the time zone.
func (d *Directory) reading(ctx context.Context, args postgres.Args) postgres.Args {
	caller, _ := identity.From(ctx)
	args["reader"], args["role"], args["zone"] = caller.ID, caller.Role, d.zone
	return args
}

// accessAnswer is one disclosure of a subject's data.
type accessAnswer struct {
	At     wire.Time `json:"at"`
	UserID string    `json:"userId"`
	Role   string    `json:"role"`
	Call   string    `json:"call"`
}

const (
	selectAccess = `SELECT at, user_id, role, call FROM access_log WHERE appointment_ids && $1::uuid[] ORDER BY at`
	insertExport = `INSERT INTO access_log (user_id, role, call, appointment_ids) VALUES ('operator', 'operator', 'subject_export', $1)`
	forgetAccess = `DELETE FROM access_log WHERE at < $1`
)

// readers lists the disclosures of the requests and records the export.
func readers(ctx context.Context, tx pgx.Tx, ids []string) ([]accessAnswer, error) {
	rows, err := tx.Query(ctx, selectAccess, ids)
	if err != nil {
		return nil, err
	}
	seen, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (a accessAnswer, err error) {
		var at time.Time
		err = row.Scan(&at, &a.UserID, &a.Role, &a.Call)
		a.At = wire.Time(at)
		return a, err
	})
	if err != nil || len(ids) == 0 {
		return seen, err
	}
	_, err = tx.Exec(ctx, insertExport, ids)
	return seen, err
}

// forgetReaders returns the retention task of the access log.
func (d *Directory) forgetReaders() retention.Task {
	return retention.Task{Name: "access_log", Erase: func(ctx context.Context, before time.Time) (int64, error) {
		tag, err := d.pool.Exec(ctx, forgetAccess, before)
		return tag.RowsAffected(), postgres.Classify(err)
	}}
}
