package auth

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
	"baari.dev/services/auth/devices"
	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/request"
	"baari.dev/services/platform/wire"
)

// maxSessions is how many sessions a user can have. A further sign-in deletes the oldest session.
const maxSessions = 10

// current is the session of a request, with its user.
type current struct {
	Session account.Session
	User    account.User
	token   string
	hash    []byte    // hash of token, as stored
	now     time.Time // PostgreSQL's time when the session was read
	renewed bool
}

func (c current) caller() identity.Caller {
	return identity.Caller{
		SessionID: c.Session.ID,
		ID:        c.User.ID,
		Name:      c.User.Name,
		Email:     c.User.Email,
		Role:      c.User.Role,
		Active:    c.User.IsActive,
		CreatedAt: c.Session.CreatedAt,
	}
}

type currentKey struct{}

// currentOf returns the session of an accepted request of /api/auth.
func currentOf(ctx context.Context) current {
	found, _ := ctx.Value(currentKey{}).(current)
	return found
}

// liveSession returns the live session of a token; ok is false if there is none. It deletes an expired session. If
// renew is true, it renews a session whose renewal is due.
func (s *Service) liveSession(ctx context.Context, token string, renew bool) (found current, ok bool, err error) {
	if token == "" {
		return found, false, nil
	}
	if found, ok, err = s.lookups.find(ctx, token); err != nil || !ok {
		return found, false, err
	}
	if !found.Session.Live(found.now) {
		return found, false, s.store.Read(ctx, func(q data.Querier) error {
			_, err := s.store.deleteSession(ctx, q, found.Session.ID)
			return err
		})
	}
	end, due := s.options.Lifetimes.Renewal(found.Session, found.now)
	if !renew || !due {
		return found, true, nil
	}
	found.renewed, found.Session.ExpiresAt, found.Session.UpdatedAt = true, end, found.now
	err = s.store.Read(ctx, func(q data.Querier) error { return s.store.renew(ctx, q, found.Session.ID, end, found.now) })
	return found, err == nil, err
}

// Verify implements identity.Verifier outside /api/auth, for session tokens, plain or signed, and tokens of displays.
func (s *Service) Verify(ctx context.Context, token string) (identity.Caller, error) {
	if devices.IsToken(token) {
		return s.devices.Display(ctx, token)
	}
	found, ok, err := s.liveSession(ctx, s.cookies.plain(token), true)
	if err != nil {
		return identity.Caller{}, err
	}
	if !ok {
		return identity.Caller{}, fault.ErrUnauthorized
	}
	return found.caller(), nil
}

// Introspect returns the session and user of a token, plain or signed, and renews the session like any other use. For
// the token of a display, session and user are the display itself.
func (s *Service) Introspect(ctx context.Context, req introspect) (introspection, error) {
	if devices.IsToken(req.Token.Value) {
		display, err := s.devices.Display(ctx, req.Token.Value)
		switch {
		case errors.Is(err, fault.ErrUnauthorized):
			return introspection{}, nil
		case err != nil:
			return introspection{}, err
		}
		return introspectionOfDisplay(display), nil
	}
	found, ok, err := s.liveSession(ctx, s.cookies.plain(req.Token.Value), true)
	if err != nil || !ok {
		return introspection{}, err
	}
	return introspectionOf(found), nil
}

// beginSession creates a session of a user and appends its event. With limits, it deletes the user's oldest sessions
// beyond maxSessions.
func (s *Service) beginSession(ctx context.Context, tx pgx.Tx, u account.User, remember bool, now time.Time) (
	current, error,
) {
	made := account.Session{
		ID:        data.NewID(),
		UserID:    u.ID,
		Remember:  remember,
		CreatedAt: now,
		UpdatedAt: now,
		IPAddress: request.From(ctx).Address,
		UserAgent: agent(ctx),
	}
	made.ExpiresAt = s.options.Lifetimes.Expiry(made, now)
	token := data.NewToken()
	if err := s.store.addSession(ctx, tx, made, token); err != nil {
		return current{}, err
	}
	changes := []outbox.Change{sessionChange(ctx, contract.SessionSignedIn, u.ID, nil)}
	if s.limited() {
		ended, err := s.store.dropOldest(ctx, tx, u.ID, maxSessions)
		if err != nil {
			return current{}, err
		}
		if len(ended) > 0 {
			changes = append(changes, sessionChange(ctx, contract.SessionRevoked, u.ID, ended))
		}
	}
	err := outbox.Append(ctx, tx, withActor(ctx, u, changes...)...)
	return current{Session: made, User: u, token: token, now: now}, err
}

