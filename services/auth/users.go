package auth

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
)

// User returns the caller's account, and any account to an active administrator. api.yaml lists the errors.
func (s *Service) User(ctx context.Context, req getUser) (userAnswer, error) {
	caller, _ := identity.From(ctx)
	if !caller.Active && req.ID != caller.ID {
		return userAnswer{}, fault.ErrAccountInactive
	}
	if req.ID != caller.ID && caller.Role != account.Admin || !validID(req.ID) {
		return userAnswer{}, fault.ErrNotFound
	}
	var u account.User
	err := s.store.Read(ctx, func(q data.Querier) (err error) {
		u, err = s.store.user(ctx, q, req.ID)
		return err
	})
	return userAnswer{Data: answerUser(u)}, err
}

// Users returns a page of the accounts, ordered by name, for administrators.
func (s *Service) Users(ctx context.Context, req userFilter) (usersAnswer, error) {
	var users []account.User
	var total int
	err := s.store.Read(ctx, func(q data.Querier) (err error) {
		users, total, err = s.store.users(ctx, q, req)
		return err
	})
	return answerUsers(users, req, total), err
}

// ChangeUser changes an account for an administrator, or sets the caller's role once after sign-up. api.yaml lists the
// errors.
func (s *Service) ChangeUser(ctx context.Context, req changeUser) (userAnswer, error) {
	caller, _ := identity.From(ctx)
	var after account.User
	var err error
	if caller.Role == account.Admin && caller.Active {
		after, err = s.administrate(ctx, caller, req)
	} else {
		after, err = s.chooseRole(ctx, caller, req)
	}
	if err != nil {
		return userAnswer{}, apiError(err)
	}
	return userAnswer{Data: answerUser(after)}, nil
}

// chooseRole sets the caller's role, which is possible once after sign-up. It does not change the caller's activity.
func (s *Service) chooseRole(ctx context.Context, caller identity.Caller, req changeUser) (
	after account.User, err error,
) {
	if req.ID != caller.ID {
		return after, fault.ErrForbidden
	}
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		before, err := s.store.lockUser(ctx, tx, caller.ID)
		if err != nil {
			return err
		}
		now, err := s.store.Now(ctx, tx)
		if err != nil {
			return err
		}
		if err := requireActive(before, now); err != nil {
			return err
		}
		after = before
		if req.Role == nil {
			return nil
		}
		set, err := before.ChooseRole(*req.Role, now)
		if err != nil || !set {
			return err
		}
		after.Role, after.RoleSetAt = *req.Role, &now
		after, err = s.change(ctx, tx, contract.UserRoleSet, before, after)
		return err
	})
	return after, err
}

// requireActive returns fault.ErrAccountInactive for an inactive account. During the role window it accepts an account
// that waits for approval, so that the user can complete the registration.
func requireActive(u account.User, now time.Time) error {
	if u.IsActive || u.Awaiting && u.InRoleWindow(now) {
		return nil
	}
	return fault.ErrAccountInactive
}

// administrate changes name, role and activity of a user. Each change appends an event. Role and activity need a fresh
// session of the administrator. A user who waited for approval gets a mail when the account is activated.
func (s *Service) administrate(ctx context.Context, caller identity.Caller, req changeUser) (
	after account.User, err error,
) {
	var before account.User
	if req.Role != nil || req.Active != nil {
		if err := endpoint.RequireFresh(caller, contract.FreshSession); err != nil {
			return after, err
		}
	}
	if !validID(req.ID) {
		return after, fault.ErrNotFound
	}
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		others, err := s.store.otherAdmins(ctx, tx, req.ID)
		if err != nil {
			return err
		}
		if before, err = s.store.lockUser(ctx, tx, req.ID); err != nil {
			return err
		}
		wanted := req.applyTo(before)
		if !wanted.IsActiveAdmin() {
			if err := before.CheckRemoval(others); err != nil {
				return err
			}
		}
		if req.Active != nil && *req.Active { // also reopens sign-in after too many wrong passwords
			if err := s.store.clearAttemptsOf(ctx, tx, before.Email); err != nil {
				return err
			}
		}
		if !wanted.IsActive {
			if err := s.store.endEmailChanges(ctx, tx, before.ID); err != nil {
				return err
			}
		}
		if after, err = s.applyChanges(ctx, tx, before, wanted); err != nil {
			return err
		}
		if err := s.keepUndo(ctx, tx, before, after); err != nil {
			return err
		}
		return s.endOldSessions(ctx, tx, before, after)
	})
	if err == nil && before.Awaiting && after.IsActive {
		s.mails.LetIn(ctx, after)
	}
	return after, err
}

