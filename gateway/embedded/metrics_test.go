package embedded

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

func TestASlowExchangeLeadsToItsTrace(t *testing.T) {
	registry := prometheus.NewRegistry()
	ctx := trace.ContextWithSpanContext(t.Context(), trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}, TraceFlags: trace.FlagsSampled,
	}))
	_, span := noop.NewTracerProvider().Tracer("").Start(ctx, "")
	newMetrics(registry).observe(&exchange{
		request: httptest.NewRequest("GET", "/api/services", nil), span: span, start: time.Now(), status: 200,
		match: match{name: "/api/services", upstream: "directory"},
	}, 200*time.Millisecond)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			for _, bucket := range metric.GetHistogram().GetBucket() {
				if bucket.GetExemplar() != nil {
					return
				}
			}
		}
	}
	t.Error("no bucket has an exemplar")
}
