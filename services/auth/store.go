package auth

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/auth/account"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

// store is all SQL of auth. Times come from PostgreSQL: every statement that needs now adds @ahead to it, which
// is nothing but in tests.
type store struct {
	pool  *pgxpool.Pool
	ahead func() time.Duration
}

// querier is a transaction or a connection outside one.
type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// read gives work a connection of its own, outside a transaction.
func (s *store) read(ctx context.Context, work func(querier) error) error {
	conn, err := postgres.Acquire(ctx, s.pool)
	if err != nil {
		return postgres.Classify(err)
	}
	defer conn.Release()
	return postgres.Classify(work(conn))
}

// The columns of a user, in the order of userFields. Every statement that reads one names the table u.
const userColumns = `u.id, u.name, u.email, u.email_verified, u.image, u.role, u.is_active, u.awaits_approval, u.role_set_at, u.created_at, u.updated_at, u.version`

func userFields(u *account.User) []any {
	return []any{&u.ID, &u.Name, &u.Email, &u.EmailVerified, &u.Image, &u.Role, &u.IsActive, &u.Awaiting, &u.RoleSetAt, &u.CreatedAt, &u.UpdatedAt, &u.Version}
}

const selectNow = `SELECT now() + @ahead::interval`

// now is the time of the transaction.
func (s *store) now(ctx context.Context, q querier) (now time.Time, err error) {
	err = q.QueryRow(ctx, selectNow, postgres.Args{"ahead": s.ahead()}).Scan(&now)
	return now, err
}

const insertUser = `
INSERT INTO users AS u (id, name, email, image, role, is_active, awaits_approval, role_set_at, created_at, updated_at)
VALUES (@id, @name, @email, @image, @role, @active, @awaiting, @role_set_at, @now, @now)
RETURNING ` + userColumns

// errEmailTaken says that an account with the address exists.
var errEmailTaken = errors.New("the address is taken")

// addUser inserts an account; errEmailTaken when another has the address.
func (s *store) addUser(ctx context.Context, q querier, u account.User, now time.Time) (account.User, error) {
	err := q.QueryRow(ctx, insertUser, postgres.Args{
		"id": u.ID, "name": u.Name, "email": u.Email, "image": u.Image, "role": u.Role, "active": u.IsActive, "awaiting": u.Awaiting,
		"role_set_at": u.RoleSetAt, "now": now,
	}).Scan(userFields(&u)...)
	if postgres.Violates(err, "users_email") {
		return u, errEmailTaken
	}
	return u, err
}

const upsertPassword = `
INSERT INTO accounts (id, user_id, provider_id, password, created_at, updated_at)
VALUES (@id, @user, 'credential', @password, now() + @ahead::interval, now() + @ahead::interval)
ON CONFLICT (user_id, provider_id) DO UPDATE SET password = EXCLUDED.password, updated_at = EXCLUDED.updated_at`

// setPassword stores a hash, with the account that it signs in to when there is none.
func (s *store) setPassword(ctx context.Context, q querier, userID, hash string) error {
	_, err := q.Exec(ctx, upsertPassword, postgres.Args{"id": newID(), "user": userID, "password": hash, "ahead": s.ahead()})
	return err
}

const selectCredentials = `
SELECT ` + userColumns + `, coalesce(a.password, '') FROM users u
LEFT JOIN accounts a ON a.user_id = u.id AND a.provider_id = 'credential'
WHERE u.email = @email AND u.deleted_at IS NULL`

// credentials finds an account and its hash by address; known is false when there is none, and the hash is ""
// for one that has no password yet.
func (s *store) credentials(ctx context.Context, q querier, email string) (u account.User, hash string, known bool, err error) {
	err = q.QueryRow(ctx, selectCredentials, postgres.Args{"email": email}).Scan(append(userFields(&u), &hash)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return u, "", false, nil
	}
	return u, hash, err == nil, err
}

const selectPassword = `SELECT password FROM accounts WHERE user_id = $1 AND provider_id = 'credential'`

// password is the hash of a user; ok is false for one who has none.
func (s *store) password(ctx context.Context, q querier, userID string) (hash string, ok bool, err error) {
	err = q.QueryRow(ctx, selectPassword, userID).Scan(&hash)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", false, nil
	}
	return hash, err == nil, err
}

// credential is the one way to sign in that an account has: its password.
type credential struct {
	ID        string
	CreatedAt time.Time
	UpdatedAt time.Time
}

const selectCredential = `SELECT id, created_at, updated_at FROM accounts WHERE user_id = $1`

// credentialsOf lists a user's ways to sign in.
func (s *store) credentialsOf(ctx context.Context, q querier, userID string) ([]credential, error) {
	rows, err := q.Query(ctx, selectCredential, userID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[credential])
}

