package bench

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/valyala/fasthttp"

	"baari.dev/tools/sample/client"
	"baari.dev/tools/stack"
)

//go:embed write.sql
var copies string

// How many clients write at once.
var writers = []int{1, 8, 32, 128}

// The goals: through the service, times the single statement.
const (
	createTimes = 0.7 // at 32 clients
	joinedTimes = 3.0 // at 128
	statusTimes = 0.6 // at 32
)

// Written is one kind of write at one number of clients, medians over the rounds.
type Written struct {
	Kind      string  `json:"kind"`
	Clients   int     `json:"clients"`
	Statement float64 `json:"statement_per_second"`
	Service   float64 `json:"service_per_second"`
	Ratio     float64 `json:"times_statement"` // the median of the rounds' ratios
	PlainP99  float64 `json:"statement_p99_ms"`
	P99       float64 `json:"service_p99_ms"`
}

// WriteReport compares writing through the service with the same SQL sent by itself.
type WriteReport struct {
	At         time.Time `json:"at"`
	Processors int       `json:"processors"`
	Rounds     int       `json:"rounds"`
	Seconds    float64   `json:"seconds_each"`
	Whole      bool      `json:"whole_office"` // beside the other services, which follow the events
	Rows       []Written `json:"rows"`
	Verdict
}

// The kinds of writes.
const (
	createKind = "create"
	statusKind = "status"
)

// office is a visits service that is called directly, and its database.
type office struct {
	host    string
	token   string
	service string // id of one that is offered
	pool    *pgxpool.Pool
	made    atomic.Int64 // keys and names
}

// Write starts visits by itself, or the whole office, and writes to visits over HTTP, and beside it the same with one
// statement for each write, in turns. It returns Advice where the user can correct the cause of a failure.
func Write(ctx context.Context, options stack.Options, plan Plan, whole bool) (WriteReport, error) {
	ports, err := stack.FreePorts(1)
	if err != nil {
		return WriteReport{}, err
	}
	options.Port, options.NoLimits = ports[0], true
	if err := os.Setenv("TRACE_RECENT", "0"); err != nil { // recent spans for `baari trace`, which are not read here
		return WriteReport{}, err
	}
	var o *office
	var stop func()
	if whole {
		o, stop, err = startOffice(ctx, options)
	} else {
		o, stop, err = startVisits(ctx, options)
	}
	if err != nil {
		return WriteReport{}, err
	}
	defer stop()
	var report WriteReport
	err = options.Progress.Step("measuring", func() error {
		report, err = o.measure(ctx, plan)
		return err
	})
	report.Whole = whole
	return report, err
}

// startOffice starts all services.
func startOffice(ctx context.Context, options stack.Options) (o *office, stop func(), err error) {
	options.Gateway = stack.Embedded
	system, err := stack.Start(ctx, options)
	if err != nil {
		return nil, nil, err
	}
	if o, err = openOffice(ctx, system); err != nil {
		system.Stop()
		return nil, nil, err
	}
	return o, func() { o.pool.Close(); system.Stop() }, nil
}

// startVisits starts visits without followers of its events; the benchmark registers its callers.
func startVisits(ctx context.Context, options stack.Options) (o *office, stop func(), err error) {
	made := newSources("admin")
	options.Link = made.instead
	alone, err := stack.StartAlone(ctx, options, "visits")
	if err != nil {
		made.Close()
		return nil, nil, err
	}
	end := func() { alone.Stop(); made.Close() }
	address, err := alone.Database("visits")
	if err == nil {
		o, err = newOffice(ctx, hostOf(options.Port), "bench", uuid.NewString(), address)
	}
	if err != nil {
		end()
		return nil, nil, err
	}
	if _, err = o.pool.Exec(ctx, `INSERT INTO public.services (id, name, is_active) VALUES ($1, 'Income tax return', true)`, o.service); err != nil {
		o.pool.Close()
		end()
		return nil, nil, err
	}
	return o, func() { o.pool.Close(); end() }, nil
}

// openOffice signs in to a system.
func openOffice(ctx context.Context, system *stack.Stack) (*office, error) {
	demo := system.Accounts()[0]
	person := &client.Client{Base: system.URL()}
	if err := person.SignIn(ctx, demo.Email, demo.Password); err != nil {
		return nil, err
	}
	var offered struct{ Services []struct{ ID string } }
	if err := person.Call(ctx, http.MethodGet, "/api/services", nil, &offered); err != nil {
		return nil, err
	}
	address, err := system.Database("visits")
	if err != nil {
		return nil, err
	}
	host := strings.TrimPrefix(system.Public("visits"), "http://")
	return newOffice(ctx, host, person.Token(), offered.Services[0].ID, address)
}

