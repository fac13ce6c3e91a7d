// Command gateway is the embedded gateway: one port for the services and the web server.
package main

import (
	"context"

	"baari.dev/gateway"
	"baari.dev/gateway/embedded"
	"baari.dev/gateway/process"
)

func main() {
	if err := run(); err != nil {
		process.Exit("gateway", err)
	}
}

func run() error {
	var c process.Edge
	if err := c.Read(); err != nil {
		return err
	}
	routes, err := gateway.Routes()
	if err != nil {
		return err
	}
	traces, err := c.Traces(context.Background(), "gateway")
	if err != nil {
		return err
	}
	defer traces.Shutdown(context.Background())
	logger, registry := c.Logger("gateway"), process.NewRegistry()
	rate, burst := c.Rate()
	g, err := embedded.New(embedded.Config{
		Routes:         routes,
		Upstreams:      c.Upstreams(),
		TrustedProxies: c.TrustedProxies,
		ProxyHops:      int(c.ProxyHops),
		HTTPS:          c.BaseURL.HTTPS(),
		Rate:           rate,
		Burst:          burst,
		AnswerLimit:    gateway.AnswerLimit,
		Logger:         logger,
		Tracer:         process.Tracer(traces),
		Registry:       registry,
		Uncounted:      !bool(c.Metrics),
	})
	if err != nil {
		return err
	}
	return process.Run(c.Config, process.Program{
		Name: "gateway", Handler: g, Registry: registry, Logger: logger, Spans: traces, OnStop: g.Close,
	})
}
