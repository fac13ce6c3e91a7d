package auth

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
	"baari.dev/services/auth/mailing"
	"baari.dev/services/contract"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/outbox"
)

// signUpTotal is the rate of sign-ups of the installation.
var signUpTotal = limit.Rule{Name: "sign-up-total", By: limit.PerUser, Count: 60, Period: time.Hour, Burst: 60}

// SignUp creates an account with the default role and a session for it. With RegistrationApproval the account is
// inactive until an administrator activates it. api.yaml lists the errors.
func (s *Service) SignUp(ctx context.Context, req signUp) (current, error) {
	mode := s.registration()
	if mode == RegistrationClosed {
		return current{}, errRegistrationClosed
	}
	if err := s.password().Check(req.Password, req.Name, req.Email); err != nil {
		return current{}, apiError(err)
	}
	if err := s.checkFree(ctx, req.Email); err != nil {
		return current{}, err
	}
	if err := s.limiter.Allow(ctx, signUpTotal, mailing.Everyone); err != nil {
		return current{}, err
	}
	hash, err := s.hasher.hash(ctx, req.Password)
	if err != nil {
		return current{}, err
	}
	var made current
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		u, now, err := s.register(ctx, tx, account.User{
			Name:      req.Name,
			Email:     req.Email,
			Image:     req.Image,
			Role:      account.DefaultRole,
			IsActive:  mode == RegistrationOpen,
			Awaiting:  mode == RegistrationApproval,
			Undecided: true,
		}, hash)
		if err != nil {
			return err
		}
		if err := outbox.Append(ctx, tx, withActor(ctx, u, userChange(contract.UserRegistered, nil, u))...); err != nil {
			return err
		}
		if err := s.replaceSession(ctx, tx, u, req.Browser.session); err != nil {
			return err
		}
		made, err = s.beginSession(ctx, tx, u, req.Remember, now)
		return err
	})
	if errors.Is(err, errEmailTaken) {
		return current{}, errUserNotCreated // a concurrent sign-up created it
	}
	return made, err
}

func (s *Service) checkFree(ctx context.Context, email string) error {
	free, err := s.isFree(ctx, email, "")
	if err == nil && !free {
		return errUserExists
	}
	return err
}

// register stores a new account and, unless hash is "", its password hash. It returns the account and the current time,
// or errEmailTaken if another account has the address or can get it back with a stop link.
func (s *Service) register(ctx context.Context, tx pgx.Tx, u account.User, hash string) (
	account.User, time.Time, error,
) {
	now, err := s.store.Now(ctx, tx)
	if err != nil {
		return u, now, err
	}
	if owner, err := s.store.reservedBy(ctx, tx, u.Email); err != nil || owner != "" {
		return u, now, cmp.Or(err, errEmailTaken)
	}
	u.ID = data.NewID()
	if u, err = s.store.addUser(ctx, tx, u, now); err != nil || hash == "" {
		return u, now, err
	}
	return u, now, s.store.setPassword(ctx, tx, u.ID, hash)
}

// SignIn creates a session for the account with the given address and password, active or not. For an unknown address
// and for a wrong password, the responses are equal and take the same time. Errors: those in api.yaml,
// fault.ErrRateLimited, fault.ErrBusy.
func (s *Service) SignIn(ctx context.Context, req signIn) (current, error) {
	if !account.ValidEmail(req.Email) {
		return current{}, errInvalidEmail
	}
	if account.TooLong(req.Password) {
		return current{}, errPasswordLong
	}
	check, err := s.checkSignIn(ctx, account.FoldEmail(req.Email), req)
	if err != nil {
		return current{}, err
	}
	u := check.User
	var fresh string
	if check.stale {
		if fresh, err = s.hasher.hash(ctx, req.Password); err != nil {
			return current{}, err
		}
	}
	var made current
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		now, err := s.store.Now(ctx, tx)
		if err != nil {
			return err
		}
		if fresh != "" {
			if err := s.store.setPassword(ctx, tx, u.ID, fresh); err != nil {
				return err
			}
		}
		if s.limited() {
			if err := s.store.clearAttempts(ctx, tx, check.counter); err != nil {
				return err
			}
		}
		if err := s.replaceSession(ctx, tx, u, req.Browser.session); err != nil {
			return err
		}
		made, err = s.beginSession(ctx, tx, u, req.Remember, now)
		return err
	})
	return made, err
}
