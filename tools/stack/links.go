package stack

import (
	"context"
	"fmt"
	"net/url"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// Link returns the address at which one program should reach another, for example a test's proxy. from and to are the
// programs' names in processes.json; address is the real address, as host:port.
type Link func(from, to, address string) (string, error)

// setLinked sets a variable to the URL at which one program (from) reaches another (to). If the options have a Link,
// the address that the Link returns replaces the one in the URL.
func (o Options) setLinked(env *environment, variable, from, to, at string) error {
	if o.Link != nil {
		parsed, err := url.Parse(at)
		if err != nil {
			return fmt.Errorf("the address of %s: %w", to, err)
		}
		if parsed.Host, err = o.Link(from, to, parsed.Host); err != nil {
			return fmt.Errorf("link %s to %s: %w", from, to, err)
		}
		at = parsed.String()
	}
	env.set(variable, at)
	return nil
}

// Signal sends a signal to a running program and returns its process id. A program that exits is started again.
func (s *Stack) Signal(name string, signal syscall.Signal) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, children := range s.children {
		for _, child := range children {
			if child.Name() == name {
				return child.signal(signal)
			}
		}
	}
	return 0, fmt.Errorf("program %s is not running", name)
}

// Restarts returns the number of restarts of each program.
func (s *Stack) Restarts() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	counts := map[string]int{}
	for _, children := range s.children {
		for _, child := range children {
			counts[child.Name()] = child.Restarts()
		}
	}
	return counts
}

// Database returns the URL of a service's database for the administrator.
func (s *Stack) Database(service string) string { return s.base.databases[service].Admin }

// WithDatabase connects to a service's database as the administrator and calls f.
func (s *Stack) WithDatabase(ctx context.Context, service string, f func(*pgx.Conn) error) error {
	if err := WithConnection(ctx, s.Database(service), f); err != nil {
		return fmt.Errorf("database of %s: %w", service, err)
	}
	return nil
}

// Postgres returns the URL of PostgreSQL for the administrator.
func (s *Stack) Postgres() string { return s.base.Postgres }

// Redis returns the address of the Redis in use.
func (s *Stack) Redis() string { return s.base.Redis }
