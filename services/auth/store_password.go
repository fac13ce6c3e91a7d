package auth

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
	"baari.dev/services/platform/postgres"
)

const upsertPassword = `
INSERT INTO accounts (id, user_id, provider_id, password, created_at, updated_at)
VALUES (@id, @user, 'credential', @password, now() + @ahead::interval, now() + @ahead::interval)
ON CONFLICT (user_id, provider_id) DO UPDATE SET password = EXCLUDED.password, updated_at = EXCLUDED.updated_at`

// setPassword stores the hash of a user's password, in a new row of accounts if there is none.
func (s *store) setPassword(ctx context.Context, q data.Querier, userID, hash string) error {
	args := postgres.Args{"id": data.NewID(), "user": userID, "password": hash, "ahead": s.Ahead()}
	_, err := q.Exec(ctx, upsertPassword, args)
	return err
}

const selectCredentials = `
SELECT ` + userColumns + `, coalesce(a.password, '') FROM users u
LEFT JOIN accounts a ON a.user_id = u.id AND a.provider_id = 'credential'
WHERE u.email = @email AND u.deleted_at IS NULL`

// credentials finds a user and the hash of the user's password by address. known is false for an unknown address; hash
// is "" for a user without a password.
func (s *store) credentials(ctx context.Context, q data.Querier, email string) (
	u account.User, hash string, known bool, err error,
) {
	err = q.QueryRow(ctx, selectCredentials, postgres.Args{"email": email}).Scan(append(userFields(&u), &hash)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return u, "", false, nil
	}
	return u, hash, err == nil, err
}

const selectPassword = `SELECT password FROM accounts WHERE user_id = $1 AND provider_id = 'credential'`

// password returns the hash of a user's password; ok is false for a user without a password.
func (s *store) password(ctx context.Context, q data.Querier, userID string) (hash string, ok bool, err error) {
	err = q.QueryRow(ctx, selectPassword, userID).Scan(&hash)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", false, nil
	}
	return hash, err == nil, err
}

// credential is a row of accounts: a way to sign in. The only provider is the password.
type credential struct {
	ID        string
	CreatedAt time.Time
	UpdatedAt time.Time
}

const selectCredential = `SELECT id, created_at, updated_at FROM accounts WHERE user_id = $1`

func (s *store) credentialsOf(ctx context.Context, q data.Querier, userID string) ([]credential, error) {
	rows, err := q.Query(ctx, selectCredential, userID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[credential])
}

// deletePassword deletes a user's password. A reset link can set a new one.
func (s *store) deletePassword(ctx context.Context, q data.Querier, userID string) error {
	_, err := q.Exec(ctx, deleteCredentials, userID)
	return err
}

const insertResetToken = `
WITH ended AS (
  DELETE FROM reset_tokens WHERE user_id = @user AND expires_at <= now() + @ahead::interval + @life::interval)
INSERT INTO reset_tokens (token_hash, user_id, expires_at)
VALUES (@hash, @user, now() + @ahead::interval + @life::interval)`

// addResetToken stores the hash of a token that sets a user's password once and expires after life. It deletes the
// user's tokens that expire earlier. So only the newest reset link is valid, and the longer-lived link of an invitation
// stays.
func (s *store) addResetToken(ctx context.Context, q data.Querier, userID, token string, life time.Duration) error {
	args := postgres.Args{"hash": data.Digest(token), "user": userID, "life": life, "ahead": s.Ahead()}
	_, err := q.Exec(ctx, insertResetToken, args)
	return err
}

const selectResetTokenOwner = `
SELECT ` + userColumns + ` FROM reset_tokens t JOIN users u ON u.id = t.user_id AND u.deleted_at IS NULL
WHERE t.token_hash = @hash AND t.expires_at > now() + @ahead::interval`

// resetTokenOwner returns the user whose password a token sets. ok is false for an unknown, used or expired token.
func (s *store) resetTokenOwner(
	ctx context.Context, q data.Querier, token string,
) (u account.User, ok bool, err error) {
	args := postgres.Args{"hash": data.Digest(token), "ahead": s.Ahead()}
	err = q.QueryRow(ctx, selectResetTokenOwner, args).Scan(userFields(&u)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return u, false, nil
	}
	return u, err == nil, err
}

const deleteResetToken = `DELETE FROM reset_tokens WHERE token_hash = $1`

// consumeResetToken deletes a token. ok is false if the token is no longer valid, as after a concurrent request.
func (s *store) consumeResetToken(ctx context.Context, q data.Querier, token string) (ok bool, err error) {
	tag, err := q.Exec(ctx, deleteResetToken, data.Digest(token))
	return tag.RowsAffected() == 1, err
}

const deleteResetTokensOf = `DELETE FROM reset_tokens WHERE user_id = $1`

// deleteResetTokens deletes all reset tokens of a user. It is called when the password or the address changes, because
// another person may have access to earlier mails.
func (s *store) deleteResetTokens(ctx context.Context, q data.Querier, userID string) error {
	_, err := q.Exec(ctx, deleteResetTokensOf, userID)
	return err
}
