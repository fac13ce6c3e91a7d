package auth

import (
	"cmp"
	"context"
	"errors"
	"net/url"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
	"baari.dev/services/auth/mailing"
	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
)

// UpdateUser changes the caller's name, picture or language. It rejects changes of address, role and activity.
func (s *Service) UpdateUser(ctx context.Context, req updateUser) error {
	switch {
	case req.HasEmail:
		return errEmailFixed
	case req.Forbidden != "":
		return fault.New(fault.Invalid, "FIELD_NOT_ALLOWED", req.Forbidden+" is not allowed to be set")
	case req.Name == nil && !req.HasImage && req.Language == nil:
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
		if req.Language != nil {
			after.Language = req.Language
		}
		_, err = s.change(ctx, tx, contract.UserUpdated, before, after)
		return err
	})
}

// SendVerification mails a link that verifies an address. With a session, the address must be the caller's and not
// verified yet. Without a session, the response is the same for known, unknown and verified addresses.
func (s *Service) SendVerification(ctx context.Context, req sendVerification) error {
	if !s.mails.Configured(ctx, "send-verification-email") {
		return errNoVerification
	}
	c, signedIn, err := s.liveSession(ctx, req.token, false)
	switch {
	case err != nil:
		return err
	case signedIn && c.User.Email != req.Email:
		return errEmailMismatch
	case signedIn && c.User.EmailVerified:
		return errEmailVerified
	}
	var u account.User
	return s.mails.Enqueue(ctx, s.mails.Counted(mailing.OfVerification, func(ctx context.Context) (_ string, err error) {
		if u, _, err = s.byEmail(ctx, req.Email); u.EmailVerified {
			return "", err
		}
		return u.Email, err
	}, func(ctx context.Context) error { return s.mailVerification(ctx, u, req.Callback) }))
}

func (s *Service) mailVerification(ctx context.Context, u account.User, callback string) error {
	var token string
	err := s.store.Read(ctx, func(q data.Querier) error {
		now, err := s.store.Now(ctx, q)
		if err != nil {
			return err
		}
		token, err = s.mails.SignVerification(u, now)
		return err
	})
	if err != nil {
		return err
	}
	language := s.mails.LanguageFor(ctx, u)
	texts := mailing.TextsOf(language)
	return s.mails.Send(ctx, u, mailing.Content{
		Language: language,
		Subject:  texts.VerifySubject,
		Button:   texts.VerifyButton,
		Link:     s.verifyURL(token, callback),
		Lines:    []string{texts.VerifyLine},
	})
}

// verifyURL returns the link of a verification or confirmation mail. The link redirects to callback, by default to /.
func (s *Service) verifyURL(token, callback string) string {
	return s.mails.URL(base+"/verify-email", url.Values{"token": {token}, "callbackURL": {cmp.Or(callback, "/")}})
}

// VerifyEmail verifies or changes an address with the token of a link. It creates no session. If the address was
// changed, changed is true and u is the account after the change. Errors: the errors of OpenLink, errLinkWithoutUser,
// errLinkOfAnother.
func (s *Service) VerifyEmail(ctx context.Context, req verifyEmail) (u account.User, changed bool, err error) {
	opener, signedIn, err := s.liveSession(ctx, req.session, false)
	if err != nil {
		return u, false, err
	}
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		now, err := s.store.Now(ctx, tx)
		if err != nil {
			return err
		}
		claims, err := s.mails.OpenLink(req.Token, now)
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
		if changed = claims.ChangesEmail(); !changed {
			return s.markVerified(ctx, tx, before)
		}
		if signedIn && opener.User.ID != before.ID {
			return errLinkOfAnother
		}
		u, err = s.confirmChange(ctx, tx, before, claims, now)
		return err
	})
	return u, changed, err
}

// markVerified marks the address of an account as verified, unless it already is.
func (s *Service) markVerified(ctx context.Context, tx pgx.Tx, before account.User) error {
	if before.EmailVerified {
		return nil
	}
	after := before
	after.EmailVerified = true
	after, err := s.store.saveUser(ctx, tx, after)
	if err != nil {
		return err
	}
	return outbox.Append(ctx, tx, withActor(ctx, after, userChange(contract.UserUpdated, &before, after))...)
}

// DeleteUser deletes the caller's account with its sessions and credentials. It requires the password or a session
// younger than five minutes. The address can register again. Errors: those in api.yaml, errLastAdmin,
// fault.ErrRateLimited during a pause after wrong passwords, fault.ErrBusy.
func (s *Service) DeleteUser(ctx context.Context, req deleteUserRequest) error {
	c := currentOf(ctx)
	if req.Token != "" {
		return errUnknownToken // no mail contains a token for this call
	}
	if err := s.reauthenticate(ctx, c, req.Password, req.marks, errSessionExpired); err != nil {
		return err
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
		if err := before.CheckRemoval(others); err != nil {
			return err
		}
		return s.remove(ctx, tx, before)
	})
	return apiError(err)
}

// remove deletes a locked account with its sessions and credentials, and appends the events.
func (s *Service) remove(ctx context.Context, tx pgx.Tx, before account.User) error {
	ended, err := s.store.deleteSessions(ctx, tx, before.ID, "")
	if err != nil {
		return err
	}
	if err := s.store.deleteUser(ctx, tx, before.ID); err != nil {
		return err
	}
	deleted := userChange(contract.UserDeleted, &before, before)
	deleted.Version, deleted.After = before.Version+1, nil
	changes := []outbox.Change{deleted}
	if len(ended) > 0 {
		changes = []outbox.Change{sessionChange(ctx, contract.SessionRevoked, before.ID, ended), deleted}
	}
	return outbox.Append(ctx, tx, changes...)
}
