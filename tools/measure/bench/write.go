package bench

import (
	"context"
	"embed"
	"fmt"
	"net/http"
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
	system  *stack.Stack
	service string // ID of an offered service
	pool    *pgxpool.Pool
}

// Write registers visitors and decides visits over HTTP, directly at visits, in turns with one statement per request
// that writes the same rows from as many connections. Each measurement begins without a line. With whole all services
// run and follow the events; otherwise visits runs alone. It returns Advice if the user can fix the cause of an error.
func Write(ctx context.Context, options stack.Options, plan Plan, whole bool) (*Report, error) {
	run, name := withVisits, "visits by itself"
	if whole {
		run, name = withOffice, "visits and all services that follow its events"
	}
	r := newReport()
	err := run(ctx, options, func(w *writing) error {
		if _, err := w.pool.Exec(ctx, statement("tables")); err != nil {
			return err
		}
		return options.Progress.Step("measuring", func() error { return w.measure(ctx, plan, r) })
	})
	r.note("%s; %d processors, which PostgreSQL, the services and the clients share; %s", name, runtime.NumCPU(), plan)
	return r, err
}

// withOffice calls use with all services.
func withOffice(ctx context.Context, options stack.Options, use func(*writing) error) error {
	system, err := startSystem(ctx, options, stack.Embedded)
	if err != nil {
		return err
	}
	defer system.Stop()
	w, err := openWriting(ctx, system.Stack, system.Users["admin"].Token(), system.Service)
	if err != nil {
		return err
	}
	defer w.pool.Close()
	return use(w)
}

// withVisits calls use with visits alone; the benchmark answers for auth and directory.
func withVisits(ctx context.Context, options stack.Options, use func(*writing) error) error {
	standIn := newStandIn("admin")
	defer standIn.close()
	options.NoLimits, options.Link = true, standIn.link
	visits, err := stack.StartAlone(ctx, options, "visits")
	if err != nil {
		return err
	}
	defer visits.Stop()
	w, err := openWriting(ctx, visits, "bench", uuid.NewString())
	if err != nil {
		return err
	}
	defer w.pool.Close()
	_, err = w.pool.Exec(ctx,
		`INSERT INTO public.services (id, name, is_active) VALUES ($1, 'Income tax return', true)`, w.service)
	if err != nil {
		return err
	}
	return use(w)
}

func openWriting(ctx context.Context, system *stack.Stack, token, service string) (*writing, error) {
	config, err := pgxpool.ParseConfig(system.Database("visits"))
	if err != nil {
		return nil, err
	}
	config.MaxConns = int32(writers[len(writers)-1])
	pool, err := pgxpool.NewWithConfig(ctx, config)
	return &writing{target{hostOf(system, "visits"), token}, system, service, pool}, err
}

// measure measures both kinds of writes with each number of clients.
func (w *writing) measure(ctx context.Context, plan Plan, r *Report) error {
	table := r.table(" %s", "clients %d", "statement/s %.0f", "service/s %.0f", "ratio %.2f", "statement p99, ms %.1f",
		"service p99, ms %.1f")
	ratios, late := map[string]float64{}, map[string]float64{}
	for _, kind := range []string{createKind, statusKind} {
		for _, clients := range writers {
			if err := w.depart(ctx); err != nil {
				return err
			}
			both, err := alternate(plan.Rounds,
				func(s series) error { return w.write(ctx, s, kind, false, clients, plan.Each) },
				func(s series) error { return w.write(ctx, s, kind, true, clients, plan.Each) })
			if err != nil {
				return fmt.Errorf("%s, %d clients: %w", kind, clients, err)
			}
			plain, service := both[0], both[1]
			name := fmt.Sprint(kind, clients)
			ratios[name] = median(service.ratios(kind+" rate", plain))
			late[name] = service.median(kind+" p99") / plain.median(kind+" p99")
			table.add(kind, clients, plain.median(kind+" rate"), service.median(kind+" rate"), ratios[name],
				plain.median(kind+" p99"), service.median(kind+" p99"))
		}
	}
	r.goal("create at 32 clients, times the single statement", ">= 0.7", ratios["create32"])
	r.goal("create at 128 clients, times the single statement", ">= 3.0", ratios["create128"])
	r.goal("99 of 100 creates at 128 clients, times the single statement's", "<= 1.0", late["create128"])
	r.goal("status change at 32 clients, times the single statement", ">= 0.6", ratios["status32"])
	return nil
}

// write lets n clients write one kind for a time, through the service or with single statements, and adds the figures.
// processes are those whose processor time is measured.
func (w *writing) write(
	ctx context.Context, figures series, kind string, through bool, n int, each time.Duration, processes ...int,
) error {
	do := w.createStatement
	if through {
		do = w.createThroughService
	}
	if kind == statusKind {
		schema, deny := "bench", w.denyStatement
		if through {
			schema, deny = "public", w.denyThroughService
		}
		next, err := w.arrive(ctx, schema, int(each.Seconds()*decidedEach)+n)
		if err != nil {
			return err
		}
		do = func(int) call { return deny(next) }
	}
	return figures.load(ctx, kind, do, n, each, processes...)
}

func (w *writing) createStatement(client int) call {
	create, n := statement("create"), 0
	return func(ctx context.Context) error {
		n++
		_, err := w.pool.Exec(ctx, create, uuid.Must(uuid.NewV7()), fmt.Sprintf("Visitor %d of %d", n, client), w.service,
			uuid.NewString())
		return err
	}
}

func (w *writing) createThroughService(int) call {
	request := w.request(http.MethodPost, "/api/visits", map[string]string{
		"name": "A Visitor", "phone": "9800000000", "service_id": w.service,
	})
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

// depart empties the line: an office has some 60 visitors in it, and a measurement leaves tens of thousands. What the
// service computes for a line of that length would be measured with the next kind of writes.
func (w *writing) depart(ctx context.Context) error {
	for _, schema := range []string{"bench", "public"} {
		for _, sql := range []string{statement("depart"), "VACUUM SCHEMA.visits"} {
			if _, err := w.pool.Exec(ctx, strings.ReplaceAll(sql, "SCHEMA", schema)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *writing) denyStatement(next func() string) call {
	deny := statement("deny")
	return func(ctx context.Context) error {
		_, err := w.pool.Exec(ctx, deny, next(), uuid.NewString())
		return err
	}
}

func (w *writing) denyThroughService(next func() string) call {
	body := map[string]string{"status": "denied", "notes": "Please come back tomorrow"}
	return connect(w.request(http.MethodPut, "/api/visits", body), func(r *fasthttp.Request) {
		r.SetRequestURI("http://" + w.host + "/api/visits/" + next() + "/status")
	})
}
