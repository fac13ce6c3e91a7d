package stack

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// environment is a list of NAME=value. If a name occurs several times, the last value applies.
type environment []string

func (e *environment) set(name, value string) { *e = append(*e, name+"="+value) }

// suggest sets a value unless the user's environment has one.
func (e *environment) suggest(name, value string) {
	if os.Getenv(name) == "" {
		e.set(name, value)
	}
}

func (e *environment) listen(ports programPorts) {
	e.set("HOST", loopback)
	e.set("PORT", strconv.Itoa(ports.public))
	e.set("ADMIN_PORT", strconv.Itoa(ports.admin))
}

// commonEnv returns the environment of every program: the user's, except for variables that the launcher itself sets.
func (o Options) commonEnv() environment {
	env := personal()
	env.set("BASE_URL", o.url())
	env.set("SHUTDOWN_DELAY", "0s")
	env.set("DRAIN_TIMEOUT", "2s") // shorter than the time that the launcher allows for a stop
	env.set("LIMITS", map[bool]string{true: "off", false: "on"}[o.NoLimits])
	if o.Spans {
		env.set("OTEL_TRACES_EXPORTER", "console")
	} else if o.Observe > 0 && os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" {
		env.suggest("OTEL_TRACES_EXPORTER", "otlp")
	}
	env.suggest("OFFICE_FILE", filepath.Join(o.Root, "services", "office", "office.json"))
	env.suggest("LOG_FORMAT", "text")
	return append(env, o.Env...)
}

// personal returns the user's environment without the addresses of servers, which only some programs may know.
func personal() environment {
	return slices.DeleteFunc(os.Environ(), func(setting string) bool {
		return strings.HasPrefix(setting, "DATABASE_URL=") || strings.HasPrefix(setting, "REDIS_URL=")
	})
}

// serviceEnv returns the environment of a service, with databases, secrets and settings, but without listeners.
func (o Options) serviceEnv(service string, base dependencies, secrets Secrets) environment {
	return append(o.sharedEnv(secrets), ownEnv(service, base, secrets)...)
}

func (o Options) sharedEnv(secrets Secrets) environment {
	env := o.commonEnv()
	env.set("SERVICE_PUBLIC_KEYS", secrets.publicKeys())
	env.set("SERVICE_SECRET", secrets.Service)
	env.set("TRUSTED_ORIGINS", strings.Join([]string{o.url(), "http://" + address(o.Port)}, ","))
	env.suggest("MAIL_FROM", "Baari <no-reply@baari.example>")
	env.suggest("REGISTRATION", "open")
	return env
}

func ownEnv(service string, base dependencies, secrets Secrets) (env environment) {
	env.set("DATABASE_URL", base.databases[service].App)
	env.set("MIGRATE_DATABASE_URL", base.databases[service].Owner)
	env.set("REDIS_URL", base.Redis)
	env.set("SERVICE_KEY", secrets.Keys[service])
	switch service {
	case "auth":
		env.set("AUTH_SECRET", secrets.Auth)
		admin := demoAccounts[0]
		env.set("BOOTSTRAP_ADMIN_EMAIL", admin.Email)
		env.set("BOOTSTRAP_ADMIN_PASSWORD", secrets.Accounts[admin.Email])
	case "visits":
		env.set("DEMO", "1") // enables the import for --seed
	case "audit":
		env.set("AUDIT_KEY", secrets.Audit)
	case "lobby":
		env.set("LOBBY_KEY", secrets.Lobby)
	}
	return env
}

// setFor sets a variable for one of several targets in a process: the variable gets the target's name as a prefix.
func (e *environment) setFor(target, setting string) {
	*e = append(*e, strings.ToUpper(target)+"_"+setting)
}

func (o Options) url() string { return fmt.Sprintf("http://localhost:%d", o.Port) }
