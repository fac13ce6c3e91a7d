package auth

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/request"
)

// perAccount is how often one address tries one account.
var perAccount = limit.Rule{Name: "sign-in-account", By: limit.PerUser, Count: 3, Period: 10 * time.Second, Burst: 3}

// SignUp makes an account with the default role and signs it in. With approval it is inactive until an
// administrator activates it. The refusals are those of auth-api.md and registration_closed.
func (s *Service) SignUp(ctx context.Context, req signUp) (current, error) {
	if s.options.Registration == RegistrationClosed {
		return current{}, errRegistrationClosed
	}
	if err := s.password.Check(req.Password, req.Name, req.Email); err != nil {
		return current{}, refusal(err)
	}
	if err := s.assertFree(ctx, req.Email); err != nil {
		return current{}, err
	}
	hash, err := s.hasher.hash(ctx, req.Password)
	if err != nil {
		return current{}, err
	}
	var made current
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		u, now, err := s.register(ctx, tx, account.User{
			Name: req.Name, Email: req.Email, Image: req.Image, Role: account.DefaultRole,
			IsActive: s.options.Registration == RegistrationOpen, Awaiting: s.options.Registration == RegistrationApproval,
		}, hash)
		if err != nil {
			return err
		}
		if err := outbox.Append(ctx, tx, by(ctx, u, userChange(contract.UserRegistered, nil, u))...); err != nil {
			return err
		}
		if err := s.replaceSession(ctx, tx, u, req.Browser.session); err != nil {
			return err
		}
		made, err = s.begin(ctx, tx, u, req.Remember, now)
		return err
	})
	if errors.Is(err, errEmailTaken) {
		return current{}, errUserNotCreated // somebody was faster
	}
	return made, err
}

func (s *Service) assertFree(ctx context.Context, email string) error {
	free, err := s.isFree(ctx, email, "")
	if err == nil && !free {
		return errUserExists
	}
	return err
}

// register stores a new account with its password, "" for none yet; errEmailTaken when another account has the address
// or may get it back.
func (s *Service) register(ctx context.Context, tx pgx.Tx, u account.User, hash string) (account.User, time.Time, error) {
	now, err := s.store.now(ctx, tx)
	if err != nil {
		return u, now, err
	}
	if owner, err := s.store.reservedBy(ctx, tx, u.Email); err != nil || owner != "" {
		return u, now, cmp.Or(err, errEmailTaken)
	}
	u.ID = newID()
	if u, err = s.store.addUser(ctx, tx, u, now); err != nil || hash == "" {
		return u, now, err
	}
	return u, now, s.store.setPassword(ctx, tx, u.ID, hash)
}

// SignIn makes a session for whoever knows the password, also of an inactive account. An unknown address and a
// wrong password are answered alike and take as long.
func (s *Service) SignIn(ctx context.Context, req signIn) (current, error) {
	if !account.ValidEmail(req.Email) {
		return current{}, errInvalidEmail
	}
	if account.TooLong(req.Password) {
		return current{}, errPasswordLong
	}
	proven, err := s.prove(ctx, account.FoldEmail(req.Email), req)
	if err != nil {
		return current{}, err
	}
	u := proven.User
	var fresh string
	if proven.stale {
		if fresh, err = s.hasher.hash(ctx, req.Password); err != nil {
			return current{}, err
		}
	}
	var made current
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		now, err := s.store.now(ctx, tx)
		if err != nil {
			return err
		}
		if fresh != "" {
			if err := s.store.setPassword(ctx, tx, u.ID, fresh); err != nil {
				return err
			}
		}
		if s.limited() {
			if err := s.store.forget(ctx, tx, proven.counter); err != nil {
				return err
			}
		}
		if err := s.replaceSession(ctx, tx, u, req.Browser.session); err != nil {
			return err
		}
		made, err = s.begin(ctx, tx, u, req.Remember, now)
		return err
	})
	return made, err
}

// proof is an account whose password was given.
type proof struct {
	account.User
	stale   bool    // its hash is of an older kind
	counter counter // what counted the attempt
}

// prove finds the account whose password this is. Too many tries are fault.ErrRateLimited, too many at once
// fault.ErrBusy. A browser with a device mark of the address is counted by itself.
func (s *Service) prove(ctx context.Context, email string, req signIn) (p proof, err error) {
	mark, marked := s.cookies.device(req.Browser.marks, email)
	if err := s.limiter.Allow(ctx, perAccount, rateKey(ctx, email, mark, marked)); err != nil {
		return p, err
	}
	p.counter = strangers(email)
	var hash string
	var known bool
	err = s.store.read(ctx, func(q querier) (err error) {
		if s.limited() {
			if p.counter, err = s.counterOf(ctx, q, email, mark, marked); err != nil {
				return err
			}
			if err := s.store.attempt(ctx, q, p.counter); err != nil {
				return err
			}
		}
		p.User, hash, known, err = s.store.credentials(ctx, q, email)
		return err
	})
	if err != nil {
		return p, err
	}
	ok, stale, err := s.hasher.matches(ctx, req.Password, hash)
	p.stale = stale
	switch {
	case errors.Is(err, fault.ErrBusy):
		return p, errors.Join(err, s.uncount(ctx, p.counter))
	case err != nil:
		return p, err
	case !ok:
		return p, s.recordFailure(ctx, p, known)
	}
	return p, nil
}

// rateKey is what the rate of sign-ins to one account counts by: the device, or the client's address.
func rateKey(ctx context.Context, email string, mark device, marked bool) string {
	if marked {
		return hex.EncodeToString(digest(email)) + ":" + mark.Nonce
	}
	return hex.EncodeToString(digest(email)) + ":" + request.From(ctx).ClientKey()
}

// counterOf is what counts an attempt. A mark that is too old counts as none, and so does every mark of an address whose
// devices together have failed as often as one counter may: many marks are then worth no more guesses than one.
func (s *Service) counterOf(ctx context.Context, q querier, email string, mark device, marked bool) (counter, error) {
	if !marked {
		return strangers(email), nil
	}
	failures, now, err := s.store.deviceFailures(ctx, q, email)
	if err != nil || mark.expired(now) || failures >= account.MaxFailures {
		return strangers(email), err
	}
	return ofDevice(email, mark), nil
}

// uncount takes an attempt back that no processor was free to judge.
func (s *Service) uncount(ctx context.Context, c counter) error {
	if !s.limited() {
		return nil
	}
	return s.store.read(context.WithoutCancel(ctx), func(q querier) error { return s.store.takeBack(ctx, q, c) })
}

// recordFailure records a wrong password of a known account. For an unknown address it writes as much, so that the
// answer, which is the same, takes as long.
func (s *Service) recordFailure(ctx context.Context, p proof, known bool) error {
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		if !known {
			return s.store.noteStranger(ctx, tx, p.counter)
		}
		change := sessionChange(ctx, contract.SessionSignInFailed, p.User.ID, nil)
		change.Actor = &outbox.Actor{IP: request.From(ctx).Address} // who it was is not proven
		return outbox.Append(ctx, tx, change)
	})
	if err != nil {
		return postgres.Classify(err)
	}
	s.failures.Inc()
	return errInvalidCredentials
}
