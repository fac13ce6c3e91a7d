package telemetry_test

import (
	"context"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"baari.dev/services/platform/telemetry"
)

// observed counts values recorded with an exemplar (named) and without one (plain).
type observed struct{ plain, named int }

func (o *observed) Observe(float64)                                { o.plain++ }
func (o *observed) ObserveWithExemplar(float64, prometheus.Labels) { o.named++ }

func TestEverySlowDurationAndOneFastOnePerSecondHasAnExemplar(t *testing.T) {
	kept := trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}, TraceFlags: trace.FlagsSampled,
	})
	start := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name         string
		span         trace.SpanContext
		seconds      float64
		calls, named int
	}{
		{"quick", kept, .01, 25, 3}, // exemplars 0, 1 and 2 s after the start
		{"slow", kept, .1, 25, 25},
		{"of traces that are not kept", trace.SpanContext{}, 5, 25, 0},
	} {
		var into observed
		series := telemetry.NewSeries(&into)
		span := trace.SpanFromContext(trace.ContextWithSpanContext(context.Background(), c.span))
		for i := range c.calls {
			series.Observe(span, start.Add(time.Duration(i)*100*time.Millisecond), c.seconds)
		}
		if into.named != c.named || into.plain != c.calls-c.named {
			t.Errorf("%s: %d named and %d plain of %d", c.name, into.named, into.plain, c.calls)
		}
	}
}
