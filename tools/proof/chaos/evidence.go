package chaos

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/tools/proof/checker"
	"baari.dev/tools/stack"
)

// evidence collects the checker's input.
func (r *run) evidence(ctx context.Context, o *office, screens []*dashboard) (*checker.Evidence, error) {
	e := r.history.evidence(r.undone)
	e.Faults, e.Slowness, e.Restores = r.windows, r.slowness(), r.restores
	for _, d := range screens {
		e.Dashboards = append(e.Dashboards, d.result())
	}
	if err := r.database(ctx, "visits", func(connection *pgx.Conn) error { return readVisits(ctx, connection, r.zone.String(), e) }); err != nil {
		return nil, err
	}
	if err := r.readRecords(ctx, e); err != nil {
		return nil, err
	}
	if err := r.database(ctx, "audit", func(connection *pgx.Conn) error { return readTrail(ctx, connection, e) }); err != nil {
		return nil, err
	}
	if err := r.readAnswers(ctx, o, e); err != nil {
		return nil, err
	}
	var said bytes.Buffer
	options := stack.Options{Root: r.options.Root, Data: r.options.Data, Progress: r.options.Progress}
	if err := stack.VerifyAudit(ctx, options, &said); err != nil {
		e.Trail = strings.TrimSpace(said.String()) + " " + err.Error()
	}
	return e, nil
}

func (r *run) database(ctx context.Context, service string, read func(*pgx.Conn) error) error {
	at, err := r.system.Database(service)
	if err != nil {
		return err
	}
	connection, err := pgx.Connect(ctx, at)
	if err != nil {
		return fmt.Errorf("read the database of %s: %w", service, err)
	}
	defer func() { _ = connection.Close(ctx) }()
	if err := read(connection); err != nil {
		return fmt.Errorf("read the database of %s: %w", service, err)
	}
	return nil
}

const (
	finalVisits = `SELECT id::text, office_day::text, token_no, status, coalesce(consultant_id, ''), version, created_at, started_at, completed_at, (created_at AT TIME ZONE $1)::date::text FROM visits ORDER BY office_day, token_no`
	outboxRows  = `SELECT seq, CASE WHEN entity = 'visit' THEN entity_id ELSE '' END, type, version, coalesce(after->>'consultantId', '') FROM outbox WHERE seq IS NOT NULL ORDER BY seq`
	outboxHead  = `SELECT (SELECT head FROM stream_head WHERE stream = 'visits'), (SELECT epoch::text FROM stream_head WHERE stream = 'visits'), (SELECT count(*) FROM outbox WHERE seq IS NULL), (now() AT TIME ZONE $1)::date::text`
	trailRows   = `SELECT epoch::text, event_id::text, n, entity_id, action, request_id, version, seq, coalesce(old_values, '{}'), coalesce(new_values, '{}') FROM audit_records WHERE source = 'visits' AND entity = 'visit' ORDER BY n`
)

func readVisits(ctx context.Context, connection *pgx.Conn, zone string, e *checker.Evidence) error {
	if err := connection.QueryRow(ctx, outboxHead, zone).Scan(&e.Head, &e.Epoch, &e.Unnumbered, &e.Today); err != nil {
		return err
	}
	rows, err := connection.Query(ctx, finalVisits, zone)
	if err != nil {
		return err
	}
	e.Visits, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (v checker.Visit, err error) {
		err = row.Scan(&v.ID, &v.Day, &v.TokenNo, &v.Status, &v.Consultant, &v.Version, &v.Created, &v.Started, &v.Completed, &v.CreatedDay)
		v.Token = fmt.Sprintf("T-%03d", v.TokenNo)
		return v, err
	})
	if err != nil {
		return err
	}
	if rows, err = connection.Query(ctx, outboxRows); err != nil {
		return err
	}
	e.Outbox, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (o checker.Event, err error) {
		return o, row.Scan(&o.Seq, &o.Visit, &o.Type, &o.Version, &o.Consultant)
	})
	return err
}

