package feed

import (
	"context"
	"fmt"

	"baari.dev/services/platform/outbox"
)

// batchOf is what a page brings to who stands at pos. Below the source's beginning numbers may be missing; above it a
// missing one is an error: the page was read while the source pruned, and the next one is right.
func batchOf(pos Position, page outbox.Page) (Batch, error) {
	batch := Batch{After: pos, UpTo: Position{Epoch: page.Epoch, Seq: pos.Seq}, Events: page.Events}
	for _, event := range page.Events {
		if event.Seq != batch.UpTo.Seq+1 && event.Seq > page.Begins {
			return batch, fmt.Errorf("event %d follows %d", event.Seq, batch.UpTo.Seq)
		}
		batch.UpTo.Seq = event.Seq
	}
	if len(page.Events) < outbox.MaxPage {
		batch.UpTo.Seq = max(batch.UpTo.Seq, page.Begins-1) // nothing is left before the beginning
	}
	return batch, nil
}

// notePruned says once that events are gone that were never taken over. How things stand is right all the same: the
// newest event of each is kept. What counts every event, as a trail does, lacks some.
func (f *Follower) notePruned(ctx context.Context, pos Position, page outbox.Page) {
	gone := page.Begins > pos.Seq+1
	if gone && !f.pruned {
		f.holes.Inc()
		f.log.WarnContext(ctx, "follow "+f.source+": events were pruned before they were taken over", "after", pos.Seq, "begins", page.Begins)
	}
	f.pruned = gone
}
