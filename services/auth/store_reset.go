package auth

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/platform/postgres"
)

const insertResetToken = `
INSERT INTO reset_tokens (token_hash, user_id, expires_at) VALUES (@hash, @user, now() + @ahead::interval + @life::interval)`

// addResetToken stores a token that sets a user's password once, for life.
func (s *store) addResetToken(ctx context.Context, q querier, userID, token string, life time.Duration) error {
	_, err := q.Exec(ctx, insertResetToken, postgres.Args{"hash": digest(token), "user": userID, "life": life, "ahead": s.ahead()})
	return err
}

const selectTokenOwner = `
SELECT ` + userColumns + ` FROM reset_tokens t JOIN users u ON u.id = t.user_id AND u.deleted_at IS NULL
WHERE t.token_hash = @hash AND t.expires_at > now() + @ahead::interval`

// tokenOwner returns the user whose password a token sets; ok is false for an unknown, used or expired token.
func (s *store) tokenOwner(ctx context.Context, q querier, token string) (u account.User, ok bool, err error) {
	err = q.QueryRow(ctx, selectTokenOwner, postgres.Args{"hash": digest(token), "ahead": s.ahead()}).Scan(userFields(&u)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return u, false, nil
	}
	return u, err == nil, err
}

const deleteResetToken = `DELETE FROM reset_tokens WHERE token_hash = $1`

const deleteResetTokens = `DELETE FROM reset_tokens WHERE user_id = $1`

// forgetResets takes every token of a user out of use: what was mailed before the password or the address changed says
// nothing of who asks now.
func (s *store) forgetResets(ctx context.Context, q querier, userID string) error {
	_, err := q.Exec(ctx, deleteResetTokens, userID)
	return err
}

// useToken takes a token out of use; ok is false when somebody was faster.
func (s *store) useToken(ctx context.Context, q querier, token string) (ok bool, err error) {
	tag, err := q.Exec(ctx, deleteResetToken, digest(token))
	return tag.RowsAffected() == 1, err
}
