//go:build !mutant

package feed

import (
	"context"

	"baari.dev/services/platform/outbox"
)

// The lines on which the promises rest. rules_mutant.go breaks them one by one, to show that the proof finds it.

// follows reports whether nothing lies between a position and an event.
func follows(at Position, event outbox.Event) bool {
	return event.Epoch == at.Epoch && event.Seq == at.Seq+1
}

// lookAtHead finds what was lost without a gap that shows it.
func (f *Follower) lookAtHead(ctx context.Context) { f.repair(ctx, reasonHead) }

// isNext reports whether a batch follows the position that is stored: what came before is not taken over twice.
func isNext(stored Position, batch Batch) bool {
	return stored.Seq == batch.After.Seq && (stored.Epoch == batch.UpTo.Epoch || stored.Epoch == "")
}
