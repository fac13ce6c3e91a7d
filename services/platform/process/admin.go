package process

import (
	"context"
	"fmt"
	"net/http"
	"net/http/pprof"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"baari.dev/services/platform/postgres"
)

// adminMux serves /healthz, /readyz, /metrics and, with profiles, /debug/pprof. /readyz fails while the process stops.
func (r *running) adminMux(draining <-chan struct{}) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "alive") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, q *http.Request) { r.answerReady(w, q, draining) })
	mux.Handle("GET /metrics", r.metrics())
	if r.Profiles {
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.Handle("GET /debug/pprof/allocs", pprof.Handler("allocs"))
	}
	return mux
}

// metrics gathers the pools' statistics before other collectors take connections, so that a scrape does not count its
// own connections. Each target has its own registry, since metrics of one name may have other labels in the gateway
// than in a service.
func (r *running) metrics() http.Handler {
	pools := prometheus.NewRegistry()
	all := prometheus.Gatherers{pools, r.registry}
	for _, p := range r.processes {
		all = append(all, p.metrics)
		if p.Pool != nil {
			r.registerer(pools, p).MustRegister(postgres.NewPoolCollector(map[string]*pgxpool.Pool{
				"main": p.Pool, "feeds": p.Feeds, "relay": p.relaying,
			}))
		}
	}
	return promhttp.HandlerFor(all, promhttp.HandlerOpts{EnableOpenMetrics: true, DisableCompression: true})
}

// registerer returns the registerer of one target. If targets share a process, its metrics have the label "service". In
// a cluster, Prometheus adds this label when it scrapes.
func (r *running) registerer(registry prometheus.Registerer, p *Process) prometheus.Registerer {
	if r.group.several() {
		return prometheus.WrapRegistererWith(prometheus.Labels{"service": p.Name}, registry)
	}
	return registry
}

// answerReady runs the checks of all targets, or of the targets in the parameter target, except the checks in exclude.
func (r *running) answerReady(w http.ResponseWriter, q *http.Request, draining <-chan struct{}) {
	select {
	case <-draining:
		http.Error(w, "draining", http.StatusServiceUnavailable)
		return
	default:
	}
	ctx, cancel := context.WithTimeout(q.Context(), time.Second)
	defer cancel()
	targets, excluded := q.URL.Query()["target"], q.URL.Query()["exclude"]
	for _, p := range r.processes {
		if len(targets) > 0 && !slices.Contains(targets, p.Name) {
			continue
		}
		for _, check := range p.ready {
			if slices.Contains(excluded, check.name) {
				continue
			}
			if err := check.run(ctx); err != nil {
				p.Log.WarnContext(ctx, "not ready", "check", check.name, "cause", err)
				http.Error(w, "not ready", http.StatusServiceUnavailable)
				return
			}
		}
	}
	fmt.Fprintln(w, "ready")
}
