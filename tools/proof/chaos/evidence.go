package chaos

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"baari.dev/tools/proof/checker"
	"baari.dev/tools/stack"
)

// evidence collects the checker's input once every dashboard is up to date. Meanwhile a service may change a record by
// itself, as visits does when it closes the desks after hours. Then dashboards and databases were read in different
// states, and all are read again.
func (r *run) evidence(ctx context.Context, c *crew, screens []*dashboard) (*checker.Evidence, error) {
	for begun := time.Now(); ; settle(ctx, screens) {
		heads, err := r.readHeads(ctx)
		if err != nil {
			return nil, err
		}
		e, err := r.readEvidence(ctx, c, screens)
		if err != nil {
			return nil, err
		}
		changed, err := r.changedSince(ctx, heads)
		if err != nil || !slices.ContainsFunc(changed, checker.IsShown) || time.Since(begun) > readingLimit {
			return e, err
		}
	}
}

// readEvidence reads the dashboards, then the databases and the answers of the product.
func (r *run) readEvidence(ctx context.Context, c *crew, screens []*dashboard) (*checker.Evidence, error) {
	e := r.history.evidence(r.undone)
	e.Zone = r.zone
	e.Faults, e.Slowness, e.Restores = r.windows, r.slowness(), r.restores
	for _, d := range screens {
		e.Dashboards = append(e.Dashboards, d.result())
	}
	for _, read := range []func(context.Context, *checker.Evidence) error{
		r.awaitArrivals, r.readVisits, r.readPromises, r.readRecords, r.readMarked, r.readOffice, r.readOwners,
		r.readProjections, c.readAnswers,
		func(ctx context.Context, e *checker.Evidence) error { return r.readExport(ctx, c, e) },
	} {
		if err := read(ctx, e); err != nil {
			return nil, err
		}
	}
	e.Messages, e.Told, e.Slips = r.messages(e), r.told(e), r.slips()
	var said bytes.Buffer
	options := stack.Options{Root: r.options.Root, Data: r.options.Data, Progress: r.options.Progress}
	if err := stack.VerifyAudit(ctx, options, &said); err != nil {
		e.Trail = strings.TrimSpace(said.String()) + " " + err.Error()
	}
	return e, nil
}

// allowance is the factor on the limit of the p99 (I16) in a smoke run, which shares the machine with other tests.
// Longer runs have no factor, and rights (I12) never have one: their limits are promises of the product.
const allowance = 10

func (r *run) slowness() float64 {
	if r.options.Smoke {
		return allowance
	}
	return 1
}

func (r *run) row(ctx context.Context, service, query string, args []any, into ...any) error {
	return r.system.WithDatabase(ctx, service, func(connection *pgx.Conn) error {
		return connection.QueryRow(ctx, query, args...).Scan(into...)
	})
}

