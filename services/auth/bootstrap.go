package auth

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
)

// Newcomer is an account that is not made by its owner.
type Newcomer struct {
	Email    string
	Name     string
	Password string
}

func (n Newcomer) check(rule account.PasswordRule) error {
	if !account.ValidEmail(n.Email) {
		return fmt.Errorf("%q is no e-mail address", n.Email)
	}
	return rule.Check(n.Password, n.Name, account.FoldEmail(n.Email))
}

// errAdminExists says that there is no need to make the first administrator.
var errAdminExists = errors.New("an administrator exists")

// Bootstrap makes the first administrator while there is none, deactivated ones included; later it does nothing.
// An existing account with the address is not changed, because its owner is not verified: that is an error.
func (s *Service) Bootstrap(ctx context.Context, first Newcomer) error {
	if err := s.store.read(ctx, func(q querier) error { return s.store.assertNoAdmin(ctx, q) }); err != nil {
		return ignoring(err, errAdminExists)
	}
	_, err := s.createAdmin(ctx, first, func(tx pgx.Tx) error {
		if err := s.store.lockBootstrap(ctx, tx); err != nil {
			return err
		}
		return s.store.assertNoAdmin(ctx, tx)
	})
	return ignoring(err, errAdminExists)
}

// CreateAdmin creates an active administrator, for operators with access to the database.
func (s *Service) CreateAdmin(ctx context.Context, newcomer Newcomer) (id string, err error) {
	return s.createAdmin(ctx, newcomer, func(pgx.Tx) error { return nil })
}

func (s *Service) createAdmin(ctx context.Context, newcomer Newcomer, allowed func(pgx.Tx) error) (id string, err error) {
	if err := newcomer.check(s.password); err != nil {
		return "", err
	}
	hash, err := s.hasher.hash(ctx, newcomer.Password)
	if err != nil {
		return "", err
	}
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		if err := allowed(tx); err != nil {
			return err
		}
		now, err := s.store.now(ctx, tx)
		if err != nil {
			return err
		}
		u, _, err := s.register(ctx, tx, account.User{
			Name: newcomer.Name, Email: account.FoldEmail(newcomer.Email), Role: account.Admin, IsActive: true, RoleSetAt: &now,
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

const (
	selectAdmin   = `SELECT EXISTS (SELECT FROM users WHERE role = 'admin' AND deleted_at IS NULL)`
	bootstrapLock = `SELECT pg_advisory_xact_lock(hashtextextended('baari auth bootstrap', 0))`
)

func (s *store) assertNoAdmin(ctx context.Context, q querier) error {
	var exists bool
	err := q.QueryRow(ctx, selectAdmin).Scan(&exists)
	if err == nil && exists {
		return errAdminExists
	}
	return err
}

// lockBootstrap lets one replica at a time make the first administrator.
func (s *store) lockBootstrap(ctx context.Context, q querier) error {
	_, err := q.Exec(ctx, bootstrapLock)
	return err
}
