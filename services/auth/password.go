package auth

import (
	"context"
	"net/url"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
)

// ChangePassword sets a new password; the current one is the proof. Reset links and pending changes of address end. With
// Revoke every session ends and a new one is made, which the answer holds; otherwise renewed is false.
func (s *Service) ChangePassword(ctx context.Context, req changePassword) (made current, renewed bool, err error) {
	c := currentOf(ctx)
	if err := s.password.CheckLength(req.New); err != nil {
		return c, false, refusal(err)
	}
	if account.TooLong(req.Current) {
		return c, false, errPasswordLong
	}
	if err := s.assertPassword(ctx, c.User.ID, req.Current); err != nil {
		return c, false, err
	}
	if err := s.password.Check(req.New, c.User.Name, c.User.Email); err != nil {
		return c, false, refusal(err)
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
		if err := s.store.forgetResets(ctx, tx, c.User.ID); err != nil || !req.Revoke {
			return err
		}
		ended, err := s.store.deleteSessions(ctx, tx, c.User.ID, "")
		if err != nil {
			return err
		}
		if err := outbox.Append(ctx, tx, sessionChange(ctx, contract.SessionRevoked, c.User.ID, ended)); err != nil {
			return err
		}
		made, err = s.begin(ctx, tx, made.User, c.Session.Remember, c.now)
		return err
	})
	return made, req.Revoke, err
}

// assertPassword refuses who does not know a user's password.
func (s *Service) assertPassword(ctx context.Context, userID, password string) error {
	var hash string
	var known bool
	err := s.store.read(ctx, func(q querier) (err error) {
		hash, known, err = s.store.password(ctx, q, userID)
		return err
	})
	if err != nil {
		return err
	}
	if !known {
		return errNoCredential
	}
	ok, _, err := s.hasher.matches(ctx, password, hash)
	if err == nil && !ok {
		return errInvalidPassword
	}
	return err
}

// storePassword stores the hash of a user's new password, ends pending changes of address and appends the event.
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
	return after, outbox.Append(ctx, tx, by(ctx, after, change)...)
}

// RequestReset mails a link that sets a new password. The mail is sent after the answer, so that neither the answer nor
// its time shows whether the address is known. Without a mail server it is refused.
func (s *Service) RequestReset(ctx context.Context, req requestReset) error {
	if !s.hasMail(ctx, "request-password-reset") {
		return errNoReset
	}
	return s.postman.later(ctx, func(ctx context.Context) error {
		u, known, err := s.byEmail(ctx, req.Email)
		if err != nil || !known {
			return err
		}
		return s.mailReset(ctx, u, resetMail{
			line:     "Somebody asked for a new password for your account. This link sets it. It works once, within an hour.",
			callback: req.RedirectTo,
		})
	})
}

// resetMail is why a reset link is sent, and the page that sets the password.
type resetMail struct{ line, callback string }

// stoppedReset is the reset mail after a stopped change of address.
var stoppedReset = resetMail{
	line: "You stopped a change of your e-mail address. All devices are signed out and your old password no longer works. " +
		"This link sets a new one. It works once, within an hour; after that ask for another on the sign-in page.",
	callback: "/reset-password",
}

// mailReset makes a reset link of u and sends it.
func (s *Service) mailReset(ctx context.Context, u account.User, m resetMail) error {
	token := randomText(resetLength)
	err := s.store.read(ctx, func(q querier) error { return s.store.addResetToken(ctx, q, u.ID, token, linkLife) })
	if err != nil {
		return err
	}
	return s.write(ctx, u, letter{
		Subject: "Set a new password", Button: "Set a new password", Lines: []string{m.line},
		Link: s.callOf("/reset-password/"+token, url.Values{"callbackURL": {m.callback}}),
	})
}

func (s *Service) byEmail(ctx context.Context, email string) (u account.User, known bool, err error) {
	err = s.store.read(ctx, func(q querier) (err error) {
		u, _, known, err = s.store.credentials(ctx, q, email)
		return err
	})
	return u, known, err
}

// ResetHolds reports whether a token of a mail can still set a password. It does not use it up.
func (s *Service) ResetHolds(ctx context.Context, token string) (holds bool, err error) {
	err = s.store.read(ctx, func(q querier) (err error) {
		_, holds, err = s.store.tokenOwner(ctx, q, token)
		return err
	})
	return holds, err
}

// ResetPassword sets a new password with the token of a mail, which works once and ends the others of the user; a
// password that is refused does not use it up. All sessions and pending changes of address end, and failed sign-ins are
// forgotten.
func (s *Service) ResetPassword(ctx context.Context, req resetPassword) error {
	if req.Token == "" {
		return errInvalidToken
	}
	if err := s.password.CheckLength(req.New); err != nil {
		return refusal(err)
	}
	var owner account.User
	var holds bool
	err := s.store.read(ctx, func(q querier) (err error) {
		owner, holds, err = s.store.tokenOwner(ctx, q, req.Token)
		return err
	})
	switch {
	case err != nil:
		return err
	case !holds:
		return errInvalidToken
	}
	if err := s.password.Check(req.New, owner.Name, owner.Email); err != nil {
		return refusal(err)
	}
	hash, err := s.hasher.hash(ctx, req.New)
	if err != nil {
		return err
	}
	return s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		after, err := s.storePassword(ctx, tx, owner.ID, hash) // first: the user's row lets one token after the other in
		if err != nil {
			return err
		}
		mine, err := s.store.useToken(ctx, tx, req.Token)
		if err != nil {
			return err
		}
		if !mine {
			return errInvalidToken
		}
		if err := s.store.forgetResets(ctx, tx, owner.ID); err != nil {
			return err
		}
		ended, err := s.store.deleteSessions(ctx, tx, owner.ID, "")
		if err != nil {
			return err
		}
		if len(ended) > 0 {
			revoked := sessionChange(ctx, contract.SessionRevoked, owner.ID, ended)
			if err := outbox.Append(ctx, tx, by(ctx, after, revoked)...); err != nil {
				return err
			}
		}
		return s.store.forgive(ctx, tx, after.Email)
	})
}
