package auth

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
)

// ChangeEmail requests a change of the caller's address. It asks for the password or a session younger than five
// minutes. The old address gets a link that stops the change, then the new one a link that confirms it; a taken
// address gets none, and the answer is the same.
func (s *Service) ChangeEmail(ctx context.Context, req changeEmail) error {
	c := currentOf(ctx)
	if !s.hasMail(ctx, "change-email") {
		return errNoEmailChange
	}
	if err := s.assertOwner(ctx, c, req.Password, errNotJustSignedIn); err != nil {
		return err
	}
	if req.Email == c.User.Email {
		return errSameEmail
	}
	stopToken := newToken()
	change, u, err := s.requestChange(ctx, c, req.Email, stopToken)
	if err != nil {
		return err
	}
	return s.postman.later(ctx, s.mailChange(change, u, stopToken, req.Callback))
}

// assertOwner refuses a caller who gives neither the password nor a session younger than five minutes; otherwise is the
// refusal for a missing password.
func (s *Service) assertOwner(ctx context.Context, c current, password string, otherwise error) error {
	switch {
	case account.TooLong(password):
		return errPasswordLong
	case password != "":
		return s.assertPassword(ctx, c.User.ID, password)
	case c.Session.JustSignedIn(c.now):
		return nil
	}
	return otherwise
}

func (s *Service) requestChange(ctx context.Context, c current, email, stopToken string) (
	change account.EmailChange, after account.User, err error,
) {
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		before, err := s.store.lockUser(ctx, tx, c.User.ID)
		if err != nil {
			return err
		}
		now, err := s.store.now(ctx, tx)
		if err != nil {
			return err
		}
		change = account.EmailChange{
			ID: newID(), UserID: before.ID, SessionID: c.Session.ID, OldEmail: before.Email, NewEmail: email,
			RequestedAt: now, StopUntil: now.Add(account.StopWithin),
		}
		if err := s.store.addEmailChange(ctx, tx, change, stopToken); err != nil {
			return err
		}
		if after, err = s.store.saveUser(ctx, tx, before); err != nil {
			return err
		}
		event := userChange(contract.UserEmailChangeRequested, &before, after)
		event.After = withPendingEmail(after, email)
		return outbox.Append(ctx, tx, event)
	})
	return change, after, err
}

// mailChange sends both mails of a requested change. The confirmation link leaves only after the mail server has
// accepted the notice to the old address.
func (s *Service) mailChange(change account.EmailChange, u account.User, stopToken, callback string) errand {
	noticed := false
	return func(ctx context.Context) error {
		if !noticed {
			if err := s.mailStopLink(ctx, change, u, stopToken); err != nil {
				return err
			}
			noticed = true
		}
		free, err := s.isFree(ctx, change.NewEmail, u.ID)
		if err != nil || !free {
			return err
		}
		token, err := s.signChangeLink(change)
		if err != nil {
			return err
		}
		u.Email = change.NewEmail
		return s.write(ctx, u, letter{
			Subject: "Confirm your new e-mail address", Button: "Confirm this address", Link: s.verifyURL(token, callback),
			Lines: []string{
				"You asked to sign in with this address from now on. This link confirms it, once and within an hour, " +
					"while you stay signed in where you asked. Until then nothing changes.",
			},
		})
	}
}

func (s *Service) mailStopLink(ctx context.Context, change account.EmailChange, u account.User, stopToken string) error {
	u.Email = change.OldEmail
	return s.write(ctx, u, letter{
		Subject: "Your e-mail address is about to change", Button: "Stop the change",
		Link: s.pageOf("/stop-email-change", url.Values{"token": {stopToken}}),
		Lines: []string{
			"Somebody signed in to your account asked to change its e-mail address to " + change.NewEmail + ".",
			"If this was not you, stop it with the link below. It works for 72 hours, also after the address has changed: " +
				"your address stays this one, all devices are signed out, and you get a link that sets a new password.",
		},
		Closing: "If it was you, you need not do anything here. Open the link that we sent to the new address.",
	})
}

// isFree reports whether a user may take an address: no account has it, and none may get it back.
func (s *Service) isFree(ctx context.Context, email, userID string) (free bool, err error) {
	err = s.store.read(ctx, func(q querier) error {
		_, _, taken, err := s.store.credentials(ctx, q, email)
		if err != nil || taken {
			return err
		}
		owner, err := s.store.reservedBy(ctx, q, email)
		free = owner == "" || owner == userID
		return err
	})
	return free, err
}