// replaceSession deletes the session whose cookie the browser sends with a sign-in. The sign-in replaces that cookie,
// so the browser could no longer sign out of the old session. On a shared computer the old session can belong to
// another user.
func (s *Service) replaceSession(ctx context.Context, tx pgx.Tx, u account.User, token string) error {
	if token == "" {
		return nil
	}
	ended, owner, err := s.store.deleteByToken(ctx, tx, token)
	if err != nil || ended == "" {
		return err
	}
	revoked := sessionChange(ctx, contract.SessionRevoked, owner, []string{ended})
	return outbox.Append(ctx, tx, withActor(ctx, u, revoked)...)
}

// SignOut deletes the session of a token, if there is one.
func (s *Service) SignOut(ctx context.Context, token string) error {
	found, ok, err := s.liveSession(ctx, token, false)
	if err != nil || !ok {
		return err
	}
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		ended, err := s.store.deleteSession(ctx, tx, found.Session.ID)
		if err != nil || !ended {
			return err
		}
		change := sessionChange(ctx, contract.SessionSignedOut, found.User.ID, []string{found.Session.ID})
		return outbox.Append(ctx, tx, withActor(ctx, found.User, change)...)
	})
	return postgres.Classify(err)
}

// Sessions returns the caller's live sessions, newest first, or errNotFresh if the caller's session is not fresh.
func (s *Service) Sessions(ctx context.Context) (list []account.Session, err error) {
	c := currentOf(ctx)
	if !c.Session.Fresh(c.now) {
		return nil, errNotFresh
	}
	err = s.store.Read(ctx, func(q data.Querier) (err error) {
		list, err = s.store.sessions(ctx, q, c.User.ID)
		return err
	})
	return list, err
}

// Revoke ends the caller's session that has the given token, or the id that listSessions returns in place of a token.
// It ignores an unknown token or id, and another user's session.
func (s *Service) Revoke(ctx context.Context, name string) error {
	user := currentOf(ctx).User
	_, err := s.revoke(ctx, user.ID, func(tx pgx.Tx) ([]string, error) {
		return s.store.deleteNamed(ctx, tx, user.ID, name)
	})
	return err
}

// RevokeAll ends the caller's sessions. With othersOnly it keeps the current one.
func (s *Service) RevokeAll(ctx context.Context, othersOnly bool) error {
	c := currentOf(ctx)
	keep := ""
	if othersOnly {
		keep = c.Session.ID
	}
	_, err := s.revoke(ctx, c.User.ID, func(tx pgx.Tx) ([]string, error) {
		return s.store.deleteSessions(ctx, tx, c.User.ID, keep)
	})
	return err
}

// RevokeUser ends all sessions of a user, who can be the calling administrator, and returns their number. It returns
// fault.ErrNotFound for an unknown user.
func (s *Service) RevokeUser(ctx context.Context, req getUser) (revokedAnswer, error) {
	if !validID(req.ID) {
		return revokedAnswer{}, fault.ErrNotFound
	}
	ended, err := s.revoke(ctx, req.ID, func(tx pgx.Tx) ([]string, error) {
		if _, err := s.store.lockUser(ctx, tx, req.ID); err != nil {
			return nil, err
		}
		return s.store.deleteSessions(ctx, tx, req.ID, "")
	})
	return revokedAnswer{Ended: ended}, err
}

// revoke calls remove, which deletes sessions of a user and returns their ids. Then revoke appends the event. It
// returns the number of deleted sessions.
func (s *Service) revoke(ctx context.Context, userID string, remove func(pgx.Tx) ([]string, error)) (
	count int, err error,
) {
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		ended, err := remove(tx)
		if count = len(ended); err != nil || count == 0 {
			return err
		}
		return outbox.Append(ctx, tx, sessionChange(ctx, contract.SessionRevoked, userID, ended))
	})
	return count, err
}

// maxAgent is the length of the longest stored User-Agent, in bytes.
const maxAgent = 512

// agent returns the request's User-Agent as valid UTF-8, cut to maxAgent.
func agent(ctx context.Context) string {
	text := strings.ToValidUTF8(request.From(ctx).Agent, "\uFFFD")
	if len(text) <= maxAgent {
		return text
	}
	cut := maxAgent
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut]
}

// RenewActive renews sessions that are in use without requests, such as those of open streams, if a renewal is due. It
// returns the live sessions of the request with their expiry.
func (s *Service) RenewActive(ctx context.Context, req activeRequest) (activeAnswer, error) {
	answer := activeAnswer{Sessions: []activeSession{}}
	err := s.store.Read(ctx, func(q data.Querier) error {
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
