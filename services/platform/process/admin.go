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

// adminMux serves the operations listener: liveness, readiness, metrics, recent spans and, if enabled, profiles.
func (p *Process) adminMux(draining <-chan struct{}) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "alive") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) { p.answerReady(w, r, draining) })
	mux.Handle("GET /metrics", p.metrics())
	mux.Handle("GET /traces", p.spans.Handler())
	if p.Config.Profiles {
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.Handle("GET /debug/pprof/allocs", pprof.Handler("allocs"))
	}
	return mux
}

// metrics serves the metrics. The pools are gathered first: collectors of Registry query the database, and their
// connections would be counted as used.
func (p *Process) metrics() http.Handler {
	pools := prometheus.NewRegistry()
	pools.MustRegister(postgres.NewPoolCollector(map[string]*pgxpool.Pool{
		"main": p.Pool, "feeds": p.Feeds, "relay": p.relaying,
	}))
	options := promhttp.HandlerOpts{EnableOpenMetrics: true, DisableCompression: true}
	return promhttp.HandlerFor(prometheus.Gatherers{pools, p.Registry}, options)
}

// answerReady runs the checks. As with Kubernetes' own /readyz, the parameter exclude leaves one out.
func (p *Process) answerReady(w http.ResponseWriter, r *http.Request, draining <-chan struct{}) {
	select {
	case <-draining:
		http.Error(w, "draining", http.StatusServiceUnavailable)
		return
	default:
	}
	ctx, cancel := context.WithTimeout(r.Context(), time.Second)
	defer cancel()
	excluded := r.URL.Query()["exclude"]
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
	fmt.Fprintln(w, "ready")
}
