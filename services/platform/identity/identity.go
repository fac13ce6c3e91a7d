// Package identity authenticates requests. Each session token is introspected by auth; while auth answers, the result
// is cached for one second, so that a revoked session is rejected by every service within that second. It also signs
// and verifies the tokens of requests between services, and owns the client of internal calls.
//
// Start with Verifier in this file and Remote in remote.go; calls between services are in service.go.
package identity

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Caller is the signed-in user who sent a request, or the service that sent an internal one.
type Caller struct {
	SessionID string
	ID        string
	Name      string
	Email     string
	Role      string
	Active    bool
	Newcomer  bool      // the user registered recently and no administrator has decided about the account
	ExpiresAt time.Time // expiry of the session; zero if unknown
	CreatedAt time.Time // the session's start; zero if unknown
}

// Verifier returns the caller of a session token. It returns fault.ErrUnauthorized if auth responded that there is no
// such session, and fault.ErrUnavailable if auth did not respond.
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

// longestToken is the largest length, in bytes, of a token that is sent to auth. A signed session token has 77 bytes.
const longestToken = 256

// Bearer returns the token of the Authorization header, plain or signed. It returns "" if there is none, or if the
// value cannot be a session token.
func Bearer(r *http.Request) string {
	scheme, token, found := strings.Cut(r.Header.Get("Authorization"), " ")
	if !found || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return unescape(strings.TrimSpace(token))
}

// SessionCookie is the name of the session cookie; on https it has the prefix __Secure-.
const SessionCookie = "better-auth.session_token"

// Cookie returns the signed token of the session cookie. It returns "" if there is none or the value is not signed.
func Cookie(r *http.Request) string {
	for _, name := range []string{"__Secure-" + SessionCookie, SessionCookie} {
		cookie, err := r.Cookie(name)
		if err != nil {
			continue
		}
		if token := unescape(cookie.Value); strings.Contains(token, ".") {
			return token
		}
	}
	return ""
}

// unescape decodes a result of encodeURIComponent, in which a plus is not a space. It returns "" for a text that cannot
// be a token, because it is too long or not visible ASCII; auth need not be called then.
func unescape(text string) string {
	token, err := url.PathUnescape(text)
	if err != nil || len(token) > longestToken {
		return ""
	}
	for i := range len(token) {
		if token[i] <= ' ' || token[i] > '~' {
			return ""
		}
	}
	return token
}
