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

const emailChangeColumns = `c.id, c.user_id, c.session_id, c.old_email, c.new_email, c.requested_at, c.stop_until`

func emailChangeFields(c *account.EmailChange) []any {
	return []any{&c.ID, &c.UserID, &c.SessionID, &c.OldEmail, &c.NewEmail, &c.RequestedAt, &c.StopUntil}
}

const insertEmailChange = `
INSERT INTO email_changes (id, user_id, session_id, old_email, new_email, stop_hash, requested_at, stop_until)
VALUES (@id, @user, @session, @old, @new, @hash, @requested, @until)`

// addEmailChange inserts a pending change with the hash of the token that stops it.
func (s *store) addEmailChange(ctx context.Context, q data.Querier, c account.EmailChange, stopToken string) error {
	_, err := q.Exec(ctx, insertEmailChange, postgres.Args{
		"id": c.ID, "user": c.UserID, "session": c.SessionID, "old": c.OldEmail, "new": c.NewEmail,
		"hash": data.Digest(stopToken), "requested": c.RequestedAt, "until": c.StopUntil,
	})
	return err
}

// The session's row is locked, so that the session cannot end between this check and the change.
const sessionOfChange = `
SELECT true FROM email_changes c JOIN sessions s ON s.id = c.session_id AND s.user_id = c.user_id
WHERE c.id = @id AND c.user_id = @user AND c.state = 'pending' AND c.new_email = @new AND s.expires_at > @now
FOR KEY SHARE OF s`

const confirmEmailChange = `
UPDATE email_changes SET state = 'confirmed', stop_until = @until WHERE id = @id AND state = 'pending'`

// confirmEmailChange marks a pending change as confirmed. ok is false if c is not pending or the requesting session
// has ended. The caller holds the lock of the user's row.
func (s *store) confirmEmailChange(ctx context.Context, q data.Querier, c account.EmailChange, now time.Time) (
	ok bool, err error,
) {
	args := postgres.Args{
		"id": c.ID, "user": c.UserID, "new": c.NewEmail, "now": now, "until": now.Add(account.StopWithin),
	}
	err = q.QueryRow(ctx, sessionOfChange, args).Scan(&ok)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	tag, err := q.Exec(ctx, confirmEmailChange, args)
	return tag.RowsAffected() == 1, err
}

const endEmailChanges = `UPDATE email_changes SET state = 'ended' WHERE user_id = $1 AND state = 'pending'`

// endEmailChanges ends the pending changes of a user. Their stop links stay valid.
func (s *store) endEmailChanges(ctx context.Context, q data.Querier, userID string) error {
	_, err := q.Exec(ctx, endEmailChanges, userID)
	return err
}

const selectStoppable = `
SELECT ` + emailChangeColumns + ` FROM email_changes c
WHERE c.stop_hash = @hash AND c.state <> 'stopped' AND c.stop_until > now() + @ahead::interval`

// stoppable returns the change that a token stops. ok is false for an unknown token and for a change that was stopped
// or whose stop link has expired.
func (s *store) stoppable(
	ctx context.Context, q data.Querier, token string,
) (c account.EmailChange, ok bool, err error) {
	args := postgres.Args{"hash": data.Digest(token), "ahead": s.Ahead()}
	err = q.QueryRow(ctx, selectStoppable, args).Scan(emailChangeFields(&c)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return c, false, nil
	}
	return c, err == nil, err
}

// This stop can revoke the old address of a later change, so the stop link of that change must become invalid. Earlier
// confirmed changes stay, because their old addresses belong to the owner.
const stopEmailChanges = `
UPDATE email_changes SET state = 'stopped'
WHERE user_id = @user AND (requested_at >= @since OR state IN ('pending', 'ended'))`

// stopEmailChanges stops c, the user's later changes and all unconfirmed changes. Their links become invalid.
func (s *store) stopEmailChanges(ctx context.Context, q data.Querier, c account.EmailChange) error {
	_, err := q.Exec(ctx, stopEmailChanges, postgres.Args{"user": c.UserID, "since": c.RequestedAt})
	return err
}

const selectReserved = `
SELECT c.user_id FROM email_changes c JOIN users u ON u.id = c.user_id AND u.deleted_at IS NULL
WHERE c.old_email = @email AND c.state = 'confirmed' AND c.stop_until > now() + @ahead::interval LIMIT 1`

// reservedBy returns the id of the user who can get an address back with a stop link, or "" if there is none.
func (s *store) reservedBy(ctx context.Context, q data.Querier, email string) (userID string, err error) {
	err = q.QueryRow(ctx, selectReserved, postgres.Args{"email": email, "ahead": s.Ahead()}).Scan(&userID)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return userID, err
}
