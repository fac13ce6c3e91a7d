package auth

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
)

// inviteLife is how long the link of an invitation is valid.
const inviteLife = 72 * time.Hour

// invite creates an account and a link that sets its password. If the address is taken, invite returns its owner.
func (s *Service) invite(ctx context.Context, caller identity.Caller, req saveUser) (made savedUser, err error) {
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		now, err := s.store.Now(ctx, tx)
		if err != nil {
			return err
		}
		u, _, err := s.register(ctx, tx, account.User{
			Name:      req.Name,
			Email:     req.Email,
			Role:      req.Role,
			IsActive:  true,
			RoleSetAt: &now,
		}, "")
		if err != nil {
			return err
		}
		if made, err = s.addInvitation(ctx, tx, u); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, userChange(contract.UserInvited, nil, u))
	})
	if errors.Is(err, errEmailTaken) {
		known, err := s.ownerOf(ctx, req.Email)
		return savedUser{User: known}, err
	}
	if err == nil {
		s.mails.Invite(ctx, caller.Name, made.User, made.InviteURL)
	}
	return made, err
}

// InviteUser makes a new link for an invited user who has not set a password, and mails it. The previous link becomes
// invalid.
// Errors: fault.ErrNotFound; errNotInvited if the user has a password or is deactivated.
func (s *Service) InviteUser(ctx context.Context, req getUser) (invitedAgain, error) {
	if !validID(req.ID) {
		return invitedAgain{}, fault.ErrNotFound
	}
	var made savedUser
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		before, err := s.store.lockUser(ctx, tx, req.ID)
		if err != nil {
			return err
		}
		// This is read after the lock, because the password may have been set while the lock was waited for.
		if _, set, err := s.store.password(ctx, tx, req.ID); err != nil || set || !before.IsActive {
			return cmp.Or(err, error(errNotInvited))
		}
		after, err := s.change(ctx, tx, contract.UserInvited, before, before)
		if err != nil {
			return err
		}
		made, err = s.addInvitation(ctx, tx, after)
		return err
	})
	if err != nil {
		return invitedAgain{}, err
	}
	caller, _ := identity.From(ctx)
	s.mails.Invite(ctx, caller.Name, made.User, made.InviteURL)
	return invitedAgain{made}, nil
}

// addInvitation adds the link that sets the first password of an account. The previous link becomes invalid.
func (s *Service) addInvitation(ctx context.Context, tx pgx.Tx, u account.User) (savedUser, error) {
	token := data.RandomText(data.LinkLength)
	if err := s.store.addResetToken(ctx, tx, u.ID, token, inviteLife); err != nil {
		return savedUser{}, err
	}
	u, err := s.store.user(ctx, tx, u.ID)
	return savedUser{User: u, InviteURL: s.mails.URL("/reset-password", url.Values{"token": {token}})}, err
}

// RefuseUser deletes an account that waits for approval, with its sessions. Its address can register again. Errors:
// fault.ErrNotFound, errNotAwaiting.
func (s *Service) RefuseUser(ctx context.Context, req getUser) (nothing, error) {
	if !validID(req.ID) {
		return nothing{}, fault.ErrNotFound
	}
	return nothing{}, s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		before, err := s.store.lockUser(ctx, tx, req.ID)
		if err != nil {
			return err
		}
		if !before.Awaiting {
			return errNotAwaiting
		}
		return s.remove(ctx, tx, before)
	})
}

// undoWithin is how long an administrator can undo a deactivation or a change of a role.
const undoWithin = 30 * time.Second

// undoable is a change that can be undone: its author, its time, the account before it, and the version after it.
type undoable struct {
	by      string
	at      time.Time
	version int64
	before  account.User
}

// UndoUser reverts the caller's own deactivation of a user or change of a role. Unlike an activation, it ends no
// session. Errors: fault.ErrNotFound; fault.ErrForbidden for a change by another administrator; errUndoGone if the
// account has changed since then, or 30 seconds have passed; errLastAdmin.
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

// undoable returns the last change of a locked account, if the caller can undo it.
func (s *Service) undoable(ctx context.Context, tx pgx.Tx, u account.User) (undoable, error) {
	last, known, err := s.store.undoOf(ctx, tx, u.ID)
	if err != nil {
		return last, err
	}
	now, err := s.store.Now(ctx, tx)
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

// restore gives an account its earlier role and activity, each with its own event and version. The user cannot choose
// the role again.
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

// keepUndo stores how to undo a deactivation or a change of a role by the caller. An activation cannot be undone,
// because it ends earlier sessions.
func (s *Service) keepUndo(ctx context.Context, tx pgx.Tx, before, after account.User) error {
	deactivated := before.IsActive && !after.IsActive
	if before.Role == after.Role && !deactivated || !before.IsActive && after.IsActive {
		return nil
	}
	caller, _ := identity.From(ctx)
	return s.store.keepUndo(ctx, tx, undoable{by: caller.ID, version: after.Version, before: before})
}
