package identity

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"baari.dev/services/platform/fault"
)

// How long an answer of auth is believed: while auth answers, and while it is away.
const (
	keepFresh = time.Second
	keepStale = 30 * time.Second
)

// Asker puts one question to auth: whose session is this token? nil means nobody's.
type Asker func(ctx context.Context, token string) (*Caller, error)

// Remote verifies tokens by asking auth, and remembers the answers for a second counted from the question.
type Remote struct {
	ask     Asker
	now     func() time.Time
	flights singleflight.Group

	mu       sync.Mutex
	answers  map[string]answer
	announce uint64 // grows with every change auth announces
	swept    time.Time
}

type answer struct {
	caller *Caller // nil: no such session
	asked  time.Time
}

// NewRemote makes a verifier that asks with ask.
func NewRemote(ask Asker) *Remote {
	return &Remote{ask: ask, now: time.Now, answers: map[string]answer{}}
}

// Verify implements Verifier.
func (v *Remote) Verify(ctx context.Context, token string) (Caller, error) {
	if known, ok := v.kept(token, keepFresh); ok {
		return known.result()
	}
	got, err, _ := v.flights.Do(token, func() (any, error) { return v.question(ctx, token) })
	if err == nil {
		return got.(answer).result()
	}
	if known, ok := v.kept(token, keepStale); ok {
		return known.result()
	}
	return Caller{}, fault.ErrUnavailable.Because(err)
}

// question asks until an answer comes that no announcement has overtaken: an answer to a question asked
// before a change may tell the state from before it.
func (v *Remote) question(ctx context.Context, token string) (answer, error) {
	ctx = context.WithoutCancel(ctx) // others wait for the same answer
	for range 3 {
		v.mu.Lock()
		announced, asked := v.announce, v.now()
		v.mu.Unlock()
		bounded, cancel := context.WithTimeout(ctx, 3*time.Second)
		caller, err := v.ask(bounded, token)
		cancel()
		if err != nil {
			return answer{}, err
		}
		v.mu.Lock()
		overtaken := v.announce != announced
		if !overtaken {
			v.answers[token] = answer{caller: caller, asked: asked}
			v.sweep()
		}
		v.mu.Unlock()
		if !overtaken {
			return answer{caller: caller, asked: asked}, nil
		}
	}
	return answer{}, errors.New("auth announced changes faster than it answered")
}

// Forget drops what is known of a user, or everything when userID is "". It is called for each change auth announces.
func (v *Remote) Forget(userID string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.announce++
	for token, known := range v.answers {
		if userID == "" || known.caller == nil || known.caller.ID == userID {
			delete(v.answers, token)
		}
	}
}

func (v *Remote) kept(token string, age time.Duration) (answer, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	known, ok := v.answers[token]
	return known, ok && v.now().Sub(known.asked) < age
}

// sweep drops answers too old for any use, at most once a second; the caller holds mu.
func (v *Remote) sweep() {
	now := v.now()
	if now.Sub(v.swept) < keepFresh {
		return
	}
	v.swept = now
	for token, known := range v.answers {
		if now.Sub(known.asked) > keepStale {
			delete(v.answers, token)
		}
	}
}

func (a answer) result() (Caller, error) {
	if a.caller == nil {
		return Caller{}, fault.ErrUnauthorized
	}
	return *a.caller, nil
}

// introspection is the answer of POST /internal/introspect.
type introspection struct {
	Active    bool      `json:"active"`
	SessionID string    `json:"session_id"`
	ExpiresAt time.Time `json:"expires_at"`
	User      struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		Email    string `json:"email"`
		Role     string `json:"role"`
		IsActive bool   `json:"isActive"`
	} `json:"user"`
}

// Introspect makes an Asker that calls auth's internal address.
func Introspect(client *Client) Asker {
	return func(ctx context.Context, token string) (*Caller, error) {
		var got introspection
		status, err := client.Call(ctx, http.MethodPost, "/internal/introspect", map[string]string{"token": token}, &got)
		if err != nil {
			return nil, err
		}
		if status != http.StatusOK {
			return nil, errors.New("auth answered introspection with " + http.StatusText(status))
		}
		if !got.Active {
			return nil, nil
		}
		u := got.User
		return &Caller{SessionID: got.SessionID, ID: u.ID, Name: u.Name, Email: u.Email, Role: u.Role, Active: u.IsActive, ExpiresAt: got.ExpiresAt}, nil
	}
}
