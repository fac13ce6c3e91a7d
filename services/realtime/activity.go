package realtime

import (
	"context"
	"slices"
	"time"

	"baari.dev/services/platform/identity"
)

// reportEvery is the interval of the reports to auth about sessions with an open stream.
const reportEvery = 15 * time.Second

// KeepSessions reports to auth which sessions have an open stream, because these are not idle. It does so every
// reportEvery until ctx ends. Run it in its own goroutine, so that a slow response of auth does not delay the streams.
func (h *Hub) KeepSessions(ctx context.Context, report identity.Reporter) error {
	ticker := time.NewTicker(reportEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		for some := range slices.Chunk(h.openSessions(), identity.MaxActive) {
			bounded, cancel := context.WithTimeout(ctx, reportEvery/3)
			ends, err := report(bounded, some)
			cancel()
			if err != nil {
				h.log.WarnContext(ctx, "the sessions with an open stream were not reported to auth", "cause", err)
				break
			}
			h.renew(ends)
		}
	}
}

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
