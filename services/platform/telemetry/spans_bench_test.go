package telemetry

import (
	"context"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/trace"
)

// BenchmarkUnsampledSpan compares a span that is recorded and then dropped with a span that is not recorded.
func BenchmarkUnsampledSpan(b *testing.B) {
	for name, exporter := range map[string]*holding{"recorded": {}, "ids only": nil} {
		b.Run(name, func(b *testing.B) {
			config := TracingConfig{Sampler: "always_off"}
			tracing, err := newTracing(resource.Empty(), nil, config)
			if exporter != nil {
				tracing, err = newTracing(resource.Empty(), exporter, config)
			}
			if err != nil {
				b.Fatal(err)
			}
			tracer := tracing.Provider().Tracer("test")
			ofServer := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer)}
			status := []attribute.KeyValue{attribute.Int("http.response.status_code", 200)}
			b.ReportAllocs()
			for b.Loop() {
				_, span := tracer.Start(context.Background(), "GET /", ofServer...)
				span.SetAttributes(status...)
				span.End()
			}
		})
	}
}
