package realtime

import (
	"context"
	"errors"
	"strconv"
	"time"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
)

const (
	// fillLimit is the timeout for reading, from a source's feed, the events that the history lacks; see Hub.fillLimit.
	fillLimit = 3 * time.Second
	// aheadLimit is how long a request waits if the client's position is ahead of this replica's.
	aheadLimit = time.Second
	aheadPoll  = 20 * time.Millisecond
)

var errTooOld = errors.New("the stream cannot be resumed from this position")

// await waits, at most aheadLimit, until this replica has reached the position that another replica sent to the client.
func (h *Hub) await(ctx context.Context, last position) {
	ctx, cancel := context.WithTimeout(ctx, aheadLimit)
	defer cancel()
	poll := time.NewTicker(aheadPoll)
	defer poll.Stop()
	for !h.reached(last) {
		select {
		case <-poll.C:
		case <-ctx.Done():
			return
		}
	}
}

func (h *Hub) reached(last position) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, place := range last {
		if at := h.at[i]; at.Epoch == place.Epoch && at.Seq < place.Seq {
			return false
		}
	}
	return true
}

// missed returns, for each source, the changes between the client's last position and the start of its stream. Changes
// that a history lacks are read from the source's feed. If missed returns an error, the client must refetch.
func (h *Hub) missed(ctx context.Context, last, began position) ([][]change, error) {
	missed := make([][]change, len(h.sources))
	for i, source := range h.sources {
		from, to := last[i], began[i]
		if from.Epoch == "" || from.Epoch != to.Epoch || from.Seq > to.Seq || to.Seq-from.Seq > replayEvents {
			return nil, errTooOld
		}
		changes, err := h.missedOf(ctx, source, from, to.Seq)
		if err != nil {
			return nil, err
		}
		missed[i] = changes
	}
	return missed, nil
}

// missedOf returns the changes of one source after a position (from), up to and including a sequence number (to).
func (h *Hub) missedOf(ctx context.Context, s *source, from feed.Position, to int64) ([]change, error) {
	if from.Seq == to {
		return nil, nil
	}
	changes, kept := h.remembered(s, from)
	if !kept {
		if err := h.fill(ctx, s, from); err != nil {
			return nil, err
		}
		if changes, kept = h.remembered(s, from); !kept {
			return nil, errTooOld
		}
	}
	changes = changes[:to-from.Seq]
	if time.Since(changes[0].at) > replayAge {
		return nil, errTooOld
	}
	return changes, nil
}

func (h *Hub) remembered(s *source, from feed.Position) (changes []change, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return s.past.since(from.Seq)
}

// fill reads the source's feed into the source's history, beginning at a position. Streams that reconnect at the same
// time, for example after a restart of this replica, share one read.
func (h *Hub) fill(ctx context.Context, s *source, from feed.Position) error {
	from.Seq -= from.Seq % outbox.MaxPage
	key := s.name + from.Epoch + strconv.FormatInt(from.Seq, 10)
	_, err, _ := h.fills.Do(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), h.fillLimit)
		defer cancel()
		return nil, h.read(ctx, s, from)
	})
	return err
}

// read reads the source's feed from a position up to the start of the source's history, and extends the history.
func (h *Hub) read(ctx context.Context, s *source, from feed.Position) error {
	var older []change
	for {
		page, err := s.pager.Read(ctx, from, outbox.MaxPage)
		if err != nil {
			return err
		}
		for _, event := range page.Events {
			older = append(older, h.changeOf(ctx, event))
			from.Seq = event.Seq
		}
		h.mu.Lock()
		enough := from.Seq >= s.past.after || len(page.Events) == 0
		if enough {
			s.past.extend(older)
		}
		h.mu.Unlock()
		if enough {
			return nil
		}
	}
}
