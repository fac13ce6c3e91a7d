// Command gateway is the embedded gateway: it stands before the services and the web server on one port.
package main

import (
	"context"
	"net/netip"
	"net/url"

	"baari.dev/gateway"
	"baari.dev/gateway/embedded"
	"baari.dev/gateway/process"
)

type config struct {
	process.Config
	Auth           process.Origin `env:"UPSTREAM_AUTH,required"`
	Visits         process.Origin `env:"UPSTREAM_VISITS,required"`
	Directory      process.Origin `env:"UPSTREAM_DIRECTORY,required"`
	Audit          process.Origin `env:"UPSTREAM_AUDIT,required"`
	Realtime       process.Origin `env:"UPSTREAM_REALTIME,required"`
	Web            process.Origin `env:"UPSTREAM_WEB,required"`
	BaseURL        process.Origin `env:"BASE_URL"`
	TrustedProxies []netip.Prefix `env:"TRUSTED_PROXIES"`
	Limits         process.Switch `env:"LIMITS" envDefault:"on"`
}

func main() {
	if err := run(); err != nil {
		process.Exit("gateway", err)
	}
}

func run() error {
	var c config
	if err := process.Read(&c); err != nil {
		return err
	}
	routes, err := gateway.Routes()
	if err != nil {
		return err
	}
	tracer, flush, err := c.Tracer(context.Background(), "gateway")
	if err != nil {
		return err
	}
	defer flush()
	logger, registry := c.Logger("gateway"), process.NewRegistry()
	settings := embedded.Config{
		Routes: routes, TrustedProxies: c.TrustedProxies, HTTPS: c.BaseURL.HTTPS(),
		Upstreams: map[string]*url.URL{"auth": c.Auth.URL, "visits": c.Visits.URL, "directory": c.Directory.URL,
			"audit": c.Audit.URL, "realtime": c.Realtime.URL, gateway.Web: c.Web.URL},
		AnswerLimit: gateway.AnswerLimit, Logger: logger, Tracer: tracer, Registry: registry,
	}
	if c.Limits {
		settings.Rate, settings.Burst = gateway.Rate, gateway.Burst
	}
	g, err := embedded.New(settings)
	if err != nil {
		return err
	}
	return process.Run(c.Config, process.Program{Name: "gateway", Handler: g, Registry: registry, Logger: logger, OnStop: g.Close})
}
