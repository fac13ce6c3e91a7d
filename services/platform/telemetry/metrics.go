package telemetry

import (
	"context"
	"runtime"
	"runtime/debug"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"go.opentelemetry.io/otel/trace"
)

// NativeFactor is how far the borders of a native histogram's buckets lie apart: a tenth.
const NativeFactor = 1.1

// NewRegistry makes a metrics registry with the Go runtime's, the process's and the build's figures.
func NewRegistry(service string) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "baari_build_info", Help: "What is running; the value is always 1.",
		ConstLabels: prometheus.Labels{"service": service, "version": Version(), "goversion": runtime.Version()},
	})
	build.Set(1)
	registry.MustRegister(build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return registry
}

// Observe records a value and, when the trace of ctx is kept, its id as an exemplar: from a slow bucket one gets to a
// request that was slow.
func Observe(ctx context.Context, into prometheus.Observer, value float64) {
	span := trace.SpanContextFromContext(ctx)
	exemplars, able := into.(prometheus.ExemplarObserver)
	if !able || !span.IsSampled() {
		into.Observe(value)
		return
	}
	exemplars.ObserveWithExemplar(value, prometheus.Labels{"trace_id": span.TraceID().String()})
}

// Version is the revision this binary was built from, "devel" when unknown.
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
