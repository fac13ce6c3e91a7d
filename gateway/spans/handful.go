package spans

import (
	"context"
	"sync"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// How many spans are handed on at once, and how long one waits for others.
const (
	handful   = 64
	handAfter = time.Second
)

// handfuls hands ended spans on to the SDK's batcher several at a time: each hand-over wakes the batcher's goroutine, which
// costs a program with little to do more than the span.
type handfuls struct {
	batcher sdk.SpanProcessor
	timer   *time.Timer // of the first that waits

	mu      sync.Mutex
	waiting []sdk.ReadOnlySpan
}

func newHandfuls(batcher sdk.SpanProcessor) *handfuls {
	h := &handfuls{batcher: batcher}
	h.timer = time.AfterFunc(handAfter, h.handOn)
	return h
}

// OnStart implements sdk.SpanProcessor.
func (h *handfuls) OnStart(ctx context.Context, span sdk.ReadWriteSpan) { h.batcher.OnStart(ctx, span) }

// OnEnd implements sdk.SpanProcessor.
func (h *handfuls) OnEnd(span sdk.ReadOnlySpan) {
	h.mu.Lock()
	h.waiting = append(h.waiting, span)
	count := len(h.waiting)
	h.mu.Unlock()
	switch count {
	case 1:
		h.timer.Reset(handAfter)
	case handful:
		h.handOn()
	}
}

func (h *handfuls) handOn() {
	h.mu.Lock()
	handed := h.waiting
	h.waiting = make([]sdk.ReadOnlySpan, 0, handful)
	h.mu.Unlock()
	for _, span := range handed {
		h.batcher.OnEnd(span)
	}
}

// ForceFlush implements sdk.SpanProcessor.
func (h *handfuls) ForceFlush(ctx context.Context) error {
	h.handOn()
	return h.batcher.ForceFlush(ctx)
}

// Shutdown implements sdk.SpanProcessor.
func (h *handfuls) Shutdown(ctx context.Context) error {
	h.timer.Stop()
	h.handOn()
	return h.batcher.Shutdown(ctx)
}
