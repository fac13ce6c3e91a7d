package realtime

import (
	"slices"
	"time"
)

// A stream can be resumed from a position that is at most replayEvents events behind and at most replayAge old.
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

// history has the latest changes of one source: one for each sequence number, beginning with after+1. Stored changes
// are never modified, so a slice of them can be read without a lock.
type history struct {
	after   int64
	changes []change
}

// trimSlack is the number of changes that may be stored in excess of replayEvents before the oldest are dropped.
const trimSlack = 512

func (h *history) add(next change) {
	h.changes = append(h.changes, next)
	if len(h.changes) >= replayEvents+trimSlack {
		h.drop(len(h.changes) - replayEvents)
	}
}

// extend puts older changes before the stored ones. It drops those already stored, and drops all if there is a gap.
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

// since returns the changes after seq. ok is false if seq is neither in the history nor just before it.
func (h *history) since(seq int64) (changes []change, ok bool) {
	if seq < h.after || seq > h.after+int64(len(h.changes)) {
		return nil, false
	}
	return slices.Clip(h.changes[seq-h.after:]), true
}

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
