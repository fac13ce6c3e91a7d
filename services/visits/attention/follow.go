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
	followEvery  = 5 * time.Second  // the interval at which calls are followed
	longestGap   = 30 * time.Second // a longer time without a tick is an outage
	lockLimit    = 10 * time.Second // the longest run
	mostFailures = 3                // calls that cannot be changed, each perhaps after a wait for a lock
)

// Watch is the time in which this replica has followed calls without a gap. It begins at the start of the service, at
// the end of an outage, or when the office opens. The time before it does not count, because visitors could not come to
// the desk, or were told to come later.
type Watch struct{ Since, Last time.Time }

func (w *Watch) tick(now time.Time, open bool) {
	if !open || now.Sub(w.Last) > longestGap {
		w.Since = now
	}
	w.Last = now
}

// Follow runs until ctx ends. One replica at a time repeats calls that are not answered, and marks visitors as not here
// where the office has chosen that.
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

// FollowOnce follows the calls to open desks in opening hours. It does nothing while another replica does. What a
// person has changed meanwhile is left as it is. A call that cannot be changed does not keep the others waiting.
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

// due returns what the service does with a call, "" for nothing. The time from the call on counts only while its desk
// was open and calls were followed, which both may have begun later.
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

// isOpen reports whether the office is open by its hours. On a day without hours it is: a person who calls visitors
// works.
func isOpen(now catalog.Clock) bool {
	spans := catalog.HoursOn(now.Hours, now.Local)
	return len(spans) == 0 || office.IsOpenAt(spans, now.Local.Format("15:04"))
}
