package auth

import (
	"context"
	"time"

	"baari.dev/services/platform/retention"
)

// The id stays: visits and records name it. The address can never be a real one: .invalid is a reserved domain.
const eraseDeleted = `
UPDATE users SET name = 'Erased', email = lower(id) || '@erased.invalid', image = NULL
WHERE id IN (
  SELECT id FROM users WHERE deleted_at < $1 AND email NOT LIKE '%@erased.invalid' ORDER BY deleted_at LIMIT 500)`

// Retention is what this service erases when its time is over: who the deleted accounts belonged to.
func (s *Service) Retention() []retention.Task {
	return []retention.Task{{Name: "accounts", Erase: func(ctx context.Context, before time.Time) (int64, error) {
		tag, err := s.store.pool.Exec(ctx, eraseDeleted, before)
		return tag.RowsAffected(), err
	}}}
}
