package outbox

import (
	"context"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// tracedFor is how old an event may be for its handling to belong to the trace of the request that made it: a projection
// that is built anew is no part of requests of last year.
const tracedFor = time.Minute

// Trace begins a span of what is done with an event, in the trace of the request that made it. For an old event, and one
// that was made outside a trace, ctx comes back as it is, with a span that records nothing.
func (e Event) Trace(ctx context.Context, operation string, kind trace.SpanKind) (context.Context, trace.Span) {
	if e.Traceparent == "" || time.Since(time.Time(e.Time)) > tracedFor {
		return ctx, trace.SpanFromContext(context.Background())
	}
	made := propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": e.Traceparent})
	if trace.SpanContextFromContext(ctx).TraceID() == trace.SpanContextFromContext(made).TraceID() {
		made = ctx // what is under way is part of it already
	}
	return otel.Tracer("baari.dev/services/platform/outbox").Start(made, operation+" "+e.Type, trace.WithSpanKind(kind), trace.WithAttributes(
		attribute.String("messaging.system", "redis"), attribute.String("messaging.operation.name", operation),
		attribute.String("messaging.destination.name", Channel(e.Source)), attribute.String("messaging.message.id", e.ID),
		attribute.String("baari.event.type", e.Type)))
}

// traceAll begins the spans of a batch; the returned function ends them all, as failed when there is an error.
func traceAll(ctx context.Context, events []Event, operation string, kind trace.SpanKind) func(error) {
	open := make([]trace.Span, 0, len(events))
	for _, event := range events {
		_, span := event.Trace(ctx, operation, kind)
		open = append(open, span)
	}
	return func(err error) {
		for _, span := range open {
			if err != nil {
				span.SetStatus(codes.Error, "not taken")
			}
			span.End()
		}
	}
}
