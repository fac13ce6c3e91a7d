package embedded

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// recorder counts what is recorded with a trace and without.
type recorder struct{ plain, named int }

func (r *recorder) Observe(float64)                                { r.plain++ }
func (r *recorder) ObserveWithExemplar(float64, prometheus.Labels) { r.named++ }

func TestEverySlowExchangeAndOneFastOnePerSecondHasAnExemplar(t *testing.T) {
	kept := trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}, TraceFlags: trace.FlagsSampled,
	})
	start := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name         string
		span         trace.SpanContext
		took         time.Duration
		calls, named int
	}{
		{"quick", kept, 10 * time.Millisecond, 25, 3}, // at 0, 1 and 2 s
		{"slow", kept, slow, 25, 25},
		{"of traces that are not kept", trace.SpanContext{}, 5 * time.Second, 25, 0},
	} {
		into := &recorder{}
		m := newMetrics(prometheus.NewRegistry())
		m.series[labels{"GET", "/api/services", "directory", 200}] = &series{into: into}
		_, span := noop.NewTracerProvider().Tracer("").Start(trace.ContextWithSpanContext(t.Context(), c.span), "")
		for i := range c.calls {
			e := &exchange{
				request: httptest.NewRequest("GET", "/api/services", nil),
				span:    span,
				match:   match{name: "/api/services", upstream: "directory"},
				start:   start.Add(time.Duration(i) * 100 * time.Millisecond),
				status:  200,
			}
			m.observe(e, c.took)
		}
		if into.named != c.named || into.plain != c.calls-c.named {
			t.Errorf("%s: %d named and %d plain of %d", c.name, into.named, into.plain, c.calls)
		}
	}
}
