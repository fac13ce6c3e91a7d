// Package identity finds out who is calling. Auth is asked about each session token; the answer is
// kept for a second, so that a revoked session stops working everywhere within that second.
package identity

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Caller is the signed-in person behind a request.
type Caller struct {
	SessionID string
	ID        string
	Name      string
	Email     string
	Role      string
	Active    bool
	ExpiresAt time.Time // when the session ends by itself; zero when that is not known
}

// Verifier says whose session a token is. It answers fault.ErrUnauthorized when auth positively said
// that there is no such session, and fault.ErrUnavailable when auth could not be asked.
type Verifier interface {
	Verify(ctx context.Context, token string) (Caller, error)
}

type key struct{}

// With returns a context that carries the caller.
func With(ctx context.Context, caller Caller) context.Context {
	return context.WithValue(ctx, key{}, caller)
}

// From returns the caller of ctx; ok is false for an anonymous request.
func From(ctx context.Context) (caller Caller, ok bool) {
	caller, ok = ctx.Value(key{}).(Caller)
	return caller, ok
}

// Bearer returns the token of the Authorization header, plain or signed, "" when there is none.
func Bearer(r *http.Request) string {
	scheme, token, found := strings.Cut(r.Header.Get("Authorization"), " ")
	if !found || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	token = strings.TrimSpace(token)
	if decoded, err := url.QueryUnescape(token); err == nil && strings.Contains(token, "%") {
		return decoded
	}
	return token
}

// SessionCookie is the name of the session cookie; on https it has the prefix __Secure-.
const SessionCookie = "better-auth.session_token"

// Cookie returns the signed token of the session cookie, "" when there is none. An unsigned value is none.
func Cookie(r *http.Request) string {
	for _, name := range []string{"__Secure-" + SessionCookie, SessionCookie} {
		cookie, err := r.Cookie(name)
		if err != nil {
			continue
		}
		if value, err := url.QueryUnescape(cookie.Value); err == nil && strings.Contains(value, ".") {
			return value
		}
	}
	return ""
}
