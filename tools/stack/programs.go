package stack

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// readyWithin is long enough for a busy laptop; a program that cannot start says so much earlier.
const readyWithin = time.Minute

// programPorts are the three listeners of a program.
type programPorts struct{ public, internal, admin int }

// startPrograms starts the services and the web server, then the gateway, and waits until all are ready.
func (s *Stack) startPrograms(ctx context.Context, base dependencies, built builds) error {
	ports, err := FreePorts(3*len(Services) + 4)
	if err != nil {
		return err
	}
	for i, service := range Services {
		s.ports[service] = programPorts{ports[3*i], ports[3*i+1], ports[3*i+2]}
	}
	rest := ports[3*len(Services):]
	s.ports["web"] = programPorts{public: rest[0], admin: rest[1]}
	s.ports["gateway"] = programPorts{public: s.options.Port, internal: rest[2], admin: rest[3]}

	specs := make([]Spec, 0, len(Services)+1)
	for _, service := range Services {
		specs = append(specs, s.serviceSpec(service, base, built))
	}
	specs = append(specs, s.webSpec(built))
	if err := s.runAll(ctx, programs, specs); err != nil {
		return err
	}
	gateway, err := s.gatewaySpec(ctx, built)
	if err != nil {
		return err
	}
	return s.runAll(ctx, edge, []Spec{gateway})
}

// runAll starts programs side by side and waits until each is ready.
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

func (s *Stack) serviceSpec(service string, base dependencies, built builds) Spec {
	ports := s.ports[service]
	env := s.commonEnv(ports)
	env.set("INTERNAL_PORT", strconv.Itoa(ports.internal))
	env.set("DATABASE_URL", base.databases[service].App)
	env.set("MIGRATE_DATABASE_URL", base.databases[service].Owner)
	env.set("REDIS_URL", base.redis)
	for _, other := range Services {
		env.set(strings.ToUpper(other)+"_URL", httpAddress(s.ports[other].internal))
	}
	env.set("SERVICE_SECRET", s.secrets.Service)
	env.set("TRUSTED_ORIGINS", strings.Join(s.origins(), ","))
	env.set("TRUSTED_PROXIES", "127.0.0.0/8")
	env.set("SMTP_URL", "smtp://"+s.mail.SMTP())
	env.suggest("MAIL_FROM", "Baari <no-reply@baari.example>")
	env.suggest("REGISTRATION", "open")
	switch service {
	case "auth":
		env.set("AUTH_SECRET", s.secrets.Auth)
		admin := demoAccounts[0]
		env.set("BOOTSTRAP_ADMIN_EMAIL", admin.Email)
		env.set("BOOTSTRAP_ADMIN_PASSWORD", s.secrets.Accounts[admin.Email])
	case "visits":
		env.set("DEMO", "1") // opens the import for --seed
	case "audit":
		env.set("AUDIT_KEY", s.secrets.Audit)
	}
	return Spec{
		Name: service, Path: filepath.Join(built.bin, service), Env: env,
		Port: ports.public, InternalPort: ports.internal, AdminPort: ports.admin,
	}
}

func (s *Stack) webSpec(built builds) Spec {
	ports := s.ports["web"]
	env := s.commonEnv(ports)
	env.set("WEB_ROOT", built.web)
	return Spec{Name: "web", Path: filepath.Join(built.bin, "web"), Env: env, Port: ports.public, AdminPort: ports.admin}
}

// commonEnv is what every program is told. A setting of the person's own environment stands where the launcher does not need its own.
func (s *Stack) commonEnv(ports programPorts) environment {
	env := environment(os.Environ())
	env.set("HOST", loopback)
	env.set("PORT", strconv.Itoa(ports.public))
	env.set("ADMIN_PORT", strconv.Itoa(ports.admin))
	env.set("BASE_URL", s.URL())
	env.set("SHUTDOWN_DELAY", "0s")
	env.set("DRAIN_TIMEOUT", "2s") // within the graces of a stop
	env.set("LIMITS", map[bool]string{true: "off", false: "on"}[s.options.NoLimits])
	env.suggest("OFFICE_FILE", filepath.Join(s.options.Root, "services", "directory", "office.json"))
	env.suggest("LOG_FORMAT", "text")
	return env
}

// origins are the addresses under which a browser may open the gateway.
func (s *Stack) origins() []string {
	return []string{s.URL(), fmt.Sprintf("http://%s:%d", loopback, s.options.Port)}
}

// URL is where to open Baari.
func (s *Stack) URL() string { return fmt.Sprintf("http://localhost:%d", s.options.Port) }

// Mail is the address of the local mail box.
func (s *Stack) Mail() string { return s.mail.URL() }

// Folder is the data folder.
func (s *Stack) Folder() *Folder { return s.folder }

// Internal is the address of a service's second listener, which only services use.
func (s *Stack) Internal(service string) string { return httpAddress(s.ports[service].internal) }

// ServiceSecret signs the tokens with which services call each other.
func (s *Stack) ServiceSecret() string { return s.secrets.Service }

// environment is a list of NAME=value as programs get it; of two settings of one name the last counts.
type environment []string

func (e *environment) set(name, value string) { *e = append(*e, name+"="+value) }

// suggest sets a value unless the person has set one.
func (e *environment) suggest(name, value string) {
	if os.Getenv(name) == "" {
		e.set(name, value)
	}
}
