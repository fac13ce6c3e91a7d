package stack

import "context"

// Alone is one service with its PostgreSQL and Redis and nothing beside it, for measurements.
type Alone struct {
	Postgres string // address of a user who may do everything
	Process  *Child

	stack *Stack
}

// StartAlone builds a service and starts it by itself, durable as in production; options name the repository, the data
// folder and the port of the service. It returns Advice where a person can mend the cause.
func StartAlone(ctx context.Context, options Options, service string) (*Alone, error) {
	s, err := open(options)
	if err != nil {
		return nil, err
	}
	alone := &Alone{stack: s}
	if err := alone.start(ctx, service); err != nil {
		s.Stop()
		return nil, explain(err, s.folder.Path())
	}
	return alone, nil
}

func (a *Alone) start(ctx context.Context, service string) error {
	s, options := a.stack, a.stack.options
	var err error
	if s.base, err = s.startDependencies(ctx); err != nil {
		return err
	}
	built := builds{bin: options.binFolder()}
	err = s.progress.Step("building the program", func() error {
		return buildGo(ctx, options, []string{servicePackage(service)})
	})
	if err != nil {
		return err
	}
	ports, err := FreePorts(2)
	if err != nil {
		return err
	}
	s.ports[service] = programPorts{public: options.Port, internal: ports[0], admin: ports[1]}
	if err := s.startMail(); err != nil {
		return err
	}
	spec, err := s.serviceSpec(service, s.ports[service], built)
	if err != nil {
		return err
	}
	a.Postgres = s.base.Postgres
	if a.Process, err = s.run(programs, spec); err != nil {
		return err
	}
	return awaitReady(ctx, a.Process, readyWithin)
}

// URL is the address that the service believes to be the site's.
func (a *Alone) URL() string { return a.stack.options.url() }

// Redis is the address of its Redis.
func (a *Alone) Redis() string { return a.stack.base.Redis }

// Database is the address of the service's database, for a user who may do everything.
func (a *Alone) Database(service string) (string, error) { return a.stack.Database(service) }

// RunBeside starts another program, which is stopped with the service, and returns when address answers.
func (a *Alone) RunBeside(ctx context.Context, spec Spec, address string) (*Child, error) {
	child, err := a.stack.run(programs, spec)
	if err != nil {
		return nil, err
	}
	return child, await(ctx, readyWithin, func(ctx context.Context) error { return get(ctx, address) })
}

// Stop ends all of it. The data stays.
func (a *Alone) Stop() { a.stack.Stop() }
