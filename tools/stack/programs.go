package stack

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// readyWithin is long enough even on a busy laptop. A program that cannot start exits much earlier.
const readyWithin = time.Minute

type programPorts struct{ public, internal, admin int }

// startPrograms starts all targets in one process. With Separate it starts the services and the web server, then the
// gateway, each in a process of its own. It waits until all are ready.
func (s *Stack) startPrograms(ctx context.Context, built builds) error {
	ports, err := FreePorts(3*len(Services) + 5)
	if err != nil {
		return err
	}
	for i, service := range Services {
		s.ports[service] = programPorts{ports[3*i], ports[3*i+1], ports[3*i+2]}
	}
	rest := ports[3*len(Services):]
	s.ports["web"] = programPorts{public: rest[0], admin: rest[1]}
	s.options.Port = cmp.Or(s.options.Port, rest[4])
	s.ports["gateway"] = programPorts{public: s.options.Port, internal: rest[2], admin: rest[3]}

	if !s.options.Separate {
		return s.runAll(ctx, programs, []Spec{s.productSpec(built)})
	}
	specs := make([]Spec, 0, len(Services)+1)
	for _, service := range Services {
		spec, err := s.serviceSpec(service, s.ports[service], built)
		if err != nil {
			return err
		}
		specs = append(specs, spec)
	}
	web, err := s.webSpec(built)
	if err != nil {
		return err
	}
	specs = append(specs, web)
	if err := s.runAll(ctx, programs, specs); err != nil {
		return err
	}
	gateway, err := s.gatewaySpec(ctx, built)
	if err != nil {
		return err
	}
	return s.runAll(ctx, edge, []Spec{gateway})
}

// Product is the name of the program, and of the process that runs all targets.
const Product = "baarid"

func targetSpec(name string, built builds, ports programPorts, env environment) Spec {
	return Spec{
		Name: name, Path: filepath.Join(built.bin, Product), Args: []string{"--target=" + name}, Env: env,
		Port: ports.public, InternalPort: ports.internal, AdminPort: ports.admin,
	}
}

// productSpec returns how to run all targets in one process.
func (s *Stack) productSpec(built builds) Spec {
	edge, env := s.ports["gateway"], s.options.sharedEnv(s.secrets)
	env.listen(edge)
	env.set("SMTP_URL", "smtp://"+s.mail.SMTP())
	env.setFor("web", "WEB_ROOT="+built.web)
	spec := Spec{Name: Product, Path: filepath.Join(built.bin, Product), Port: edge.public, AdminPort: edge.admin}
	for _, target := range append(slices.Clone(Services), "web") {
		ports := s.ports[target]
		for _, setting := range ownEnv(target, s.base, s.secrets) {
			env.setFor(target, setting)
		}
		env.setFor(target, "HOST="+loopback)
		env.setFor(target, "PORT="+strconv.Itoa(ports.public))
		env.setFor(target, "INTERNAL_PORT="+strconv.Itoa(ports.internal))
		spec.Targets = append(spec.Targets, Process{Name: target, Port: ports.public, InternalPort: ports.internal})
	}
	spec.Targets = append(spec.Targets, Process{Name: "gateway", Port: edge.public})
	spec.Env = env
	return spec
}

// runAll starts programs in parallel and waits until each is ready.
func (s *Stack) runAll(ctx context.Context, at level, specs []Spec) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, spec := range specs {
		child, err := s.run(at, spec)
		if err != nil {
			return err
		}
		group.Go(func() error { return awaitReady(ctx, child, readyWithin) })
	}
	return group.Wait()
}

func (s *Stack) serviceSpec(service string, ports programPorts, built builds) (Spec, error) {
	env := s.options.serviceEnv(service, s.base, s.secrets)
	env.listen(ports)
	env.set("INTERNAL_PORT", strconv.Itoa(ports.internal))
	type other struct{ variable, name, at string }
	others := []other{
		{"DATABASE_URL", "postgres", s.base.databases[service].App},
		{"MIGRATE_DATABASE_URL", "postgres", s.base.databases[service].Owner},
		{"REDIS_URL", "redis", s.redisFor(service)},
	}
	for _, name := range Services {
		others = append(others, other{strings.ToUpper(name) + "_URL", name, s.Internal(name)})
	}
	for _, to := range others {
		if err := s.options.setLinked(&env, to.variable, service, to.name, to.at); err != nil {
			return Spec{}, err
		}
	}
	env.set("SMTP_URL", "smtp://"+s.mail.SMTP())
	return targetSpec(service, built, ports, env), nil
}

func (s *Stack) webSpec(built builds) (Spec, error) {
	ports := s.ports["web"]
	env := s.options.commonEnv()
	env.listen(ports)
	env.set("WEB_ROOT", built.web)
	at := s.Public("directory") + "/api/office"
	if err := s.options.setLinked(&env, "OFFICE_URL", "web", "directory", at); err != nil {
		return Spec{}, err
	}
	return targetSpec("web", built, ports, env), nil
}

// Options returns the options of the system, with its port.
func (s *Stack) Options() Options { return s.options }

// URL returns the address of the site.
func (s *Stack) URL() string { return s.options.url() }

// Mail returns the address of the local mailbox.
func (s *Stack) Mail() string { return s.mail.URL() }

// Folder returns the data folder.
func (s *Stack) Folder() *Folder { return s.folder }

// Internal returns the address of a service's internal listener, which only services and the operator call.
func (s *Stack) Internal(service string) string { return httpAddress(s.ports[service].internal) }

// Public returns the address of a service's public listener, to which the gateway forwards requests.
func (s *Stack) Public(service string) string { return httpAddress(s.ports[service].public) }

// Roles returns the database URLs of a service.
func (s *Stack) Roles(service string) DatabaseURLs { return s.base.databases[service] }

// Signing returns what a service, or the operator, signs and verifies with: SERVICE_KEY, SERVICE_PUBLIC_KEYS, and the
// secret that the previous release's services share, or "". Package operator decodes them.
func (s *Stack) Signing(name string) (key, public, shared string) {
	return s.secrets.Keys[name], s.secrets.publicKeys(), s.secrets.Service
}

// OperatorKey returns the operator's private key in the form of SERVICE_KEY.
func (s *Stack) OperatorKey() string { return s.secrets.Keys[operator] }
