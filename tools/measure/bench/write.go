package bench

import (
	"context"
	"embed"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/valyala/fasthttp"

	"baari.dev/tools/stack"
)

//go:embed sql
var sqlFiles embed.FS

var comments = regexp.MustCompile(`(?m)^--.*\n`)

// statement returns the text of a file in sql, without its comments.
func statement(name string) string {
	text, err := sqlFiles.ReadFile("sql/" + name + ".sql")
	if err != nil {
		panic(err) // the file is embedded
	}
	return comments.ReplaceAllString(string(text), "")
}

// The kinds of writes, and how many clients write at once.
const (
	createKind = "create"
	statusKind = "status"
)

var writers = []int{1, 8, 32, 128}

// writing is a visits service that is called directly, and its database.
type writing struct {
	target
	service string // ID of an offered service
	pool    *pgxpool.Pool
}

// Write registers visitors and decides visits over HTTP, directly at visits, in turns with one statement per request
// that writes the same rows from as many connections. With whole all services run and follow the events; otherwise
// visits runs alone. It returns Advice if the user can fix the cause of an error.
func Write(ctx context.Context, options stack.Options, plan Plan, whole bool) (*Report, error) {
	if err := os.Setenv("TRACE_RECENT", "0"); err != nil { // as in an installation without a collector
		return nil, err
	}
	start, name := startVisits, "visits by itself"
	if whole {
		start, name = startOffice, "visits and all services that follow its events"
	}
	w, stop, err := start(ctx, options)
	if err != nil {
		return nil, err
	}
	defer stop()
	if _, err := w.pool.Exec(ctx, statement("tables")); err != nil {
		return nil, err
	}
	r := newReport()
	if err := options.Progress.Step("measuring", func() error { return w.measure(ctx, plan, r) }); err != nil {
		return nil, err
	}
	r.note("%s; %d processors, which PostgreSQL, the services and the clients share; %s", name, runtime.NumCPU(), plan)
	return r, nil
}

// startOffice starts all services.
func startOffice(ctx context.Context, options stack.Options) (*writing, func(), error) {
	system, err := startSystem(ctx, options, stack.Embedded)
	if err != nil {
		return nil, nil, err
	}
	w, err := system.writing(ctx)
	if err != nil {
		system.Stop()
		return nil, nil, err
	}
	return w, func() { w.pool.Close(); system.Stop() }, nil
}

func (s *system) writing(ctx context.Context) (*writing, error) {
	w := &writing{target: s.direct("visits", "admin"), service: s.service}
	return w, w.connect(ctx, s.Database)
}

// startVisits starts visits alone; the benchmark answers for auth and directory.
func startVisits(ctx context.Context, options stack.Options) (*writing, func(), error) {
	ports, err := stack.FreePorts(1)
	if err != nil {
		return nil, nil, err
	}
	standIn := newStandIn("admin")
	options.Port, options.NoLimits, options.Link = ports[0], true, standIn.link
	alone, err := stack.StartAlone(ctx, options, "visits")
	if err != nil {
		standIn.Close()
		return nil, nil, err
	}
	w := &writing{target: target{hostOf(ports[0]), "bench"}, service: uuid.NewString()}
	if err = w.connect(ctx, alone.Database); err == nil {
		_, err = w.pool.Exec(ctx,
			`INSERT INTO public.services (id, name, is_active) VALUES ($1, 'Income tax return', true)`, w.service)
	}
	stop := func() { w.pool.Close(); alone.Stop(); standIn.Close() }
	if err != nil {
		stop()
		return nil, nil, err
	}
	return w, stop, nil
}

func (w *writing) connect(ctx context.Context, database func(string) (string, error)) error {
	address, err := database("visits")
	if err != nil {
		return err
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return err
	}
	config.MaxConns = int32(writers[len(writers)-1])
	w.pool, err = pgxpool.NewWithConfig(ctx, config)
	return err
}

