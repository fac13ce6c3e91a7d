package embedded

import (
	"context"

	"baari.dev/gateway"
	"baari.dev/services/platform/process"
	"baari.dev/services/platform/telemetry"
)

// Target returns the process target of the embedded gateway: one port for the services and the web server.
func Target() process.Target {
	return process.Target{Name: "gateway", Configure: configure, Edge: true}
}

func configure(env process.Environment) (process.Start, error) {
	c, err := gateway.ReadEdge(env)
	if err != nil {
		return nil, err
	}
	routes, err := gateway.Routes()
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, p *process.Process) error {
		traces, err := telemetry.StartEdge(ctx, p.Name)
		if err != nil {
			return err
		}
		p.Traced(traces)
		rate, burst := c.Rate()
		g, err := New(Config{
			Routes:         routes,
			Upstreams:      c.Upstreams(),
			TrustedProxies: c.TrustedProxies,
			ProxyHops:      int(c.ProxyHops),
			HTTPS:          c.BaseURL.HTTPS(),
			Rate:           rate,
			Burst:          burst,
			AnswerLimit:    gateway.AnswerLimit,
			Logger:         p.Log,
			Tracer:         traces.Provider().Tracer("baari.dev/gateway"),
			Registry:       p.Registry,
			Uncounted:      !bool(c.Metrics),
		})
		if err != nil {
			return err
		}
		p.Public(g)
		p.OnDrain(g.Close)
		return nil
	}, nil
}
