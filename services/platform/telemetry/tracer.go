package telemetry

import (
	"context"
	"sync/atomic"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/trace"
)

// Tracer starts the spans of one package with the provider that is installed when a span starts. It caches the
// provider's tracer, because a lookup takes as long as a span that is not recorded.
type Tracer struct {
	name string
	last atomic.Pointer[cached]
}

type cached struct {
	provider trace.TracerProvider
	tracer   trace.Tracer
}

// NewTracer returns the Tracer of the package with this import path.
func NewTracer(name string) *Tracer { return &Tracer{name: name} }

// Start starts a span, as trace.Tracer does.
func (t *Tracer) Start(
	ctx context.Context,
	name string,
	options ...trace.SpanStartOption,
) (context.Context, trace.Span) {
	provider, last := otel.GetTracerProvider(), t.last.Load()
	if last == nil || last.provider != provider {
		last = &cached{provider, provider.Tracer(t.name)}
		t.last.Store(last)
	}
	return last.tracer.Start(ctx, name, options...)
}
