package auth

import (
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
			IsActive: s.options.Registration == RegistrationOpen,
		}, hash)
		if err != nil {
			return err
		}
		if err := outbox.Append(ctx, tx, by(ctx, u, tellUser(contract.UserRegistered, nil, u))...); err != nil {
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
	return s.store.read(ctx, func(q querier) error {
		_, _, taken, err := s.store.credentials(ctx, q, email)
		if err == nil && taken {
			return errUserExists
		}
		return err
	})
}

// register stores a new account with its password, "" for none yet.
func (s *Service) register(ctx context.Context, tx pgx.Tx, u account.User, hash string) (account.User, time.Time, error) {
	now, err := s.store.now(ctx, tx)
	if err != nil {
		return u, now, err
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
	u, stale, err := s.prove(ctx, account.FoldEmail(req.Email), req.Password)
	if err != nil {
		return current{}, err
	}
	var fresh string
	if stale {
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
			if err := s.store.forgive(ctx, tx, u.Email); err != nil {
				return err
			}
		}
		made, err = s.begin(ctx, tx, u, req.Remember, now)
		return err
	})
	return made, err
}

// prove finds the account whose password this is. Too many tries are fault.ErrRateLimited, too many at once
// fault.ErrBusy.
func (s *Service) prove(ctx context.Context, email, password string) (u account.User, stale bool, err error) {
	var hash string
	var known bool
	err = s.limiter.Allow(ctx, perAccount, hex.EncodeToString(digest(email))+":"+request.From(ctx).Address)
	if err != nil {
		return u, false, err
	}
	err = s.store.read(ctx, func(q querier) error {
		if s.limited() {
			if err := s.store.attempt(ctx, q, email); err != nil {
				return err
			}
		}
		u, hash, known, err = s.store.credentials(ctx, q, email)
		return err
	})
	if err != nil {
		return u, false, err
	}
	ok, stale, err := s.hasher.matches(ctx, password, hash)
	switch {
	case errors.Is(err, fault.ErrBusy):
		return u, false, errors.Join(err, s.uncount(ctx, email))
	case err != nil:
		return u, false, err
	case !ok:
		return u, false, s.tellFailure(ctx, u, email, known)
	}
	return u, stale, nil
}

// uncount takes an attempt back that no processor was free to judge.
func (s *Service) uncount(ctx context.Context, email string) error {
	if !s.limited() {
		return nil
	}
	return s.store.read(context.WithoutCancel(ctx), func(q querier) error { return s.store.takeBack(ctx, q, email) })
}

// tellFailure records a wrong password of a known account. For an unknown address it writes as much, so that the
// answer, which is the same, takes as long.
func (s *Service) tellFailure(ctx context.Context, u account.User, email string, known bool) error {
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		if !known {
			return s.store.noteStranger(ctx, tx, email)
		}
		change := tellSessions(ctx, contract.SessionSignInFailed, u.ID, nil)
		change.Actor = &outbox.Actor{IP: request.From(ctx).Address} // who it was is not proven
		return outbox.Append(ctx, tx, change)
	})
	if err != nil {
		return postgres.Classify(err)
	}
	s.failures.Inc()
	return errInvalidCredentials
}
