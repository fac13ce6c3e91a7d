//go:build mutant

package feed

import (
	"context"

	"baari.dev/services/platform/mutant"
	"baari.dev/services/platform/outbox"
)

// follows, in M6, passes over a hole.
func follows(at Position, event outbox.Event) bool {
	if mutant.Is("M6") && event.Epoch == at.Epoch && event.Seq > at.Seq {
		return true
	}
	return event.Epoch == at.Epoch && event.Seq == at.Seq+1
}

// lookAtHead, in M7, is left out once the source was heard of.
func (f *Follower) lookAtHead(ctx context.Context) {
	if at := f.Position(); mutant.Is("M7") && at.Epoch != "" && at.Epoch != Nowhere.Epoch {
		return
	}
	f.repair(ctx, reasonHead)
}

// isNext, in M14, takes over twice what comes twice.
func isNext(stored Position, batch Batch) bool {
	if mutant.Is("M14") {
		return true
	}
	return stored.Seq == batch.After.Seq && (stored.Epoch == batch.UpTo.Epoch || stored.Epoch == "")
}
