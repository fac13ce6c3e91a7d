package testkit

import (
	"context"
	"sync"
	"testing"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
)

// People is a Verifier for tests: tokens of people who are signed in, changed at will.
type People struct {
	mu     sync.Mutex
	tokens map[string]identity.Caller
	away   bool
}

// NewPeople signs in one active person per role; a person's token is "token-<id>" and the id is the role.
func NewPeople(roles ...string) *People {
	p := &People{tokens: map[string]identity.Caller{}}
	for _, role := range roles {
		p.SignIn(identity.Caller{ID: role, Name: "The " + role, Email: role + "@example.com", Role: role, Active: true})
	}
	return p
}

// SignIn adds or changes a person and returns the token.
func (p *People) SignIn(caller identity.Caller) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	token := "token-" + caller.ID
	caller.SessionID = "session-" + caller.ID
	p.tokens[token] = caller
	return token
}

// SignOut ends a person's session.
func (p *People) SignOut(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.tokens, "token-"+id)
}

// Away makes auth unreachable, or reachable again.
func (p *People) Away(away bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.away = away
}

// Verify implements identity.Verifier.
func (p *People) Verify(_ context.Context, token string) (identity.Caller, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.away {
		return identity.Caller{}, fault.ErrUnavailable
	}
	caller, ok := p.tokens[token]
	if !ok {
		return identity.Caller{}, fault.ErrUnauthorized
	}
	return caller, nil
}

// As returns ctx with the person of the given id as its caller.
func (p *People) As(t testing.TB, id string) context.Context {
	t.Helper()
	caller, err := p.Verify(context.Background(), "token-"+id)
	if err != nil {
		t.Fatalf("%s is not signed in", id)
	}
	return identity.With(context.Background(), caller)
}
