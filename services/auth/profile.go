package auth

import (
	"context"
	"errors"
	"net/url"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
)

// UpdateUser changes the caller's name or picture, never address, role or activity.
func (s *Service) UpdateUser(ctx context.Context, req updateUser) error {
	switch {
	case req.HasEmail:
		return errEmailFixed
	case req.Forbidden != "":
		return fault.New(fault.Invalid, "FIELD_NOT_ALLOWED", req.Forbidden+" is not allowed to be set")
	case req.Name == nil && !req.HasImage:
		return errNothingToUpdate
	}
	return s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		before, err := s.store.lockUser(ctx, tx, currentOf(ctx).User.ID)
		if err != nil {
			return err
		}
		after := before
		if req.Name != nil {
			after.Name = *req.Name
		}
		if req.HasImage {
			after.Image = req.Image
		}
		_, err = s.change(ctx, tx, contract.UserUpdated, before, after)
		return err
	})
}

// ChangeEmail mails a link to the new address; nothing changes until it is opened. A taken address is answered
// alike and gets no mail.
func (s *Service) ChangeEmail(ctx context.Context, req changeEmail) error {
	u := currentOf(ctx).User
	if !s.hasMail(ctx, "change-email") {
		return errNoEmailChange
	}
	if req.Email == u.Email {
		return errSameEmail
	}
	return s.postman.later(ctx, func(ctx context.Context) error {
		_, taken, err := s.byEmail(ctx, req.Email)
		if err != nil || taken {
			return err
		}
		return s.mailLink(ctx, u, req.Email, req.Callback, letter{
			Subject: "Confirm your new e-mail address", Button: "Confirm this address",
			Lines: []string{"You asked to sign in with this address from now on. This link confirms it, within an hour. Until then nothing changes."},
		})
	})
}

// SendVerification mails a link that verifies an address. With a session it must be the own one, not verified yet;
// without one an unknown or verified address is answered alike.
func (s *Service) SendVerification(ctx context.Context, req sendVerification) error {
	if !s.hasMail(ctx, "send-verification-email") {
		return errNoVerification
	}
	c, signedIn, err := s.look(ctx, req.token, false)
	switch {
	case err != nil:
		return err
	case signedIn && c.User.Email != req.Email:
		return errEmailMismatch
	case signedIn && c.User.EmailVerified:
		return errEmailVerified
	}
	return s.postman.later(ctx, func(ctx context.Context) error {
		u, known, err := s.byEmail(ctx, req.Email)
		if err != nil || !known || u.EmailVerified {
			return err
		}
		return s.mailLink(ctx, u, "", req.Callback, letter{
			Subject: "Confirm your e-mail address", Button: "Confirm this address",
			Lines: []string{"Please confirm that this is your e-mail address. The link holds for an hour."},
		})
	})
}

// mailLink sends a verification link of u, to the new address where there is one.
func (s *Service) mailLink(ctx context.Context, u account.User, updateTo, callback string, l letter) error {
	var token string
	err := s.store.read(ctx, func(q querier) error {
		now, err := s.store.now(ctx, q)
		if err != nil {
			return err
		}
		hash, _, err := s.store.password(ctx, q, u.ID)
		if err != nil {
			return err
		}
		token, err = s.signLink(u, updateTo, hash, now)
		return err
	})
	if err != nil {
		return err
	}
	if callback == "" {
		callback = "/"
	}
	l.Link = s.callOf("/verify-email", url.Values{"token": {token}, "callbackURL": {callback}})
	if updateTo != "" {
		u.Email = updateTo
	}
	return s.write(ctx, u, l)
}

