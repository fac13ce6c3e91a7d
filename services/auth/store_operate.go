package auth

import (
	"context"

	"baari.dev/services/auth/data"
)

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
