package bench

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/tools/sample/client"
	"baari.dev/tools/stack"
)

// ReadsPlan sets the amount of past data and the number of calls.
type ReadsPlan struct {
	Small, Large int // visits
	Calls        int // of each kind, at each size
}

// The goals of reading.
const (
	readsGrowth  = 1.3 // a call at Large, times that at Small, in time and in pages
	exportTimes  = 0.5 // rows a second, times COPY's
	exportGrowth = 20  // MB that audit may take more while it exports
)

// Today's visits, the same at both sizes.
const (
	readsToday    = 200
	readsApproved = 60
	readsDenied   = 20
)

// Looked is one kind of call at one size; times are in milliseconds.
type Looked struct {
	Call   string  `json:"call"`
	Visits int     `json:"visits"`
	Median float64 `json:"p50_ms"`
	P95    float64 `json:"p95_ms"`
	Pages  float64 `json:"pages"` // of PostgreSQL's that its own statements touch
}

// Exported is a year's export at one size, beside COPY of the same rows.
type Exported struct {
	Visits  int     `json:"visits"`
	Rows    int64   `json:"rows"`
	Service float64 `json:"service_rows_per_second"`
	Copy    float64 `json:"copy_rows_per_second"`
	Before  float64 `json:"memory_before_mb"`
	Peak    float64 `json:"memory_peak_mb"`
}

// ReadsReport compares reading with little and with much past.
type ReadsReport struct {
	At         time.Time          `json:"at"`
	Processors int                `json:"processors"`
	Small      int                `json:"small"`
	Large      int                `json:"large"`
	Calls      int                `json:"calls"`
	Filled     float64            `json:"filled_seconds"`
	Bytes      int64              `json:"database_bytes"` // at Large
	Looked     []Looked           `json:"looked"`
	Ratios     map[string]float64 `json:"ratios"` // Large by Small
	Exports    []Exported         `json:"exports"`
	Verdict
}

// look is a measured call.
type look struct {
	name    string
	service string
	as      string // role
	method  string
	path    string
	body    any
}

// control reads no visit: its ratio shows the accuracy of the others.
const control = "services"

var looks = []look{
	{control, "directory", "admin", http.MethodGet, "/api/services", nil},
	{"today", "visits", "reception", http.MethodGet, "/api/visits/today", nil},
	{"pending", "visits", "pa", http.MethodGet, "/api/visits/pending-approval", nil},
	{"own", "visits", "consultant", http.MethodGet, "/api/visits/today", nil},
	{"lookup", "visits", "reception", http.MethodPost, "/api/visits/lookup", map[string]string{"phone": "9800007919"}},
	{"consultants", "directory", "pa", http.MethodGet, "/api/users/consultants", nil},
	{"counts", "audit", "admin", http.MethodGet, "/api/analytics/dashboard", nil},
	{"audit, page 1", "audit", "admin", http.MethodGet, "/api/analytics/audit?page=1&limit=20", nil},
	{"audit, page 1,000", "audit", "admin", http.MethodGet, "/api/analytics/audit?page=1000&limit=20", nil},
	{"audit of visits, page 1", "audit", "admin", http.MethodGet, "/api/analytics/audit?entity=visit&page=1&limit=20", nil},
}

// Reads starts two systems, gives one ten times the past of the other, and measures what screens and administrators
// read at both in turns.
// It returns Advice where the user can correct the cause of a failure.
func Reads(ctx context.Context, options stack.Options, plan ReadsPlan) (ReadsReport, error) {
	report := ReadsReport{At: time.Now().UTC(), Processors: runtime.NumCPU(), Small: plan.Small, Large: plan.Large, Calls: plan.Calls}
	if err := os.Setenv("RETENTION_DAYS", "36500"); err != nil { // the past is longer than an office keeps it
		return report, err
	}
	var both [2]*archive
	for i, visits := range []int{plan.Small, plan.Large} {
		options := options
		options.Data = filepath.Join(options.Data, strconv.Itoa(visits))
		a, err := openArchive(ctx, options, visits)
		if err != nil {
			return report, err
		}
		defer a.close(context.WithoutCancel(ctx))
		began := time.Now()
		if err := a.fill(ctx, options.Progress); err != nil {
			return report, err
		}
		report.Filled = time.Since(began).Seconds()
		both[i] = a
	}
	err := options.Progress.Step("measuring", func() (err error) {
		if err = measureBoth(ctx, &report, both, plan.Calls); err != nil {
			return err
		}
		for _, a := range both {
			exported, err := a.export(ctx)
			report.Exports = append(report.Exports, exported)
			if err != nil {
				return err
			}
		}
		report.Bytes, err = both[1].filler.size(ctx)
		return err
	})
	if err == nil {
		report.judge()
	}
	return report, err
}

// archive is a system with past data and users of each role.
type archive struct {
	visits int
	system *stack.Stack
	people map[string]*client.Client
	filler *filler
	today  string
}

