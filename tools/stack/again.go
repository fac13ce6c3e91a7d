package stack

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
)

// StopServices ends the five services, and what stands beside them as a second replica. Servers, web and gateway go on.
func (s *Stack) StopServices() {
	s.mu.Lock()
	all := s.children[programs]
	s.children[programs] = slices.DeleteFunc(slices.Clone(all), func(c *Child) bool { return c.Name() != "web" })
	s.mu.Unlock()
	var waiting sync.WaitGroup
	for _, child := range all {
		if child.Name() != "web" {
			waiting.Go(func() { child.stop(programsGrace) })
		}
	}
	waiting.Wait()
	s.listProcesses()
	s.holdPorts()
}

// holdPorts keeps the services' ports from others until StartServices.
func (s *Stack) holdPorts() {
	for _, service := range Services {
		ports := s.ports[service]
		for _, port := range []int{ports.public, ports.internal, ports.admin} {
			if listener, err := net.Listen("tcp", address(port)); err == nil { // else somebody else has it, and the start will say so
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

// StartServices starts the five services again on their ports, each with further settings of its own (NAME=value), and waits until they are ready.
func (s *Stack) StartServices(ctx context.Context, settings map[string][]string) error {
	var specs []Spec
	for _, service := range Services {
		spec, err := s.serviceSpec(service, s.ports[service], s.programs)
		if err != nil {
			return err
		}
		spec.Env = append(spec.Env, settings[service]...)
		specs = append(specs, spec)
	}
	s.releasePorts()
	return s.runAll(ctx, programs, specs)
}

// StartReplica starts a service once more, beside the one that the gateway knows, and waits until it is ready.
func (s *Stack) StartReplica(ctx context.Context, service string, settings ...string) error {
	ports, err := FreePorts(3)
	if err != nil {
		return err
	}
	spec, err := s.serviceSpec(service, programPorts{ports[0], ports[1], ports[2]}, s.programs)
	if err != nil {
		return err
	}
	spec.Name += "-2"
	spec.Env = append(spec.Env, settings...)
	return s.runAll(ctx, programs, []Spec{spec})
}

// SaveDatabases copies the databases of all services inside the server, under a name. The services must not run.
func (s *Stack) SaveDatabases(ctx context.Context, name string) error {
	return s.eachDatabase(ctx, func(connection *pgx.Conn, database string) error {
		return copyDatabase(ctx, connection, database, name+"_"+database)
	})
}

// RestoreDatabases puts a copy in the place of the services' databases. The services must not run.
func (s *Stack) RestoreDatabases(ctx context.Context, name string) error {
	err := s.eachDatabase(ctx, func(connection *pgx.Conn, database string) error {
		return copyDatabase(ctx, connection, name+"_"+database, database)
	})
	if err != nil {
		return err
	}
	// A copy has its owner's rights within, but not those on the database itself.
	connection, err := pgx.Connect(ctx, s.base.Postgres)
	if err != nil {
		return fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	defer func() { _ = connection.Close(context.WithoutCancel(ctx)) }()
	for _, service := range Services {
		if err := makeDatabase(ctx, connection, service, s.secrets.Databases[service]); err != nil {
			return fmt.Errorf("database of %s: %w", service, err)
		}
	}
	return nil
}

func (s *Stack) eachDatabase(ctx context.Context, do func(*pgx.Conn, string) error) error {
	connection, err := pgx.Connect(ctx, s.base.Postgres)
	if err != nil {
		return fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	defer func() { _ = connection.Close(context.WithoutCancel(ctx)) }()
	var errs []error
	for _, service := range Services {
		if err := do(connection, "baari_"+service); err != nil {
			errs = append(errs, fmt.Errorf("database of %s: %w", service, err))
		}
	}
	return errors.Join(errs...)
}

// copyDatabase makes to anew as a copy of from, with its owner. Nobody may be connected to from.
func copyDatabase(ctx context.Context, connection *pgx.Conn, from, to string) error {
	var owner string
	if err := connection.QueryRow(ctx, `SELECT datdba::regrole::text FROM pg_database WHERE datname = $1`, from).Scan(&owner); err != nil {
		return err
	}
	quote := func(name string) string { return pgx.Identifier{name}.Sanitize() }
	for _, statement := range []string{
		"DROP DATABASE IF EXISTS " + quote(to) + " WITH (FORCE)",
		"CREATE DATABASE " + quote(to) + " TEMPLATE " + quote(from) + " OWNER " + owner,
	} {
		if _, err := connection.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