// confirmChange changes the address of a locked account as its link says: once, and only while the session that asked
// lives and the account is active.
func (s *Service) confirmChange(ctx context.Context, tx pgx.Tx, before account.User, claims link, now time.Time) (account.User, error) {
	change := account.EmailChange{ID: claims.ID, UserID: before.ID, NewEmail: claims.UpdateTo}
	owner, err := s.store.reservedBy(ctx, tx, change.NewEmail)
	if err != nil {
		return before, err
	}
	if !before.IsActive || owner != "" && owner != before.ID {
		return before, errInvalidLink
	}
	if ok, err := s.store.confirmEmailChange(ctx, tx, change, now); err != nil || !ok {
		return before, cmp.Or(err, error(errInvalidLink))
	}
	after := before
	after.Email, after.EmailVerified = change.NewEmail, true
	after, err = s.store.saveUser(ctx, tx, after)
	if errors.Is(err, errEmailTaken) {
		return after, errInvalidLink // registered meanwhile
	}
	if err != nil {
		return after, err
	}
	if err := s.store.forgetResets(ctx, tx, after.ID); err != nil {
		return after, err
	}
	return after, outbox.Append(ctx, tx, by(ctx, after, userChange(contract.UserEmailChanged, &before, after))...)
}

// StopEmailChange undoes a requested change with the token sent to the old address: the account has that address
// again, all sessions and links of the user end, the password no longer works, and the old address gets a reset link.
// All of it, because who asked for the change had a session and perhaps the password. reverted reports whether the
// address had changed already.
func (s *Service) StopEmailChange(ctx context.Context, token string) (reverted bool, err error) {
	var after account.User
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		change, before, err := s.lockStoppable(ctx, tx, token)
		if err != nil {
			return err
		}
		reverted = before.Email != change.OldEmail
		after = before
		after.Email, after.EmailVerified = change.OldEmail, true
		if after, err = s.store.saveUser(ctx, tx, after); err != nil {
			return err
		}
		ended, err := s.shutOut(ctx, tx, after.ID)
		if err != nil {
			return err
		}
		if err := s.store.stopEmailChanges(ctx, tx, change); err != nil {
			return err
		}
		stopped := userChange(contract.UserEmailChangeStopped, &before, after)
		if !reverted {
			stopped.Before = withPendingEmail(before, change.NewEmail)
		}
		return outbox.Append(ctx, tx, by(ctx, after, stopped, sessionChange(ctx, contract.SessionRevoked, after.ID, ended))...)
	})
	if err != nil {
		return false, err
	}
	if err := s.postman.later(ctx, func(ctx context.Context) error { return s.mailReset(ctx, after, stoppedReset) }); err != nil {
		s.log.WarnContext(ctx, "the reset link of a stopped change of address is not mailed", "cause", err)
	}
	return reverted, nil
}

// lockStoppable finds the change that a token stops, with its user's row locked.
func (s *Service) lockStoppable(ctx context.Context, tx pgx.Tx, token string) (
	change account.EmailChange, u account.User, err error,
) {
	change, ok, err := s.store.stoppable(ctx, tx, token)
	if err != nil {
		return change, u, err
	}
	if !ok {
		return change, u, errInvalidToken
	}
	if u, err = s.store.lockUser(ctx, tx, change.UserID); errors.Is(err, fault.ErrNotFound) {
		return change, u, errInvalidToken
	}
	if err != nil {
		return change, u, err
	}
	// Again under the lock: another request may have stopped it meanwhile.
	if change, ok, err = s.store.stoppable(ctx, tx, token); err == nil && !ok {
		err = errInvalidToken
	}
	return change, u, err
}

// shutOut ends all sessions and reset links of a user and removes the password. It returns the ids of the sessions.
func (s *Service) shutOut(ctx context.Context, tx pgx.Tx, userID string) (ended []string, err error) {
	if err := s.store.deletePassword(ctx, tx, userID); err != nil {
		return nil, err
	}
	if err := s.store.forgetResets(ctx, tx, userID); err != nil {
		return nil, err
	}
	return s.store.deleteSessions(ctx, tx, userID, "")
}
