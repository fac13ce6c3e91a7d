// Package embedded is the gateway that baarid contains, a reverse proxy in Go. It serves the table of routes.yaml by
// the same rules as Traefik; the tests in gateway/test run against both.
//
// Start with Gateway.ServeHTTP in this file; proxy.go and transport.go send requests to the services, exchange.go logs,
// counts and traces them.
package embedded

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"baari.dev/gateway"
	"baari.dev/gateway/answer"
	"baari.dev/services/platform/framing"
	"baari.dev/services/platform/request"
)

// Config is the configuration of a gateway.
type Config struct {
	Routes         []gateway.Route
	Upstreams      map[string]*url.URL // one for each of gateway.Upstreams
	TrustedProxies []netip.Prefix      // peers whose X-Forwarded-* are trusted
	ProxyHops      int                 // number of proxies that a request from a trusted peer has passed
	HTTPS          bool                // the public address is https, even if no proxy says so
	Rate, Burst    int                 // limit of one client address; Rate 0: no limit
	AnswerLimit    time.Duration       // timeout for the header of an ordinary response
	Logger         *slog.Logger
	Tracer         trace.Tracer
	Registry       prometheus.Registerer
	Uncounted      bool // no metrics of durations and of active requests
}

// Gateway is the handler of the public port.
type Gateway struct {
	config  Config
	mux     *http.ServeMux
	matches map[string]match // keyed by mux's pattern
	limiter *limiter
	metrics *metrics
	proxies *proxies
	closing context.Context
	close   context.CancelFunc
}

// match is the target of one pattern.
type match struct {
	name     string // shown in logs and metrics
	upstream string
	proxy    http.Handler // nil: unknown path
	stall    time.Duration
	starts   map[string]spanStart // keyed by method
}

var unknown = match{name: "unknown", stall: stallLimit(gateway.Whole), starts: spanStarts("unknown")}

// New returns a gateway. It returns an error if one of gateway.Upstreams has no address.
func New(config Config) (*Gateway, error) {
	g := &Gateway{
		config:  config,
		mux:     http.NewServeMux(),
		matches: map[string]match{},
		metrics: newMetrics(config.Registry),
	}
	g.closing, g.close = context.WithCancel(context.Background())
	if config.Rate > 0 {
		g.limiter = newLimiter(config.Rate, config.Burst)
	}
	for _, name := range gateway.Upstreams {
		if config.Upstreams[name] == nil {
			return nil, fmt.Errorf("upstream %s has no address", name)
		}
	}
	g.proxies = newProxies(g.closing, config, g.metrics)
	lead := func(name, upstream string, kind gateway.Answer) match {
		return match{name, upstream, g.proxies.to(upstream, kind), stallLimit(kind), spanStarts(name)}
	}
	for _, route := range config.Routes {
		g.register(route.Path, lead(route.String(), route.Upstream, route.Answer), route.Deeper)
	}
	g.register("/api", unknown, true)
	g.register("/{path...}", lead("web", gateway.Web, gateway.Whole), false)
	return g, nil
}

// register adds path and, if deeper is true, every path below it. If a pattern is registered already, its match stays.
// The mux finds the most specific pattern; matches has the match of each pattern.
func (g *Gateway) register(path string, m match, deeper bool) {
	patterns := []string{path}
	if deeper {
		patterns = append(patterns, path+"/{deeper...}")
	}
	for _, pattern := range patterns {
		if _, taken := g.matches[pattern]; !taken {
			g.matches[pattern] = m
			g.mux.Handle(pattern, http.NotFoundHandler())
		}
	}
}

// Close ends open streams, so that a stopping server does not wait for them, and closes idle connections.
func (g *Gateway) Close() {
	g.close()
	g.proxies.whole.CloseIdleConnections()
	g.proxies.stream.CloseIdleConnections()
}

// ServeHTTP forwards the request with an id and a trace, sets the fixed headers of the response, and logs one line.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := answer.NewRequestID()
	g.fixHeaders(w.Header(), r, id)
	path, clean := canonical(r.URL)
	m := g.find(path, clean)
	client := request.ClientKey(g.client(r))

	e := g.begin(w, r, m, id)
	defer e.end()
	switch {
	case framing.Faulty(r):
		answer.Error(e, id, http.StatusBadRequest)
	case g.limiter != nil && !g.limiter.allow(client):
		g.metrics.limited.Inc()
		answer.Error(e, id, http.StatusTooManyRequests)
	case m.proxy == nil:
		answer.Error(e, id, http.StatusNotFound)
	default:
		m.proxy.ServeHTTP(e, g.prepare(e.request, path, id))
	}
}

// find returns the match of a canonical path. It returns unknown for an unclean or reserved path.
func (g *Gateway) find(path string, clean bool) match {
	if !clean {
		return unknown
	}
	_, pattern := g.mux.Handler(&http.Request{Method: http.MethodGet, URL: &url.URL{Path: path}})
	m, ok := g.matches[pattern]
	if !ok || (m.upstream == gateway.Web && gateway.IsReserved(path)) {
		return unknown
	}
	return m
}

// prepare returns the upstream request: with the canonical path, the request id and the X-Forwarded headers, and
// without headers that a client could forge.
func (g *Gateway) prepare(r *http.Request, path, id string) *http.Request {
	out := r.Clone(r.Context())
	out.URL.Path, out.URL.RawPath = path, ""
	out.Header.Set(answer.RequestIDHeader, id)
	stripIdentity(out.Header)
	forward(out, r, g.fromProxy(r))
	return out
}