// measure measures both kinds of writes with each number of clients.
func (w *writing) measure(ctx context.Context, plan Plan, r *Report) error {
	table := r.table(" %s", "clients %d", "statement/s %.0f", "service/s %.0f", "ratio %.2f", "statement p99, ms %.1f",
		"service p99, ms %.1f")
	ratios, late := map[string]float64{}, map[string]float64{}
	for _, kind := range []string{createKind, statusKind} {
		for _, clients := range writers {
			side := func(through bool) func(series) error {
				return func(figures series) error {
					done, err := w.write(ctx, kind, through, clients, plan.Each)
					figures.add("rate", done.perSecond())
					figures.add("p99", done.latencies.quantile(.99))
					return err
				}
			}
			both, err := alternate(plan.Rounds, side(false), side(true))
			if err != nil {
				return fmt.Errorf("%s, %d clients: %w", kind, clients, err)
			}
			plain, service := both[0], both[1]
			name := fmt.Sprint(kind, clients)
			ratios[name] = median(service.ratios("rate", plain))
			late[name] = service.median("p99") / plain.median("p99")
			table.add(kind, clients, plain.median("rate"), service.median("rate"), ratios[name], plain.median("p99"),
				service.median("p99"))
		}
	}
	r.goal("create at 32 clients, times the single statement", ">= 0.7", ratios["create32"])
	r.goal("create at 128 clients, times the single statement", ">= 3.0", ratios["create128"])
	r.goal("99 of 100 creates at 128 clients, times the single statement's", "<= 1.0", late["create128"])
	r.goal("status change at 32 clients, times the single statement", ">= 0.6", ratios["status32"])
	return nil
}

// write lets clients write one kind for a time, through the service or with single statements.
func (w *writing) write(ctx context.Context, kind string, through bool, clients int, each time.Duration) (load, error) {
	open := w.createStatement
	if through {
		open = w.createThroughService
	}
	if kind == statusKind {
		schema, deny := "bench", w.denyStatement
		if through {
			schema, deny = "public", w.denyThroughService
		}
		next, err := w.arrive(ctx, schema, int(each.Seconds()*decidedEach)+clients)
		if err != nil {
			return load{}, err
		}
		open = func(int) (call, func()) { return deny(next) }
	}
	return repeat(ctx, clients, each, open)
}

func (w *writing) createStatement(client int) (call, func()) {
	create, n := statement("create"), 0
	return func(ctx context.Context) error {
		n++
		_, err := w.pool.Exec(ctx, create, uuid.Must(uuid.NewV7()), fmt.Sprintf("Visitor %d of %d", n, client), w.service,
			uuid.NewString())
		return err
	}, func() {}
}

func (w *writing) createThroughService(int) (call, func()) {
	request := w.request(http.MethodPost, "/api/visits", visitorFor(w.service))
	return connect(request, func(r *fasthttp.Request) { r.Header.Set("Idempotency-Key", uuid.NewString()) })
}

// decidedEach is above the number of decisions a second of any machine so far: as many visits wait for one.
const decidedEach = 6000

// arrive inserts new visits and returns a function that returns the ID of the next of them.
func (w *writing) arrive(ctx context.Context, schema string, count int) (next func() string, err error) {
	rows, err := w.pool.Query(ctx, strings.ReplaceAll(statement("arrive"), "SCHEMA", schema), w.service, count)
	if err != nil {
		return nil, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	var taken atomic.Int64
	return func() string { return ids[min(int(taken.Add(1)), len(ids))-1] }, err
}

func (w *writing) denyStatement(next func() string) (call, func()) {
	deny := statement("deny")
	return func(ctx context.Context) error {
		_, err := w.pool.Exec(ctx, deny, next(), uuid.NewString())
		return err
	}, func() {}
}

func (w *writing) denyThroughService(next func() string) (call, func()) {
	body := map[string]string{"status": "denied", "notes": "Please come back tomorrow"}
	return connect(w.request(http.MethodPut, "/api/visits", body), func(r *fasthttp.Request) {
		r.SetRequestURI("http://" + w.host + "/api/visits/" + next() + "/status")
	})
}
