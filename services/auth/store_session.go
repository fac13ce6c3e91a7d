package auth

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/platform/postgres"
)

// The columns of a session, in the order of sessionFields. Every statement that reads one names the table s.
const sessionColumns = `s.id, s.user_id, s.remember, s.expires_at, s.created_at, s.updated_at, s.ip_address, s.user_agent`

func sessionFields(s *account.Session) []any {
	return []any{&s.ID, &s.UserID, &s.Remember, &s.ExpiresAt, &s.CreatedAt, &s.UpdatedAt, &s.IPAddress, &s.UserAgent}
}

const selectSessionsOfTokens = `
SELECT s.token_hash, ` + sessionColumns + `, ` + userColumns + `, now() + @ahead::interval FROM sessions s
JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL
WHERE s.token_hash = ANY(@hashes)`

// sessionsOf finds the sessions of tokens, given by their hashes, live or not, with their users.
func (s *store) sessionsOf(ctx context.Context, hashes [][]byte) (found []current, err error) {
	err = s.read(ctx, func(q querier) error {
		rows, err := q.Query(ctx, selectSessionsOfTokens, postgres.Args{"hashes": hashes, "ahead": s.ahead()})
		if err != nil {
			return err
		}
		found, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (c current, err error) {
			fields := append([]any{&c.hash}, sessionFields(&c.Session)...)
			return c, row.Scan(append(append(fields, userFields(&c.User)...), &c.now)...)
		})
		return err
	})
	return found, err
}

const insertSession = `
INSERT INTO sessions (id, user_id, token_hash, remember, expires_at, created_at, updated_at, ip_address, user_agent)
VALUES (@id, @user, @hash, @remember, @expires, @created, @created, @ip, @agent)`

func (s *store) addSession(ctx context.Context, q querier, made account.Session, token string) error {
	_, err := q.Exec(ctx, insertSession, postgres.Args{
		"id": made.ID, "user": made.UserID, "hash": digest(token), "remember": made.Remember, "expires": made.ExpiresAt,
		"created": made.CreatedAt, "ip": made.IPAddress, "agent": made.UserAgent,
	})
	return err
}

const dropSurplus = `
DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, id OFFSET $2)
RETURNING id`

// dropOldest ends a user's oldest sessions but for the newest keep, and returns the ids of those that ended.
func (s *store) dropOldest(ctx context.Context, q querier, userID string, keep int) ([]string, error) {
	return ids(q.Query(ctx, dropSurplus, userID, keep))
}

const renewSession = `UPDATE sessions SET expires_at = @end, updated_at = @now WHERE id = @id AND expires_at < @end`

func (s *store) renew(ctx context.Context, q querier, id string, end, now time.Time) error {
	_, err := q.Exec(ctx, renewSession, postgres.Args{"id": id, "end": end, "now": now})
	return err
}

const deleteSession = `DELETE FROM sessions WHERE id = $1`

func (s *store) deleteSession(ctx context.Context, q querier, id string) (ended bool, err error) {
	tag, err := q.Exec(ctx, deleteSession, id)
	return tag.RowsAffected() == 1, err
}

const deleteSessions = `DELETE FROM sessions WHERE user_id = $1 AND id <> $2 RETURNING id`

// deleteSessions ends a user's sessions but one ("" for none) and returns the ids of those that ended.
func (s *store) deleteSessions(ctx context.Context, q querier, userID, but string) ([]string, error) {
	return ids(q.Query(ctx, deleteSessions, userID, but))
}

const (
	forgetSessions = `DELETE FROM sessions WHERE expires_at < now()`
	forgetTokens   = `DELETE FROM reset_tokens WHERE expires_at < now()`
	forgetChanges  = `DELETE FROM email_changes WHERE stop_until < now()`
	forgetAttempts = `DELETE FROM sign_in_attempts WHERE updated_at < now() - interval '1 day' AND failures < @max`
)

// sweep deletes what has expired; nothing of it counts any more.
func (s *store) sweep(ctx context.Context, q querier) error {
	for _, statement := range []string{forgetSessions, forgetTokens, forgetChanges} {
		if _, err := q.Exec(ctx, statement); err != nil {
			return err
		}
	}
	_, err := q.Exec(ctx, forgetAttempts, postgres.Args{"max": account.MaxFailures})
	return err
}

func ids(rows pgx.Rows, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

const selectSessions = `
SELECT ` + sessionColumns + ` FROM sessions s WHERE s.user_id = @user AND s.expires_at > now() + @ahead::interval
ORDER BY s.created_at DESC, s.id`

// sessions lists a user's live sessions, newest first.
func (s *store) sessions(ctx context.Context, q querier, userID string) ([]account.Session, error) {
	rows, err := q.Query(ctx, selectSessions, postgres.Args{"user": userID, "ahead": s.ahead()})
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (one account.Session, err error) {
		return one, row.Scan(sessionFields(&one)...)
	})
}

const deleteByToken = `DELETE FROM sessions WHERE token_hash = $1 RETURNING id, user_id`

// deleteByToken ends the session of a token, live or not; id is "" when there is none.
func (s *store) deleteByToken(ctx context.Context, q querier, token string) (id, userID string, err error) {
	err = q.QueryRow(ctx, deleteByToken, digest(token)).Scan(&id, &userID)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", "", nil
	}
	return id, userID, err
}

const deleteNamed = `DELETE FROM sessions WHERE user_id = @user AND (id = @name OR token_hash = @hash) RETURNING id`

// deleteNamed ends the one session of a user that is named by its id or its token.
func (s *store) deleteNamed(ctx context.Context, q querier, userID, name string) ([]string, error) {
	return ids(q.Query(ctx, deleteNamed, postgres.Args{"user": userID, "name": name, "hash": digest(name)}))
}
