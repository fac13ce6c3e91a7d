package auth

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
)

// NewAdmin is an administrator to be created.
type NewAdmin struct {
	Email    string
	Name     string
	Password string
}

func (n NewAdmin) check(rule account.PasswordRule) error {
	if !account.ValidEmail(n.Email) {
		return fmt.Errorf("%q is not an e-mail address", n.Email)
	}
	return rule.Check(n.Password, n.Name, account.FoldEmail(n.Email))
}

// errAdminExists means that the first administrator need not be created.
var errAdminExists = errors.New("an administrator exists")

// Bootstrap creates the first administrator. It does nothing if an administrator exists, active or not. It returns an
// error if an account has the address, because the owner of the account may be a stranger.
func (s *Service) Bootstrap(ctx context.Context, first NewAdmin) error {
	if err := s.store.Read(ctx, func(q data.Querier) error { return s.store.checkNoAdmin(ctx, q) }); err != nil {
		return ignoring(err, errAdminExists)
	}
	_, err := s.createAdmin(ctx, first, func(tx pgx.Tx) error {
		if err := s.store.lockBootstrap(ctx, tx); err != nil {
			return err
		}
		return s.store.checkNoAdmin(ctx, tx)
	})
	return ignoring(err, errAdminExists)
}

// CreateAdmin creates an active administrator and returns its id. It is for operators with access to the database.
func (s *Service) CreateAdmin(ctx context.Context, admin NewAdmin) (id string, err error) {
	return s.createAdmin(ctx, admin, func(pgx.Tx) error { return nil })
}

func (s *Service) createAdmin(ctx context.Context, admin NewAdmin, allowed func(pgx.Tx) error) (id string, err error) {
	if err := admin.check(s.password()); err != nil {
		return "", err
	}
	hash, err := s.hasher.hash(ctx, admin.Password)
	if err != nil {
		return "", err
	}
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		if err := allowed(tx); err != nil {
			return err
		}
		now, err := s.store.Now(ctx, tx)
		if err != nil {
			return err
		}
		u, _, err := s.register(ctx, tx, account.User{
			Name:      admin.Name,
			Email:     account.FoldEmail(admin.Email),
			Role:      account.Admin,
			IsActive:  true,
			RoleSetAt: &now,
		}, hash)
		if err != nil {
			return err
		}
		id = u.ID
		return outbox.Append(ctx, tx, userChange(contract.UserRegistered, nil, u))
	})
	return id, err
}

func ignoring(err, harmless error) error {
	if errors.Is(err, harmless) {
		return nil
	}
	return err
}