func readTrail(ctx context.Context, connection *pgx.Conn, e *checker.Evidence) error {
	rows, err := connection.Query(ctx, trailRows)
	if err != nil {
		return err
	}
	defer rows.Close()
	kept := seqByEvent(e.Feeds["visits"])
	for rows.Next() {
		var epoch, event string
		var t checker.Record
		if err := rows.Scan(&epoch, &event, &t.N, &t.Visit, &t.Action, &t.RequestID, &t.Version, &t.Seq, &t.Old, &t.New); err != nil {
			return err
		}
		if checker.TakenBack(e.Restores, "visits", epoch, t.Seq) {
			seq, again := kept[event]
			if !again {
				continue
			}
			t.Seq = seq
		}
		e.Records = append(e.Records, t)
	}
	return rows.Err()
}

// readAnswers reads what an administrator sees at the end: counts, queues and the export.
func (r *run) readAnswers(ctx context.Context, o *office, e *checker.Evidence) error {
	var counts struct {
		Today struct {
			Total     int `json:"total_visits"`
			New       int `json:"new_visits"`
			Approved  int `json:"approved_visits"`
			InSession int `json:"in_session_visits"`
			Completed int `json:"completed_visits"`
			Denied    int `json:"denied_visits"`
		}
	}
	if err := o.admin.Call(ctx, http.MethodGet, "/api/analytics/dashboard", nil, &counts); err != nil {
		return fmt.Errorf("read the counts: %w", err)
	}
	t := counts.Today
	e.Counts = map[string]int{
		"total": t.Total, "new": t.New, "approved": t.Approved, "in-session": t.InSession, "completed": t.Completed, "denied": t.Denied,
	}
	var queues struct {
		Consultants []struct {
			ID           string
			CurrentQueue int
			InSession    bool
		}
	}
	if err := o.admin.Call(ctx, http.MethodGet, "/api/users/consultants", nil, &queues); err != nil {
		return fmt.Errorf("read the queues: %w", err)
	}
	e.Queues, e.Running = map[string]int{}, map[string]bool{}
	for _, c := range queues.Consultants {
		e.Queues[c.ID], e.Running[c.ID] = c.CurrentQueue, c.InSession
	}
	if err := o.readTotals(ctx, e); err != nil {
		return fmt.Errorf("read the lists: %w", err)
	}
	return r.readExport(ctx, o, e)
}

// The columns of the export that are checked (api.md section 5).
const (
	exportDay, exportToken, exportStatus = 0, 1, 5
	exportColumns                        = 18
)

// readExport exports every office day of the run: the day before the midnight that the run includes, and the one after.
func (r *run) readExport(ctx context.Context, o *office, e *checker.Evidence) error {
	if e.Since = e.Today; !r.midnight.IsZero() {
		today, err := time.Parse(time.DateOnly, e.Today)
		if err != nil {
			return fmt.Errorf("read the office's day: %w", err)
		}
		e.Since = today.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	reader := r.robot("export", "admin")
	reader.token = o.admin.Token()
	path := "/api/analytics/export?start_date=" + e.Since + "&end_date=" + e.Today
	got, err := reader.send(ctx, r.history.requestID(), http.MethodGet, path, nil, nil)
	for range 2 {
		if err != nil || got.status < http.StatusInternalServerError {
			break
		}
		r.options.Progress.Printf("the export was answered %d %s; asking again", got.status, got.body)
		sleep(ctx, 2*time.Second)
		got, err = reader.send(ctx, r.history.requestID(), http.MethodGet, path, nil, nil)
	}
	if err != nil {
		return fmt.Errorf("export the days: %w", err)
	}
	if got.status != http.StatusOK {
		return fmt.Errorf("export the days: status %d: %s", got.status, got.body)
	}
	rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(got.body, []byte("\uFEFF")))).ReadAll()
	if err != nil {
		return fmt.Errorf("read the export: %w", err)
	}
	e.Exported = map[string]bool{}
	for _, row := range rows[1:] {
		if len(row) != exportColumns {
			return fmt.Errorf("the export has %s columns", strconv.Itoa(len(row)))
		}
		e.Exported[row[exportDay]+" "+row[exportToken]+" "+row[exportStatus]] = true
	}
	return nil
}

// jsonIndent encodes a report with indentation, for comparison by diff.
func jsonIndent(value any) ([]byte, error) { return json.MarshalIndent(value, "", "  ") }
