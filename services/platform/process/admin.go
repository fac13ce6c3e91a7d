package process

import (
	"context"
	"fmt"
	"net/http"
	"net/http/pprof"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// adminMux serves the operations listener: liveness, readiness, metrics, recent spans and, if enabled, profiles.
func (p *Process) adminMux(draining <-chan struct{}) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "alive") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) { p.answerReady(w, r, draining) })
	metrics := promhttp.HandlerOpts{EnableOpenMetrics: true, DisableCompression: true}
	mux.Handle("GET /metrics", promhttp.HandlerFor(p.Registry, metrics))
	mux.Handle("GET /traces", p.spans.Handler())
	if p.Config.Profiles {
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.Handle("GET /debug/pprof/allocs", pprof.Handler("allocs"))
	}
	return mux
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
