package feed

import (
	"context"
	"fmt"

	"baari.dev/services/platform/outbox"
)

// batchOf returns the batch of a page for a sink at pos. Below the source's beginning, numbers may be missing. Above
// it, a missing number is an error: the source was pruned during the read, and the next read succeeds.
func batchOf(pos Position, page outbox.Page) (Batch, error) {
	batch := Batch{After: pos, UpTo: Position{Epoch: page.Epoch, Seq: pos.Seq}, Events: page.Events}
	for _, event := range page.Events {
		if event.Seq != batch.UpTo.Seq+1 && event.Seq > page.Begins {
			return batch, fmt.Errorf("event %d follows %d", event.Seq, batch.UpTo.Seq)
		}
		batch.UpTo.Seq = event.Seq
	}
	if len(page.Events) < outbox.MaxPage {
		batch.UpTo.Seq = max(batch.UpTo.Seq, page.Begins-1) // no later event is left below the beginning
	}
	return batch, nil
}

// notePruned logs once that events were pruned before being applied. Projections of current state stay correct, because
// the newest event of each subject is kept. A sink that needs all events, such as the audit trail, has lost some.
func (f *Follower) notePruned(ctx context.Context, pos Position, page outbox.Page) {
	gone := page.Begins > pos.Seq+1
	if gone && !f.pruned {
		f.prunings.Inc()
		f.log.WarnContext(ctx, "follow "+f.source+": events were pruned before they were applied",
			"after", pos.Seq, "begins", page.Begins)
	}
	f.pruned = gone
}
