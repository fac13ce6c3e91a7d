package identity

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"baari.dev/services/platform/fault"
)

var errAway = errors.New("connection refused")

// auth is an Asker whose results the test sets; it counts its calls.
type auth struct {
	mu      sync.Mutex
	callers map[string]Caller
	away    bool
	asked   int
	takes   time.Duration
	during  func()
}

func (a *auth) ask(ctx context.Context, token string) (*Caller, error) {
	a.mu.Lock()
	a.asked++
	caller, known := a.callers[token]
	away, takes, during := a.away, a.takes, a.during
	a.mu.Unlock()
	if during != nil {
		during()
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(takes):
	}
	if away {
		return nil, errAway
	}
	if !known {
		return nil, nil
	}
	return &caller, nil
}

func (a *auth) set(change func(*auth)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change(a)
}

func (a *auth) revoke(token string) { a.set(func(a *auth) { delete(a.callers, token) }) }
func (a *auth) leave(away bool)     { a.set(func(a *auth) { a.away = away }) }

func signedIn() *auth {
	return &auth{callers: map[string]Caller{
		"asha": {ID: "1", Role: "reception", Active: true}, "ravi": {ID: "2", Role: "pa", Active: true},
	}}
}

// verify returns the result for a token: the caller's id, or the code of the rejection.
func verify(v *Remote, token string) string {
	caller, err := v.Verify(context.Background(), token)
	if err != nil {
		return fault.Of(err).Code
	}
	return caller.ID
}

// A result is valid for a second from the request to auth, not from the response.
func TestAResultIsCachedForASecondFromTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := signedIn()
		a.takes = 300 * time.Millisecond
		v := NewRemote(a.ask)
		expect(t, verify(v, "asha"), "1")
		a.revoke("asha")
		time.Sleep(699 * time.Millisecond)
		expect(t, verify(v, "asha"), "1")
		if a.asked != 1 {
			t.Errorf("asked %d times within the second", a.asked)
		}
		time.Sleep(time.Millisecond)
		// ASVS 8.3.2
		expect(t, verify(v, "asha"), "unauthorized")
	})
}

// Concurrent requests share one introspection, unless it was sent more than a second before they arrived.
func TestASlowIntrospectionIsRepeatedForLaterRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := signedIn()
		a.takes = 2 * time.Second
		v := NewRemote(a.ask)
		results := make(chan string, 3)
		for _, later := range []time.Duration{0, 900 * time.Millisecond, 600 * time.Millisecond} {
			time.Sleep(later)
			go func() { results <- verify(v, "asha") }()
			synctest.Wait()
			a.revoke("asha")
		}
		expect(t, <-results, "1")
		expect(t, <-results, "1")
		expect(t, <-results, "unauthorized")
		if a.asked != 2 {
			t.Errorf("asked %d times, want one question shared by two and another", a.asked)
		}
	})
}

// While auth is unavailable, its last result is used for 30 s. Then requests get 503, never 401.
func TestCachedResultsAreUsedWhileAuthIsUnavailable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := signedIn()
		v := NewRemote(a.ask)
		expect(t, verify(v, "asha"), "1")
		a.leave(true)
		time.Sleep(30*time.Second - time.Millisecond)
		expect(t, verify(v, "asha"), "1")
		// ASVS 16.5.2, 16.5.3
		expect(t, verify(v, "ravi"), "unavailable")
		time.Sleep(time.Millisecond)
		expect(t, verify(v, "asha"), "unavailable")
		a.leave(false)
		expect(t, verify(v, "asha"), "1")
	})
}

func TestAnIntrospectionTimesOutAfterThreeSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := signedIn()
		a.takes = time.Hour
		started := time.Now()
		expect(t, verify(NewRemote(a.ask), "asha"), "unavailable")
		if waited := time.Since(started); waited != 3*time.Second {
			t.Errorf("waited %v", waited)
		}
	})
}

func TestAResultRequestedBeforeAChangeIsDiscarded(t *testing.T) {
	for announced, want := range map[string]struct {
		result string
		asked  int
	}{
		"1": {"unauthorized", 2}, // this person
		"":  {"unauthorized", 2}, // everybody
		"2": {"1", 1},            // another user
	} {
		a := signedIn()
		v := NewRemote(a.ask)
		a.during = func() { // auth has read the session before it is revoked, and its response arrives after that
			a.revoke("asha")
			a.set(func(a *auth) { a.during = nil })
			v.Forget(announced)
		}
		// ASVS 8.3.2
		if got := verify(v, "asha"); got != want.result || a.asked != want.asked {
			t.Errorf("announced %q: %s after %d questions, want %s after %d", announced, got, a.asked, want.result, want.asked)
		}
	}
}

func TestContinuousChangesMakeAuthUnavailable(t *testing.T) {
	a := signedIn()
	v := NewRemote(a.ask)
	a.during = func() { v.Forget("1") }
	expect(t, verify(v, "asha"), "unavailable")
}

// Users change faster than auth responds, for example during an import of accounts. A token without a session is
// rejected nevertheless.
func TestContinuousChangesGiveNoTokenASession(t *testing.T) {
	a := signedIn()
	v := NewRemote(a.ask)
	a.during = func() { v.Forget("1") }
	expect(t, verify(v, "without-session"), "unauthorized")
}

func TestForgetDropsTheResultsOfAUser(t *testing.T) {
	for forgotten, asked := range map[string]int{"1": 1, "2": 0, "": 1} {
		a := signedIn()
		v := NewRemote(a.ask)
		verify(v, "asha")
		before := a.asked
		v.Forget(forgotten)
		verify(v, "asha")
		if got := a.asked - before; got != asked {
			t.Errorf("forgot %q: asked %d times again, want %d", forgotten, got, asked)
		}
	}
}

func TestInvalidTokensAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := NewRemote(signedIn().ask)
		verify(v, "asha")
		for _, token := range []string{"a", "b", "c"} {
			expect(t, verify(v, token), "unauthorized")
		}
		time.Sleep(time.Second)
		verify(v, "ravi")
		if len(v.answers) != 2 || len(v.open) != 0 {
			t.Errorf("keeps %d answers and %d questions, want those of two people", len(v.answers), len(v.open))
		}
	})
}

func expect(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