// VerifyEmail does what the link of a mail says. After a change of address it answers the user's session, a new
// one where the caller had none; changed is false where the address was only verified.
func (s *Service) VerifyEmail(ctx context.Context, req verifyEmail) (c current, changed bool, err error) {
	c, signedIn, err := s.look(ctx, req.session, false)
	if err != nil {
		return c, false, err
	}
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		now, err := s.store.now(ctx, tx)
		if err != nil {
			return err
		}
		claims, err := s.openLink(req.Token, now)
		if err != nil {
			return err
		}
		before, err := s.store.lockUser(ctx, tx, claims.Subject)
		if errors.Is(err, fault.ErrNotFound) || err == nil && before.Email != claims.Email {
			return errLinkWithoutUser
		}
		if err != nil {
			return err
		}
		if changed = claims.RequestType == changeOfEmail; !changed {
			return s.verified(ctx, tx, before)
		}
		if signedIn && c.User.ID != before.ID {
			return errLinkOfAnother
		}
		hash, _, err := s.store.password(ctx, tx, before.ID)
		if err != nil {
			return err
		}
		if claims.Under != under(hash) {
			return errInvalidLink
		}
		after, err := s.moveTo(ctx, tx, before, claims.UpdateTo)
		if err != nil {
			return err
		}
		if signedIn {
			c.User = after
			return nil
		}
		c, err = s.begin(ctx, tx, after, true, now)
		return err
	})
	return c, changed, err
}

// verified notes that an address is its owner's; again it is no change.
func (s *Service) verified(ctx context.Context, tx pgx.Tx, before account.User) error {
	if before.EmailVerified {
		return nil
	}
	after := before
	after.EmailVerified = true
	return s.changeByLink(ctx, tx, contract.UserUpdated, before, after)
}

func (s *Service) moveTo(ctx context.Context, tx pgx.Tx, before account.User, email string) (account.User, error) {
	after := before
	after.Email, after.EmailVerified = email, true
	after, err := s.store.saveUser(ctx, tx, after)
	if errors.Is(err, errEmailTaken) {
		return after, errInvalidLink // somebody registered it meanwhile
	}
	if err != nil {
		return after, err
	}
	if err := s.store.forgetResets(ctx, tx, after.ID); err != nil {
		return after, err
	}
	return after, outbox.Append(ctx, tx, by(ctx, after, tellUser(contract.UserEmailChanged, &before, after))...)
}

func (s *Service) changeByLink(ctx context.Context, tx pgx.Tx, kind string, before, after account.User) error {
	after, err := s.store.saveUser(ctx, tx, after)
	if err != nil {
		return err
	}
	return outbox.Append(ctx, tx, by(ctx, after, tellUser(kind, &before, after))...)
}

// DeleteUser deletes the caller's account for who knows the password or signed in within a day. Its sessions and
// credentials are gone, and the address may register again. The last active administrator stays.
func (s *Service) DeleteUser(ctx context.Context, req deleteUserRequest) error {
	c := currentOf(ctx)
	if req.Password != "" {
		if account.TooLong(req.Password) {
			return errPasswordLong
		}
		if err := s.assertPassword(ctx, c.User.ID, req.Password); err != nil {
			return err
		}
	}
	switch {
	case req.Token != "":
		return errUnknownToken // nobody is mailed one
	case req.Password == "" && !c.Session.Fresh(c.now):
		return errSessionExpired
	}
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		others, err := s.store.otherAdmins(ctx, tx, c.User.ID)
		if err != nil {
			return err
		}
		before, err := s.store.lockUser(ctx, tx, c.User.ID)
		if err != nil {
			return err
		}
		if err := before.Without(others); err != nil {
			return err
		}
		ended, err := s.store.deleteSessions(ctx, tx, before.ID, "")
		if err != nil {
			return err
		}
		if err := s.store.deleteUser(ctx, tx, before.ID); err != nil {
			return err
		}
		gone := tellUser(contract.UserDeleted, &before, before)
		gone.Version, gone.After = before.Version+1, nil
		return outbox.Append(ctx, tx, tellSessions(ctx, contract.SessionRevoked, before.ID, ended), gone)
	})
	return refusal(err)
}
