// Package bench measures a whole system: a day of the queue in k6, and its start. Each benchmark is one exported
// function that returns a Report; start reading at Report and at the function of the benchmark.
// tools/measure/load/README.md describes what each of them measures, and names the Go benchmarks beside the code.
package bench

import (
	"context"
	"slices"

	"baari.dev/tools/sample/staff"
	"baari.dev/tools/stack"
)

// system is a running system with a signed-in user of each role.
type system struct {
	*stack.Stack
	*staff.Staff
}

// startSystem starts all services without rate limits on a free port and signs a user of each role in. It returns
// Advice if the user can fix the cause of an error.
func startSystem(ctx context.Context, options stack.Options, gateway stack.Gateway) (*system, error) {
	options.NoLimits, options.Gateway, options.Separate = true, gateway, true
	started, err := stack.Start(ctx, options)
	if err != nil {
		return nil, err
	}
	people, err := staff.SignIn(ctx, started.URL(), started.Accounts(), nil)
	if err != nil {
		started.Stop()
		return nil, err
	}
	return &system{started, people}, nil
}

// programs returns gateway and services, without the web server and the databases.
func (s *system) programs() []stack.Process {
	return slices.DeleteFunc(s.Processes(), func(p stack.Process) bool { return p.AdminPort == 0 || p.Name == "web" })
}

func (s *system) pids() (all []int) {
	for _, process := range s.programs() {
		all = append(all, process.PID)
	}
	return all
}