func (r *run) each(
	ctx context.Context, service, query string, args []any, scan func(pgx.CollectableRow) error,
) error {
	return r.system.WithDatabase(ctx, service, func(connection *pgx.Conn) error {
		rows, _ := connection.Query(ctx, query, args...) // rows.Err returns the error
		defer rows.Close()
		for rows.Next() {
			if err := scan(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

const (
	officeDay   = `SELECT (now() AT TIME ZONE $1)::date::text`
	finalVisits = `SELECT id::text, office_day::text, token_series, token_no, coalesce(after_no, 0), token_also, status,
  stage, coalesce(consultant_id, ''), version,
  date_trunc('milliseconds', coalesce(arrived_at, created_at)),
  CASE WHEN arrived_at IS NULL THEN (created_at AT TIME ZONE $1)::date::text ELSE '' END,
  service_id::text, class, pinned,
  date_trunc('milliseconds', rank_at), moved_due, moved_forced, bypassed,
  coalesce((completed_at AT TIME ZONE $1)::date::text, ''), called_at,
  coalesce((sat_since AT TIME ZONE $1)::date::text, '')
FROM visits ORDER BY office_day, token_series, token_no`
)

func (r *run) readVisits(ctx context.Context, e *checker.Evidence) error {
	zone := []any{r.zone.String()}
	if err := r.row(ctx, "visits", officeDay, zone, &e.Today); err != nil {
		return err
	}
	return r.each(ctx, "visits", finalVisits, zone, func(row pgx.CollectableRow) error {
		var v checker.Visit
		at := &v.Place
		err := row.Scan(&v.ID, &v.Day, &v.Series, &v.TokenNo, &v.AfterNo, &v.Also, &v.Status, &v.Stage, &v.Consultant,
			&v.Version, &v.Arrived, &v.CreatedDay, &at.Service, &at.Class, &at.Pinned, &at.Rank,
			(*zeronull.Timestamptz)(&at.Moved), &at.Forced, &at.Bypassed, &v.CompletedDay,
			(*zeronull.Timestamptz)(&v.Called), &v.SatDay)
		at.Series, at.Token = v.Series, v.TokenNo
		v.Token = fmt.Sprintf("%s-%03d", v.Series, v.TokenNo)
		e.Visits = append(e.Visits, v)
		return err
	})
}

const historyApplied = `SELECT c.seq >= h.head FROM history_cursor c, stream_head h WHERE h.stream = 'visits'`

const finalPromises = `SELECT visit_id::text, kind, made_at, coalesce(outcome, ''), ended_at
FROM promises WHERE made_at IS NOT NULL ORDER BY visit_id, kind`

// readPromises reads the promises to each visitor, after visits has applied its newest events to them.
func (r *run) readPromises(ctx context.Context, e *checker.Evidence) error {
	applied, err := false, error(nil)
	poll(ctx, 10*time.Second, 200*time.Millisecond, func() bool {
		err = r.row(ctx, "visits", historyApplied, nil, &applied)
		return applied || err != nil
	})
	if err != nil {
		return err
	}
	return r.each(ctx, "visits", finalPromises, nil, func(row pgx.CollectableRow) error {
		var p checker.Promise
		err := row.Scan(&p.Visit, &p.Kind, &p.Made, &p.Outcome, (*zeronull.Timestamptz)(&p.Ended))
		e.Promises = append(e.Promises, p)
		return err
	})
}

// readAnswers reads the counts, queues and totals that the product shows an administrator.
func (c *crew) readAnswers(ctx context.Context, e *checker.Evidence) error {
	var counts struct {
		Today struct {
			Total     int `json:"total_visits"`
			New       int `json:"new_visits"`
			Approved  int `json:"approved_visits"`
			InSession int `json:"in_session_visits"`
			Completed int `json:"completed_visits"`
			Denied    int `json:"denied_visits"`
		}
		Stages map[string]int
	}
	if err := c.admin.Call(ctx, http.MethodGet, "/api/analytics/dashboard", nil, &counts); err != nil {
		return fmt.Errorf("read the counts: %w", err)
	}
	t := counts.Today
	e.Counts = map[string]int{
		"total": t.Total, "new": t.New, "approved": t.Approved,
		"in-session": t.InSession, "completed": t.Completed, "denied": t.Denied,
	}
	e.Stages = map[string]int{}
	for stage, count := range counts.Stages {
		e.Stages[strings.ReplaceAll(stage, "_", "-")] = count
	}
	var queues struct {
		Consultants []struct {
			ID           string
			CurrentQueue int
			InSession    bool
		}
	}
	if err := c.admin.Call(ctx, http.MethodGet, "/api/users/consultants", nil, &queues); err != nil {
		return fmt.Errorf("read the queues: %w", err)
	}
	e.Queues, e.Running = map[string]int{}, map[string]bool{}
	for _, c := range queues.Consultants {
		e.Queues[c.ID], e.Running[c.ID] = c.CurrentQueue, c.InSession
	}
	if err := c.readTotals(ctx, e); err != nil {
		return fmt.Errorf("read the lists: %w", err)
	}
	return nil
}

// The columns of the export that are checked.
const (
	exportDay, exportToken, exportStatus = 0, 1, 5
	exportColumns                        = 18
)

// readExport exports every office day of the run: today, and the day before if the run includes midnight.
func (r *run) readExport(ctx context.Context, c *crew, e *checker.Evidence) error {
	if e.Since = e.Today; !r.midnight.IsZero() {
		today, err := time.Parse(time.DateOnly, e.Today)
		if err != nil {
			return fmt.Errorf("read the office's day: %w", err)
		}
		e.Since = today.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	reader := r.robot("export", "admin")
	admin, err := c.admin.Again(ctx)
	if err != nil {
		return fmt.Errorf("sign in for the export: %w", err)
	}
	reader.token = admin.Token()
	// No robot's request has an id like this, so the checker expects no operation for the audit records of the export.
	newID := func() string { return "export-" + r.history.requestID() }
	path := "/api/analytics/export?start_date=" + e.Since + "&end_date=" + e.Today
	id := newID()
	got, err := reader.send(ctx, id, http.MethodGet, path, nil, nil)
	for range 2 {
		if err != nil || got.Status < http.StatusInternalServerError {
			break
		}
		r.options.Progress.Printf("the export was answered %d %s; asking again\n%s", got.Status, got.Body, r.logged(id))
		sleep(ctx, 2*time.Second)
		id = newID()
		got, err = reader.send(ctx, id, http.MethodGet, path, nil, nil)
	}
	if err != nil {
		return fmt.Errorf("export the days: %w", err)
	}
	if got.Status != http.StatusOK {
		return fmt.Errorf("export the days: status %d: %s", got.Status, got.Body)
	}
	rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(got.Body, []byte("\uFEFF")))).ReadAll()
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
