package spans

import (
	"context"
	"sync"

	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Bounds of what waits for its end.
const (
	mostTraces = 4096 // under way at once; of more, only the sampled ones are kept
	mostSpans  = 256  // of one trace
)

// tail passes on the spans that are sampled, and holds back the others until nothing of their trace is under way here:
// if one of them has failed by then, all of them are passed on as if they were sampled. Each program decides for its own
// part of a trace; a failure that its caller sees is kept there, too.
type tail struct {
	next sdk.SpanProcessor

	mu      sync.Mutex
	waiting map[trace.TraceID]*part
}

// part is what this program did for one trace that is not sampled.
type part struct {
	open   int
	failed bool
	ended  []sdk.ReadOnlySpan
}

func newTail(next sdk.SpanProcessor) *tail {
	return &tail{next: next, waiting: map[trace.TraceID]*part{}}
}

// OnStart implements sdk.SpanProcessor.
func (t *tail) OnStart(ctx context.Context, span sdk.ReadWriteSpan) {
	if span.SpanContext().IsSampled() {
		t.next.OnStart(ctx, span)
		return
	}
	id := span.SpanContext().TraceID()
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.waiting[id]
	if p == nil {
		if len(t.waiting) >= mostTraces {
			return
		}
		p = &part{}
		t.waiting[id] = p
	}
	p.open++
}

// OnEnd implements sdk.SpanProcessor.
func (t *tail) OnEnd(span sdk.ReadOnlySpan) {
	if span.SpanContext().IsSampled() {
		t.next.OnEnd(span)
		return
	}
	for _, kept := range t.end(span) {
		t.next.OnEnd(sampled{kept})
	}
}

// end notes that a span has ended and answers what is to be passed on.
func (t *tail) end(span sdk.ReadOnlySpan) []sdk.ReadOnlySpan {
	id := span.SpanContext().TraceID()
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.waiting[id]
	if p == nil {
		return nil
	}
	if len(p.ended) < mostSpans {
		p.ended = append(p.ended, span)
	}
	p.failed = p.failed || span.Status().Code == codes.Error
	if p.open--; p.open > 0 {
		return nil
	}
	delete(t.waiting, id)
	if !p.failed {
		return nil
	}
	return p.ended
}

// Shutdown implements sdk.SpanProcessor.
func (t *tail) Shutdown(ctx context.Context) error { return t.next.Shutdown(ctx) }

// ForceFlush implements sdk.SpanProcessor.
func (t *tail) ForceFlush(ctx context.Context) error { return t.next.ForceFlush(ctx) }

// sampled is a span that is kept after all.
type sampled struct{ sdk.ReadOnlySpan }

// SpanContext is the span's own, with the flag that exporters go by.
func (s sampled) SpanContext() trace.SpanContext {
	own := s.ReadOnlySpan.SpanContext()
	return own.WithTraceFlags(own.TraceFlags().WithSampled(true))
}
