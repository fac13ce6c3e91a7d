package testkit

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
)

// People is an identity.Verifier for tests. A test can sign users in and out.
type People struct {
	mu     sync.Mutex
	tokens map[string]identity.Caller
	down   bool
}

// ID is the user id of a test person: 32 letters and digits, like an id from auth.
func ID(name string) string { return (name + strings.Repeat("0", 32))[:32] }

// NewPeople returns a People in which SignIn(role, role) was called for each role.
func NewPeople(roles ...string) *People {
	p := &People{tokens: map[string]identity.Caller{}}
	for _, role := range roles {
		p.SignIn(role, role)
	}
	return p
}

// SignIn signs in an active person with the id ID(name), whom edit may change, and returns the token: "token-<name>".
func (p *People) SignIn(name, role string, edit ...func(*identity.Caller)) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	caller := identity.Caller{
		SessionID: "session-" + name,
		ID:        ID(name),
		Name:      "The " + name,
		Email:     name + "@example.com",
		Role:      role,
		Active:    true,
		CreatedAt: time.Now(),
	}
	for _, change := range edit {
		change(&caller)
	}
	p.tokens["token-"+name] = caller
	return "token-" + name
}

// SignOut ends a person's session.
func (p *People) SignOut(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.tokens, "token-"+name)
}

// Away makes auth unavailable if away is true, and available again if it is false.
func (p *People) Away(away bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = away
}

// Verify implements identity.Verifier.
func (p *People) Verify(_ context.Context, token string) (identity.Caller, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down {
		return identity.Caller{}, fault.ErrUnavailable
	}
	caller, ok := p.tokens[token]
	if !ok {
		return identity.Caller{}, fault.ErrUnauthorized
	}
	return caller, nil
}

// As returns a context whose caller is the person of that name.
func (p *People) As(t testing.TB, name string) context.Context {
	t.Helper()
	caller, err := p.Verify(context.Background(), "token-"+name)
	if err != nil {
		t.Fatalf("%s is not signed in", name)
	}
	return identity.With(context.Background(), caller)
}