const (
	deleteUser         = `UPDATE users SET deleted_at = now() + @ahead::interval, version = version + 1 WHERE id = @id`
	deleteCredentials  = `DELETE FROM accounts WHERE user_id = $1`
	deleteTokens       = `DELETE FROM reset_tokens WHERE user_id = $1`
	deleteEmailChanges = `DELETE FROM email_changes WHERE user_id = $1`
)

// deleteUser marks an account as deleted; its credentials and its links are gone, and its address is free.
func (s *store) deleteUser(ctx context.Context, q querier, id string) error {
	for _, statement := range []string{deleteCredentials, deleteTokens, deleteEmailChanges} {
		if _, err := q.Exec(ctx, statement, id); err != nil {
			return err
		}
	}
	_, err := q.Exec(ctx, deleteUser, postgres.Args{"id": id, "ahead": s.ahead()})
	return err
}

const (
	selectUser     = `SELECT ` + userColumns + ` FROM users u WHERE u.id = $1 AND u.deleted_at IS NULL`
	selectUserLock = selectUser + ` FOR UPDATE`
)

// user reads an account; fault.ErrNotFound when there is none.
func (s *store) user(ctx context.Context, q querier, id string) (account.User, error) {
	return s.oneUser(ctx, q, selectUser, id)
}

// lockUser reads an account and keeps others from changing it until the transaction ends.
func (s *store) lockUser(ctx context.Context, q querier, id string) (account.User, error) {
	return s.oneUser(ctx, q, selectUserLock, id)
}

func (s *store) oneUser(ctx context.Context, q querier, statement, id string) (u account.User, err error) {
	err = q.QueryRow(ctx, statement, id).Scan(userFields(&u)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return u, fault.ErrNotFound
	}
	return u, err
}

// Locked in one order, so that two who remove each other wait instead of both succeeding.
const lockAdmins = `
SELECT id FROM users WHERE role = 'admin' AND is_active AND deleted_at IS NULL ORDER BY id FOR UPDATE`

// otherAdmins counts the active administrators beside one, and keeps their number until the transaction ends.
// It is called before any user is locked.
func (s *store) otherAdmins(ctx context.Context, q querier, id string) (others int, err error) {
	rows, err := q.Query(ctx, lockAdmins)
	if err != nil {
		return 0, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	for _, admin := range ids {
		if admin != id {
			others++
		}
	}
	return others, err
}

const updateUserRow = `
UPDATE users u SET name = @name, email = @email, email_verified = @verified, image = @image, role = @role,
  is_active = @active, awaits_approval = @awaiting, role_set_at = @role_set_at, version = version + 1, updated_at = now() + @ahead::interval
WHERE id = @id AND version = @version AND deleted_at IS NULL
RETURNING ` + userColumns

// saveUser stores a changed account that was locked before; errEmailTaken when another has its new address.
func (s *store) saveUser(ctx context.Context, q querier, u account.User) (account.User, error) {
	err := q.QueryRow(ctx, updateUserRow, postgres.Args{
		"id": u.ID, "name": u.Name, "email": u.Email, "verified": u.EmailVerified, "image": u.Image, "role": u.Role,
		"active": u.IsActive, "awaiting": u.Awaiting, "role_set_at": u.RoleSetAt, "version": u.Version, "ahead": s.ahead(),
	}).Scan(userFields(&u)...)
	if postgres.Violates(err, "users_email") {
		return u, errEmailTaken
	}
	return u, err
}

// found are the pages of a list of users.
type found struct {
	Query  string
	Role   string
	Active *bool
	Page   int
	Limit  int
}

const foundUsers = `
FROM users u WHERE u.deleted_at IS NULL
  AND (@query = '' OR strpos(lower(u.name), lower(@query)) > 0 OR strpos(u.email, lower(@query)) > 0)
  AND (@role = '' OR u.role = @role) AND (@active::boolean IS NULL OR u.is_active = @active)`

const (
	countUsers  = `SELECT count(*) ` + foundUsers
	selectUsers = `SELECT ` + userColumns + ` ` + foundUsers + ` ORDER BY lower(u.name), u.id LIMIT @limit OFFSET @offset`
)

// users lists a page of the accounts by name, and counts all that were found.
func (s *store) users(ctx context.Context, q querier, f found) (users []account.User, total int, err error) {
	args := postgres.Args{
		"query": f.Query, "role": f.Role, "active": f.Active, "limit": f.Limit, "offset": (f.Page - 1) * f.Limit,
	}
	if err := q.QueryRow(ctx, countUsers, args).Scan(&total); err != nil {
		return nil, 0, err
	}
	rows, err := q.Query(ctx, selectUsers, args)
	if err != nil {
		return nil, 0, err
	}
	users, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (u account.User, err error) {
		return u, row.Scan(userFields(&u)...)
	})
	return users, total, err
}
