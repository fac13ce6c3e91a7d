// Package embedded is the small gateway that `up` starts at once. It is made from routes.yaml, like Traefik's
// configuration, and keeps the same rules; the suite in gateway/test holds for both.
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
	"baari.dev/services/platform/clientaddr"
	"baari.dev/services/platform/framing"
)

// Config is what a gateway needs to know.
type Config struct {
	Routes         []gateway.Route
	Upstreams      map[string]*url.URL // one for each of gateway.Upstreams
	TrustedProxies []netip.Prefix      // peers whose X-Forwarded-* are believed
	HTTPS          bool                // the public address is https, even if no proxy says so
	Rate, Burst    int                 // requests of one client address; Rate 0: no limit
	AnswerLimit    time.Duration       // for ordinary answers
	Logger         *slog.Logger
	Tracer         trace.Tracer
	Registry       prometheus.Registerer
	Uncounted      bool // requests are not counted
}

// Gateway answers every request of the public port.
type Gateway struct {
	config  Config
	mux     *http.ServeMux
	matches map[string]match // by pattern of mux
	limiter *limiter
	metrics *metrics
	proxies *proxies
	closing context.Context
	close   context.CancelFunc
}

// match is what one pattern leads to.
type match struct {
	name     string // in logs and metrics
	upstream string
	proxy    http.Handler // nil: unknown path
	stall    time.Duration
	openings map[string]opening // of its spans, by method
}

// unknown is where a path leads that no route answers.
var unknown = match{name: "unknown", stall: stallLimit(gateway.Whole), openings: openings("unknown")}

// New makes a gateway. It returns an error when an upstream of the table has no address.
func New(config Config) (*Gateway, error) {
	g := &Gateway{config: config, mux: http.NewServeMux(), matches: map[string]match{}, metrics: newMetrics(config.Registry)}
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
		return match{name, upstream, g.proxies.to(upstream, kind), stallLimit(kind), openings(name)}
	}
	for _, route := range config.Routes {
		g.register(route.Path, lead(route.String(), route.Upstream, route.Answer), route.Deeper)
	}
	g.register("/api", unknown, true)
	g.register("/{path...}", lead("web", gateway.Web, gateway.Whole), false)
	return g, nil
}

// register adds path and, when it goes deeper, all under it. A row of its own for the path itself goes before. The mux
// only finds the most exact pattern; what it leads to stands in matches.
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

// Close ends the open streams, so that a stopping server does not wait for them, and the connections that are idle.
func (g *Gateway) Close() {
	g.close()
	g.proxies.whole.CloseIdleConnections()
	g.proxies.stream.CloseIdleConnections()
}

// ServeHTTP gives the request its id, its trace and the fixed headers, sends it to its upstream and logs one line.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := answer.RequestID(r)
	g.fixHeaders(w.Header(), r, id)
	path, clean := canonical(r.URL)
	m := g.find(path, clean)

	e := g.begin(w, r, m, id)
	defer e.end()
	switch {
	case framing.Faulty(r):
		answer.Error(e, id, http.StatusBadRequest)
	case g.limiter != nil && !g.limiter.allow(clientaddr.Key(clientaddr.Of(r, g.config.TrustedProxies))):
		g.metrics.limited.Inc()
		answer.Error(e, id, http.StatusTooManyRequests)
	case m.proxy == nil:
		answer.Error(e, id, http.StatusNotFound)
	default:
		m.proxy.ServeHTTP(e, g.prepare(e.request, path, id))
	}
}

// find returns the match of a canonical path; an unclean path and a reserved one are unknown.
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

// prepare makes the request that goes upstream: the canonical path, who is asking, nothing forged.
func (g *Gateway) prepare(r *http.Request, path, id string) *http.Request {
	out := r.Clone(r.Context())
	out.URL.Path, out.URL.RawPath = path, ""
	out.Header.Set(answer.RequestIDHeader, id)
	stripIdentity(out.Header)
	forward(out, r, clientaddr.Within(clientaddr.Peer(r), g.config.TrustedProxies))
	return out
}
