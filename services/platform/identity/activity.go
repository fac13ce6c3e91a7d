package identity

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// MaxActive is the largest number of sessions in one call of a Reporter.
const MaxActive = 1000

// Reporter reports to auth that sessions with an open stream are active. It returns the new expiry of the valid ones.
type Reporter func(ctx context.Context, sessionIDs []string) (ends map[string]time.Time, err error)

// Report returns a Reporter that calls auth's internal address.
func Report(client *Client) Reporter {
	return func(ctx context.Context, sessionIDs []string) (map[string]time.Time, error) {
		var got struct {
			Sessions []struct {
				SessionID string    `json:"session_id"`
				ExpiresAt time.Time `json:"expires_at"`
			} `json:"sessions"`
		}
		body := map[string][]string{"session_ids": sessionIDs}
		status, err := client.Call(ctx, http.MethodPost, "/internal/sessions/active", body, &got)
		if err != nil {
			return nil, err
		}
		if status != http.StatusOK {
			return nil, errors.New("auth answered a report of active sessions with " + http.StatusText(status))
		}
		ends := make(map[string]time.Time, len(got.Sessions))
		for _, session := range got.Sessions {
			ends[session.SessionID] = session.ExpiresAt
		}
		return ends, nil
	}
}
