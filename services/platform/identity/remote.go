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

// How long a result is cached: while auth answers, and while it is unavailable.
const (
	keepFresh = time.Second
	keepStale = 30 * time.Second
)

// Asker introspects a session token at auth. It returns nil for a token without a session.
type Asker func(ctx context.Context, token string) (*Caller, error)

// Remote verifies tokens at auth and caches each result for a second from the time of the request to auth.
type Remote struct {
	ask     Asker
	now     func() time.Time
	flights singleflight.Group

	mu      sync.Mutex
	answers map[string]answer
	open    map[*question]struct{} // introspections in flight
	swept   time.Time
}

// question is an introspection in flight, with the users for whom a change was published meanwhile.
type question struct {
	asked    time.Time
	allUsers bool
	users    map[string]bool
}

type answer struct {
	caller *Caller // nil: no such session
	asked  time.Time
}

// NewRemote returns a verifier that calls ask to introspect tokens.
func NewRemote(ask Asker) *Remote {
	return &Remote{ask: ask, now: time.Now, answers: map[string]answer{}, open: map[*question]struct{}{}}
}

// Verify implements Verifier.
func (v *Remote) Verify(ctx context.Context, token string) (Caller, error) {
	arrived := v.now()
	for {
		if known, ok := v.kept(token, keepFresh); ok {
			return known.result()
		}
		got, err, _ := v.flights.Do(token, func() (any, error) { return v.inquire(ctx, token) })
		if err != nil {
			return v.withoutAuth(token, err)
		}
		// The result of an introspection that earlier requests share may be too old for this request.
		if known := got.(answer); arrived.Sub(known.asked) < keepFresh {
			return known.result()
		}
	}
}

// withoutAuth returns the last result for the token, if it is at most keepStale old, otherwise fault.ErrUnavailable.
func (v *Remote) withoutAuth(token string, cause error) (Caller, error) {
	if known, ok := v.kept(token, keepStale); ok {
		return known.result()
	}
	return Caller{}, fault.ErrUnavailable.Because(cause)
}

// inquire introspects a token, at most three times, until no change of the token's user is published during the
// request. Otherwise the result could show the state before that change.
func (v *Remote) inquire(ctx context.Context, token string) (answer, error) {
	ctx = context.WithoutCancel(ctx) // other requests wait for the same result
	for range 3 {
		q := v.begin()
		bounded, cancel := context.WithTimeout(ctx, 3*time.Second)
		caller, err := v.ask(bounded, token)
		cancel()
		if got := (answer{caller: caller, asked: q.asked}); v.end(q, token, got, err) {
			return got, nil
		}
		if err != nil {
			return answer{}, err
		}
	}
	return answer{}, errors.New("auth published changes of this session faster than it answered")
}

func (v *Remote) begin() *question {
	v.mu.Lock()
	defer v.mu.Unlock()
	q := &question{asked: v.now(), users: map[string]bool{}}
	v.open[q] = struct{}{}
	return q
}

// end closes q and caches its result. If auth did not respond, or published a change of the user after the request, end
// caches nothing and returns false.
func (v *Remote) end(q *question, token string, got answer, err error) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.open, q)
	if err != nil || q.overtaken(got.caller) {
		return false
	}
	v.answers[token] = got
	v.sweep()
	return true
}

// overtaken reports whether the response may be older than a published change. The response for a token without a
// session is never outdated, because a change of a user does not create a session.
func (q *question) overtaken(caller *Caller) bool {
	return q.allUsers || caller != nil && q.users[caller.ID]
}

// Forget drops a user's results and the negative results, or all if userID is "". Call it for each event of auth.
func (v *Remote) Forget(userID string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for q := range v.open {
		q.allUsers = q.allUsers || userID == ""
		q.users[userID] = true
	}
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

// sweep drops expired results, at most once a second; the caller holds mu. Negative results expire after keepFresh,
// because any client can invent tokens.
func (v *Remote) sweep() {
	now := v.now()
	if now.Sub(v.swept) < keepFresh {
		return
	}
	v.swept = now
	for token, known := range v.answers {
		age := now.Sub(known.asked)
		if age >= keepStale || age >= keepFresh && known.caller == nil {
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

// introspection is the response of POST /internal/introspect.
type introspection struct {
	Active    bool      `json:"active"`
	SessionID string    `json:"session_id"`
	ExpiresAt time.Time `json:"expires_at"`
	CreatedAt time.Time `json:"created_at"`
	User      struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		Email    string `json:"email"`
		Role     string `json:"role"`
		IsActive bool   `json:"isActive"`
		Newcomer bool   `json:"newcomer"`
	} `json:"user"`
}

// Introspect returns an Asker that calls auth's internal address.
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
		return &Caller{
			SessionID: got.SessionID,
			ID:        u.ID,
			Name:      u.Name,
			Email:     u.Email,
			Role:      u.Role,
			Active:    u.IsActive,
			Newcomer:  u.Newcomer,
			ExpiresAt: got.ExpiresAt,
			CreatedAt: got.CreatedAt,
		}, nil
	}
}
