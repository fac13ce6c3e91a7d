package process

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/framing"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/spans"
	"baari.dev/services/platform/telemetry"
)

// Process is a service that is being built or running.
type Process struct {
	Config   Config
	Name     string
	Log      *slog.Logger
	Registry *prometheus.Registry
	Pool     *pgxpool.Pool
	Feeds    *pgxpool.Pool // without a statement timeout: feeds and exports
	Redis    redis.UniversalClient
	Limiter  *limit.Limiter
	Outbox   *outbox.Outbox

	relaying *pgxpool.Pool
	spans    *spans.Kept
	public   http.Handler
	internal []endpoint.Route
	work     []func(context.Context) error
	drain    []func()
	ready    []func(context.Context) error
}

// shutdownLimit is how long open requests may take to end.
const shutdownLimit = 25 * time.Second

// Main runs the service name until SIGTERM or SIGINT and then exits: with status 0 after an orderly stop, 1 if the
// service could not start or failed. build constructs the service.
func Main(name string, config Config, migrations []postgres.Set, build func(context.Context, *Process) error) {
	log := telemetry.NewLogger(os.Stdout, name, config.LogFormat, config.LogLevel)
	slog.SetDefault(log)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, name, config, log, migrations, build)
	stop()
	if err != nil {
		log.Error("stopped", "cause", err)
		os.Exit(1)
	}
	log.Info("stopped in order")
}

// Fail ends the program before it has a logger: the configuration could not be read.
func Fail(name string, err error) {
	fmt.Fprintf(os.Stderr, "%s cannot start: %v\n", name, err)
	os.Exit(1)
}

func run(ctx context.Context, name string, config Config, log *slog.Logger, migrations []postgres.Set, build func(context.Context, *Process) error) error {
	kept, err := telemetry.StartTracing(ctx, name)
	if err != nil {
		return fmt.Errorf("set up tracing: %w", err)
	}
	defer kept.Shutdown(ctx)
	p, err := open(ctx, name, config, log, migrations)
	if err != nil {
		return err
	}
	defer p.close()
	p.spans = kept
	if err := build(ctx, p); err != nil {
		return err
	}
	return p.serve(ctx)
}

// open connects what every service stands on and migrates its database.
func open(ctx context.Context, name string, config Config, log *slog.Logger, migrations []postgres.Set) (*Process, error) {
	p := &Process{Config: config, Name: name, Log: log, Registry: telemetry.NewRegistry(name)}
	var err error
	if p.Redis, err = bus.Open(config.RedisURL); err != nil {
		return nil, err
	}
	if config.Limits {
		p.Limiter = limit.New(p.Redis)
	}
	if config.MigrateDatabaseURL != "" {
		role, err := postgres.RoleOf(config.DatabaseURL)
		if err != nil {
			return nil, err
		}
		if err := postgres.Migrate(ctx, config.MigrateDatabaseURL, role, migrations...); err != nil {
			return nil, err
		}
	}
	if p.Pool, err = postgres.Open(ctx, config.DatabaseURL); err != nil {
		return nil, err
	}
	if p.Feeds, err = postgres.OpenUnhurried(ctx, config.DatabaseURL); err != nil {
		return nil, err
	}
	if p.relaying, err = postgres.OpenRelay(ctx, config.DatabaseURL); err != nil {
		return nil, err
	}
	if err := postgres.Await(ctx, p.Pool); err != nil {
		return nil, err
	}
	if err := postgres.AssertDurable(ctx, p.Pool); err != nil {
		return nil, err
	}
	if err := outbox.EnsureStream(ctx, p.Pool, name); err != nil {
		return nil, err
	}
	p.Outbox = outbox.New(name, p.Pool)
	p.Go(outbox.NewRelay(p.Outbox, p.relaying, p.Redis, p.Registry, log).Run)
	p.Registry.MustRegister(
		postgres.NewPoolCollector(map[string]*pgxpool.Pool{"main": p.Pool, "feeds": p.Feeds, "relay": p.relaying}),
		postgres.NewDatabaseCollector(p.Feeds), bus.NewCollector(p.Redis))
	p.Ready(func(ctx context.Context) error { return p.Pool.Ping(ctx) })
	return p, nil
}

// Client makes a signed client of another service's internal address.
func (p *Process) Client(service, address string) *identity.Client {
	return identity.NewClient(address, p.Config.ServiceSecret, p.Name, service)
}

// Public sets the handler behind the gateway.
func (p *Process) Public(table *endpoint.Table) { p.public = table }

// Internal adds routes to the listener for other services, beside the feed that each has.
func (p *Process) Internal(routes ...endpoint.Route) { p.internal = append(p.internal, routes...) }

// Go runs work while the service runs. It must end when its context does; an error ends the service.
func (p *Process) Go(work func(context.Context) error) { p.work = append(p.work, work) }

// OnDrain is called when the service has stopped taking requests, before open ones are waited for.
func (p *Process) OnDrain(hook func()) { p.drain = append(p.drain, hook) }

// Ready adds a check to /readyz.
func (p *Process) Ready(check func(context.Context) error) { p.ready = append(p.ready, check) }

func (p *Process) close() {
	p.Pool.Close()
	p.Feeds.Close()
	p.relaying.Close()
	_ = p.Redis.Close()
}

// serve listens until ctx ends, then stops in the order that loses nothing: not ready, a pause for the
// balancer to notice, streams closed, open requests finished, background work ended.
func (p *Process) serve(ctx context.Context) error {
	draining := make(chan struct{})
	internal, err := p.internalTable()
	if err != nil {
		return err
	}
	if p.public == nil {
		return errors.New("the service has no public table")
	}
	admin := p.server(p.Config.AdminPort, p.adminMux(draining))
	servers := []*http.Server{
		p.server(p.Config.Port, hangUp(draining, p.public)), p.server(p.Config.InternalPort, hangUp(draining, internal)),
	}

	for _, hook := range p.drain {
		servers[0].RegisterOnShutdown(hook) // after the listener is closed: no stream can open once hooks have run
	}

	background, endBackground := context.WithCancel(context.WithoutCancel(ctx))
	defer endBackground()
	group, broken := errgroup.WithContext(background)
	for _, server := range append(servers, admin) {
		group.Go(func() error { return listen(server) })
	}
	for _, work := range p.work {
		group.Go(func() error { return work(broken) })
	}
	p.Log.Info("started", "port", p.Config.Port, "internal_port", p.Config.InternalPort, "admin_port", p.Config.AdminPort, "version", telemetry.Version())

	select {
	case <-ctx.Done():
	case <-broken.Done():
	}
	close(draining)
	if broken.Err() == nil {
		time.Sleep(p.Config.ShutdownDelay)
	}
	p.shutdown(servers)
	endBackground()
	_ = admin.Close()
	return group.Wait()
}

func (p *Process) shutdown(servers []*http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownLimit)
	defer cancel()
	for _, server := range servers {
		if err := server.Shutdown(ctx); err != nil {
			p.Log.Warn("requests were cut off", "cause", err)
			_ = server.Close()
		}
	}
}

func listen(server *http.Server) error {
	listener, err := net.Listen("tcp", server.Addr)
	if err != nil {
		return err
	}
	if err := server.Serve(framing.Listen(listener)); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
