package auth

import (
	"context"
	"time"

	"baari.dev/services/platform/retention"
)

// Retention returns the tasks of the nightly retention: erasing the users of accounts that were deleted before the
// limit. The ids stay, because visits and audit records refer to them.
func (s *Service) Retention() []retention.Task {
	return []retention.Task{{Name: "accounts", Erase: s.store.eraseDeletedUsers}}
}

const sweepEvery = time.Hour

// Sweep deletes expired sessions, tokens, email changes and counters of attempts every hour until ctx ends. It returns
// nil.
func (s *Service) Sweep(ctx context.Context) error {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		err := s.store.read(ctx, func(q querier) error { return s.store.sweep(ctx, q) })
		if err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "expired rows were not deleted", "cause", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
