package auth

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"baari.dev/services/auth/data"
	"baari.dev/services/platform/fault"
)

// answering replaces the database: its query waits until gate is closed, and finds the tokens in known.
type answering struct {
	gate    chan struct{}
	known   map[string]string // hash of a token: id of its session
	err     error
	mu      sync.Mutex
	queries []int // the number of tokens of each query
}

func (a *answering) revokeAll() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.known = nil
}

func newAnswering(tokens ...string) *answering {
	a := &answering{gate: make(chan struct{}), known: map[string]string{}}
	for _, token := range tokens {
		a.known[string(data.Digest(token))] = "session of " + token
	}
	return a
}

func (a *answering) query(_ context.Context, hashes [][]byte) (found []current, err error) {
	a.mu.Lock()
	a.queries = append(a.queries, len(hashes))
	known := a.known // the snapshot of the query
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

// Waiting lookups share one query, and each gets the result of its own token.
func TestWaitingLookupsShareAQuery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		database := newAnswering("token 0", "token 3", "token 9")
		l := &lookups{query: database.query}
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
		if got := fmt.Sprint(database.queries); got != "[1 1 8]" {
			t.Errorf("queries of %s tokens, want two of one and then one of the rest", got)
		}
	})
}

// A query looks up a limited number of tokens. The next query looks up the other waiting tokens.
func TestManyWaitingLookupsAreTwoQueries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const many = lookupTokens + 40
		last := fmt.Sprint("token ", lookupsAtOnce+many-1)
		database := newAnswering(last)
		l := &lookups{query: database.query}
		var clients sync.WaitGroup
		for n := range lookupsAtOnce + many {
			clients.Go(func() {
				token := fmt.Sprint("token ", n)
				if _, known, err := l.find(context.Background(), token); err != nil || known != (token == last) {
					t.Errorf("%s: %v, %v", token, known, err)
				}
			})
			synctest.Wait()
		}
		close(database.gate)
		clients.Wait()
		if got := database.queries[lookupsAtOnce:]; len(got) != 2 || max(got[0], got[1]) != lookupTokens {
			t.Errorf("queries of %v tokens", database.queries)
		}
	})
}

// A lookup does not get the result of a query that started before it, so a revoked session is not found.
func TestALookupStartsAfterItsRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		database := newAnswering("token")
		l := &lookups{query: database.query}
		var clients sync.WaitGroup
		for range lookupsAtOnce {
			clients.Go(func() { _, _, _ = l.find(context.Background(), "token") })
		}
		synctest.Wait()
		database.revokeAll()
		clients.Go(func() {
			if _, known, _ := l.find(context.Background(), "token"); known {
				t.Error("got the result of a query from before the revocation")
			}
		})
		synctest.Wait()
		close(database.gate)
		clients.Wait()
	})
}

// A failed query fails all its lookups. A lookup whose context ends does not wait.
func TestAFailedQueryFailsAllItsLookups(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		database := newAnswering("token")
		database.err = fault.ErrBusy
		l := &lookups{query: database.query}
		cancelled, cancel := context.WithCancel(context.Background())
		cancel()
		if _, _, err := l.find(cancelled, "token"); !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("a cancelled lookup got %v", err)
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
