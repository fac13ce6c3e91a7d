package stack

import "context"

// Alone is one service with its PostgreSQL and Redis, for measurements.
type Alone struct {
	Postgres string // URL of the superuser
	Process  *Child

	stack *Stack
}

// StartAlone builds and starts one service with durable PostgreSQL settings, as in production. options names the
// repository, the data folder and the service's port. It returns Advice if the user can fix the cause.
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
		return options.buildGo(ctx, options.binFolder(), nil, []string{servicePackage(service)})
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

// URL returns the site address that the service is configured with.
func (a *Alone) URL() string { return a.stack.options.url() }

// Redis returns the address of its Redis.
func (a *Alone) Redis() string { return a.stack.base.Redis }

// Database returns the superuser's URL of the service's database.
func (a *Alone) Database(service string) (string, error) { return a.stack.Database(service) }

// RunBeside starts another program and returns when address answers. Stop also stops that program.
func (a *Alone) RunBeside(ctx context.Context, spec Spec, address string) (*Child, error) {
	child, err := a.stack.run(programs, spec)
	if err != nil {
		return nil, err
	}
	return child, await(ctx, readyWithin, func(ctx context.Context) error { return get(ctx, address) })
}

// Stop stops all processes. The data is kept.
func (a *Alone) Stop() { a.stack.Stop() }
