package auth

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/data"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/retention"
)

// Retention returns the task of the nightly retention. It erases names and addresses of accounts that were deleted
// before the limit of retention. The ids stay, because visits and audit records refer to them.
func (s *Service) Retention() []retention.Task {
	return []retention.Task{{Name: "accounts", Erase: s.store.eraseDeletedUsers}}
}

const sweepEvery = time.Hour

// Sweep runs every hour until ctx ends. It deletes expired sessions, tokens, email changes and counters of attempts,
// and accounts that were not approved in time. It returns nil.
func (s *Service) Sweep(ctx context.Context) error {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		err := s.store.Read(ctx, func(q data.Querier) error { return s.store.sweep(ctx, q) })
		if err == nil {
			err = s.endUnapproved(ctx)
		}
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

// endUnapproved deletes the accounts that have waited for approval for a week. Their addresses can register again.
func (s *Service) endUnapproved(ctx context.Context) error {
	var ids []string
	err := s.store.Read(ctx, func(q data.Querier) (err error) {
		ids, err = s.store.unapproved(ctx, q)
		return err
	})
	for _, id := range ids {
		if err != nil {
			return err
		}
		err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
			before, err := s.store.lockUser(ctx, tx, id)
			if errors.Is(err, fault.ErrNotFound) || err == nil && !before.Awaiting {
				return nil // decided meanwhile
			}
			if err != nil {
				return err
			}
			return s.remove(ctx, tx, before)
		})
	}
	return err
}
