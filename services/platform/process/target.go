package process

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/telemetry"
)

// Target is a service of the product as a process runs it.
type Target struct {
	Name       string
	Migrations []postgres.Set
	// Configure reads and checks the target's variables. It opens nothing.
	Configure func(Environment) (Start, error)
	// GCPercent replaces the garbage collector's default of 100 where GOGC is not set; 0 leaves it.
	GCPercent int
}

// Start builds a configured target: it adds routes, background work and checks to the process.
type Start func(context.Context, *Process) error

// Configured returns the Configure function of a target whose settings are a C, and which starts with them.
func Configured[C any](start func(C, context.Context, *Process) error) func(Environment) (Start, error) {
	return func(env Environment) (Start, error) {
		var c C
		if err := env.Read(&c); err != nil {
			return nil, err
		}
		return func(ctx context.Context, p *Process) error { return start(c, ctx, p) }, nil
	}
}

// Main is the program of a target. `NAME migrate` applies the target's migrations and ends. Without arguments the
// target runs until SIGTERM or SIGINT, and Main returns after a graceful shutdown. If the target cannot start or fails,
// Main ends the program with status 1.
func Main(target Target) {
	if slices.Equal(os.Args[1:], []string{"migrate"}) {
		migrateAndEnd(target)
		return
	}
	if target.GCPercent > 0 && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(target.GCPercent)
	}
	env := OSEnvironment()
	start, err := target.Configure(env)
	var config Config
	if err == nil {
		err = env.Read(&config)
	}
	if err != nil {
		Fail(target.Name, err)
	}
	log := telemetry.NewLogger(os.Stdout, target.Name, config.LogFormat, config.LogLevel)
	slog.SetDefault(log)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err = run(ctx, target, config, log, start)
	stop()
	if err != nil {
		log.Error("stopped", "cause", err)
		os.Exit(1)
	}
	log.Info("graceful shutdown complete")
}

// Fail prints err and ends the program with status 1. It is for errors before there is a logger, such as those of
// Environment.Read.
func Fail(name string, err error) {
	fmt.Fprintf(os.Stderr, "%s cannot start: %v\n", name, err)
	os.Exit(1)
}
