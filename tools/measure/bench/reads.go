package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"baari.dev/tools/sample/client"
	"baari.dev/tools/stack"
)

// ReadsPlan sets the number of past visits in both systems and the number of calls of each kind.
type ReadsPlan struct{ Small, Large, Calls int }

// A call with ten times the visits must stay below readsGrowth times its time and its pages.
const readsGrowth = "<= 1.3"

const (
	warmCalls    = 20
	pagedCalls   = 37 // no background statement runs exactly this often, except by chance
	exportRounds = 3
	exportedDays = 366 // the longest range of an export
)

// read is a measured call of a user with this role to a service.
type read struct {
	name, service, role, method, path string
	body                              any
}

// control reads no visit: its ratio shows the accuracy of the others.
const control = "services"

var reads = []read{
	{control, "directory", "admin", http.MethodGet, "/api/services", nil},
	{"today", "visits", "reception", http.MethodGet, "/api/visits/today", nil},
	{"pending", "visits", "pa", http.MethodGet, "/api/visits/pending-approval", nil},
	{"own", "visits", "consultant", http.MethodGet, "/api/visits/today", nil},
	{"lookup", "visits", "reception", http.MethodPost, "/api/visits/lookup", map[string]string{"phone": "9800007919"}},
	{"consultants", "directory", "pa", http.MethodGet, "/api/users/consultants", nil},
	{"counts", "audit", "admin", http.MethodGet, "/api/analytics/dashboard", nil},
	{"audit, page 1", "audit", "admin", http.MethodGet, "/api/analytics/audit?page=1&limit=20", nil},
	{"audit, page 1,000", "audit", "admin", http.MethodGet, "/api/analytics/audit?page=1000&limit=20", nil},
	{
		"audit of visits, page 1", "audit", "admin", http.MethodGet,
		"/api/analytics/audit?entity=visit&page=1&limit=20", nil,
	},
}

// Reads starts two systems with the same visits today and different numbers of past visits, and calls in turns what
// screens and administrators read; then it exports a year. It returns Advice if the user can fix the cause of an
// error.
func Reads(ctx context.Context, options stack.Options, plan ReadsPlan) (*Report, error) {
	if err := keepPast(); err != nil {
		return nil, err
	}
	var both [2]*archive
	began := time.Now()
	for i, visits := range []int{plan.Small, plan.Large} {
		began = time.Now()
		own := options
		own.Data = filepath.Join(options.Data, strconv.Itoa(visits))
		var err error
		if both[i], err = openArchive(ctx, own, visits); err != nil {
			return nil, err
		}
		defer both[i].close()
	}
	filled := time.Since(began)
	r := newReport()
	err := options.Progress.Step("measuring", func() error {
		if err := measureReads(ctx, r, both, plan); err != nil {
			return err
		}
		return measureExports(ctx, r, both)
	})
	if err != nil {
		return nil, err
	}
	size, err := both[1].size(ctx)
	r.note("%q reads no visit: its ratio shows the accuracy of the others", control)
	r.note("%d visits take %.1f GB and were made in %.0f s; %d processors, %d calls of each kind, one at a time, in turns",
		plan.Large, size/1e9, filled.Seconds(), runtime.NumCPU(), plan.Calls)
	return r, err
}

// keepPast sets the services' retention to a hundred years.
func keepPast() error { return os.Setenv("RETENTION_DAYS", "36500") }

// measureReads calls both systems alternately, so that other load on the machine affects both.
func measureReads(ctx context.Context, r *Report, both [2]*archive, plan ReadsPlan) error {
	table := r.table("ms %s", fmt.Sprintf("p50 at %d %%.2f", plan.Small), "p95 %.2f", "pages %.0f",
		fmt.Sprintf("p50 at %d %%.2f", plan.Large), "p95 %.2f", "pages %.0f", "ratio %.2f")
	most := 0.0
	for _, kind := range reads {
		var calls [2]call
		var times [2]latencies
		var pages [2]float64
		for i, a := range both {
			calls[i] = a.open(kind)
		}
		for n := range warmCalls + plan.Calls {
			for i, do := range calls {
				began := time.Now()
				if err := do(ctx); err != nil {
					return fmt.Errorf("%s with %d visits: %w", kind.name, both[i].visits, err)
				}
				if n >= warmCalls {
					times[i] = append(times[i], time.Since(began))
				}
			}
		}
		for i, a := range both {
			var err error
			if pages[i], err = a.pages(ctx, kind, calls[i]); err != nil {
				return fmt.Errorf("pages of %s with %d visits: %w", kind.name, a.visits, err)
			}
		}
		few, many := times[0].quantile(.5), times[1].quantile(.5)
		table.add(kind.name, few, times[0].quantile(.95), pages[0], many, times[1].quantile(.95), pages[1], many/few)
		most = max(most, pages[1]/max(1, pages[0]))
		if kind.name != control {
			r.goal(fmt.Sprintf("%s, with %d times the visits", kind.name, plan.Large/plan.Small), readsGrowth, many/few)
		}
	}
	r.goal("pages that any of them touches, times", readsGrowth, most)
	return nil
}

