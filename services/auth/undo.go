package auth

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/postgres"
)

// undoWithin is how long an administrator can undo a deactivation or a change of a role.
const undoWithin = 30 * time.Second

// undoable is a change that can be undone, with the account before it.
type undoable struct {
	by      string
	at      time.Time
	version int64 // of the account after the change
	before  account.User
}

// UndoUser takes the caller's own deactivation or change of a role back. It ends no session, unlike an activation.
// Errors: fault.ErrNotFound; fault.ErrForbidden for a change of another; errUndoGone if the account changed since, or
// 30 seconds have passed; errLastAdmin.
func (s *Service) UndoUser(ctx context.Context, req getUser) (userAnswer, error) {
	if !validID(req.ID) {
		return userAnswer{}, fault.ErrNotFound
	}
	var after account.User
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		others, err := s.store.otherAdmins(ctx, tx, req.ID)
		if err != nil {
			return err
		}
		u, err := s.store.lockUser(ctx, tx, req.ID)
		if err != nil {
			return err
		}
		last, err := s.undoable(ctx, tx, u)
		if err != nil {
			return err
		}
		if !last.before.IsActiveAdmin() {
			if err := u.CheckRemoval(others); err != nil {
				return err
			}
		}
		after, err = s.restore(ctx, tx, u, last.before)
		return err
	})
	if err != nil {
		return userAnswer{}, apiError(err)
	}
	return userAnswer{Data: answerUser(after)}, nil
}

// undoable returns the last change of a locked account if the caller can undo it.
func (s *Service) undoable(ctx context.Context, tx pgx.Tx, u account.User) (undoable, error) {
	last, known, err := s.store.undoOf(ctx, tx, u.ID)
	if err != nil {
		return last, err
	}
	now, err := s.store.now(ctx, tx)
	if err != nil {
		return last, err
	}
	caller, _ := identity.From(ctx)
	switch {
	case !known || last.version != u.Version || now.Sub(last.at) > undoWithin:
		return last, errUndoGone
	case last.by != caller.ID:
		return last, fault.ErrForbidden
	}
	return last, nil
}

// restore gives an account the role and the activity that it had before, each with its own event and version. The user
// does not choose the role again.
func (s *Service) restore(ctx context.Context, tx pgx.Tx, u, before account.User) (account.User, error) {
	var err error
	if u.Role != before.Role {
		next := u
		next.Role = before.Role
		if u, err = s.change(ctx, tx, contract.UserRoleChanged, u, next); err != nil {
			return u, err
		}
	}
	if u.IsActive == before.IsActive {
		return u, nil
	}
	next := u
	next.IsActive, next.Awaiting = before.IsActive, before.Awaiting
	return s.change(ctx, tx, contract.UserActivated, u, next)
}

// keepUndo stores how a deactivation or a change of a role by the caller is undone. An activation is not: it ends the
// sessions from before.
func (s *Service) keepUndo(ctx context.Context, tx pgx.Tx, before, after account.User) error {
	deactivated := before.IsActive && !after.IsActive
	if before.Role == after.Role && !deactivated || !before.IsActive && after.IsActive {
		return nil
	}
	caller, _ := identity.From(ctx)
	return s.store.keepUndo(ctx, tx, undoable{by: caller.ID, version: after.Version, before: before})
}

const upsertUndo = `
INSERT INTO user_undos (user_id, changed_by, changed_at, version, role, is_active, awaiting)
VALUES (@id, @by, now() + @ahead::interval, @version, @role, @active, @awaiting)
ON CONFLICT (user_id) DO UPDATE SET changed_by = EXCLUDED.changed_by, changed_at = EXCLUDED.changed_at,
  version = EXCLUDED.version, role = EXCLUDED.role, is_active = EXCLUDED.is_active, awaiting = EXCLUDED.awaiting`

func (s *store) keepUndo(ctx context.Context, q querier, u undoable) error {
	_, err := q.Exec(ctx, upsertUndo, postgres.Args{
		"id": u.before.ID, "by": u.by, "version": u.version, "role": u.before.Role,
		"active": u.before.IsActive, "awaiting": u.before.Awaiting, "ahead": s.ahead(),
	})
	return err
}

const selectUndo = `
SELECT changed_by, changed_at, version, role, is_active, awaiting FROM user_undos WHERE user_id = $1`

// undoOf returns the last change of an account that could be undone. known is false if there was none.
func (*store) undoOf(ctx context.Context, q querier, id string) (last undoable, known bool, err error) {
	b := &last.before
	err = q.QueryRow(ctx, selectUndo, id).
		Scan(&last.by, &last.at, &last.version, &b.Role, &b.IsActive, &b.Awaiting)
	if errors.Is(err, pgx.ErrNoRows) {
		return last, false, nil
	}
	return last, err == nil, err
}
