package process

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/caarlos0/env/v11"
)

// secrets are the variables whose value may also be in a file: NAME_FILE is then the path of the file.
var secrets = []string{
	"DATABASE_URL", "MIGRATE_DATABASE_URL", "ADMIN_DATABASE_URL", "REDIS_URL", "SERVICE_KEY", "SERVICE_SECRET",
	"AUTH_SECRET", "AUDIT_KEY", "LOBBY_KEY", "BOOTSTRAP_ADMIN_PASSWORD", "SMTP_URL", "MESSAGES",
}

type wrongSetting struct {
	name string
	err  error
}

var errNotSet = errors.New("it is not set")

// Error names the variable.
func (w wrongSetting) Error() string { return w.name + ": " + w.err.Error() }

// Environment is the variables that a process was started with.
type Environment map[string]string

// OSEnvironment returns the variables of this process.
func OSEnvironment() Environment {
	environment := Environment{}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		environment[name] = value
	}
	return environment
}

// For returns the variables for one of several targets in a process: TARGET_X or TARGET_X_FILE replaces X, even with an
// empty value. A single target ignores them, because Kubernetes sets VISITS_PORT for a Service named visits.
func (e Environment) For(target string) Environment {
	own := maps.Clone(e)
	for name, value := range e {
		x, prefixed := strings.CutPrefix(name, strings.ToUpper(target)+"_")
		if !prefixed {
			continue
		}
		own[x] = value
		if of, isFile := strings.CutSuffix(x, "_FILE"); isFile {
			delete(own, of)
		} else if _, both := e[name+"_FILE"]; !both {
			delete(own, x+"_FILE")
		}
	}
	return own
}

// databases are the variables whose database address may contain {service} in place of the service's name.
var databases = []string{"DATABASE_URL", "MIGRATE_DATABASE_URL"}

// withDatabases returns a copy of e in which {service} in the addresses of databases is replaced by the target's name.
func (e Environment) withDatabases(target string) Environment {
	own, _ := e.withSecrets() // Read reports the files that cannot be read
	for _, name := range databases {
		if address, set := own[name]; set {
			own[name] = strings.ReplaceAll(address, "{service}", target)
		}
	}
	return own
}

// Read reads the variables into target, a pointer to a struct that may embed Config. The error names each variable that
// is missing or wrong.
func (e Environment) Read(target any) error {
	environment, problems := e.withSecrets()
	err := env.ParseWithOptions(target, env.Options{Environment: environment})
	var several env.AggregateError
	if err != nil && !errors.As(err, &several) {
		return err
	}
	problems = append(problems, unread(target, several.Errors)...)
	if config, ok := target.(interface{ problems() []wrongSetting }); ok {
		problems = append(problems, config.problems()...)
	}
	return join(problems)
}

// withSecrets returns a copy of e, with the secrets of *_FILE variables read from their files.
func (e Environment) withSecrets() (environment Environment, problems []wrongSetting) {
	environment = maps.Clone(e)
	for _, name := range secrets {
		path := environment[name+"_FILE"]
		if path == "" {
			continue
		}
		value, err := os.ReadFile(path)
		if err != nil {
			problems = append(problems, wrongSetting{name + "_FILE", err})
			continue
		}
		environment[name] = strings.TrimSpace(string(value))
		delete(environment, name+"_FILE")
	}
	return environment, problems
}

// unread returns the variables that could not be read. errs are the parser's errors: they name the fields of target.
func unread(target any, errs []error) []wrongSetting {
	names := map[string]string{}
	collectNames(reflect.TypeOf(target).Elem(), names)
	problems := make([]wrongSetting, len(errs))
	for i, err := range errs {
		var wrong env.ParseError
		var missing env.VarIsNotSetError
		switch {
		case errors.As(err, &wrong):
			problems[i] = wrongSetting{names[wrong.Name], wrong.Err}
		case errors.As(err, &missing):
			problems[i] = wrongSetting{missing.Key, errNotSet}
		default:
			problems[i] = wrongSetting{"environment", err}
		}
	}
	return problems
}

// collectNames adds the variable of each field of a struct, embedded structs included, to the map names, by field name.
func collectNames(of reflect.Type, names map[string]string) {
	for _, field := range reflect.VisibleFields(of) {
		if name, _, _ := strings.Cut(field.Tag.Get("env"), ","); name != "" {
			names[field.Name] = name
		}
	}
}

// join returns an error with the first problem of each variable, sorted by name.
func join(problems []wrongSetting) error {
	slices.SortStableFunc(problems, func(a, b wrongSetting) int { return strings.Compare(a.name, b.name) })
	problems = slices.CompactFunc(problems, func(a, b wrongSetting) bool { return a.name == b.name })
	errs := make([]error, len(problems))
	for i, problem := range problems {
		errs[i] = problem
	}
	return errors.Join(errs...)
}

// findings are the errors in the settings of several targets. An error that several targets have is reported once.
type findings struct {
	texts   []string
	targets map[string][]string
}

func (f *findings) add(target string, err error) {
	errs := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		errs = joined.Unwrap()
	}
	for _, err := range errs {
		text := err.Error()
		if _, known := f.targets[text]; !known {
			f.texts = append(f.texts, text)
		}
		f.targets[text] = append(f.targets[text], target)
	}
}

// err returns an error that lists the findings, each with the names of its targets, or nil if there are none.
func (f *findings) err() error {
	var errs []error
	for _, text := range f.texts {
		errs = append(errs, fmt.Errorf("%s (%s)", text, strings.Join(f.targets[text], ", ")))
	}
	return errors.Join(errs...)
}
