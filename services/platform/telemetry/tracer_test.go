package telemetry_test

import (
	"testing"

	"go.opentelemetry.io/otel"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"baari.dev/services/platform/telemetry"
)

func TestATracerUsesTheInstalledProvider(t *testing.T) {
	before := otel.GetTracerProvider()
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	tracer := telemetry.NewTracer("baari.dev/test")
	for _, recorder := range []*tracetest.SpanRecorder{tracetest.NewSpanRecorder(), tracetest.NewSpanRecorder()} {
		otel.SetTracerProvider(sdk.NewTracerProvider(sdk.WithSpanProcessor(recorder)))
		for range 2 {
			_, span := tracer.Start(t.Context(), "work")
			span.End()
		}
		spans := recorder.Ended()
		if len(spans) != 2 || spans[0].InstrumentationScope().Name != "baari.dev/test" {
			t.Errorf("%d spans", len(spans))
		}
	}
}