// openArchive starts a system and registers today's visitors.
func openArchive(ctx context.Context, options stack.Options, visits int) (*archive, error) {
	ports, err := stack.FreePorts(1)
	if err != nil {
		return nil, err
	}
	options.Port, options.NoLimits, options.Gateway = ports[0], true, stack.Embedded
	system, err := stack.Start(ctx, options)
	if err != nil {
		return nil, err
	}
	a := &archive{visits: visits, system: system, people: map[string]*client.Client{}}
	if err := a.open(ctx); err != nil {
		system.Stop()
		return nil, err
	}
	return a, nil
}

func (a *archive) open(ctx context.Context) error {
	for _, account := range a.system.Accounts() {
		if a.people[account.Role] != nil {
			continue
		}
		person := &client.Client{Base: a.system.URL()}
		if err := person.SignIn(ctx, account.Email, account.Password); err != nil {
			return err
		}
		a.people[account.Role] = person
	}
	consultant, err := a.people["consultant"].ID(ctx)
	if err != nil {
		return err
	}
	service, err := a.openDay(ctx, consultant)
	if err != nil {
		return err
	}
	a.filler, err = newFiller(ctx, a.system, pgx.NamedArgs{"today": a.today, "service": service, "consultant": consultant})
	return err
}

func (a *archive) fill(ctx context.Context, progress *stack.Progress) error {
	began := time.Now()
	return progress.Step(fmt.Sprintf("putting in %d visits", a.visits), func() error {
		return a.filler.fill(ctx, a.visits, func(done int) { progress.Printf("%d visits after %s", done, time.Since(began).Round(time.Second)) })
	})
}

func (a *archive) close(ctx context.Context) {
	a.filler.close(ctx)
	a.system.Stop()
}

// openDay registers today's visitors, decides some of them, and returns the service that they requested.
func (a *archive) openDay(ctx context.Context, consultant string) (service string, err error) {
	var offered struct{ Services []struct{ ID string } }
	if err := a.people["reception"].Call(ctx, http.MethodGet, "/api/services", nil, &offered); err != nil {
		return "", err
	}
	service = offered.Services[0].ID
	for n := range readsToday {
		var made struct{ Visit struct{ ID, Day string } }
		visitor := map[string]string{"name": "A Visitor", "phone": fmt.Sprintf("97%08d", n), "service_id": service}
		if err := a.people["reception"].Call(ctx, http.MethodPost, "/api/visits", visitor, &made); err != nil {
			return "", err
		}
		a.today = made.Visit.Day
		decision := map[string]string{"status": "approved", "assigned_consultant_id": consultant}
		if n >= readsApproved {
			decision = map[string]string{"status": "denied"}
		}
		if n >= readsApproved+readsDenied {
			continue
		}
		if err := a.people["pa"].Call(ctx, http.MethodPut, "/api/visits/"+made.Visit.ID+"/status", decision, nil); err != nil {
			return "", err
		}
	}
	return service, nil
}

// warmCalls are made before any is counted.
const warmCalls = 20

// measureBoth makes every call alternately at both systems, so that other load on the machine affects both.
func measureBoth(ctx context.Context, report *ReadsReport, both [2]*archive, count int) error {
	for _, l := range looks {
		var calls [2]call
		for i, a := range both {
			do, hangUp := a.asking(l)
			defer hangUp()
			calls[i] = do
		}
		var times [2][]time.Duration
		for n := range warmCalls + count {
			for i, do := range calls {
				began := time.Now()
				if err := do(ctx); err != nil {
					return fmt.Errorf("%s with %d visits: %w", l.name, both[i].visits, err)
				}
				if n >= warmCalls {
					times[i] = append(times[i], time.Since(began))
				}
			}
		}
		for i, a := range both {
			slices.Sort(times[i])
			all := load{latencies: times[i]}
			pages, err := a.pages(ctx, l, calls[i])
			if err != nil {
				return fmt.Errorf("pages of %s with %d visits: %w", l.name, a.visits, err)
			}
			report.Looked = append(report.Looked, Looked{Call: l.name, Visits: a.visits, Median: milliseconds(all.quantile(.5)), P95: milliseconds(all.quantile(.95)), Pages: pages})
		}
	}
	return nil
}

// pagedCalls is the number of calls for counting pages; no background statement runs exactly this often, except by
// chance.
const pagedCalls = 37

// pages is how many of PostgreSQL's pages a call touches, on whatever machine: those of the statements that ran once
// for each call.
func (a *archive) pages(ctx context.Context, l look, do call) (pages float64, err error) {
	connection := a.filler.connections[l.service]
	if _, err := connection.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS pg_stat_statements"); err != nil {
		return 0, err
	}
	if _, err := connection.Exec(ctx, "SELECT pg_stat_statements_reset()"); err != nil {
		return 0, err
	}
	for range pagedCalls {
		if err := do(ctx); err != nil {
			return 0, err
		}
	}
	err = connection.QueryRow(ctx, `
SELECT coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 / $1 FROM pg_stat_statements
WHERE calls = $1 AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`, pagedCalls).Scan(&pages)
	return pages, err
}

// asking is a look made by a user of its role, at its service.
func (a *archive) asking(l look) (do call, hangUp func()) {
	at := &server{host: strings.TrimPrefix(a.system.Public(l.service), "http://")}
	request := at.request(l.method, l.path, l.body)
	request.Header.Set("Authorization", "Bearer "+a.people[l.as].Token())
	return asking(request)
}
