package auth

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/request"
)

// maxSessions is how many sessions one user has; the oldest makes room.
const maxSessions = 10

// current is a live session, its user, and what was found when it was looked at.
type current struct {
	Session account.Session
	User    account.User
	token   string
	hash    []byte // of the token, as it is stored
	now     time.Time
	renewed bool
}

// caller is the person behind the session.
func (c current) caller() identity.Caller {
	return identity.Caller{SessionID: c.Session.ID, ID: c.User.ID, Name: c.User.Name, Email: c.User.Email, Role: c.User.Role, Active: c.User.IsActive}
}

type currentKey struct{}

// currentOf is the session of an admitted request.
func currentOf(ctx context.Context) current {
	found, _ := ctx.Value(currentKey{}).(current)
	return found
}

// look finds the live session of a token and renews it when it is time and renew is true. A dead one is deleted,
// and ok is false.
func (s *Service) look(ctx context.Context, token string, renew bool) (found current, ok bool, err error) {
	if token == "" {
		return found, false, nil
	}
	if found, ok, err = s.lookups.find(ctx, token); err != nil || !ok {
		return found, false, err
	}
	if !found.Session.Live(found.now) {
		return found, false, s.store.read(ctx, func(q querier) error {
			_, err := s.store.deleteSession(ctx, q, found.Session.ID)
			return err
		})
	}
	end, due := s.options.Lifetimes.Renewal(found.Session, found.now)
	if !renew || !due {
		return found, true, nil
	}
	found.renewed, found.Session.ExpiresAt, found.Session.UpdatedAt = true, end, found.now
	err = s.store.read(ctx, func(q querier) error { return s.store.renew(ctx, q, found.Session.ID, end, found.now) })
	return found, err == nil, err
}

// Verify implements identity.Verifier for auth's own product calls: the token is plain or signed.
func (s *Service) Verify(ctx context.Context, token string) (identity.Caller, error) {
	found, ok, err := s.look(ctx, s.cookies.plain(token), true)
	if err != nil {
		return identity.Caller{}, err
	}
	if !ok {
		return identity.Caller{}, fault.ErrUnauthorized
	}
	return found.caller(), nil
}

// Introspect returns the session and user of a token, plain or signed, to another service.
func (s *Service) Introspect(ctx context.Context, req introspect) (introspection, error) {
	found, ok, err := s.look(ctx, s.cookies.plain(req.Token.Value), true)
	if err != nil || !ok {
		return introspection{}, err
	}
	return introspectionOf(found), nil
}

// begin creates a session of a user and appends its event.
func (s *Service) begin(ctx context.Context, tx pgx.Tx, u account.User, remember bool, now time.Time) (current, error) {
	made := account.Session{
		ID: newID(), UserID: u.ID, Remember: remember, CreatedAt: now, UpdatedAt: now,
		IPAddress: request.From(ctx).Address, UserAgent: agent(ctx),
	}
	made.ExpiresAt = s.options.Lifetimes.Expiry(made, now)
	token := newToken()
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
	return current{Session: made, User: u, token: token, now: now}, outbox.Append(ctx, tx, by(ctx, u, changes...)...)
}

// replaceSession ends the session whose cookie the browser of a sign-in carries: the new cookie takes its place, and nobody
// could sign out of the old session there. It may be another person's, on a shared computer.
func (s *Service) replaceSession(ctx context.Context, tx pgx.Tx, u account.User, token string) error {
	if token == "" {
		return nil
	}
	ended, owner, err := s.store.deleteByToken(ctx, tx, token)
	if err != nil || ended == "" {
		return err
	}
	return outbox.Append(ctx, tx, by(ctx, u, sessionChange(ctx, contract.SessionRevoked, owner, []string{ended}))...)
}

// SignOut ends the session of a token; without one nothing happens.
func (s *Service) SignOut(ctx context.Context, token string) error {
	found, ok, err := s.look(ctx, token, false)
	if err != nil || !ok {
		return err
	}
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		ended, err := s.store.deleteSession(ctx, tx, found.Session.ID)
		if err != nil || !ended {
			return err
		}
		change := sessionChange(ctx, contract.SessionSignedOut, found.User.ID, []string{found.Session.ID})
		return outbox.Append(ctx, tx, by(ctx, found.User, change)...)
	})
	return postgres.Classify(err)
}

// Sessions lists the caller's live sessions. It refuses one that is not fresh.
func (s *Service) Sessions(ctx context.Context) (list []account.Session, err error) {
	c := currentOf(ctx)
	if !c.Session.Fresh(c.now) {
		return nil, errNotFresh
	}
	err = s.store.read(ctx, func(q querier) (err error) {
		list, err = s.store.sessions(ctx, q, c.User.ID)
		return err
	})
	return list, err
}

// Revoke ends the caller's session of a token, or of the handle that the list gives for it. Another's, or none,
// is no error.
func (s *Service) Revoke(ctx context.Context, name string) error {
	user := currentOf(ctx).User
	_, err := s.revoke(ctx, user.ID, func(tx pgx.Tx) ([]string, error) { return s.store.deleteNamed(ctx, tx, user.ID, name) })
	return err
}

// RevokeAll ends the caller's sessions, but for the current one where others is true.
func (s *Service) RevokeAll(ctx context.Context, others bool) error {
	c := currentOf(ctx)
	keep := ""
	if others {
		keep = c.Session.ID
	}
	_, err := s.revoke(ctx, c.User.ID, func(tx pgx.Tx) ([]string, error) { return s.store.deleteSessions(ctx, tx, c.User.ID, keep) })
	return err
}

// RevokeUser ends every session of a user for an administrator, who may be that user. It answers how many ended;
// fault.ErrNotFound when there is no such user.
func (s *Service) RevokeUser(ctx context.Context, req getUser) (revokedAnswer, error) {
	if !knownID(req.ID) {
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

// revoke ends sessions of a user and publishes which; it returns how many.
func (s *Service) revoke(ctx context.Context, userID string, end func(pgx.Tx) ([]string, error)) (count int, err error) {
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		ended, err := end(tx)
		if count = len(ended); err != nil || count == 0 {
			return err
		}
		return outbox.Append(ctx, tx, sessionChange(ctx, contract.SessionRevoked, userID, ended))
	})
	return count, err
}

// maxAgent bounds how much of a User-Agent is kept.
const maxAgent = 512

// agent is the caller's User-Agent in a form that PostgreSQL stores.
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
