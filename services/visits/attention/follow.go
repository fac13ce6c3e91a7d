package attention

import (
	"context"
	"log/slog"
	"time"

	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/line"
	"baari.dev/services/visits/visit"
)

// followEvery is the interval at which calls are followed.
const followEvery = 5 * time.Second

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

// FollowOnce follows the calls to open desks in opening hours. It does nothing while another replica does this. A visit
// that a person has changed meanwhile is left as it is.
func (a *Attention) FollowOnce(ctx context.Context) error {
	return a.store.WithAdvisoryLock(ctx, "calls", func() error {
		calls, now, err := a.store.openCalls(ctx)
		if err != nil || !isOpen(now) {
			return err
		}
		for _, call := range calls {
			action := due(call.Visit, now.Policy, call.At.Clock)
			if action == "" {
				continue
			}
			changed, err := a.queue.ChangeBySystem(ctx, call.Visit.ID, &call.Visit.Version, action)
			if err != nil {
				return err
			}
			if changed {
				a.metrics.followed.WithLabelValues(string(action)).Inc()
			}
		}
		return nil
	})
}

// due returns what the service does with a call at a time, "" for nothing. The time counts from the last change of the
// visit, so that the service does not repeat at once what a person has just undone.
func due(v visit.Visit, policy line.Policy, now time.Time) visit.Action {
	since := *v.CalledAt
	if v.UpdatedAt.After(since) {
		since = v.UpdatedAt
	}
	age := now.Sub(since)
	switch {
	case policy.AutoMissAfter > 0 && age >= policy.AutoMissAfter:
		return visit.Miss
	case v.RepeatsItself(policy.AutoRecall) && age >= policy.NudgeAfter:
		return visit.Recall
	}
	return ""
}

// isOpen reports whether the office is open by its hours. A day without hours counts as open, because visitors are
// called only while the office works.
func isOpen(now catalog.Clock) bool {
	start := time.Date(now.Local.Year(), now.Local.Month(), now.Local.Day(), 0, 0, 0, 0, now.Local.Location())
	return !now.Local.Before(catalog.Opening(now.Hours, start)) && now.Local.Before(catalog.Closing(now.Hours, start))
}
