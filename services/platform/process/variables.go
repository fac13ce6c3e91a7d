package process

import (
	"errors"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/caarlos0/env/v11"
)

// secrets may also be given as the path of a file, in NAME_FILE.
var secrets = []string{
	"DATABASE_URL", "MIGRATE_DATABASE_URL", "ADMIN_DATABASE_URL", "REDIS_URL", "SERVICE_KEY", "SERVICE_SECRET",
	"AUTH_SECRET", "AUDIT_KEY", "LOBBY_KEY", "BOOTSTRAP_ADMIN_PASSWORD", "SMTP_URL", "MESSAGES",
}

// wrongSetting is a variable that is missing or invalid.
type wrongSetting struct {
	name string
	err  error
}

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

// Read reads the variables into target, a pointer to a struct that may embed Config. The error names each variable that
// is missing or wrong, all at once.
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
	}
	return environment, problems
}

// unread returns the variables of the parser's errors, which name fields of the struct that target points to.
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
			problems[i] = wrongSetting{missing.Key, errors.New("it is not set")}
		default:
			problems[i] = wrongSetting{"environment", err}
		}
	}
	return problems
}

// collectNames maps the fields of a struct, and of those embedded in it, to their variables.
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
