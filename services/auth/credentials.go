package auth

import (
	"context"
	"encoding/hex"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/request"
)

// perAccount limits how often one client address or browser tries to sign in to one account.
var perAccount = limit.Rule{Name: "sign-in-account", By: limit.PerUser, Count: 3, Period: 10 * time.Second, Burst: 3}

// signInCheck is the result of checkSignIn, also for a wrong password.
type signInCheck struct {
	account.User
	stale   bool    // the stored hash has outdated parameters
	counter counter // the counter of the attempt; it is cleared after the sign-in
}

// checkSignIn returns the account with the address and password of a sign-in. The attempt counts as a failure until the
// caller clears the counter. Errors: errInvalidCredentials, fault.ErrRateLimited (rate or pause), fault.ErrBusy.
func (s *Service) checkSignIn(ctx context.Context, email string, req signIn) (check signInCheck, err error) {
	mark, marked := s.cookies.mark(req.Browser.marks, email)
	if err := s.limiter.Allow(ctx, perAccount, rateKey(ctx, email, mark, marked)); err != nil {
		return check, err
	}
	var hash string
	var known bool
	err = s.store.Read(ctx, func(q data.Querier) (err error) {
		if check.counter, err = s.countAttempt(ctx, q, email, req.Browser.marks); err != nil {
			return err
		}
		check.User, hash, known, err = s.store.credentials(ctx, q, email)
		return err
	})
	if err != nil {
		return check, err
	}
	ok, stale, err := s.verify(ctx, req.Password, hash, check.counter)
	check.stale = stale
	if err == nil && !ok {
		err = s.recordFailure(ctx, check, known)
	}
	return check, err
}

// reauthenticate requires the caller's password or, without a password, a session younger than five minutes. Without
// both, it returns refusal.
func (s *Service) reauthenticate(
	ctx context.Context, c current, password string, marks []string, refusal error,
) error {
	switch {
	case account.TooLong(password):
		return errPasswordLong
	case password != "":
		return s.checkPassword(ctx, c.User, password, marks)
	case c.Session.JustSignedIn(c.now):
		return nil
	}
	return refusal
}

// checkPassword returns nil for the password of a signed-in user. It counts wrong passwords as a sign-in does, so that
// a stolen session allows no more guesses than the sign-in page. Errors: errInvalidPassword, errNoCredential for a user
// without a password, fault.ErrRateLimited during a pause, fault.ErrBusy.
func (s *Service) checkPassword(ctx context.Context, u account.User, password string, marks []string) error {
	var hash string
	var count counter
	err := s.store.Read(ctx, func(q data.Querier) (err error) {
		var known bool
		if hash, known, err = s.store.password(ctx, q, u.ID); err != nil {
			return err
		}
		if !known {
			return errNoCredential
		}
		count, err = s.countAttempt(ctx, q, u.Email, marks)
		return err
	})
	if err != nil {
		return err
	}
	ok, _, err := s.verify(ctx, password, hash, count)
	switch {
	case err != nil:
		return err
	case !ok:
		s.failures.Inc()
		return errInvalidPassword
	case !s.limited():
		return nil
	}
	return s.store.Read(ctx, func(q data.Querier) error { return s.store.clearAttempts(ctx, q, count) })
}

// verify compares a password with a hash. If the hasher was too busy to hash the password, the attempt is not counted.
func (s *Service) verify(ctx context.Context, password, hash string, count counter) (ok, stale bool, err error) {
	ok, stale, err = s.hasher.matches(ctx, password, hash)
	if !errors.Is(err, fault.ErrBusy) || !s.limited() {
		return ok, stale, err
	}
	uncounted := s.store.Read(context.WithoutCancel(ctx), func(q data.Querier) error {
		return s.store.uncountAttempt(ctx, q, count)
	})
	return false, false, errors.Join(err, uncounted)
}

// countAttempt counts an attempt with the password of an account and returns its counter. During a pause it returns
// fault.ErrRateLimited. Without limits it counts nothing.
func (s *Service) countAttempt(ctx context.Context, q data.Querier, email string, marks []string) (counter, error) {
	if !s.limited() {
		return unknownBrowser(email), nil
	}
	count, err := s.counterOf(ctx, q, email, marks)
	if err != nil {
		return count, err
	}
	return count, s.store.countAttempt(ctx, q, count)
}

// counterOf returns the counter of an attempt: the counter of a valid mark for the e-mail address, otherwise the
// counter of all browsers without a mark. Once the marks of an address have MaxFailures failures together, none of them
// is valid, so that many marks allow no more guesses than one.
func (s *Service) counterOf(ctx context.Context, q data.Querier, email string, marks []string) (counter, error) {
	mark, marked := s.cookies.mark(marks, email)
	if !marked {
		return unknownBrowser(email), nil
	}
	failures, now, err := s.store.markFailures(ctx, q, email)
	if err != nil || mark.expired(now) || failures >= account.MaxFailures {
		return unknownBrowser(email), err
	}
	return ofBrowser(email, mark), nil
}

// rateKey returns the key of perAccount: the account with the mark or, without a mark, with the client's address.
func rateKey(ctx context.Context, email string, mark browserMark, marked bool) string {
	if marked {
		return hex.EncodeToString(data.Digest(email)) + ":" + mark.Nonce
	}
	return hex.EncodeToString(data.Digest(email)) + ":" + request.From(ctx).ClientKey()
}

// recordFailure appends the event of a failed sign-in to a known account and returns errInvalidCredentials. For an
// unknown address it writes another row instead, so that both cases have the same response and take the same time.
func (s *Service) recordFailure(ctx context.Context, check signInCheck, known bool) error {
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		if !known {
			return s.store.recordUnknown(ctx, tx, check.counter)
		}
		change := sessionChange(ctx, contract.SessionSignInFailed, check.User.ID, nil)
		change.Actor = &outbox.Actor{IP: request.From(ctx).Address} // no user: the client is not authenticated
		return outbox.Append(ctx, tx, change)
	})
	if err != nil {
		return postgres.Classify(err)
	}
	s.failures.Inc()
	return errInvalidCredentials
}
