package spans

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// Span is one span in the response of the admin listener.
type Span struct {
	TraceID    string            `json:"trace_id"`
	ID         string            `json:"span_id"`
	Parent     string            `json:"parent_id,omitempty"`
	Links      []string          `json:"links,omitempty"` // TRACEID-SPANID
	Program    string            `json:"program"`
	Name       string            `json:"name"`
	Kind       string            `json:"kind"`
	Start      time.Time         `json:"start"`
	Duration   time.Duration     `json:"duration_ns"`
	Failed     bool              `json:"failed,omitempty"`
	Attributes map[string]string `json:"attributes,omitempty"`
}

// recent keeps the last spans that were exported, or would have been, in a ring.
type recent struct {
	program string

	mu   sync.Mutex
	ring []sdk.ReadOnlySpan
	next int // index of the next span
}

func newRecent(program string, size int) *recent {
	return &recent{program: program, ring: make([]sdk.ReadOnlySpan, size)}
}

// OnStart implements sdk.SpanProcessor.
func (*recent) OnStart(context.Context, sdk.ReadWriteSpan) {}

// OnEnd implements sdk.SpanProcessor.
func (r *recent) OnEnd(span sdk.ReadOnlySpan) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ring[r.next] = span
	r.next = (r.next + 1) % len(r.ring)
}

// Shutdown implements sdk.SpanProcessor.
func (*recent) Shutdown(context.Context) error { return nil }

// ForceFlush implements sdk.SpanProcessor.
func (*recent) ForceFlush(context.Context) error { return nil }

// spans returns the kept spans, oldest first.
func (r *recent) spans() (shown []Span) {
	r.mu.Lock()
	kept := append(append([]sdk.ReadOnlySpan(nil), r.ring[r.next:]...), r.ring[:r.next]...)
	r.mu.Unlock()
	for _, span := range kept {
		if span != nil {
			shown = append(shown, r.show(span))
		}
	}
	return shown
}

// memory is the kept spans of a process.
type memory []*recent

// ServeHTTP answers {"spans":[…]}.
func (m memory) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	answer := struct {
		Spans []Span `json:"spans"`
	}{Spans: []Span{}}
	for _, r := range m {
		answer.Spans = append(answer.Spans, r.spans()...)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

func (r *recent) show(span sdk.ReadOnlySpan) Span {
	shown := Span{
		TraceID: span.SpanContext().TraceID().String(), ID: span.SpanContext().SpanID().String(), Program: r.program,
		Name: span.Name(), Kind: span.SpanKind().String(),
		Start: span.StartTime(), Duration: span.EndTime().Sub(span.StartTime()),
		Failed: span.Status().Code == codes.Error, Attributes: map[string]string{},
	}
	if span.Parent().SpanID().IsValid() {
		shown.Parent = span.Parent().SpanID().String()
	}
	for _, link := range span.Links() {
		shown.Links = append(shown.Links, link.SpanContext.TraceID().String()+"-"+link.SpanContext.SpanID().String())
	}
	for _, attribute := range span.Attributes() {
		shown.Attributes[string(attribute.Key)] = attribute.Value.String()
	}
	return shown
}
