package process

import (
	"context"
	"fmt"
	"os"

	"baari.dev/services/platform/postgres"
)

// Target is a part of the product that a process runs: a service, the gateway, or the web server.
type Target struct {
	Name       string
	Migrations []postgres.Set // nil: a target with no database, internal listener or events
	// Configure reads and checks the target's variables. It opens nothing.
	Configure func(Environment) (Start, error)
	// GCPercent replaces the garbage collector's default if the target runs alone and GOGC is not set; 0: no change.
	GCPercent int
	// Edge is set for the target that listens on HOST and PORT even if it shares the process.
	Edge bool
	// Place is the target's number, from 1. In a shared process the target listens on port 8100 + Place of 127.0.0.1,
	// and a service also on 8200 + Place, for other services.
	Place int
}

// service reports whether the target has a database and an internal listener.
func (t Target) service() bool { return t.Migrations != nil }

// Start builds a configured target: it adds routes, background work and checks to the process.
type Start func(context.Context, *Process) error

// Configured returns a Configure function. It reads settings of type C and returns a Start that calls start with them.
func Configured[C any](start func(C, context.Context, *Process) error) func(Environment) (Start, error) {
	return func(env Environment) (Start, error) {
		var c C
		if err := env.Read(&c); err != nil {
			return nil, err
		}
		return func(ctx context.Context, p *Process) error { return start(c, ctx, p) }, nil
	}
}

// Group is the targets of one process.
type Group struct {
	Targets []Target
	// Whole is set if all services of the product are among the targets. Then REDIS_URL may be unset.
	Whole bool
}

func (g Group) several() bool { return len(g.Targets) > 1 }

// product is the name of a process with several targets in logs, traces and metrics.
const product = "baari"

func (g Group) name() string {
	if g.several() {
		return product
	}
	return g.Targets[0].Name
}

// Fail prints err and ends the program with status 1. It is for errors before there is a logger, such as those of
// Environment.Read.
func Fail(name string, err error) {
	fmt.Fprintf(os.Stderr, "%s cannot start: %v\n", name, err)
	os.Exit(1)
}
