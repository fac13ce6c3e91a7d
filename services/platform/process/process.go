// Package process runs a service: it reads the configuration, opens the databases, serves three listeners and stops in
// an order that loses no request.
//
// Begin with Target in target.go: a service names its migrations, reads its settings and returns a Start function. It
// adds to the Process: routes, background work, and by connect.go the calls to other services. serve.go runs what was
// added; config.go and variables.go read the environment; migrate.go is the command `SERVICE migrate`.
package process

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/spans"
	"baari.dev/services/platform/telemetry"
)

// Process is a service while it is built and while it runs.
type Process struct {
	Config   Config
	Name     string
	Log      *slog.Logger
	Registry *prometheus.Registry
	Pool     *pgxpool.Pool
	Feeds    *pgxpool.Pool // without a statement timeout: feeds and exports
	Bus      bus.Bus
	Limiter  *limit.Limiter
	Outbox   *outbox.Outbox

	relaying *pgxpool.Pool
	spans    *spans.Tracing
	public   http.Handler
	internal []endpoint.Route
	work     []func(context.Context) error
	drain    []func()
	ready    []readyCheck
}

// readyCheck is a condition under which the service accepts requests.
type readyCheck struct {
	name string
	run  func(context.Context) error
}

func run(ctx context.Context, target Target, config Config, log *slog.Logger, start Start) error {
	name := target.Name
	if !config.ServicePublicKeys.Has(name, config.ServiceKey) {
		return fmt.Errorf("SERVICE_PUBLIC_KEYS does not have the public key of %s for its SERVICE_KEY", name)
	}
	tracing, err := telemetry.StartTracing(ctx, name)
	if err != nil {
		return fmt.Errorf("set up tracing: %w", err)
	}
	defer tracing.Shutdown(ctx)
	p, err := open(ctx, target, config, log)
	if err != nil {
		return err
	}
	defer p.close()
	p.spans = tracing
	if err := start(ctx, p); err != nil {
		return err
	}
	return p.serve(ctx)
}

// open opens what every service needs and migrates the database if its owner's address is configured.
func open(ctx context.Context, target Target, config Config, log *slog.Logger) (*Process, error) {
	name := target.Name
	p := &Process{Config: config, Name: name, Log: log, Registry: telemetry.NewRegistry(name)}
	redis, err := bus.Open(config.RedisURL)
	if err != nil {
		return nil, err
	}
	p.Bus = redis
	if config.Limits {
		p.Limiter = limit.New(redis.Client, name)
	}
	if config.MigrateDatabaseURL != "" {
		role, err := postgres.RoleOf(config.DatabaseURL)
		if err != nil {
			return nil, err
		}
		if err := postgres.Migrate(ctx, config.MigrateDatabaseURL, role, target.Migrations...); err != nil {
			return nil, err
		}
	}
	if p.Pool, err = postgres.Open(ctx, config.DatabaseURL, config.Pools()); err != nil {
		return nil, err
	}
	if p.Feeds, err = postgres.OpenWithoutStatementTimeout(ctx, config.DatabaseURL, config.Pools()); err != nil {
		return nil, err
	}
	if p.relaying, err = postgres.OpenRelay(ctx, config.DatabaseURL, config.Pools()); err != nil {
		return nil, err
	}
	if err := postgres.Await(ctx, p.Pool); err != nil {
		return nil, err
	}
	if err := postgres.AssertDurable(ctx, p.Pool); err != nil {
		return nil, err
	}
	if config.DatabasePooler {
		if err := postgres.AssertTimeouts(ctx, p.Pool); err != nil {
			return nil, err
		}
	}
	if err := outbox.EnsureStream(ctx, p.Pool, name); err != nil {
		return nil, err
	}
	p.Outbox = outbox.New(name, p.Pool)
	p.Go(outbox.NewRelay(p.Outbox, p.relaying, p.Bus, p.Config.Keys(p.Name), p.Registry, log).Run)
	p.Registry.MustRegister(postgres.NewDatabaseCollector(p.Feeds), bus.NewCollector(redis))
	p.Ready("postgres", func(ctx context.Context) error { return p.Pool.Ping(ctx) })
	return p, nil
}

// Public sets the handler behind the gateway.
func (p *Process) Public(table *endpoint.Table) { p.public = table }

// Internal adds routes to the listener for other services, which also serves the feed.
func (p *Process) Internal(routes ...endpoint.Route) { p.internal = append(p.internal, routes...) }

// Go runs work while the service runs. It must end when its context does; an error ends the service.
func (p *Process) Go(work func(context.Context) error) { p.work = append(p.work, work) }

// OnDrain adds a hook that is called when the public listener is closed, before open requests are waited for.
func (p *Process) OnDrain(hook func()) { p.drain = append(p.drain, hook) }

// Ready adds a check to /readyz, which /readyz?exclude=NAME leaves out.
func (p *Process) Ready(name string, check func(context.Context) error) {
	p.ready = append(p.ready, readyCheck{name, check})
}

func (p *Process) close() {
	p.Pool.Close()
	p.Feeds.Close()
	p.relaying.Close()
	_ = p.Bus.Close()
}
