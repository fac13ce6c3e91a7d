package audit

import (
	"context"
	"io"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/sheet"
)

// exportColumns is the first row of an ordinary export.
var exportColumns = []string{
	"Date", "Token", "Name", "Phone", "Service", "Status", "Consultant", "Created", "Decided", "Started", "Completed",
	"Wait (min)", "Session (min)", "Reception Notes", "PA Notes", "Session Notes", "Created By", "Decided By",
}

// detailColumns are appended to exportColumns in a detailed export.
var detailColumns = []string{"Stage", "Class", "Called", "Calls", "Held (min)", "Other Token", "Sent By"}

// Export records the export, calls begin with the snapshot's feed position and number of visits, and streams the visits
// as CSV to the writer that begin returns. detail adds the columns of detailColumns. Export returns fault.ErrBusy while
// this replica runs another export. If it returns an error after it has called begin, the file is incomplete.
func (s *Service) Export(
	ctx context.Context, days Days, detail bool, begin func(at feed.Position, visits int) io.Writer,
) error {
	if !s.exports.TryAcquire(1) {
		return fault.ErrBusy
	}
	defer s.exports.Release(1)
	conn, err := postgres.Acquire(ctx, s.store.feeds)
	if err != nil {
		return postgres.Classify(err)
	}
	defer conn.Release()
	err = pgx.BeginTxFunc(ctx, conn, long, func(tx pgx.Tx) error {
		at, visits, err := s.store.extent(ctx, tx, days)
		if err != nil {
			return err
		}
		if err := s.recordExport(ctx, days, detail, visits); err != nil {
			return err
		}
		return s.writeSheet(ctx, tx, days, detail, begin(at, visits))
	})
	return postgres.Classify(err)
}

// recordExport publishes the event of an export. It commits before the first row is sent, so each file has a record.
func (s *Service) recordExport(ctx context.Context, days Days, detail bool, visits int) error {
	return s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		return outbox.Append(ctx, tx, visitsExported(days, detail, visits))
	})
}

func (s *Service) writeSheet(ctx context.Context, tx pgx.Tx, days Days, detail bool, out io.Writer) error {
	zone, err := time.LoadLocation(s.options.Zone)
	if err != nil {
		return err
	}
	w := sheet.NewWriter(out)
	fields := make([]string, 0, len(exportColumns)+len(detailColumns))
	fields = append(fields, exportColumns...)
	if detail {
		fields = append(fields, detailColumns...)
	}
	if err := w.Write(fields...); err != nil {
		return err
	}
	err = s.store.eachVisit(ctx, tx, days, detail, func(v *exportedVisit) error {
		if s.options.MaskPhones {
			v.phone = mask(v.phone)
		}
		fields = v.appendFields(fields[:0], zone)
		if detail {
			fields = v.appendDetail(fields, zone)
		}
		if err := w.Write(fields...); err != nil {
			return err
		}
		s.metrics.exported.Inc()
		return nil
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

// appendFields appends the fields in the order of exportColumns, with times in the office's time zone.
func (v *exportedVisit) appendFields(to []string, zone *time.Location) []string {
	return append(to, v.day, v.token, v.name, v.phone, v.service, v.status, v.consultant,
		clock(&v.created, zone), clock(v.decided, zone), clock(v.started, zone), clock(v.completed, zone),
		number(v.wait), number(v.session),
		v.receptionNotes, v.paNotes, v.sessionNotes, v.createdBy, v.decidedBy)
}

// appendDetail appends the fields in the order of detailColumns.
func (v *exportedVisit) appendDetail(to []string, zone *time.Location) []string {
	return append(to, v.stage, v.class, clock(v.called, zone), number(&v.calls), number(v.held), v.also, v.sentBy)
}

func clock(t *time.Time, zone *time.Location) string {
	if t == nil {
		return ""
	}
	return t.In(zone).Format("2006-01-02 15:04")
}

func number(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}
