package telemetry

import (
	"context"
	"sync/atomic"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/trace"
)

// Tracer makes the spans of one package by the provider that is installed when they begin. To ask a provider for its tracer
// each time takes as long as a span that is not kept.
type Tracer struct {
	name string
	last atomic.Pointer[answered]
}

// answered is the tracer that a provider gave.
type answered struct {
	provider trace.TracerProvider
	tracer   trace.Tracer
}

// NewTracer makes the Tracer of the package with this import path.
func NewTracer(name string) *Tracer { return &Tracer{name: name} }

// Start begins a span, as trace.Tracer does.
func (t *Tracer) Start(ctx context.Context, name string, options ...trace.SpanStartOption) (context.Context, trace.Span) {
	provider, last := otel.GetTracerProvider(), t.last.Load()
	if last == nil || last.provider != provider {
		last = &answered{provider, provider.Tracer(t.name)}
		t.last.Store(last)
	}
	return last.tracer.Start(ctx, name, options...)
}
