package attention

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"baari.dev/services/office"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

const (
	followEvery  = 5 * time.Second // the interval at which calls are followed
	mostFailures = 3               // calls that cannot be changed, each perhaps after a wait for a lock
)

// Follow runs until ctx ends. One replica at a time repeats calls that are not answered, and marks visitors as not here
// where the office has chosen that.
func (a *Attention) Follow(ctx context.Context, log *slog.Logger) error {
	ticker := time.NewTicker(followEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if err := a.FollowOnce(ctx); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "calls are followed at the next tick", "cause", err)
		}
	}
}

// FollowOnce follows the calls to open desks in opening hours. It does nothing while another replica does. What a
// person has changed meanwhile is left as it is. A call that cannot be changed does not keep the others waiting.
func (a *Attention) FollowOnce(ctx context.Context) error {
	return a.store.WithAdvisoryLock(ctx, "calls", func() error {
		calls, now, err := a.store.openCalls(ctx)
		if err != nil || !isOpen(now) {
			return err
		}
		var failed []error
		for _, call := range calls {
			action := due(call, call.At.Clock)
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

// due returns what the service does with a call at a time, "" for nothing.
func due(call row.Snapshot, now time.Time) visit.Action {
	recall, miss := call.Follows()
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
