// Package bench measures Baari against common alternatives, both in the same run and under the same load. Each
// benchmark is one exported function that returns a Report; start reading at Report and at the function of the
// benchmark. tools/measure/load/README.md describes what each of them measures.
package bench

import (
	"context"
	"slices"
	"strings"

	"baari.dev/tools/sample/staff"
	"baari.dev/tools/stack"
)

// system is a running system with a signed-in user of each role.
type system struct {
	*stack.Stack
	*staff.Staff
	host string // of the gateway
}

// startSystem starts all services without rate limits on a free port and signs a user of each role in. It returns
// Advice if the user can fix the cause of an error.
func startSystem(ctx context.Context, options stack.Options, gateway stack.Gateway) (*system, error) {
	s, err := startPrograms(ctx, options, gateway)
	if err != nil {
		return nil, err
	}
	if s.Staff, err = staff.SignIn(ctx, s.URL(), s.Accounts(), nil); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// startPrograms starts a system without signing in.
func startPrograms(ctx context.Context, options stack.Options, gateway stack.Gateway) (*system, error) {
	options.NoLimits, options.Gateway, options.Separate = true, gateway, true
	started, err := stack.Start(ctx, options)
	if err != nil {
		return nil, err
	}
	return &system{Stack: started, host: hostOf(started, "gateway")}, nil
}

// hostOf returns the public listener of a program.
func hostOf(s *stack.Stack, program string) string {
	return strings.TrimPrefix(s.Public(program), "http://")
}

// programs returns gateway and services, without the web server and the databases.
func (s *system) programs() []stack.Process {
	return slices.DeleteFunc(s.Processes(), func(p stack.Process) bool { return p.AdminPort == 0 || p.Name == "web" })
}

// pids returns the process ids of programs.
func (s *system) pids() (all []int) {
	for _, process := range s.programs() {
		all = append(all, process.PID)
	}
	return all
}

// direct returns the public listener of a service, called without the gateway by a user of this role.
func (s *system) direct(service, role string) target {
	return target{host: hostOf(s.Stack, service), token: s.Users[role].Token()}
}
