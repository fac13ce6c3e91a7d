package stack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
)

// Variant changes how services run.
type Variant struct {
	Programs map[string]string // paths of replacement programs, by service
	Env      []string          // additional settings of every service, each NAME=value
}

// StopServices stops the named services, or all, and their second replicas. PostgreSQL, Redis, web and gateway run on.
func (s *Stack) StopServices(names ...string) {
	stops := func(c *Child) bool {
		if len(names) == 0 {
			return c.Name() != "web"
		}
		return slices.Contains(names, strings.TrimSuffix(c.Name(), replicaSuffix))
	}
	s.mu.Lock()
	all := s.children[programs]
	s.children[programs] = slices.DeleteFunc(slices.Clone(all), stops)
	s.mu.Unlock()
	var waiting sync.WaitGroup
	for _, child := range all {
		if stops(child) {
			waiting.Go(func() { child.stop(programsGrace) })
		}
	}
	waiting.Wait()
	s.listProcesses()
	s.holdPorts(orAll(names))
}

// replicaSuffix is the end of the name of a service's second process.
const replicaSuffix = "-2"

func orAll(names []string) []string {
	if len(names) == 0 {
		return Services
	}
	return names
}

// holdPorts occupies the ports of services, so that no other program takes them before StartServices.
func (s *Stack) holdPorts(names []string) {
	for _, service := range names {
		ports := s.ports[service]
		for _, port := range []int{ports.public, ports.internal, ports.admin} {
			// If another program already has the port, StartServices returns the error.
			if listener, err := net.Listen("tcp", address(port)); err == nil {
				s.held = append(s.held, listener)
			}
		}
	}
}

func (s *Stack) releasePorts() {
	for _, listener := range s.held {
		_ = listener.Close()
	}
	s.held = nil
}

// StartServices starts the named services, or all of them, on their previous ports and waits until they are ready.
func (s *Stack) StartServices(ctx context.Context, variant Variant, names ...string) error {
	var specs []Spec
	for _, service := range orAll(names) {
		spec, err := s.variantSpec(service, s.ports[service], variant)
		if err != nil {
			return err
		}
		specs = append(specs, spec)
	}
	s.releasePorts()
	return s.runAll(ctx, programs, specs)
}

// StartReplica starts a second process of a service and waits until it is ready. The gateway sends it no requests.
func (s *Stack) StartReplica(ctx context.Context, service string, variant Variant) error {
	ports, err := FreePorts(3)
	if err != nil {
		return err
	}
	spec, err := s.variantSpec(service, programPorts{ports[0], ports[1], ports[2]}, variant)
	if err != nil {
		return err
	}
	spec.Name += replicaSuffix
	return s.runAll(ctx, programs, []Spec{spec})
}

func (s *Stack) variantSpec(service string, ports programPorts, variant Variant) (Spec, error) {
	spec, err := s.serviceSpec(service, ports, s.programs)
	spec.Path = cmp.Or(variant.Programs[service], spec.Path)
	spec.Env = append(spec.Env, variant.Env...)
	return spec, err
}

// SaveDatabases copies the databases of the named services, or of all, inside the server. The names of the copies begin
// with the given name. The services must be stopped.
func (s *Stack) SaveDatabases(ctx context.Context, name string, services ...string) error {
	return s.eachDatabase(ctx, services, func(connection *pgx.Conn, service string) error {
		return copyDatabase(ctx, connection, "baari_"+service, name+"_baari_"+service)
	})
}

// RestoreDatabases replaces the databases of the named services, or of all, by the copies that SaveDatabases has made
// under this name. The services must be stopped.
func (s *Stack) RestoreDatabases(ctx context.Context, name string, services ...string) error {
	return s.eachDatabase(ctx, services, func(connection *pgx.Conn, service string) error {
		if err := copyDatabase(ctx, connection, name+"_baari_"+service, "baari_"+service); err != nil {
			return err
		}
		// CREATE DATABASE ... TEMPLATE copies privileges inside the database, but not those on the database itself.
		return makeDatabase(ctx, connection, service, s.secrets.Databases[service])
	})
}

func (s *Stack) eachDatabase(ctx context.Context, services []string, do func(*pgx.Conn, string) error) error {
	return WithConnection(ctx, s.base.Postgres, func(connection *pgx.Conn) error {
		var errs []error
		for _, service := range orAll(services) {
			if err := do(connection, service); err != nil {
				errs = append(errs, fmt.Errorf("database of %s: %w", service, err))
			}
		}
		return errors.Join(errs...)
	})
}

// copyDatabase creates a copy of a database, with the same owner. No client may be connected to the original.
func copyDatabase(ctx context.Context, connection *pgx.Conn, from, to string) error {
	var owner string
	if err := connection.QueryRow(
		ctx, `SELECT datdba::regrole::text FROM pg_database WHERE datname = $1`, from,
	).Scan(&owner); err != nil {
		return err
	}
	quote := func(name string) string { return pgx.Identifier{name}.Sanitize() }
	for _, statement := range []string{
		"DROP DATABASE IF EXISTS " + quote(to) + " WITH (FORCE)",
		"CREATE DATABASE " + quote(to) + " TEMPLATE " + quote(from) + " OWNER " + owner,
		// A server logs 32 values of a sequence ahead. A copied sequence counts as logged, although the log has no
		// entry of it. Without a checkpoint, the copied sequence would return these values again after a crash.
		"CHECKPOINT",
	} {
		if _, err := connection.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