// open returns a call of this kind, directly at its service.
func (a *archive) open(kind read) call {
	return connect(a.direct(kind.service, kind.role).request(kind.method, kind.path, kind.body), nil)
}

// pages returns the number of PostgreSQL's pages that a call touches, in the statements that run once for each call. It
// does not depend on the machine or its load.
func (a *archive) pages(ctx context.Context, kind read, do call) (pages float64, err error) {
	connection := a.connections[kind.service]
	for _, prepare := range []string{
		"CREATE EXTENSION IF NOT EXISTS pg_stat_statements", "SELECT pg_stat_statements_reset()",
	} {
		if _, err := connection.Exec(ctx, prepare); err != nil {
			return 0, err
		}
	}
	for range pagedCalls {
		if err := do(ctx); err != nil {
			return 0, err
		}
	}
	err = connection.QueryRow(ctx, statement("pages"), pagedCalls).Scan(&pages)
	return pages, err
}

// measureExports exports the last year from both systems, in turns with COPY of the same rows.
func measureExports(ctx context.Context, r *Report, both [2]*archive) error {
	table := r.table("visits %d", "exported %d", "rows/s %.0f", "COPY rows/s %.0f", "ratio %.2f",
		"memory before, MB %.1f", "at most %.1f")
	for _, a := range both {
		pid := a.Process("audit").PID
		before, err := megabytes(pid)
		if err != nil {
			return err
		}
		var service, copied []float64
		rows, peak := 0, 0.0
		for range exportRounds {
			admin, err := a.Users["admin"].Again(ctx)
			if err != nil {
				return err
			}
			highest := watchMemory(pid)
			began := time.Now()
			rows, err = a.export(ctx, admin)
			service = append(service, float64(rows)/time.Since(began).Seconds())
			peak = max(peak, highest())
			if err != nil {
				return err
			}
			began = time.Now()
			query := strings.NewReplacer("FIRST", a.first(), "LAST", a.today).Replace(statement("copy"))
			tag, err := a.connections["audit"].PgConn().CopyTo(ctx, io.Discard, query)
			if err != nil || tag.RowsAffected() != int64(rows) {
				return fmt.Errorf("the export has %d rows, COPY %d: %w", rows, tag.RowsAffected(), err)
			}
			copied = append(copied, float64(rows)/time.Since(began).Seconds())
		}
		rate := median(service) / median(copied)
		table.add(a.visits, rows, median(service), median(copied), rate, before, peak)
		r.goal(fmt.Sprintf("export at %d visits, times COPY", a.visits), ">= 0.5", rate)
		r.goal(fmt.Sprintf("MB that audit grows by while it exports %d rows", rows), "<= 20", peak-before)
	}
	return nil
}

// first returns the first day of the longest range that ends today.
func (a *archive) first() string { return a.daysAgo(exportedDays - 1) }

// export downloads the longest range and returns the number of rows; no exported field contains a line break.
func (a *archive) export(ctx context.Context, admin *client.Client) (rows int, err error) {
	address := fmt.Sprintf("%s/api/analytics/export?start_date=%s&end_date=%s", a.Public("audit"), a.first(), a.today)
	lines := lineCounter(-1) // the first line has the names of the columns
	err = stack.Get(ctx, address, admin.Token(), &lines)
	return int(lines), err
}

// lineCounter is an io.Writer that counts line breaks.
type lineCounter int

func (l *lineCounter) Write(data []byte) (int, error) {
	*l += lineCounter(bytes.Count(data, []byte{'\n'}))
	return len(data), nil
}

// watchMemory samples the memory of a process until the returned function is called, which returns the maximum in MB.
func watchMemory(pid int) func() float64 {
	stop, most := make(chan struct{}), make(chan float64)
	go func() {
		high := 0.0
		for {
			if now, err := megabytes(pid); err == nil {
				high = max(high, now)
			}
			select {
			case <-stop:
				most <- high
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return func() float64 { close(stop); return <-most }
}
