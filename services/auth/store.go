package auth

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

type store struct{ *data.DB }

// The columns of a user, in the order of userFields. Statements that select them give the table users the alias u.
const userColumns = `u.id, u.name, u.email, u.email_verified, u.image, u.role, u.is_active, u.awaits_approval,
  u.undecided, u.role_set_at, u.language, u.created_at, u.updated_at, u.version`

func userFields(u *account.User) []any {
	return []any{&u.ID, &u.Name, &u.Email, &u.EmailVerified, &u.Image, &u.Role, &u.IsActive, &u.Awaiting,
		&u.Undecided, &u.RoleSetAt, &u.Language, &u.CreatedAt, &u.UpdatedAt, &u.Version}
}

const insertUser = `
INSERT INTO users AS u
  (id, name, email, image, role, is_active, awaits_approval, undecided, role_set_at, created_at, updated_at)
VALUES (@id, @name, @email, @image, @role, @active, @awaiting, @undecided, @role_set_at, @now, @now)
RETURNING ` + userColumns

// errEmailTaken is returned if another account has the address, or can get it back with a stop link.
var errEmailTaken = errors.New("the address is taken")

// addUser inserts an account. It returns errEmailTaken when another account has the address.
func (s *store) addUser(ctx context.Context, q data.Querier, u account.User, now time.Time) (account.User, error) {
	err := q.QueryRow(ctx, insertUser, postgres.Args{
		"id": u.ID, "name": u.Name, "email": u.Email, "image": u.Image, "role": u.Role, "active": u.IsActive,
		"awaiting": u.Awaiting, "undecided": u.Undecided, "role_set_at": u.RoleSetAt, "now": now,
	}).Scan(userFields(&u)...)
	if postgres.Violates(err, "users_email") {
		return u, errEmailTaken
	}
	return u, err
}

const (
	deleteUser         = `UPDATE users SET deleted_at = now() + @ahead::interval, version = version + 1 WHERE id = @id`
	deleteCredentials  = `DELETE FROM accounts WHERE user_id = $1`
	deleteTokens       = `DELETE FROM reset_tokens WHERE user_id = $1`
	deleteEmailChanges = `DELETE FROM email_changes WHERE user_id = $1`
)

// deleteUser marks an account as deleted and deletes its credentials, reset tokens and email changes. Another account
// can then have the address.
func (s *store) deleteUser(ctx context.Context, q data.Querier, id string) error {
	for _, statement := range []string{deleteCredentials, deleteTokens, deleteEmailChanges} {
		if _, err := q.Exec(ctx, statement, id); err != nil {
			return err
		}
	}
	_, err := q.Exec(ctx, deleteUser, postgres.Args{"id": id, "ahead": s.Ahead()})
	return err
}

const selectUnapproved = `
SELECT id FROM users WHERE awaits_approval AND deleted_at IS NULL
  AND created_at < now() + @ahead::interval - interval '7 days' LIMIT 1000`

