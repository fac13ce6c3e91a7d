// Package bench measures Baari against common alternatives, both in the same run and under the same load. Each
// benchmark is one exported function that returns a Report; start reading at Report and at the function of the
// benchmark. tools/measure/load/README.md describes what each of them measures.
package bench

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"baari.dev/tools/sample/client"
	"baari.dev/tools/stack"
)

// system is a running system with a signed-in user of each role.
type system struct {
	*stack.Stack
	users   map[string]*client.Client // by role
	service string                    // ID of an offered service
	host    string                    // of the gateway
}

// startSystem starts all services without rate limits on a free port and signs a user of each role in. It returns
// Advice if the user can fix the cause of an error.
func startSystem(ctx context.Context, options stack.Options, gateway stack.Gateway) (*system, error) {
	s, err := startPrograms(ctx, options, gateway)
	if err != nil {
		return nil, err
	}
	if err := s.signIn(ctx); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// startPrograms starts a system without signing in.
func startPrograms(ctx context.Context, options stack.Options, gateway stack.Gateway) (*system, error) {
	options.NoLimits, options.Gateway = true, gateway
	started, err := stack.Start(ctx, options)
	if err != nil {
		return nil, err
	}
	return &system{Stack: started, users: map[string]*client.Client{}, host: hostOf(started, "gateway")}, nil
}

// hostOf returns the public listener of a program.
func hostOf(s *stack.Stack, program string) string {
	return strings.TrimPrefix(s.Public(program), "http://")
}

func (s *system) signIn(ctx context.Context) error {
	for _, account := range s.Accounts() {
		if s.users[account.Role] != nil {
			continue
		}
		user := &client.Client{Base: s.URL()}
		if err := user.SignIn(ctx, account.Email, account.Password); err != nil {
			return err
		}
		s.users[account.Role] = user
	}
	var offered struct{ Services []struct{ ID string } }
	if err := s.users["admin"].Call(ctx, http.MethodGet, "/api/services", nil, &offered); err != nil {
		return err
	}
	s.service = offered.Services[0].ID
	return nil
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
	return target{host: hostOf(s.Stack, service), token: s.users[role].Token()}
}

// visitor is the body of a registration.
func (s *system) visitor() map[string]string { return visitorFor(s.service) }

func visitorFor(service string) map[string]string {
	return map[string]string{"name": "A Visitor", "phone": "9800000000", "service_id": service}
}
