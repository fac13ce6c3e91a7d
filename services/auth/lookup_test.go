package auth

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"baari.dev/services/platform/fault"
)

// answering is a database of sessions: it waits for gate, counts its questions and knows the tokens of known.
type answering struct {
	gate      chan struct{}
	known     map[string]string // hash of a token: id of its session
	err       error
	mu        sync.Mutex
	questions []int // how many tokens each asked about
}

func (a *answering) revokeAll() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.known = nil
}

func newAnswering(tokens ...string) *answering {
	a := &answering{gate: make(chan struct{}), known: map[string]string{}}
	for _, token := range tokens {
		a.known[string(digest(token))] = "session of " + token
	}
	return a
}

func (a *answering) ask(_ context.Context, hashes [][]byte) (found []current, err error) {
	a.mu.Lock()
	a.questions = append(a.questions, len(hashes))
	known := a.known // as the statement sees it when it begins
	a.mu.Unlock()
	<-a.gate
	for _, hash := range hashes {
		if id, ok := known[string(hash)]; ok {
			c := current{hash: hash}
			c.Session.ID = id
			found = append(found, c)
		}
	}
	return found, a.err
}

// Those who wait are asked about together, and each gets the answer to the own token.
func TestWaitingLookupsAreAskedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		database := newAnswering("token 0", "token 3", "token 9")
		l := &lookups{ask: database.ask}
		var clients sync.WaitGroup
		for n := range 10 {
			clients.Go(func() {
				token := fmt.Sprint("token ", n)
				found, known, err := l.find(context.Background(), token)
				want := n == 0 || n == 3 || n == 9
				if err != nil || known != want || known && (found.Session.ID != "session of "+token || found.token != token) {
					t.Errorf("%s: %+v, %v, %v", token, found, known, err)
				}
			})
			synctest.Wait()
		}
		close(database.gate)
		clients.Wait()
		if got := fmt.Sprint(database.questions); got != "[1 1 8]" {
			t.Errorf("asked about %s tokens, want two at once and then the rest together", got)
		}
	})
}

// A session that was revoked before the request came is never answered from a question that went out earlier.
func TestALookupIsNeverOlderThanItsRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		database := newAnswering("token")
		l := &lookups{ask: database.ask}
		var clients sync.WaitGroup
		for range lookupsAtOnce {
			clients.Go(func() { _, _, _ = l.find(context.Background(), "token") })
		}
		synctest.Wait()
		database.revokeAll()
		clients.Go(func() {
			if _, known, _ := l.find(context.Background(), "token"); known {
				t.Error("the answer to a question from before the revocation was given")
			}
		})
		synctest.Wait()
		close(database.gate)
		clients.Wait()
	})
}

// An error is told to all who waited for the answer; one who leaves does not wait.
func TestLookupsThatFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		database := newAnswering("token")
		database.err = fault.ErrBusy
		l := &lookups{ask: database.ask}
		gone, leave := context.WithCancel(context.Background())
		leave()
		if _, _, err := l.find(gone, "token"); !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("who left is answered %v", err)
		}
		close(database.gate)
		var clients sync.WaitGroup
		for range 5 {
			clients.Go(func() {
				if _, known, err := l.find(context.Background(), "token"); known || !errors.Is(err, fault.ErrBusy) {
					t.Errorf("got %v, %v", known, err)
				}
			})
		}
		clients.Wait()
	})
}
