package realtime

import (
	"slices"
	"time"
)

// How far back a stream can be resumed.
const (
	replayEvents = 5000
	replayAge    = 24 * time.Hour
)

// change is one event with its frames, stored for replay.
type change struct {
	seq    int64
	at     time.Time
	frames []frame
}

// history is the latest changes of one source, one for each seq after `after`. Kept changes are never altered
// in place, so that a slice taken from it stays good without a lock.
type history struct {
	after   int64
	changes []change
}

// trimSlack is how many changes too many may gather before the old ones are let go.
const trimSlack = 512

// add takes the next change.
func (h *history) add(next change) {
	h.changes = append(h.changes, next)
	if len(h.changes) >= replayEvents+trimSlack {
		h.drop(len(h.changes) - replayEvents)
	}
}

// extend puts older changes before those it has; others than the ones just before are ignored.
func (h *history) extend(older []change) {
	for len(older) > 0 && older[len(older)-1].seq > h.after {
		older = older[:len(older)-1]
	}
	if len(older) == 0 || older[len(older)-1].seq != h.after {
		return
	}
	h.after = older[0].seq - 1
	h.changes = slices.Concat(older, h.changes)
}

// since answers what followed seq, up to now; ok is false when it does not reach back that far.
func (h *history) since(seq int64) (changes []change, ok bool) {
	if seq < h.after || seq > h.after+int64(len(h.changes)) {
		return nil, false
	}
	return slices.Clip(h.changes[seq-h.after:]), true
}

// expire drops changes that are too old to be replayed.
func (h *history) expire(now time.Time) {
	old, _ := slices.BinarySearchFunc(h.changes, now.Add(-replayAge), func(c change, limit time.Time) int {
		return c.at.Compare(limit)
	})
	if old > 0 {
		h.drop(old)
	}
}

func (h *history) drop(count int) {
	h.after += int64(count)
	h.changes = slices.Clone(h.changes[count:])
}
