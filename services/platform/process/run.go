package process

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/telemetry"
)

// running has the state of a process and its targets.
type running struct {
	Common
	group     Group
	log       *slog.Logger
	registry  *prometheus.Registry
	traces    []*telemetry.Tracing
	local     *bus.Local     // nil: each service has its own client of Redis
	limiter   *limit.Limiter // common to all services, if they share local
	admin     net.Listener
	processes []*Process
	release   context.CancelCauseFunc
	sleep     func(time.Duration) // time.Sleep, except in tests
}

// Main runs the targets of a program until SIGTERM or SIGINT, and returns after a graceful shutdown. If a target cannot
// start or fails, Main ends the program with status 1. With "migrate" as the only argument it applies the targets'
// migrations and ends.
func Main(group Group) {
	if slices.Equal(os.Args[1:], []string{"migrate"}) {
		MigrateAndEnd(group)
		return
	}
	env := OSEnvironment()
	r, err := prepare(env, group)
	if err != nil {
		Fail(group.name(), err)
	}
	slog.SetDefault(r.log)
	if percent := group.Targets[0].GCPercent; !group.several() && percent > 0 && env["GOGC"] == "" {
		debug.SetGCPercent(percent)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	if err := r.run(ctx); err != nil {
		r.log.Error("stopped", "cause", err)
		os.Exit(1)
	}
	r.log.Info("graceful shutdown complete")
}

// Run runs targets in this process until ctx ends or one of them fails. It binds all listeners before it starts a
// target, and returns after open requests have ended. The error for wrong settings names each wrong variable.
func Run(ctx context.Context, env Environment, group Group) error {
	r, err := prepare(env, group)
	if err != nil {
		return err
	}
	return r.run(ctx)
}

func (r *running) run(ctx context.Context) error {
	defer r.close(ctx)
	if err := r.trace(ctx); err != nil {
		return err
	}
	if err := r.open(ctx); err != nil {
		return err
	}
	return r.serve(ctx)
}

func prepare(env Environment, group Group) (r *running, err error) {
	r = &running{group: group, sleep: time.Sleep}
	defer func() {
		if err != nil {
			r.unbind()
		}
	}()
	own := make([]Environment, len(group.Targets))
	for i, target := range group.Targets {
		own[i] = group.environment(env, target)
		p := &Process{Name: target.Name, target: target}
		r.processes = append(r.processes, p)
		if err := p.bind(own[i]); err != nil {
			return r, err
		}
	}
	found := findings{targets: map[string][]string{}}
	for i, p := range r.processes {
		if group.several() {
			maps.Copy(own[i], r.addresses())
		}
		err := r.configure(p, own[i])
		if err != nil && !group.several() {
			return r, err
		}
		if err != nil {
			found.add(p.Name, err)
		}
	}
	if err := found.err(); err != nil {
		return r, err
	}
	if err := env.Read(&r.Common); err != nil {
		return r, err
	}
	if r.admin, err = listen(r.Host, r.AdminPort); err != nil {
		return r, err
	}
	r.log = telemetry.NewLogger(os.Stdout, group.name(), r.LogFormat, r.LogLevel)
	r.registry = telemetry.NewRegistry(group.name())
	return r, nil
}

// environment returns the variables of one target. If targets share the process, each without Edge has its own ports.
func (g Group) environment(env Environment, target Target) Environment {
	if !g.several() {
		return env.withDatabases(target.Name)
	}
	shared := maps.Clone(env)
	if !target.Edge {
		shared["HOST"] = "127.0.0.1"
		shared["PORT"] = strconv.Itoa(publicPorts + target.Place)
		shared["INTERNAL_PORT"] = strconv.Itoa(InternalPorts + target.Place)
	}
	return shared.For(target.Name).withDatabases(target.Name)
}

// In a shared process, targets without Edge listen on these ports + Place. The operator's program uses InternalPorts.
const (
	publicPorts   = 8100
	InternalPorts = 8200
)

func (r *running) addresses() Environment {
	at := Environment{}
	for _, p := range r.processes {
		name := strings.ToUpper(p.Name)
		if p.public != nil {
			at["UPSTREAM_"+name] = "http://" + p.public.Addr().String()
		}
		if p.internal != nil {
			at[name+"_URL"] = "http://" + p.internal.Addr().String()
		}
	}
	return at
}

func (r *running) configure(p *Process, env Environment) (err error) {
	if p.starting, err = p.target.Configure(env); err != nil {
		return err
	}
	if !p.target.service() {
		return env.Read(&p.Config.Common)
	}
	if err := env.Read(&p.Config); err != nil {
		return err
	}
	if p.Config.RedisURL == "" {
		if !r.group.Whole {
			return wrongSetting{"REDIS_URL", errNotSet}
		}
		r.share(p.Config)
	}
	if !p.Config.ServicePublicKeys.Has(p.Name, p.Config.ServiceKey) {
		return fmt.Errorf("SERVICE_PUBLIC_KEYS does not have the public key of %s for its SERVICE_KEY", p.Name)
	}
	return nil
}

// share creates the bus and the counters of limits that the services of a process share if there is no Redis.
func (r *running) share(config Config) {
	if r.local == nil {
		r.local = new(bus.Local)
	}
	if r.limiter == nil && bool(config.Limits) {
		r.limiter = limit.New(nil, product)
	}
}

// trace installs the tracer of the services, if there are any.
func (r *running) trace(ctx context.Context) error {
	if !slices.ContainsFunc(r.group.Targets, Target.service) {
		return nil
	}
	tracing, err := telemetry.StartTracing(ctx, r.group.name())
	if err != nil {
		return fmt.Errorf("set up tracing: %w", err)
	}
	r.traces = append(r.traces, tracing)
	return nil
}

// open opens and starts all targets in parallel. If one fails to start, open returns its error and stops the others.
func (r *running) open(ctx context.Context) error {
	starting, cancel := context.WithCancelCause(ctx)
	r.release = cancel // what a target starts can use the context as long as the target runs
	var all sync.WaitGroup
	for _, p := range r.processes {
		all.Go(func() {
			if err := r.start(starting, p); err != nil {
				cancel(r.named(p, err))
			}
		})
	}
	all.Wait()
	return context.Cause(starting)
}

func (r *running) start(ctx context.Context, p *Process) error {
	p.Log = telemetry.NewLogger(os.Stdout, p.Name, r.LogFormat, r.LogLevel)
	p.metrics = prometheus.NewRegistry()
	p.Registry = r.registerer(p.metrics, p)
	if p.target.service() {
		if err := r.openService(ctx, p); err != nil {
			return err
		}
	}
	return p.starting(ctx, p)
}

func (r *running) named(p *Process, err error) error {
	if r.group.several() {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	return err
}

func (r *running) close(ctx context.Context) {
	if r.release != nil {
		r.release(nil)
	}
	for _, p := range r.processes {
		p.close()
		r.traces = append(r.traces, p.traces...)
	}
	for _, tracing := range r.traces {
		tracing.Shutdown(ctx)
	}
	r.unbind()
}
