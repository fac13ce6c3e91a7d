package outbox

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"baari.dev/services/platform/telemetry"
)

var tracer = telemetry.NewTracer("baari.dev/services/platform/outbox")

// tracedFor is how old an event may be for its handling to belong to the trace of the request that made it: a projection
// that is built anew is no part of requests of last year.
const tracedFor = time.Minute

// flagsAt is the offset of the flags in a traceparent, after version, trace and span:
// https://www.w3.org/TR/trace-context/#traceparent-header.
const flagsAt = len("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-")

// Trace starts a span for an operation on an event, in the trace of the request that made the change. For an old event
// or one without a trace it returns ctx and a span that is not recording.
func (e Event) Trace(ctx context.Context, operation string, kind trace.SpanKind) (context.Context, trace.Span) {
	return e.trace(ctx, time.Now(), operation, kind)
}

// trace is Trace at a time.
func (e Event) trace(ctx context.Context, at time.Time, operation string, kind trace.SpanKind) (context.Context, trace.Span) {
	if !e.traced(at) {
		return ctx, trace.SpanFromContext(context.Background())
	}
	opens := openings.of(handling{operation, e.Type, e.Source, kind})
	ctx, span := tracer.Start(e.request(ctx), opens.name, append(slices.Clip(opens.options), trace.WithTimestamp(at))...)
	if span.IsRecording() {
		span.SetAttributes(attribute.String("messaging.message.id", e.ID))
	}
	return ctx, span
}

// request is ctx in the trace of the request that made the event.
func (e Event) request(ctx context.Context) context.Context {
	made := propagation.TraceContext{}.Extract(ctx, carried(e.Traceparent))
	if trace.SpanContextFromContext(ctx).TraceID() == trace.SpanContextFromContext(made).TraceID() {
		return ctx // ctx is already in this trace
	}
	return made
}

func (e Event) traced(at time.Time) bool {
	return e.Traceparent != "" && at.Sub(time.Time(e.Time)) <= tracedFor
}

// Sampled reports whether the event is young enough to be traced and its request's trace is sampled.
func (e Event) Sampled() bool { return e.sampled(time.Now()) }

func (e Event) sampled(at time.Time) bool {
	if len(e.Traceparent) != flagsAt+2 || !e.traced(at) {
		return false
	}
	flags, err := strconv.ParseUint(e.Traceparent[flagsAt:], 16, 8)
	return err == nil && trace.TraceFlags(flags).IsSampled()
}

// carried is the traceparent of an event, which carries nothing else.
type carried string

// Get implements propagation.TextMapCarrier.
func (c carried) Get(key string) string {
	if key == "traceparent" {
		return string(c)
	}
	return ""
}

// Set implements propagation.TextMapCarrier: an event that was made stays as it is.
func (carried) Set(string, string) {}

// Keys implements propagation.TextMapCarrier.
func (carried) Keys() []string { return []string{"traceparent"} }

// handling is one operation on events of one type.
type handling struct {
	operation, event, source string
	kind                     trace.SpanKind
}

// opening has the name and the options of the spans of one handling.
type opening struct {
	name    string
	options []trace.SpanStartOption
}

// openings are described once each, not for each event: most of their spans are not kept, and must cost little. There are as many as
// types of events.
var openings = described{all: map[handling]opening{}}

type described struct {
	mu  sync.RWMutex
	all map[handling]opening
}

func (d *described) of(what handling) opening {
	d.mu.RLock()
	opens, known := d.all[what]
	d.mu.RUnlock()
	if known {
		return opens
	}
	opens = opening{what.operation + " " + what.event, []trace.SpanStartOption{trace.WithSpanKind(what.kind), trace.WithAttributes(
		attribute.String("messaging.system", "redis"), attribute.String("messaging.operation.name", what.operation),
		attribute.String("messaging.destination.name", Channel(what.source)), attribute.String("baari.event.type", what.event))}}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all[what] = opens
	return opens
}

// TraceAll traces an operation on a batch, each event in the trace of its own request. Spans of the whole batch, such as
// its transaction, belong to the newest event whose trace is sampled, whose context is returned; the spans of the other
// sampled events are linked to it. Events of unsampled traces have a span only when ended is called with an error. When
// no trace is sampled, the context is that of the newest event.
func TraceAll(ctx context.Context, events []Event, operation string, kind trace.SpanKind) (within context.Context, ended func(error)) {
	begun, within := time.Now(), ctx
	var open []trace.Span
	for _, event := range slices.Backward(events) {
		if !event.sampled(begun) {
			continue
		}
		traced, span := event.trace(ctx, begun, operation, kind)
		if len(open) == 0 {
			within = traced
		}
		open = linked(open, span)
	}
	if len(open) == 0 && len(events) > 0 && events[len(events)-1].traced(begun) {
		within = events[len(events)-1].request(ctx)
	}
	return within, func(err error) {
		for _, event := range slices.Backward(events) {
			if err != nil && !event.sampled(begun) {
				_, span := event.trace(ctx, begun, operation, kind)
				open = linked(open, span)
			}
		}
		for _, span := range open {
			if err != nil {
				span.SetStatus(codes.Error, "not taken")
			}
			span.End()
		}
	}
}

// linked appends a span and links it to the first one.
func linked(open []trace.Span, span trace.Span) []trace.Span {
	if len(open) > 0 {
		span.AddLink(trace.Link{SpanContext: open[0].SpanContext()})
	}
	return append(open, span)
}
