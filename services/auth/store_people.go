package auth

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/data"
	"baari.dev/services/platform/postgres"
)

const upsertUndo = `
INSERT INTO user_undos (user_id, changed_by, changed_at, version, role, is_active, awaiting)
VALUES (@id, @by, now() + @ahead::interval, @version, @role, @active, @awaiting)
ON CONFLICT (user_id) DO UPDATE SET changed_by = EXCLUDED.changed_by, changed_at = EXCLUDED.changed_at,
  version = EXCLUDED.version, role = EXCLUDED.role, is_active = EXCLUDED.is_active, awaiting = EXCLUDED.awaiting`

func (s *store) keepUndo(ctx context.Context, q data.Querier, u undoable) error {
	_, err := q.Exec(ctx, upsertUndo, postgres.Args{
		"id": u.before.ID, "by": u.by, "version": u.version, "role": u.before.Role,
		"active": u.before.IsActive, "awaiting": u.before.Awaiting, "ahead": s.Ahead(),
	})
	return err
}

const selectUndo = `
SELECT changed_by, changed_at, version, role, is_active, awaiting FROM user_undos WHERE user_id = $1`

// undoOf returns the last undoable change of an account. known is false if there was none.
func (*store) undoOf(ctx context.Context, q data.Querier, id string) (last undoable, known bool, err error) {
	b := &last.before
	err = q.QueryRow(ctx, selectUndo, id).
		Scan(&last.by, &last.at, &last.version, &b.Role, &b.IsActive, &b.Awaiting)
	if errors.Is(err, pgx.ErrNoRows) {
		return last, false, nil
	}
	return last, err == nil, err
}
