// Package process is what the programs of the gateway share: configuration from the environment, logs, traces, two
// listeners, and graceful shutdown.
//
// Start with Run in run.go and Config in this file; Edge in edge.go is the configuration of a gateway.
package process

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
)

// Config is the part of the environment that every program reads.
type Config struct {
	Host           string        `env:"HOST"`
	Port           Port          `env:"PORT" envDefault:"8080"`
	AdminPort      Port          `env:"ADMIN_PORT" envDefault:"9090"`
	LogLevel       slog.Level    `env:"LOG_LEVEL" envDefault:"info"`
	LogFormat      LogFormat     `env:"LOG_FORMAT" envDefault:"json"`
	ShutdownDelay  time.Duration `env:"SHUTDOWN_DELAY" envDefault:"5s"`
	DrainTimeout   time.Duration `env:"DRAIN_TIMEOUT" envDefault:"25s"`
	TracesExporter string        `env:"OTEL_TRACES_EXPORTER" envDefault:"none"`

	Metrics          Switch `env:"METRICS" envDefault:"on"`   // off: requests are not counted
	Profiles         Switch `env:"PROFILES" envDefault:"off"` // on: /debug/pprof at the admin port
	TracesDisabled   bool   `env:"OTEL_SDK_DISABLED"`
	TracesSampler    string `env:"OTEL_TRACES_SAMPLER"`
	TracesSamplerArg string `env:"OTEL_TRACES_SAMPLER_ARG"`
	TraceRecent      uint16 `env:"TRACE_RECENT"` // number of spans kept in memory
}

// Read reads the environment into config, a pointer to a struct. The error names each variable that is missing or
// invalid.
func Read(config any) error {
	err := env.Parse(config)
	var all env.AggregateError
	if !errors.As(err, &all) {
		return err
	}
	var lines []string
	for _, fault := range all.Errors {
		lines = append(lines, explain(fault, reflect.TypeOf(config).Elem()))
	}
	return errors.New(strings.Join(lines, "\n"))
}

func explain(fault error, config reflect.Type) string {
	var bad env.ParseError
	if errors.As(fault, &bad) {
		if field, ok := config.FieldByName(bad.Name); ok {
			name, _, _ := strings.Cut(field.Tag.Get("env"), ",")
			return fmt.Sprintf("%s: %v", name, bad.Err)
		}
	}
	var unset env.VarIsNotSetError
	if errors.As(fault, &unset) {
		return unset.Key + ": not set"
	}
	var empty env.EmptyVarError
	if errors.As(fault, &empty) {
		return empty.Key + ": empty"
	}
	return fault.Error()
}

// Exit prints err and ends the program with status 1.
func Exit(program string, err error) {
	fmt.Fprintf(os.Stderr, "%s cannot run:\n%v\n", program, err)
	os.Exit(1)
}

// Port is a TCP port from 1 to 65535.
type Port uint16

// UnmarshalText reads a port number. It returns an error for anything else.
func (p *Port) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 16)
	if err != nil || n == 0 {
		return fmt.Errorf("%q is not a port from 1 to 65535", text)
	}
	*p = Port(n)
	return nil
}

// LogFormat is json or text.
type LogFormat string

// UnmarshalText reads a log format. It returns an error for another word.
func (f *LogFormat) UnmarshalText(text []byte) error {
	if *f = LogFormat(text); *f != "json" && *f != "text" {
		return fmt.Errorf("%q is neither json nor text", text)
	}
	return nil
}

// Switch is on or off.
type Switch bool

// UnmarshalText reads a switch. It returns an error for another word.
func (s *Switch) UnmarshalText(text []byte) error {
	if *s = string(text) == "on"; !*s && string(text) != "off" {
		return fmt.Errorf("%q is neither on nor off", text)
	}
	return nil
}

// Origin is the scheme and host of an HTTP address, such as http://127.0.0.1:8080.
type Origin struct{ *url.URL }

// UnmarshalText reads an address. It returns an error unless the address is http or https, with a host and without a
// path.
func (o *Origin) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || strings.Trim(u.Path, "/") != "" ||
		u.RawQuery != "" || u.User != nil {
		return fmt.Errorf("%q is not an address like http://host:port", text)
	}
	o.URL = &url.URL{Scheme: u.Scheme, Host: u.Host}
	return nil
}

// String returns the address, "" if none is set.
func (o Origin) String() string {
	if o.URL == nil {
		return ""
	}
	return o.URL.String()
}

// HTTPS reports whether the address is set and https.
func (o Origin) HTTPS() bool { return o.URL != nil && o.Scheme == "https" }

// Logger returns a logger that writes to standard error in the configured format and level.
func (c Config) Logger(program string) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	var handler slog.Handler = slog.NewJSONHandler(os.Stderr, options)
	if c.LogFormat == "text" {
		handler = slog.NewTextHandler(os.Stderr, options)
	}
	return slog.New(handler).With("service", program)
}
