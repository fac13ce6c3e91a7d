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
	"baari.dev/services/auth/mailing"
	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
)

// ChangeEmail requests a change of the caller's address. It requires the password or a session younger than five
// minutes. A link that stops the change is mailed to the old address, then a link that confirms it to the new one. If
// the new address is taken, it gets no mail, and the response is the same. Errors: those in api.yaml,
// fault.ErrRateLimited during a pause after wrong passwords, fault.ErrBusy.
func (s *Service) ChangeEmail(ctx context.Context, req changeEmail) error {
	c := currentOf(ctx)
	if !s.mails.Configured(ctx, "change-email") {
		return errNoEmailChange
	}
	if err := s.reauthenticate(ctx, c, req.Password, req.marks, errNotJustSignedIn); err != nil {
		return err
	}
	if req.Email == c.User.Email {
		return errSameEmail
	}
	stopToken := data.NewToken()
	change, u, err := s.requestChange(ctx, c, req.Email, stopToken)
	if err != nil {
		return err
	}
	return s.mails.Enqueue(ctx, s.mailChange(change, u, stopToken, req.Callback))
}

func (s *Service) requestChange(ctx context.Context, c current, email, stopToken string) (
	change account.EmailChange, after account.User, err error,
) {
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		before, err := s.store.lockUser(ctx, tx, c.User.ID)
		if err != nil {
			return err
		}
		now, err := s.store.Now(ctx, tx)
		if err != nil {
			return err
		}
		change = account.EmailChange{
			ID:          data.NewID(),
			UserID:      before.ID,
			SessionID:   c.Session.ID,
			OldEmail:    before.Email,
			NewEmail:    email,
			RequestedAt: now,
			StopUntil:   now.Add(account.StopWithin),
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

// mailChange returns the job that sends both mails of a requested change. It sends the confirmation link only after the
// mail server has accepted the notice to the old address. If the old address has reached its limit of mails, neither
// mail is sent; if the new address has, only the notice is sent.
func (s *Service) mailChange(change account.EmailChange, u account.User, stopToken, callback string) mailing.Job {
	noticed := false
	confirm := s.mails.Counted(mailing.OfChange, func(ctx context.Context) (string, error) {
		free, err := s.isFree(ctx, change.NewEmail, u.ID)
		if !free {
			return "", err
		}
		return change.NewEmail, err
	}, s.mailChangeLink(change, u, callback))
	return s.mails.Counted(mailing.OfChange, func(context.Context) (string, error) {
		return change.OldEmail, nil
	}, func(ctx context.Context) error {
		if !noticed {
			if err := s.mailStopLink(ctx, change, u, stopToken); err != nil {
				return err
			}
			noticed = true
		}
		return confirm(ctx)
	})
}

func (s *Service) mailChangeLink(change account.EmailChange, u account.User, callback string) mailing.Job {
	return func(ctx context.Context) error {
		token, err := s.mails.SignChange(change)
		if err != nil {
			return err
		}
		u.Email, u.EmailVerified = change.NewEmail, false
		language := s.mails.LanguageFor(ctx, u)
		texts := mailing.TextsOf(language)
		return s.mails.Send(ctx, u, mailing.Content{
			Language: language,
			Subject:  texts.NewEmailSubject,
			Button:   texts.VerifyButton,
			Link:     s.verifyURL(token, callback),
			Lines:    []string{texts.NewEmailLine},
		})
	}
}

func (s *Service) mailStopLink(
	ctx context.Context, change account.EmailChange, u account.User, stopToken string,
) error {
	u.Email = change.OldEmail
	language := s.mails.LanguageFor(ctx, u)
	texts := mailing.TextsOf(language)
	return s.mails.Send(ctx, u, mailing.Content{
		Language: language,
		Subject:  texts.StopSubject,
		Button:   texts.StopButton,
		Link:     s.mails.URL("/stop-email-change", url.Values{"token": {stopToken}}),
		Lines:    []string{mailing.Filled(texts.StopLine, "email", change.NewEmail), texts.StopHow},
		Closing:  texts.StopClosing,
	})
}

// isFree reports whether a user can take an address: no account has it, and no stop link can return it to another user.
func (s *Service) isFree(ctx context.Context, email, userID string) (free bool, err error) {
	err = s.store.Read(ctx, func(q data.Querier) error {
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

// confirmChange changes an account, whose row is locked, to the link's address. It returns mailing.ErrInvalidLink if
// the change is not pending, the requesting session has ended, the account is inactive or the address is taken.
func (s *Service) confirmChange(
	ctx context.Context, tx pgx.Tx, before account.User, claims mailing.Link, now time.Time,
) (account.User, error) {
	change := account.EmailChange{ID: claims.ID, UserID: before.ID, NewEmail: claims.UpdateTo}
	owner, err := s.store.reservedBy(ctx, tx, change.NewEmail)
	if err != nil {
		return before, err
	}
	if !before.IsActive || owner != "" && owner != before.ID {
		return before, mailing.ErrInvalidLink
	}
	if ok, err := s.store.confirmEmailChange(ctx, tx, change, now); err != nil || !ok {
		return before, cmp.Or(err, error(mailing.ErrInvalidLink))
	}
	after := before
	after.Email, after.EmailVerified = change.NewEmail, true
	after, err = s.store.saveUser(ctx, tx, after)
	if errors.Is(err, errEmailTaken) {
		return after, mailing.ErrInvalidLink // another user has taken the address since the request
	}
	if err != nil {
		return after, err
	}
	if err := s.store.deleteResetTokens(ctx, tx, after.ID); err != nil {
		return after, err
	}
	return after, outbox.Append(ctx, tx, withActor(ctx, after, userChange(contract.UserEmailChanged, &before, after))...)
}

// StopEmailChange undoes a change with the token sent to the old address. The account gets the old address back. All
// sessions, reset links and pending changes of the user end, the password is deleted, and a reset link is mailed to the
// old address, because the requester of the change had a session and perhaps the password. reverted reports whether the
// address had already changed. It returns errInvalidToken for a token that is not valid.
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
		ended, err := s.revokeAccess(ctx, tx, after.ID)
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
		revoked := sessionChange(ctx, contract.SessionRevoked, after.ID, ended)
		return outbox.Append(ctx, tx, withActor(ctx, after, stopped, revoked)...)
	})
	if err != nil {
		return false, err
	}
	err = s.mails.Enqueue(ctx, func(ctx context.Context) error { return s.mailReset(ctx, after, stoppedReset) })
	if err != nil {
		s.log.WarnContext(ctx, "the reset link of a stopped change of address was not mailed", "cause", err)
	}
	return reverted, nil
}

// lockStoppable returns the change that a token stops, and the change's user, and locks the user's row. It returns
// errInvalidToken for a token that is not valid.
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
	// The token is checked again under the lock, because a concurrent request can have stopped the change.
	if change, ok, err = s.store.stoppable(ctx, tx, token); err == nil && !ok {
		err = errInvalidToken
	}
	return change, u, err
}

// revokeAccess deletes the password, the reset tokens and the sessions of a user. It returns the ids of the sessions.
func (s *Service) revokeAccess(ctx context.Context, tx pgx.Tx, userID string) (ended []string, err error) {
	if err := s.store.deletePassword(ctx, tx, userID); err != nil {
		return nil, err
	}
	if err := s.store.deleteResetTokens(ctx, tx, userID); err != nil {
		return nil, err
	}
	return s.store.deleteSessions(ctx, tx, userID, "")
}
