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

// The columns of a session, in the order of sessionFields. Statements must give the table sessions the alias s.
const sessionColumns = `s.id, s.user_id, s.remember, s.expires_at, s.created_at, s.updated_at, s.ip_address,
  s.user_agent`

func sessionFields(s *account.Session) []any {
	return []any{&s.ID, &s.UserID, &s.Remember, &s.ExpiresAt, &s.CreatedAt, &s.UpdatedAt, &s.IPAddress, &s.UserAgent}
}

const selectSessionsOfTokens = `
SELECT s.token_hash, ` + sessionColumns + `, ` + userColumns + `, now() + @ahead::interval FROM sessions s
JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL
WHERE s.token_hash = ANY(@hashes)`

// sessionsOf returns sessions, live or expired, by the hashes of their tokens, with their users and the current time.
func (s *store) sessionsOf(ctx context.Context, hashes [][]byte) (found []current, err error) {
	err = s.Read(ctx, func(q data.Querier) error {
		rows, err := q.Query(ctx, selectSessionsOfTokens, postgres.Args{"hashes": hashes, "ahead": s.Ahead()})
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

func (s *store) addSession(ctx context.Context, q data.Querier, made account.Session, token string) error {
	_, err := q.Exec(ctx, insertSession, postgres.Args{
		"id": made.ID, "user": made.UserID, "hash": data.Digest(token), "remember": made.Remember, "expires": made.ExpiresAt,
		"created": made.CreatedAt, "ip": made.IPAddress, "agent": made.UserAgent,
	})
	return err
}

const dropSurplus = `
DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, id OFFSET $2)
RETURNING id`

// dropOldest keeps the given number of a user's newest sessions and deletes the others. It returns the deleted ids.
func (s *store) dropOldest(ctx context.Context, q data.Querier, userID string, keep int) ([]string, error) {
	return data.IDs(q.Query(ctx, dropSurplus, userID, keep))
}

const renewSession = `UPDATE sessions SET expires_at = @end, updated_at = @now WHERE id = @id AND expires_at < @end`

func (s *store) renew(ctx context.Context, q data.Querier, id string, end, now time.Time) error {
	_, err := q.Exec(ctx, renewSession, postgres.Args{"id": id, "end": end, "now": now})
	return err
}

const deleteSession = `DELETE FROM sessions WHERE id = $1`

func (s *store) deleteSession(ctx context.Context, q data.Querier, id string) (ended bool, err error) {
	tag, err := q.Exec(ctx, deleteSession, id)
	return tag.RowsAffected() == 1, err
}

const deleteSessions = `DELETE FROM sessions WHERE user_id = $1 AND id <> $2 RETURNING id`

// deleteSessions deletes a user's sessions, except the one with the given id, and returns the deleted ids.
func (s *store) deleteSessions(ctx context.Context, q data.Querier, userID, but string) ([]string, error) {
	return data.IDs(q.Query(ctx, deleteSessions, userID, but))
}

const selectSessions = `
SELECT ` + sessionColumns + ` FROM sessions s WHERE s.user_id = @user AND s.expires_at > now() + @ahead::interval
ORDER BY s.created_at DESC, s.id`

// sessions returns a user's live sessions, newest first.
func (s *store) sessions(ctx context.Context, q data.Querier, userID string) ([]account.Session, error) {
	rows, err := q.Query(ctx, selectSessions, postgres.Args{"user": userID, "ahead": s.Ahead()})
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (one account.Session, err error) {
		return one, row.Scan(sessionFields(&one)...)
	})
}

const deleteByToken = `DELETE FROM sessions WHERE token_hash = $1 RETURNING id, user_id`

// deleteByToken deletes the session of a token, live or expired. id is "" if there is none.
func (s *store) deleteByToken(ctx context.Context, q data.Querier, token string) (id, userID string, err error) {
	err = q.QueryRow(ctx, deleteByToken, data.Digest(token)).Scan(&id, &userID)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", "", nil
	}
	return id, userID, err
}

const deleteNamed = `DELETE FROM sessions WHERE user_id = @user AND (id = @name OR token_hash = @hash) RETURNING id`

// deleteNamed deletes the user's session whose id or token is name, and returns the deleted ids.
func (s *store) deleteNamed(ctx context.Context, q data.Querier, userID, name string) ([]string, error) {
	return data.IDs(q.Query(ctx, deleteNamed, postgres.Args{"user": userID, "name": name, "hash": data.Digest(name)}))
}

const selectLive = `
SELECT ` + sessionColumns + ` FROM sessions s WHERE s.id = ANY(@ids) AND s.expires_at > @now`

// liveSessions returns the sessions with the given ids that have not expired, and the current time.
func (s *store) liveSessions(ctx context.Context, q data.Querier, ids []string) (
	live []account.Session, now time.Time, err error,
) {
	if now, err = s.Now(ctx, q); err != nil {
		return nil, now, err
	}
	rows, err := q.Query(ctx, selectLive, postgres.Args{"ids": ids, "now": now})
	if err != nil {
		return nil, now, err
	}
	live, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (one account.Session, err error) {
		return one, row.Scan(sessionFields(&one)...)
	})
	return live, now, err
}

const deleteEverySession = `
WITH ended AS (DELETE FROM sessions RETURNING user_id, id)
SELECT user_id, array_agg(id) FROM ended GROUP BY user_id`

// deleteEverySession ends all sessions and returns their ids by user.
func (s *store) deleteEverySession(ctx context.Context, q data.Querier) (map[string][]string, error) {
	rows, err := q.Query(ctx, deleteEverySession)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	ended := map[string][]string{}
	for rows.Next() {
		var userID string
		var sessionIDs []string
		if err := rows.Scan(&userID, &sessionIDs); err != nil {
			return nil, err
		}
		ended[userID] = sessionIDs
	}
	return ended, rows.Err()
}
