package traefikconf

import (
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"baari.dev/gateway"
)

// The two entry points.
const (
	public = "public"
	admin  = "admin"
)

// StaticConfig is Traefik's static configuration, which is read at start.
type StaticConfig struct {
	Global      map[string]bool       `yaml:"global"`
	Log         map[string]string     `yaml:"log"`
	AccessLog   accessLog             `yaml:"accessLog"`
	EntryPoints map[string]entryPoint `yaml:"entryPoints"`
	Providers   providers             `yaml:"providers"`
	Ping        map[string]bool       `yaml:"ping"`
	Metrics     metrics               `yaml:"metrics"`
}

type entryPoint struct {
	Address          string              `yaml:"address"`
	AsDefault        bool                `yaml:"asDefault,omitempty"`
	Transport        transport           `yaml:"transport"`
	ForwardedHeaders map[string][]string `yaml:"forwardedHeaders,omitempty"`
	HTTP             entryHTTP           `yaml:"http"`
}

type transport struct {
	LifeCycle          map[string]string `yaml:"lifeCycle"`
	RespondingTimeouts map[string]string `yaml:"respondingTimeouts"`
}

type entryHTTP struct {
	Middlewares               []string `yaml:"middlewares,omitempty"`
	MaxHeaderBytes            int      `yaml:"maxHeaderBytes"`
	SanitizePath              bool     `yaml:"sanitizePath"`
	UnderscoreHeadersStrategy string   `yaml:"underscoreHeadersStrategy"`
}

type accessLog struct {
	Format string `yaml:"format"`
	Fields struct {
		DefaultMode string            `yaml:"defaultMode"`
		Names       map[string]string `yaml:"names"`
		Headers     struct {
			DefaultMode string            `yaml:"defaultMode"`
			Names       map[string]string `yaml:"names"`
		} `yaml:"headers"`
	} `yaml:"fields"`
}

type providers struct {
	File map[string]any `yaml:"file"`
}

type metrics struct {
	Prometheus map[string]any `yaml:"prometheus"`
}

// Static returns the static configuration. routes is the path of the file with the dynamic configuration.
func Static(config Config, routes string) StaticConfig {
	middlewares := []string{"fixed-headers@file", "own-errors@file"}
	if config.Rate > 0 {
		middlewares = append(middlewares, "limit@file")
	}
	return StaticConfig{
		Global:    map[string]bool{"checkNewVersion": false, "sendAnonymousUsage": false},
		Log:       map[string]string{"level": strings.ToUpper(config.LogLevel), "format": "json"},
		AccessLog: impersonalLog(),
		EntryPoints: map[string]entryPoint{
			public: newEntryPoint(config, config.Port, true, prefixes(config.TrustedProxies), middlewares),
			admin:  newEntryPoint(config, config.AdminPort, false, config.self(), nil),
		},
		Providers: providers{map[string]any{"filename": routes, "watch": false}},
		Ping:      map[string]bool{"manualRouting": true},
		Metrics:   metrics{map[string]any{"entryPoint": admin, "addRoutersLabels": true}},
	}
}

func newEntryPoint(config Config, port uint16, byDefault bool, trusted, middlewares []string) entryPoint {
	var forwarded map[string][]string // nil without proxies: Traefik rejects an empty map
	if len(trusted) > 0 {
		forwarded = map[string][]string{"trustedIPs": trusted}
	}
	return entryPoint{
		Address:   net.JoinHostPort(config.Host, strconv.Itoa(int(port))),
		AsDefault: byDefault,
		Transport: transport{
			LifeCycle: map[string]string{
				"requestAcceptGraceTimeout": text(config.ShutdownDelay), "graceTimeOut": text(config.DrainTimeout)},
			RespondingTimeouts: map[string]string{
				"readTimeout": text(gateway.ReadTimeout), "idleTimeout": text(gateway.IdleTimeout), "writeTimeout": "0s"},
		},
		ForwardedHeaders: forwarded,
		HTTP: entryHTTP{
			Middlewares: middlewares, MaxHeaderBytes: gateway.MaxHeaderBytes, SanitizePath: true,
			UnderscoreHeadersStrategy: "delete",
		},
	}
}

// impersonalLog returns an access log without personal data: it has the router instead of the path, which contains ids
// and tokens.
func impersonalLog() accessLog {
	log := accessLog{Format: "json"}
	log.Fields.DefaultMode = "drop"
	log.Fields.Names = map[string]string{}
	for _, field := range []string{
		"StartUTC", "Duration", "RequestMethod", "RouterName", "ServiceName", "DownstreamStatus", "OriginStatus",
	} {
		log.Fields.Names[field] = "keep"
	}
	log.Fields.Headers.DefaultMode = "drop"
	log.Fields.Headers.Names = map[string]string{"X-Request-Id": "keep", "Traceparent": "keep"}
	return log
}

// self returns the addresses from which Traefik calls its own admin port.
func (c Config) self() []string {
	own := []string{"127.0.0.1/32", "::1/128"}
	if host, err := netip.ParseAddr(c.Host); err == nil && !host.IsLoopback() {
		own = append(own, host.String())
	}
	return own
}

func prefixes(list []netip.Prefix) []string {
	var texts []string
	for _, prefix := range list {
		texts = append(texts, prefix.String())
	}
	return texts
}

func text(d time.Duration) string { return d.String() }
