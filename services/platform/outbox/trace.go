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

// tracedFor is the age up to which the handling of an event belongs to the trace of its request, so that a rebuilt
// projection does not extend the traces of last year's requests.
const tracedFor = time.Minute

// flagsAt is the offset of the flags in a traceparent, after version, trace and span:
// https://www.w3.org/TR/trace-context/#traceparent-header.
const flagsAt = len("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-")

// Trace starts a span for an operation on an event, in the trace of the request that made the change. For an old event
// or one without a trace it returns ctx and a span that is not recording.
func (e Event) Trace(ctx context.Context, operation string, kind trace.SpanKind) (context.Context, trace.Span) {
	return e.trace(ctx, time.Now(), operation, kind)
}

// trace is Trace with a span that starts at the given time.
func (e Event) trace(
	ctx context.Context,
	at time.Time,
	operation string,
	kind trace.SpanKind,
) (context.Context, trace.Span) {
	if !e.traced(at) {
		return ctx, trace.SpanFromContext(context.Background())
	}
	start := starts.of(handling{operation, e.Type, e.Source, kind})
	ctx, span := tracer.Start(e.request(ctx), start.name, append(slices.Clip(start.options), trace.WithTimestamp(at))...)
	if span.IsRecording() {
		span.SetAttributes(attribute.String("messaging.message.id", e.ID))
	}
	return ctx, span
}

// request returns ctx in the trace of the request that made the event.
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

// carried is the traceparent of an event, as a carrier of the propagator.
type carried string

// Get implements propagation.TextMapCarrier.
func (c carried) Get(key string) string {
	if key == "traceparent" {
		return string(c)
	}
	return ""
}

// Set implements propagation.TextMapCarrier. It does nothing: the propagator only reads.
func (carried) Set(string, string) {}

// Keys implements propagation.TextMapCarrier.
func (carried) Keys() []string { return []string{"traceparent"} }

// handling is one operation on events of one type.
type handling struct {
	operation, event, source string
	kind                     trace.SpanKind
}

// spanStart has the name and the options of the spans of one handling.
type spanStart struct {
	name    string
	options []trace.SpanStartOption
}

// starts caches a spanStart for each handling. Most spans are not recorded, and making the options for each event would
// cost more than handling such a span. The cache is small: there are few types of events and few operations.
var starts = spanStarts{all: map[handling]spanStart{}}

type spanStarts struct {
	mu  sync.RWMutex
	all map[handling]spanStart
}

func (s *spanStarts) of(h handling) spanStart {
	s.mu.RLock()
	start, known := s.all[h]
	s.mu.RUnlock()
	if known {
		return start
	}
	start = spanStart{h.operation + " " + h.event, []trace.SpanStartOption{
		trace.WithSpanKind(h.kind),
		trace.WithAttributes(
			attribute.String("messaging.system", "redis"),
			attribute.String("messaging.operation.name", h.operation),
			attribute.String("messaging.destination.name", Channel(h.source)),
			attribute.String("baari.event.type", h.event),
		),
	}}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[h] = start
	return start
}

// TraceAll traces an operation on a batch, each event in the trace of its own request. It returns the context of the
// newest event whose trace is sampled, or of the newest event if none is. Spans of the whole batch, such as its
// transaction, belong to that event; the spans of the other sampled events are linked to its span. Events of unsampled
// traces have a span only when ended is called with an error.
func TraceAll(
	ctx context.Context,
	events []Event,
	operation string,
	kind trace.SpanKind,
) (within context.Context, ended func(error)) {
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
				span.SetStatus(codes.Error, "failed")
			}
			span.End()
		}
	}
}

func linked(open []trace.Span, span trace.Span) []trace.Span {
	if len(open) > 0 {
		span.AddLink(trace.Link{SpanContext: open[0].SpanContext()})
	}
	return append(open, span)
}