// unapproved returns the ids of up to 1,000 accounts that have waited for their approval for a week.
func (s *store) unapproved(ctx context.Context, q data.Querier) ([]string, error) {
	rows, err := q.Query(ctx, selectUnapproved, postgres.Args{"ahead": s.Ahead()})
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// invitedUntil selects the end of the link that sets an account's first password, or NULL for an account with a
// password. The release before deletes ended links, so without a link it is the end of the first one.
const invitedUntil = `CASE WHEN NOT EXISTS (SELECT FROM accounts a WHERE a.user_id = u.id) THEN coalesce(
  (SELECT max(expires_at) FROM reset_tokens t WHERE t.user_id = u.id), u.created_at + interval '72 hours') END`

const (
	selectUser = `SELECT ` + userColumns + `, ` + invitedUntil + `
FROM users u WHERE u.id = $1 AND u.deleted_at IS NULL`
	selectUserLock = selectUser + ` FOR UPDATE`
)

// user reads an account. It returns fault.ErrNotFound for an unknown or deleted account.
func (s *store) user(ctx context.Context, q data.Querier, id string) (account.User, error) {
	return s.oneUser(ctx, q, selectUser, id)
}

// lockUser reads an account and locks its row until the transaction ends. It returns fault.ErrNotFound like user.
func (s *store) lockUser(ctx context.Context, q data.Querier, id string) (account.User, error) {
	return s.oneUser(ctx, q, selectUserLock, id)
}

func (s *store) oneUser(ctx context.Context, q data.Querier, statement, id string) (u account.User, err error) {
	err = q.QueryRow(ctx, statement, id).Scan(append(userFields(&u), &u.InvitedUntil)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return u, fault.ErrNotFound
	}
	return u, err
}

// The rows are locked in a fixed order, so that if two administrators remove each other, one waits and then fails.
const lockAdmins = `
SELECT id FROM users WHERE role = 'admin' AND is_active AND deleted_at IS NULL ORDER BY id FOR UPDATE`

// otherAdmins returns the number of active administrators other than id, and locks their rows until the transaction
// ends. It must be called before a user is locked, so that the order of locks is the same everywhere.
func (s *store) otherAdmins(ctx context.Context, q data.Querier, id string) (others int, err error) {
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
  is_active = @active, awaits_approval = @awaiting, undecided = @undecided, role_set_at = @role_set_at,
  language = @language, version = version + 1, updated_at = now() + @ahead::interval
WHERE id = @id AND version = @version AND deleted_at IS NULL
RETURNING ` + userColumns

// saveUser updates a locked account and returns it with its new version. It returns errEmailTaken when another account
// has the new address.
func (s *store) saveUser(ctx context.Context, q data.Querier, u account.User) (account.User, error) {
	err := q.QueryRow(ctx, updateUserRow, postgres.Args{
		"id": u.ID, "name": u.Name, "email": u.Email, "verified": u.EmailVerified, "image": u.Image, "role": u.Role,
		"active": u.IsActive, "awaiting": u.Awaiting, "undecided": u.Undecided, "role_set_at": u.RoleSetAt,
		"language": u.Language, "version": u.Version, "ahead": s.Ahead(),
	}).Scan(userFields(&u)...)
	if postgres.Violates(err, "users_email") {
		return u, errEmailTaken
	}
	return u, err
}

// userFilter selects a page of the list of users. Pages count from 1.
type userFilter struct {
	Query    string
	Role     string
	Active   *bool
	Awaiting *bool
	Page     int
	Limit    int
}

// apostrophes has the arguments of translate() that map the apostrophes of phones and word processors to the apostrophe
// of keyboards.
const apostrophes = "'‘’ʼ`', ''''''''''"

const fromUsers = `
FROM users u WHERE u.deleted_at IS NULL
  AND (@query = '' OR strpos(u.email, lower(@query)) > 0
    OR strpos(translate(lower(u.name), ` + apostrophes + `), translate(lower(@query), ` + apostrophes + `)) > 0)
  AND (@role = '' OR u.role = @role) AND (@active::boolean IS NULL OR u.is_active = @active)
  AND (@awaiting::boolean IS NULL OR u.awaits_approval = @awaiting)`

const (
	countUsers  = `SELECT count(*) ` + fromUsers
	selectUsers = `SELECT ` + userColumns + `, ` + invitedUntil + ` ` + fromUsers + `
ORDER BY lower(u.name), u.id LIMIT @limit OFFSET @offset`
)

// users returns a page of the matching accounts, sorted by name, and the number of all matching accounts.
func (s *store) users(ctx context.Context, q data.Querier, f userFilter) (users []account.User, total int, err error) {
	args := postgres.Args{
		"query": f.Query, "role": f.Role, "active": f.Active, "awaiting": f.Awaiting,
		"limit": f.Limit, "offset": (f.Page - 1) * f.Limit,
	}
	if err := q.QueryRow(ctx, countUsers, args).Scan(&total); err != nil {
		return nil, 0, err
	}
	rows, err := q.Query(ctx, selectUsers, args)
	if err != nil {
		return nil, 0, err
	}
	users, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (u account.User, err error) {
		return u, row.Scan(append(userFields(&u), &u.InvitedUntil)...)
	})
	return users, total, err
}

const (
	selectAdmin   = `SELECT EXISTS (SELECT FROM users WHERE role = 'admin' AND deleted_at IS NULL)`
	bootstrapLock = `SELECT pg_advisory_xact_lock(hashtextextended('baari auth bootstrap', 0))`
)

// checkNoAdmin returns errAdminExists if an administrator exists, active or not.
func (s *store) checkNoAdmin(ctx context.Context, q data.Querier) error {
	var exists bool
	err := q.QueryRow(ctx, selectAdmin).Scan(&exists)
	if err == nil && exists {
		return errAdminExists
	}
	return err
}

// lockBootstrap takes a lock until the transaction ends, so that one replica at a time creates the first administrator.
func (s *store) lockBootstrap(ctx context.Context, q data.Querier) error {
	_, err := q.Exec(ctx, bootstrapLock)
	return err
}

// The id stays, because visits and audit records refer to it. The domain .invalid is reserved (RFC 2606), so the
// address cannot exist.
const eraseDeleted = `
UPDATE users SET name = 'Erased', email = lower(id) || '@erased.invalid', image = NULL
WHERE id IN (
  SELECT id FROM users WHERE deleted_at < $1 AND email NOT LIKE '%@erased.invalid' ORDER BY deleted_at LIMIT 500)`

// eraseDeletedUsers erases up to 500 accounts that were deleted before a time, and returns their number.
func (s *store) eraseDeletedUsers(ctx context.Context, before time.Time) (int64, error) {
	tag, err := s.Pool.Exec(ctx, eraseDeleted, before)
	return tag.RowsAffected(), err
}

const (
	sweepSessions    = `DELETE FROM sessions WHERE expires_at < now()`
	sweepResetTokens = `
DELETE FROM reset_tokens t WHERE expires_at < now() AND EXISTS (SELECT FROM accounts a WHERE a.user_id = t.user_id)`
	sweepEmailChanges = `DELETE FROM email_changes WHERE stop_until < now()`
	sweepAttempts     = `
DELETE FROM sign_in_attempts a WHERE updated_at < now() - interval '1 day' AND (failures < @max OR NOT EXISTS (
  SELECT FROM users u
  WHERE u.deleted_at IS NULL AND sha256(convert_to(u.email, 'UTF8')) = coalesce(a.device_of, a.email_hash)))`
)

// sweep deletes expired rows. Counters that have reached the maximum stay while their address has an account, and the
// last link of an invitation until the account has a password.
func (s *store) sweep(ctx context.Context, q data.Querier) error {
	for _, statement := range []string{sweepSessions, sweepResetTokens, sweepEmailChanges} {
		if _, err := q.Exec(ctx, statement); err != nil {
			return err
		}
	}
	_, err := q.Exec(ctx, sweepAttempts, postgres.Args{"max": account.MaxFailures})
	return err
}
