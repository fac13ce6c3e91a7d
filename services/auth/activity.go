package auth

import (
	"context"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// active is what another service knows of sessions: they are in use, though they ask for nothing.
type active struct {
	SessionIDs []string `json:"session_ids"`
}

func readActive(r *http.Request) (active, error) {
	var req active
	if err := wire.Read(r, &req); err != nil {
		return req, err
	}
	if len(req.SessionIDs) > identity.MaxActive {
		return req, fault.ErrBadBody
	}
	return req, nil
}

// activeAnswer names the sessions of the question that live, and when each ends now.
type activeAnswer struct {
	Sessions []activeSession `json:"sessions"`
}

type activeSession struct {
	SessionID string    `json:"session_id"`
	ExpiresAt wire.Time `json:"expires_at"`
}

// Activity counts open streams as use of their sessions, and renews those whose time it is, as any other use does.
func (s *Service) Activity(ctx context.Context, req active) (activeAnswer, error) {
	answer := activeAnswer{Sessions: []activeSession{}}
	err := s.store.read(ctx, func(q querier) error {
		live, now, err := s.store.liveSessions(ctx, q, req.SessionIDs)
		if err != nil {
			return err
		}
		for _, session := range live {
			if end, due := s.options.Lifetimes.Renewal(session, now); due {
				if err := s.store.renew(ctx, q, session.ID, end, now); err != nil {
					return err
				}
				session.ExpiresAt = end
			}
			answer.Sessions = append(answer.Sessions, activeSession{session.ID, wire.Time(session.ExpiresAt)})
		}
		return nil
	})
	return answer, err
}

const selectLive = `
SELECT ` + sessionColumns + ` FROM sessions s WHERE s.id = ANY(@ids) AND s.expires_at > @now`

// liveSessions are those of the given ids that have not expired, and the time.
func (s *store) liveSessions(ctx context.Context, q querier, ids []string) (live []account.Session, now time.Time, err error) {
	if now, err = s.now(ctx, q); err != nil {
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
