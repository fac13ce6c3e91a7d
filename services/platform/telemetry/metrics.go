package telemetry

import (
	"runtime"
	"runtime/debug"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// NativeFactor is the largest allowed ratio of adjacent bucket boundaries in native histograms.
const NativeFactor = 1.1

// NewRegistry returns a metrics registry with collectors of the Go runtime, the process and the build.
func NewRegistry(service string) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "baari_build_info", Help: "Version of the running program; the value is always 1.",
		ConstLabels: prometheus.Labels{"service": service, "version": Version(), "goversion": runtime.Version()},
	})
	build.Set(1)
	registry.MustRegister(
		build,
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return registry
}

// Version returns the revision from which this binary was built, or "devel" if it is unknown.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return setting.Value
		}
	}
	return "devel"
}
