package attention

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"baari.dev/services/office"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/visit"
)

const (
	followEvery  = 5 * time.Second
	longestGap   = 30 * time.Second // a longer time between two ticks is an outage
	lockLimit    = 10 * time.Second // the longest run
	mostFailures = 3                // a run changes no further calls after this many failures
)

// Watch is the time during which this replica has followed up on calls without a gap. Since is its first
// run, its first run after a gap, or the time at which the office opened, whichever was last. The time before Since
// does not count, because this replica did not follow up on the calls, or the office was closed.
type Watch struct{ Since, Last time.Time }

func (w *Watch) tick(now time.Time, open bool) {
	if !open || now.Sub(w.Last) > longestGap {
		w.Since = now
	}
	w.Last = now
}

// Follow follows up on calls every few seconds until ctx ends. One replica at a time repeats unanswered calls, and
// marks visitors as not here if the office's policy says so.
func (a *Attention) Follow(ctx context.Context, log *slog.Logger) error {
	ticker := time.NewTicker(followEvery)
	defer ticker.Stop()
	var watch Watch
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if err := a.FollowOnce(ctx, &watch); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "calls are followed at the next tick", "cause", err)
		}
	}
}

// FollowOnce follows up on the calls to open desks during opening hours, unless another replica does. It does not
// change a visit that a person has changed meanwhile. After a failure, it goes on, up to mostFailures failures.
func (a *Attention) FollowOnce(ctx context.Context, watch *Watch) error {
	return a.store.WithAdvisoryLock(ctx, "calls", lockLimit, func() error {
		calls, now, err := a.store.openCalls(ctx)
		if err != nil {
			return err
		}
		open := isOpen(now)
		watch.tick(now.Now, open)
		if !open {
			return nil
		}
		var failed []error
		for _, call := range calls {
			action := due(call, watch.Since)
			if action == "" || len(failed) == mostFailures {
				continue
			}
			changed, err := a.queue.ChangeBySystem(ctx, call.Visit.ID, &call.Visit.Version, action)
			if err != nil {
				failed = append(failed, err)
			}
			if changed {
				a.metrics.followed.WithLabelValues(string(action)).Inc()
			}
		}
		return errors.Join(failed...)
	})
}

// due returns the action that the service takes for a call now, "" for none. The wait for an answer counts from the
// call, the visit's last change, the opening of the desk or watched, whichever is last.
func due(call openCall, watched time.Time) visit.Action {
	now := call.At.Clock
	if call.deskSince.After(watched) {
		watched = call.deskSince
	}
	recall, miss := call.Follows(watched)
	switch {
	case miss != nil && !now.Before(*miss):
		return visit.Miss
	case recall != nil && !now.Before(*recall):
		return visit.Recall
	}
	return ""
}

// isOpen reports whether the office is open at this time of day. On a day without opening hours it counts as open,
// because an unanswered call shows that a person works.
func isOpen(now catalog.Clock) bool {
	spans := catalog.HoursOn(now.Days, now.Local)
	return len(spans) == 0 || office.IsOpenAt(spans, now.Local.Format("15:04"))
}
