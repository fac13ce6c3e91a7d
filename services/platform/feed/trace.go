package feed

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/codes"
	oteltrace "go.opentelemetry.io/otel/trace"

	"baari.dev/services/platform/outbox"
)

// trace begins a span for the taking over of each event, in its own request's trace. What is done for a whole batch, such
// as its transaction, belongs to the newest, whose context comes back; the spans of the others are linked to it.
func trace(ctx context.Context, events []outbox.Event) (newest context.Context, ended func(error)) {
	if len(events) == 0 {
		return ctx, func(error) {}
	}
	last := len(events) - 1
	newest, span := events[last].Trace(ctx, "process", oteltrace.SpanKindConsumer)
	open := []oteltrace.Span{span}
	for _, event := range events[:last] {
		_, other := event.Trace(ctx, "process", oteltrace.SpanKindConsumer)
		other.AddLink(oteltrace.Link{SpanContext: span.SpanContext()})
		open = append(open, other)
	}
	return newest, func(err error) {
		for _, span := range open {
			if err != nil && !errors.Is(err, ErrMoved) {
				span.SetStatus(codes.Error, "not taken over")
			}
			span.End()
		}
	}
}
