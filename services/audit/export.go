package audit

import (
	"context"
	"io"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/audit/sheet"
	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
)

// Days are two days of the office, inclusive.
type Days struct{ Start, End string }

// exportColumns are the first row of the file.
var exportColumns = []string{
	"Date", "Token", "Name", "Phone", "Service", "Status", "Consultant", "Created", "Decided", "Started", "Completed",
	"Wait (min)", "Session (min)", "Reception Notes", "PA Notes", "Session Notes", "Created By", "Decided By",
}

// beginSnapshot are the options of a transaction whose statements read one snapshot.
var beginSnapshot = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

const selectExtent = `
SELECT coalesce((SELECT epoch FROM feed_cursor WHERE source = 'visits'), ''), coalesce((SELECT seq FROM feed_cursor WHERE source = 'visits'), 0),
  coalesce(sum(new_visits + approved_visits + in_session_visits + completed_visits + denied_visits), 0)::bigint
FROM daily_statistics WHERE day BETWEEN $1 AND $2`

// Export records the export, calls begin with the snapshot's feed position and number of visits, and streams the visits
// as CSV to the writer that begin returns. It returns fault.ErrBusy while another export is running. After an error
// that follows begin the file is incomplete.
func (a *Audit) Export(ctx context.Context, days Days, begin func(at feed.Position, visits int) io.Writer) error {
	if !a.exports.TryAcquire(1) {
		return fault.ErrBusy
	}
	defer a.exports.Release(1)
	conn, err := postgres.Acquire(ctx, a.feeds)
	if err != nil {
		return postgres.Classify(err)
	}
	defer conn.Release()
	err = pgx.BeginTxFunc(ctx, conn, beginSnapshot, func(tx pgx.Tx) error {
		var at feed.Position
		var rows int
		if err := tx.QueryRow(ctx, selectExtent, days.Start, days.End).Scan(&at.Epoch, &at.Seq, &rows); err != nil {
			return err
		}
		if err := a.recordExport(ctx, days, rows); err != nil {
			return err
		}
		return a.writeSheet(ctx, tx, days, begin(at, rows))
	})
	return postgres.Classify(err)
}

// recordExport commits before a single row leaves: no file without its record.
func (a *Audit) recordExport(ctx context.Context, days Days, rows int) error {
	return a.outbox.InTx(ctx, func(tx pgx.Tx) error {
		return outbox.Append(ctx, tx, outbox.Change{
			Type: contract.ExportExported, Entity: contract.EntityExport, EntityID: days.Start + "_" + days.End,
			After: readPayload{Filters: filters{StartDate: days.Start, EndDate: days.End}, Rows: rows}})
	})
}

const selectVisits = `
SELECT day::text, token, name, phone, service_name, status, coalesce(consultant_name, ''), created_at, decided_at, started_at, completed_at,
  wait_minutes, duration_minutes, reception_notes, pa_notes, session_notes, created_by_name, coalesce(decided_by_name, '')
FROM visits WHERE day BETWEEN $1 AND $2 ORDER BY day, token_no`

func (a *Audit) writeSheet(ctx context.Context, tx pgx.Tx, days Days, out io.Writer) error {
	zone, err := time.LoadLocation(a.options.Zone)
	if err != nil {
		return err
	}
	rows, err := tx.Query(ctx, selectVisits, days.Start, days.End)
	if err != nil {
		return err
	}
	defer rows.Close()
	w := sheet.NewWriter(out)
	if err := w.Write(exportColumns...); err != nil {
		return err
	}
	var v exportedVisit // scan sets all of it
	fields := make([]string, 0, len(exportColumns))
	for rows.Next() {
		if err := v.scan(rows); err != nil {
			return err
		}
		if a.options.MaskPhones {
			v.phone = mask(v.phone)
		}
		fields = v.appendFields(fields[:0], zone)
		if err := w.Write(fields...); err != nil {
			return err
		}
		a.metrics.exported.Inc()
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return w.Flush()
}

// exportedVisit is one row of the file.
type exportedVisit struct {
	day, token, name, phone, service, status, consultant string
	created                                              time.Time
	decided, started, completed                          *time.Time
	wait, session                                        *int
	receptionNotes, paNotes, sessionNotes                string
	createdBy, decidedBy                                 string
}

func (v *exportedVisit) scan(rows pgx.Rows) error {
	return rows.Scan(&v.day, &v.token, &v.name, &v.phone, &v.service, &v.status, &v.consultant, &v.created, &v.decided, &v.started, &v.completed,
		&v.wait, &v.session, &v.receptionNotes, &v.paNotes, &v.sessionNotes, &v.createdBy, &v.decidedBy)
}

// appendFields adds the fields in the order of exportColumns, times as the office's clock shows them.
func (v *exportedVisit) appendFields(to []string, zone *time.Location) []string {
	clock := func(t *time.Time) string {
		if t == nil {
			return ""
		}
		return t.In(zone).Format("2006-01-02 15:04")
	}
	number := func(n *int) string {
		if n == nil {
			return ""
		}
		return strconv.Itoa(*n)
	}
	return append(to, v.day, v.token, v.name, v.phone, v.service, v.status, v.consultant, clock(&v.created), clock(v.decided), clock(v.started), clock(v.completed),
		number(v.wait), number(v.session), v.receptionNotes, v.paNotes, v.sessionNotes, v.createdBy, v.decidedBy)
}
