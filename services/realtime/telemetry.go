package realtime

import (
	"context"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"baari.dev/services/platform/telemetry"
)

var tracer = telemetry.NewTracer("baari.dev/services/realtime")

// measurements are the metrics that browsers report. The values of labels are limited to the lists below, so browsers
// cannot add series.
type measurements struct {
	vitals     *prometheus.HistogramVec
	shift      *prometheus.HistogramVec
	shown      prometheus.Histogram
	errors     *prometheus.CounterVec
	reconnects *prometheus.CounterVec
}

// other is the label value for a name that is not in one of the lists below.
const other = "other"

var (
	screens = []string{
		"/", "/login", "/register", "/forgot-password", "/reset-password", "/stop-email-change", "/debug",
		"/dashboard/receptionist", "/dashboard/pa", "/dashboard/consultant", "/dashboard/admin", other,
	}
	errorClasses = []string{
		"Error", "TypeError", "RangeError", "ReferenceError", "SyntaxError", "URIError", "EvalError", "AggregateError",
		"ChunkLoadError", other,
	}
	timeVitals = []string{"LCP", "INP", "FCP", "TTFB"}
)

// layoutShift is the only vital that is a score instead of a time.
const layoutShift = "CLS"

func newMeasurements(registry prometheus.Registerer) *measurements {
	m := &measurements{
		vitals: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "baari_web_vital_seconds", Help: "Web vitals that are times, as browsers measured them.",
			Buckets: []float64{.1, .2, .5, .8, 1.8, 2.5, 4, 8}, NativeHistogramBucketFactor: telemetry.NativeFactor,
		}, []string{"vital", "screen"}),
		shift: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "baari_web_layout_shift", Help: "Cumulative layout shift, as browsers measured it.",
			Buckets: []float64{.01, .05, .1, .25, .5, 1}, NativeHistogramBucketFactor: telemetry.NativeFactor,
		}, []string{"screen"}),
		shown: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "baari_web_event_to_screen_seconds",
			Help:    "Time from the arrival of a live event in a browser to the screen that shows it.",
			Buckets: prometheus.ExponentialBuckets(.016, 2, 10), NativeHistogramBucketFactor: telemetry.NativeFactor,
		}),
		errors: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_web_errors_total", Help: "Uncaught errors in browsers.",
		}, []string{"class", "screen"}),
		reconnects: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_web_reconnects_total", Help: "Streams that browsers reopened.",
		}, []string{"screen"}),
	}
	for _, screen := range screens {
		m.reconnects.WithLabelValues(screen)
		for _, class := range errorClasses {
			m.errors.WithLabelValues(class, screen)
		}
	}
	registry.MustRegister(m.vitals, m.shift, m.shown, m.errors, m.reconnects)
	return m
}

// Note adds a browser's measurements to the metrics, and records the spans that the browser measured.
func (m *measurements) Note(ctx context.Context, items []measurement) (noted, error) {
	for _, item := range items {
		screen := oneOf(screens, item.screen)
		switch {
		case item.kind == kindError:
			m.errors.WithLabelValues(oneOf(errorClasses, item.name), screen).Add(min(item.value, mostCounted))
		case item.kind == kindReconnect:
			m.reconnects.WithLabelValues(screen).Add(min(item.value, mostCounted))
		case item.kind == kindShown:
			m.shown.Observe(item.value / 1000)
			traceShown(ctx, item)
		case item.kind == kindAsked:
			traceAsked(ctx, item)
		case item.name == layoutShift:
			m.shift.WithLabelValues(screen).Observe(item.value)
		case slices.Contains(timeVitals, item.name):
			m.vitals.WithLabelValues(item.name, screen).Observe(item.value / 1000)
		}
	}
	return noted{}, nil
}

// traceShown adds the last span of a change's trace: a browser has shown the change.
func traceShown(ctx context.Context, item measurement) {
	if item.trace == "" {
		return
	}
	carrier := propagation.MapCarrier{"traceparent": item.trace}
	sent := propagation.TraceContext{}.Extract(context.WithoutCancel(ctx), carrier)
	item.span(sent, "show", trace.SpanKindConsumer, attribute.String("messaging.operation.name", "show"))
}

// traceAsked adds the first span of a request's trace: the request in the browser. Browsers report it for traces that
// the gateway has marked as sampled. The rate limit of the route also limits these reports.
func traceAsked(ctx context.Context, item measurement) {
	carrier := propagation.MapCarrier{"traceparent": item.trace}
	own := trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), carrier))
	if !own.IsSampled() {
		return
	}
	item.span(telemetry.Reported(context.WithoutCancel(ctx), own.WithRemote(false)), "ask", trace.SpanKindClient)
}

// span records a span that a browser measured. The browser's clock is not trusted, so the report has only the span's
// duration and how long ago it ended.
func (m measurement) span(ctx context.Context, name string, kind trace.SpanKind, attributes ...attribute.KeyValue) {
	screen := oneOf(screens, m.screen)
	ended := time.Now().Add(-milliseconds(m.ago))
	_, span := tracer.Start(ctx, name+" "+screen, trace.WithSpanKind(kind),
		trace.WithTimestamp(ended.Add(-milliseconds(m.value))), trace.WithAttributes(attributes...),
		trace.WithAttributes(attribute.String("baari.screen", screen)))
	span.End(trace.WithTimestamp(ended))
}

func milliseconds(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }

func oneOf(known []string, name string) string {
	if slices.Contains(known, name) {
		return name
	}
	return other
}