// newOffice makes the tables that the single statements write to.
func newOffice(ctx context.Context, host, token, service, database string) (*office, error) {
	config, err := pgxpool.ParseConfig(database)
	if err != nil {
		return nil, err
	}
	config.MaxConns = int32(writers[len(writers)-1])
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	if _, err := pool.Exec(ctx, copies); err != nil {
		pool.Close()
		return nil, err
	}
	return &office{host: host, token: token, service: service, pool: pool}, nil
}

// measure takes every kind at every number of clients, statement and service in turns, the first time to warm up.
func (o *office) measure(ctx context.Context, plan Plan) (WriteReport, error) {
	report := WriteReport{At: time.Now().UTC(), Processors: runtime.NumCPU(), Rounds: plan.Rounds, Seconds: plan.Each.Seconds()}
	for _, kind := range []string{createKind, statusKind} {
		for _, clients := range writers {
			row := Written{Kind: kind, Clients: clients}
			var plain, through, ratios, plainP99, p99 []float64
			for round := -1; round < plan.Rounds; round++ {
				statement, service, err := o.round(ctx, kind, clients, plan.Each)
				if err != nil {
					return report, fmt.Errorf("%s, %d clients: %w", kind, clients, err)
				}
				if round < 0 {
					continue
				}
				plain, through = append(plain, statement.perSecond()), append(through, service.perSecond())
				ratios = append(ratios, service.perSecond()/statement.perSecond())
				plainP99, p99 = append(plainP99, milliseconds(statement.quantile(.99))), append(p99, milliseconds(service.quantile(.99)))
			}
			row.Statement, row.Service, row.Ratio = median(plain), median(through), median(ratios)
			row.PlainP99, row.P99 = median(plainP99), median(p99)
			report.Rows = append(report.Rows, row)
		}
	}
	report.judge()
	return report, nil
}

// round measures one kind once, first by itself, then through the service.
func (o *office) round(ctx context.Context, kind string, clients int, lasting time.Duration) (statement, service load, err error) {
	if kind == statusKind {
		statement, err = o.decide(ctx, "bench", clients, lasting, o.deny)
		if err == nil {
			service, err = o.decide(ctx, "public", clients, lasting, o.denyThroughService)
		}
		return statement, service, err
	}
	calls := make([]call, clients)
	for i := range calls {
		calls[i] = o.create
	}
	if statement, err = repeat(ctx, calls, lasting); err != nil {
		return statement, service, err
	}
	for i := range calls {
		var hangUp func()
		calls[i], hangUp = o.createThroughService()
		defer hangUp()
	}
	service, err = repeat(ctx, calls, lasting)
	return statement, service, err
}

// createStatement is everything that a create writes, in one statement that is its own transaction.
const createStatement = `
WITH counter AS (
  INSERT INTO bench.day_counter VALUES ((now() AT TIME ZONE 'Asia/Kolkata')::date, 1)
  ON CONFLICT (day) DO UPDATE SET last = day_counter.last + 1 RETURNING day, last
), v AS (
  INSERT INTO bench.visits (id, office_day, token_no, name, phone, service_id, service_name, status, created_at, updated_at, created_by, created_by_name, notice_version)
  SELECT $1, day, last, $2, '9800000000', $3, 'Income tax return', 'new', now(), now(), 'bench', 'Bench', '1' FROM counter RETURNING *
), kept AS (
  INSERT INTO bench.idempotency (actor_id, route, idem_key, meaning, answer) SELECT 'bench', 'POST /api/visits', $4, sha256($4::text::bytea), to_jsonb(v) FROM v
)
INSERT INTO bench.outbox (type, entity, entity_id, version, actor, after, request_id)
SELECT 'visit_created', 'visit', id::text, 1, '{"id": "bench", "name": "Bench", "role": "admin"}', to_jsonb(v), $4 FROM v`

func (o *office) create(ctx context.Context) error {
	n := o.made.Add(1)
	_, err := o.pool.Exec(ctx, createStatement, uuid.Must(uuid.NewV7()), fmt.Sprint("Visitor ", n), o.service, uuid.NewString())
	return err
}

func (o *office) createThroughService() (do call, hangUp func()) {
	at := &server{host: o.host}
	request := at.request(fasthttp.MethodPost, "/api/visits", map[string]string{"name": "A Visitor", "phone": "9800000000", "serviceId": o.service})
	request.Header.Set("Authorization", "Bearer "+o.token)
	ask, hangUp := asking(request)
	return func(ctx context.Context) error {
		request.Header.Set("Idempotency-Key", uuid.NewString())
		return ask(ctx)
	}, hangUp
}

