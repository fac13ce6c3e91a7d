// Package process runs targets: it reads their configuration, opens the databases, serves the listeners and stops in an
// order that loses no request.
//
// Begin with Target in target.go: a service names its migrations, reads its settings and returns a Start function,
// which adds routes, background work and clients of other services (connect.go) to the Process. run.go runs the
// targets of one process and serve.go what they have added; config.go and variables.go read the environment; migrate.go
// is the command migrate.
package process

import (
	"context"
	"log/slog"
	"net"
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/telemetry"
)

// Process is a target while it is built and while it runs. A target without a database has no pools, no Bus, Limiter or
// Outbox, and in Config only the values of Common.
type Process struct {
	Config   Config
	Name     string
	Log      *slog.Logger
	Registry prometheus.Registerer
	Pool     *pgxpool.Pool
	Feeds    *pgxpool.Pool // used for feeds and exports, has no statement timeout
	Bus      bus.Bus
	Limiter  *limit.Limiter
	Outbox   *outbox.Outbox

	target   Target
	metrics  *prometheus.Registry // behind Registry
	starting Start
	relaying *pgxpool.Pool
	traces   []*telemetry.Tracing
	handler  http.Handler
	routes   []endpoint.Route
	work     []func(context.Context) error
	drain    []func()
	ready    []readyCheck
	public   net.Listener
	internal net.Listener // nil: a target without a database
}

type readyCheck struct {
	name string
	run  func(context.Context) error
}

// openService opens what every service needs and migrates the database if its owner's address is configured.
func (r *running) openService(ctx context.Context, p *Process) error {
	config := p.Config
	if err := r.connectBus(p); err != nil {
		return err
	}
	if config.MigrateDatabaseURL != "" {
		role, err := postgres.RoleOf(config.DatabaseURL)
		if err != nil {
			return err
		}
		if err := postgres.Migrate(ctx, config.MigrateDatabaseURL, role, p.target.Migrations...); err != nil {
			return err
		}
	}
	if err := p.openPools(ctx); err != nil {
		return err
	}
	if err := outbox.EnsureStream(ctx, p.Pool, p.Name); err != nil {
		return err
	}
	p.Outbox = outbox.New(p.Name, p.Pool)
	p.Go(outbox.NewRelay(p.Outbox, p.relaying, p.Bus, config.Keys(p.Name), p.Registry, p.Log).Run)
	p.Registry.MustRegister(postgres.NewDatabaseCollector(p.Feeds))
	p.Ready("postgres", func(ctx context.Context) error { return p.Pool.Ping(ctx) })
	return nil
}

// connectBus sets the bus and the limiter of a service. Without Redis, all services of the process share them.
func (r *running) connectBus(p *Process) error {
	if p.Config.RedisURL == "" {
		p.Bus, p.Limiter = r.local, r.limiter
		return nil
	}
	redis, err := bus.Open(p.Config.RedisURL)
	if err != nil {
		return err
	}
	p.Bus = redis
	if p.Config.Limits {
		p.Limiter = limit.New(redis.Client, p.Name)
	}
	p.Registry.MustRegister(bus.NewCollector(redis))
	return nil
}

func (p *Process) openPools(ctx context.Context) (err error) {
	address, settings := p.Config.DatabaseURL, p.Config.Pools()
	if p.Pool, err = postgres.Open(ctx, address, settings); err != nil {
		return err
	}
	if p.Feeds, err = postgres.OpenWithoutStatementTimeout(ctx, address, settings); err != nil {
		return err
	}
	if p.relaying, err = postgres.OpenRelay(ctx, address, settings); err != nil {
		return err
	}
	if err := postgres.Await(ctx, p.Pool); err != nil {
		return err
	}
	if err := postgres.AssertDurable(ctx, p.Pool); err != nil {
		return err
	}
	if p.Config.DatabasePooler {
		return postgres.AssertTimeouts(ctx, p.Pool)
	}
	return nil
}

// Public sets the handler of the public listener.
func (p *Process) Public(handler http.Handler) { p.handler = handler }

// Internal adds routes to the internal listener, which also serves the feed.
func (p *Process) Internal(routes ...endpoint.Route) { p.routes = append(p.routes, routes...) }

// Go runs the function work while the service runs. work must end when its context does; an error ends the service.
func (p *Process) Go(work func(context.Context) error) { p.work = append(p.work, work) }

// OnDrain adds a hook that is called when the public listener is closed, before the wait for open requests.
func (p *Process) OnDrain(hook func()) { p.drain = append(p.drain, hook) }

// Ready adds a check to /readyz. A request for /readyz?exclude=NAME leaves out the check of that name.
func (p *Process) Ready(name string, check func(context.Context) error) {
	p.ready = append(p.ready, readyCheck{name, check})
}

// Traced adds a tracer of the target's own, which is shut down at the end of the process.
func (p *Process) Traced(tracing *telemetry.Tracing) { p.traces = append(p.traces, tracing) }

func (p *Process) close() {
	for _, pool := range []*pgxpool.Pool{p.Pool, p.Feeds, p.relaying} {
		if pool != nil {
			pool.Close()
		}
	}
	if p.Bus != nil {
		_ = p.Bus.Close()
	}
}