func (r changeUser) applyTo(u account.User) account.User {
	if r.Name != nil {
		u.Name = *r.Name
	}
	if r.Active != nil {
		u.IsActive = *r.Active
	}
	if r.Role != nil {
		u.Role = *r.Role
	}
	return u
}

// applyChanges stores each difference between u and wanted as a change with its own event and version. Each change
// counts as the administrator's decision about the account and its role. In the role window, a request without a
// difference counts as setting the same role.
func (s *Service) applyChanges(ctx context.Context, tx pgx.Tx, u, wanted account.User) (account.User, error) {
	now, err := s.store.Now(ctx, tx)
	if err != nil {
		return u, err
	}
	same := wanted.Name == u.Name && wanted.IsActive == u.IsActive
	confirmed := same && u.RoleSetAt == nil && u.InRoleWindow(now)
	activity := map[bool]string{true: contract.UserActivated, false: contract.UserDeactivated}[wanted.IsActive]
	steps := []struct {
		kind   string
		needed bool
		apply  func(*account.User)
	}{
		{contract.UserUpdated, wanted.Name != u.Name, func(u *account.User) {
			u.Name = wanted.Name
		}},
		{contract.UserRoleChanged, wanted.Role != u.Role || confirmed, func(u *account.User) {
			u.Role = wanted.Role
		}},
		{activity, wanted.IsActive != u.IsActive, func(u *account.User) {
			u.IsActive, u.Awaiting = wanted.IsActive, false
		}},
	}
	for _, step := range steps {
		if !step.needed {
			continue
		}
		next := u
		step.apply(&next)
		next.RoleSetAt, next.Undecided = &now, false
		if u, err = s.change(ctx, tx, step.kind, u, next); err != nil {
			return u, err
		}
	}
	return u, nil
}

// endOldSessions deletes all sessions of an account that is activated again: they began before the deactivation, or
// showed only the screen for inactive users. The first activation after a registration keeps the sessions.
func (s *Service) endOldSessions(ctx context.Context, tx pgx.Tx, before, after account.User) error {
	if before.IsActive || !after.IsActive || before.Awaiting {
		return nil
	}
	ended, err := s.store.deleteSessions(ctx, tx, after.ID, "")
	if err != nil || len(ended) == 0 {
		return err
	}
	return outbox.Append(ctx, tx, sessionChange(ctx, contract.SessionRevoked, after.ID, ended))
}

// change stores a changed account and appends its event.
func (s *Service) change(ctx context.Context, tx pgx.Tx, kind string, before, after account.User) (
	account.User, error,
) {
	after, err := s.store.saveUser(ctx, tx, after)
	if err != nil {
		return after, err
	}
	return after, outbox.Append(ctx, tx, userChange(kind, &before, after))
}

// SaveUser confirms the caller's profile after sign-up or, if the address is not the caller's, invites a user for an
// administrator. A confirmation changes only an empty name. Errors: fault.ErrAccountInactive; for an invitation also
// fault.ErrForbidden, and fault.ErrNotFresh because the response has a link that sets a password.
func (s *Service) SaveUser(ctx context.Context, req saveUser) (savedUser, error) {
	caller, _ := identity.From(ctx)
	if req.Email == caller.Email {
		after, err := s.confirm(ctx, caller.ID, req.Name)
		return savedUser{User: after}, err
	}
	if !caller.Active {
		return savedUser{}, fault.ErrAccountInactive
	}
	if caller.Role != account.Admin {
		return savedUser{}, fault.ErrForbidden
	}
	if err := req.validateInvitation(); err != nil {
		return savedUser{}, err
	}
	if err := endpoint.RequireFresh(caller, contract.FreshSession); err != nil {
		return savedUser{}, err
	}
	return s.invite(ctx, caller, req)
}

func (s *Service) confirm(ctx context.Context, id, name string) (after account.User, err error) {
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		before, err := s.store.lockUser(ctx, tx, id)
		if err != nil {
			return err
		}
		now, err := s.store.Now(ctx, tx)
		if err != nil {
			return err
		}
		if err := requireActive(before, now); err != nil {
			return err
		}
		after = before
		if before.Name != "" || name == "" {
			return nil
		}
		after.Name = name
		after, err = s.change(ctx, tx, contract.UserUpdated, before, after)
		return err
	})
	return after, err
}

// ownerOf returns the account that has an address, or can get it back with a stop link.
func (s *Service) ownerOf(ctx context.Context, email string) (u account.User, err error) {
	err = s.store.Read(ctx, func(q data.Querier) error {
		found, _, known, err := s.store.credentials(ctx, q, email)
		owner := found.ID
		if err == nil && !known {
			owner, err = s.store.reservedBy(ctx, q, email)
		}
		if err != nil {
			return err
		}
		u, err = s.store.user(ctx, q, owner)
		return err
	})
	return u, err
}
