package auth

import (
	"context"
	"net/url"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
	"baari.dev/services/auth/mailing"
	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
)

// ChangePassword sets a new password for the caller, who gives the current one. Reset links and pending changes of
// address end. With Revoke all sessions end, renewed is true and made is a new session; otherwise made is the caller's
// session. Errors: those in api.yaml, fault.ErrRateLimited, fault.ErrBusy.
func (s *Service) ChangePassword(ctx context.Context, req changePassword) (made current, renewed bool, err error) {
	c := currentOf(ctx)
	if err := s.password().CheckLength(req.New); err != nil {
		return c, false, apiError(err)
	}
	if account.TooLong(req.Current) {
		return c, false, errPasswordLong
	}
	if err := s.checkPassword(ctx, c.User, req.Current, req.marks); err != nil {
		return c, false, err
	}
	if err := s.password().Check(req.New, c.User.Name, c.User.Email); err != nil {
		return c, false, apiError(err)
	}
	hash, err := s.hasher.hash(ctx, req.New)
	if err != nil {
		return c, false, err
	}
	made = c
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		if made.User, err = s.storePassword(ctx, tx, c.User.ID, hash); err != nil {
			return err
		}
		if err := s.store.deleteResetTokens(ctx, tx, c.User.ID); err != nil || !req.Revoke {
			return err
		}
		ended, err := s.store.deleteSessions(ctx, tx, c.User.ID, "")
		if err != nil {
			return err
		}
		if err := outbox.Append(ctx, tx, sessionChange(ctx, contract.SessionRevoked, c.User.ID, ended)); err != nil {
			return err
		}
		made, err = s.beginSession(ctx, tx, made.User, c.Session.Remember, c.now)
		return err
	})
	return made, req.Revoke, err
}

// storePassword locks a user, stores a new hash, ends pending email changes, appends the event and returns the user.
func (s *Service) storePassword(ctx context.Context, tx pgx.Tx, userID, hash string) (account.User, error) {
	before, err := s.store.lockUser(ctx, tx, userID)
	if err != nil {
		return before, err
	}
	if err := s.store.setPassword(ctx, tx, userID, hash); err != nil {
		return before, err
	}
	if err := s.store.endEmailChanges(ctx, tx, userID); err != nil {
		return before, err
	}
	after, err := s.store.saveUser(ctx, tx, before)
	if err != nil {
		return before, err
	}
	change := userChange(contract.UserPasswordChanged, &before, after)
	return after, outbox.Append(ctx, tx, withActor(ctx, after, change)...)
}

// RequestReset mails a link that sets a new password, and invalidates earlier reset links. At most three such mails an
// hour are sent to an address. The mail is sent after the response, so that neither the response nor its time reveals
// whether the address is known. Without a mail server RequestReset returns errNoReset.
func (s *Service) RequestReset(ctx context.Context, req requestReset) error {
	if !s.mails.Configured(ctx, "request-password-reset") {
		return errNoReset
	}
	var u account.User
	return s.mails.Enqueue(ctx, s.mails.Counted(mailing.OfReset, func(ctx context.Context) (_ string, err error) {
		u, _, err = s.byEmail(ctx, req.Email)
		return u.Email, err
	}, func(ctx context.Context) error {
		return s.mailReset(ctx, u, resetMail{
			line:     func(texts mailing.Texts) string { return texts.ResetLine },
			callback: req.RedirectTo,
		})
	}))
}

// resetMail has the sentence that gives the reason for a reset link, and the page that sets the password.
type resetMail struct {
	line     func(mailing.Texts) string
	callback string
}

// stoppedReset is the reset mail after a stopped change of address.
var stoppedReset = resetMail{
	line:     func(texts mailing.Texts) string { return texts.StoppedLine },
	callback: "/reset-password",
}

func (s *Service) mailReset(ctx context.Context, u account.User, m resetMail) error {
	token := data.RandomText(data.LinkLength)
	err := s.store.Read(ctx, func(q data.Querier) error {
		return s.store.addResetToken(ctx, q, u.ID, token, mailing.LinkLife)
	})
	if err != nil {
		return err
	}
	language := s.mails.LanguageFor(ctx, u)
	texts := mailing.TextsOf(language)
	return s.mails.Send(ctx, u, mailing.Content{
		Language: language,
		Subject:  texts.ResetSubject, Button: texts.ResetSubject, Lines: []string{m.line(texts)},
		Link: s.mails.URL(base+"/reset-password/"+token, url.Values{"callbackURL": {m.callback}}),
	})
}

func (s *Service) byEmail(ctx context.Context, email string) (u account.User, known bool, err error) {
	err = s.store.Read(ctx, func(q data.Querier) (err error) {
		u, _, known, err = s.store.credentials(ctx, q, email)
		return err
	})
	return u, known, err
}

// ResetTokenValid reports whether the token of a reset link can set a password. It does not consume the token.
func (s *Service) ResetTokenValid(ctx context.Context, token string) (valid bool, err error) {
	err = s.store.Read(ctx, func(q data.Querier) (err error) {
		_, valid, err = s.store.resetTokenOwner(ctx, q, token)
		return err
	})
	return valid, err
}

// ResetPassword sets a new password with the token of a reset link or an invitation. It consumes the token and deletes
// the user's other tokens, unless the password is rejected. All sessions and pending changes of address end, and the
// counters of wrong passwords are cleared. Errors: errInvalidToken, fault.ErrBusy, faults of a rejected password.
func (s *Service) ResetPassword(ctx context.Context, req resetPassword) error {
	if req.Token == "" {
		return errInvalidToken
	}
	if err := s.password().CheckLength(req.New); err != nil {
		return apiError(err)
	}
	var owner account.User
	var valid bool
	err := s.store.Read(ctx, func(q data.Querier) (err error) {
		owner, valid, err = s.store.resetTokenOwner(ctx, q, req.Token)
		return err
	})
	switch {
	case err != nil:
		return err
	case !valid:
		return errInvalidToken
	}
	if err := s.password().Check(req.New, owner.Name, owner.Email); err != nil {
		return apiError(err)
	}
	hash, err := s.hasher.hash(ctx, req.New)
	if err != nil {
		return err
	}
	return s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		// This comes first because it locks the user's row: concurrent resets of one user run one after the other.
		after, err := s.storePassword(ctx, tx, owner.ID, hash)
		if err != nil {
			return err
		}
		consumed, err := s.store.consumeResetToken(ctx, tx, req.Token)
		if err != nil {
			return err
		}
		if !consumed {
			return errInvalidToken
		}
		if err := s.store.deleteResetTokens(ctx, tx, owner.ID); err != nil {
			return err
		}
		ended, err := s.store.deleteSessions(ctx, tx, owner.ID, "")
		if err != nil {
			return err
		}
		if len(ended) > 0 {
			revoked := sessionChange(ctx, contract.SessionRevoked, owner.ID, ended)
			if err := outbox.Append(ctx, tx, withActor(ctx, after, revoked)...); err != nil {
				return err
			}
		}
		return s.store.clearAttemptsOf(ctx, tx, after.Email)
	})
}
