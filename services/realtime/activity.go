package realtime

import (
	"context"
	"slices"
	"time"

	"baari.dev/services/platform/identity"
)

// KeepSessions reports the sessions with an open stream to auth at each heartbeat, until ctx ends: a session that
// watches a dashboard is not idle. It runs apart from the streams, which a slow answer of auth must not delay.
func (h *Hub) KeepSessions(ctx context.Context, report identity.Reporter) error {
	ticker := time.NewTicker(heartbeatEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		for some := range slices.Chunk(h.openSessions(), identity.MaxActive) {
			bounded, cancel := context.WithTimeout(ctx, heartbeatEvery/3)
			ends, err := report(bounded, some)
			cancel()
			if err != nil {
				h.log.WarnContext(ctx, "auth did not hear which sessions are in use", "cause", err)
				break
			}
			h.renew(ends)
		}
	}
}

// openSessions are the sessions that have a stream, each once.
func (h *Hub) openSessions() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var open []string
	for _, own := range h.byUser {
		for _, s := range own {
			open = append(open, s.sessionID)
		}
	}
	slices.Sort(open)
	return slices.Compact(open)
}

// renew notes when sessions end now.
func (h *Hub) renew(ends map[string]time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, own := range h.byUser {
		for _, s := range own {
			if end, valid := ends[s.sessionID]; valid {
				s.expires = end
			}
		}
	}
}
