package telemetry

import (
	"context"
	"sync"

	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// mostSpans is the largest number of ended spans that are kept in memory for one unsampled trace.
const mostSpans = 256

// keepFailed is the span processor that decides which spans reach the exporter's processor: sampled spans at once;
// spans of an unsampled trace once the last of them in this program has ended, if one of them failed. Each program
// decides about its own spans only.
type keepFailed struct {
	sdk.SpanProcessor // the exporter's processor

	mu     sync.Mutex
	traces map[trace.TraceID]*local // unsampled traces with open spans
}

// local has the spans of one unsampled trace in this program.
type local struct {
	open   int
	failed bool
	ended  []sdk.ReadOnlySpan
}

// OnStart implements sdk.SpanProcessor.
func (p *keepFailed) OnStart(_ context.Context, span sdk.ReadWriteSpan) {
	own := span.SpanContext()
	if own.IsSampled() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.traces[own.TraceID()]
	if t == nil {
		t = &local{}
		p.traces[own.TraceID()] = t
	}
	t.open++
}

// OnEnd implements sdk.SpanProcessor.
func (p *keepFailed) OnEnd(span sdk.ReadOnlySpan) {
	if span.SpanContext().IsSampled() {
		p.SpanProcessor.OnEnd(span)
		return
	}
	for _, kept := range p.end(span) {
		p.SpanProcessor.OnEnd(sampled{kept})
	}
}

// end records that a span has ended. When it was the last open span of its trace, end returns the spans of the trace if
// one of them failed.
func (p *keepFailed) end(span sdk.ReadOnlySpan) (kept []sdk.ReadOnlySpan) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := span.SpanContext().TraceID()
	t := p.traces[id]
	if len(t.ended) < mostSpans {
		t.ended = append(t.ended, span)
	}
	t.failed = t.failed || span.Status().Code == codes.Error
	if t.open--; t.open > 0 {
		return nil
	}
	delete(p.traces, id)
	if !t.failed {
		return nil
	}
	return t.ended
}

// sampled is a span whose sampled flag is set, because the SDK's batcher drops spans without it.
type sampled struct{ sdk.ReadOnlySpan }

// SpanContext implements sdk.ReadOnlySpan.
func (s sampled) SpanContext() trace.SpanContext {
	own := s.ReadOnlySpan.SpanContext()
	return own.WithTraceFlags(own.TraceFlags() | trace.FlagsSampled)
}
