package stack

import (
	"fmt"
	"net/url"
	"syscall"
)

// Link names the address at which one program reaches another. A test may answer with the address of something that stands between them;
// from and to are names as processes.json has them, address is host:port.
type Link func(from, to, address string) (string, error)

// through replaces the host of an address by the one that the link names. Without a link it is the address itself.
func (o Options) through(from, to, at string) (string, error) {
	if o.Link == nil {
		return at, nil
	}
	parsed, err := url.Parse(at)
	if err != nil {
		return "", fmt.Errorf("the address of %s: %w", to, err)
	}
	if parsed.Host, err = o.Link(from, to, parsed.Host); err != nil {
		return "", fmt.Errorf("link %s to %s: %w", from, to, err)
	}
	return parsed.String(), nil
}

// setLinked sets a variable to an address as the program reaches it.
func (o Options) setLinked(env *environment, variable, from, to, at string) error {
	linked, err := o.through(from, to, at)
	if err != nil {
		return err
	}
	env.set(variable, linked)
	return nil
}

// Signal sends a signal to a running program by its name; one that ends by it is started again. It returns the process id that got it.
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
	return 0, fmt.Errorf("no program %s runs", name)
}

// Restarts counts how often each program was started again.
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

// Database is the administrator's way into a service's database.
func (s *Stack) Database(service string) (string, error) {
	at, err := url.Parse(s.base.Postgres)
	if err != nil {
		return "", fmt.Errorf("the address of PostgreSQL: %w", err)
	}
	at.Path = "/baari_" + service
	return at.String(), nil
}

// Redis is the address of the Redis in use.
func (s *Stack) Redis() string { return s.base.Redis }