// arriveStatement inserts waiting visits of a past day that is used for nothing else.
const arriveStatement = `
INSERT INTO %[1]s.visits (id, office_day, token_no, name, phone, service_id, service_name, status, created_at, updated_at, created_by, created_by_name, notice_version)
SELECT gen_random_uuid(), '2001-01-01', coalesce((SELECT max(token_no) FROM %[1]s.visits WHERE office_day = '2001-01-01'), 0) + n, 'A Visitor', '9800000000', $1,
  'Income tax return', 'new', now(), now(), 'bench', 'Bench', '1'
FROM generate_series(1, $2::int) n RETURNING id::text`

// decidedEach bounds how many decisions a second are made ready for.
const decidedEach = 6000

// decide inserts waiting visits and lets the clients decide each of them once.
func (o *office) decide(ctx context.Context, schema string, clients int, lasting time.Duration, denier func(next func() string) (call, func())) (load, error) {
	rows, err := o.pool.Query(ctx, fmt.Sprintf(arriveStatement, schema), o.service, int(lasting.Seconds()*decidedEach)+clients)
	if err != nil {
		return load{}, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return load{}, err
	}
	var taken atomic.Int64
	next := func() string { return ids[min(int(taken.Add(1)), len(ids))-1] }
	calls := make([]call, clients)
	for i := range calls {
		var hangUp func()
		calls[i], hangUp = denier(next)
		defer hangUp()
	}
	return repeat(ctx, calls, lasting)
}

// denyStatement is everything that a decision writes.
const denyStatement = `
WITH v AS (
  UPDATE bench.visits SET status = 'denied', version = version + 1, updated_at = now(), pa_notes = 'Please come back tomorrow', decided_at = now(),
    decided_by = 'bench', decided_by_name = 'Bench'
  WHERE id = $1 AND status = 'new' RETURNING *
)
INSERT INTO bench.outbox (type, entity, entity_id, version, actor, before, after, request_id)
SELECT 'visit_denied', 'visit', id::text, version, '{"id": "bench", "name": "Bench", "role": "admin"}', to_jsonb(v), to_jsonb(v), $2 FROM v`

func (o *office) deny(next func() string) (call, func()) {
	return func(ctx context.Context) error {
		_, err := o.pool.Exec(ctx, denyStatement, next(), uuid.NewString())
		return err
	}, func() {}
}

func (o *office) denyThroughService(next func() string) (do call, hangUp func()) {
	at := &server{host: o.host}
	request := at.request(fasthttp.MethodPut, "/api/visits", map[string]string{"status": "denied", "notes": "Please come back tomorrow"})
	request.Header.Set("Authorization", "Bearer "+o.token)
	ask, hangUp := asking(request)
	return func(ctx context.Context) error {
		request.SetRequestURI("http://" + o.host + "/api/visits/" + next() + "/status")
		return ask(ctx)
	}, hangUp
}

// at is the result of a kind at a number of clients.
func (r *WriteReport) at(kind string, clients int) Written {
	for _, row := range r.Rows {
		if row.Kind == kind && row.Clients == clients {
			return row
		}
	}
	return Written{}
}

// judge holds the ratios against the goals.
func (r *WriteReport) judge() {
	few, many, status := r.at(createKind, 32), r.at(createKind, 128), r.at(statusKind, 32)
	late := many.P99 / many.PlainP99
	r.Goals = []Goal{
		{"create at 32 clients, times the single statement", fmt.Sprintf(">= %.1f", createTimes), few.Ratio, few.Ratio >= createTimes},
		{"create at 128 clients, times the single statement", fmt.Sprintf(">= %.1f", joinedTimes), many.Ratio, many.Ratio >= joinedTimes},
		{"99 of 100 creates at 128 clients, times the single statement's", "<= 1.0", late, late <= 1},
		{"status change at 32 clients, times the single statement", fmt.Sprintf(">= %.1f", statusTimes), status.Ratio, status.Ratio >= statusTimes},
	}
}

// Print writes the comparison as a table.
func (r WriteReport) Print(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprint(table, "\tclients\tstatement/s\tservice/s\tratio\tstatement p99, ms\tservice p99, ms\t\n")
	for _, row := range r.Rows {
		_, _ = fmt.Fprintf(table, "%s\t%d\t%.0f\t%.0f\t%.2f\t%.1f\t%.1f\t\n", row.Kind, row.Clients, row.Statement, row.Service, row.Ratio, row.PlainP99, row.P99)
	}
	_ = table.Flush()
	who := "visits by itself"
	if r.Whole {
		who = "visits and all who follow its events"
	}
	_, _ = fmt.Fprintf(out, "%s; %d processors, which PostgreSQL, the services and the clients share; %d rounds of %.0f s each\n\n", who, r.Processors, r.Rounds, r.Seconds)
	printGoals(out, r.Goals)
}
