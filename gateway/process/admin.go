package process

import (
	"io"
	"net/http"
	"net/http/pprof"
	"runtime"
	"runtime/debug"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// NewRegistry returns a registry with collectors of the Go runtime and the process.
func NewRegistry() *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return registry
}

// adminHandler serves /healthz, /readyz, which fails while the program stops, /metrics, /traces, and with profiles
// /debug/pprof.
func adminHandler(program Program, profiles bool, ready func() bool) http.Handler {
	name, registry := program.Name, program.Registry
	registry.MustRegister(buildInfo(name))
	mux := http.NewServeMux()
	metrics := promhttp.HandlerOpts{EnableOpenMetrics: true, DisableCompression: true}
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, metrics))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok\n") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !ready() {
			http.Error(w, "stopping", http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ready\n")
	})
	if program.Spans != nil {
		mux.Handle("GET /traces", program.Spans.Handler())
	}
	if profiles {
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.Handle("GET /debug/pprof/allocs", pprof.Handler("allocs"))
	}
	return mux
}

// buildInfo returns a gauge of 1 whose labels are the program and its version.
func buildInfo(name string) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "baari_build_info", Help: "Version of the running program; the value is always 1.",
		ConstLabels: prometheus.Labels{"service": name, "version": version(), "goversion": runtime.Version()},
	}, func() float64 { return 1 })
}

// version returns the revision that the binary was built from, "devel" if it is unknown.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				return setting.Value
			}
		}
	}
	return "devel"
}
