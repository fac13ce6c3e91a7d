package spans

import (
	"sync"
	"time"
)

const (
	longestWait = time.Second
	mostWaiting = 256 // when there are as many they wait no longer
)

// waiting are spans that are kept and have ended. They become spans of the SDK many at a time, and not while somebody waits
// for an answer: one alone finds neither the SDK's code nor its data in the processor's caches, and takes several times as long.
type waiting struct {
	mu    sync.Mutex
	spans []*light
	timer *time.Timer

	turn sync.Mutex // of who makes them
}

func (w *waiting) add(spans []*light) {
	if len(spans) == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	before := len(w.spans)
	w.spans = append(w.spans, spans...)
	if before == 0 {
		w.timer = time.AfterFunc(longestWait, w.flush)
	}
	if before < mostWaiting && len(w.spans) >= mostWaiting {
		w.timer.Reset(0)
	}
}

// flush returns when all that was kept before is with the SDK.
func (w *waiting) flush() {
	w.turn.Lock()
	defer w.turn.Unlock()
	w.mu.Lock()
	spans := w.spans
	w.spans = nil
	w.mu.Unlock()
	for _, span := range spans {
		span.keep()
	}
}
