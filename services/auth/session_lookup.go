package auth

import (
	"context"
	"sync"

	"baari.dev/services/auth/data"
	"baari.dev/services/platform/fault"
)

// lookupsAtOnce is how many queries can run at the same time, lookupTokens how many tokens one query can look up.
const (
	lookupsAtOnce = 2
	lookupTokens  = 256
)

// lookups finds the sessions of tokens. Requests that arrive while lookupsAtOnce queries are running wait and are
// looked up together by the next query: under load one statement serves many requests. Results are not cached. A query
// starts after the requests that it serves, so it does not find a session that was revoked before these requests.
type lookups struct {
	query func(ctx context.Context, hashes [][]byte) ([]current, error)

	mu      sync.Mutex
	running int
	waiting []*lookup
}

// lookup is the token of one request, and its result, which is set once done is closed.
type lookup struct {
	hash  []byte
	found current
	known bool
	err   error
	done  chan struct{}
}

// find returns the session of a token, live or expired, with its user. known is false if there is none. It returns
// fault.ErrUnavailable if ctx ends first.
func (l *lookups) find(ctx context.Context, token string) (found current, known bool, err error) {
	mine := &lookup{hash: data.Digest(token), done: make(chan struct{})}
	l.mu.Lock()
	l.waiting = append(l.waiting, mine)
	l.next(ctx)
	l.mu.Unlock()
	select {
	case <-mine.done:
	case <-ctx.Done():
		return found, false, fault.ErrUnavailable.Because(ctx.Err())
	}
	mine.found.token = token
	return mine.found, mine.known, mine.err
}

// next starts a query for the waiting requests, unless lookupsAtOnce queries are running. The caller holds mu. The
// query is not cancelled with the request that starts it, because it also serves other requests.
func (l *lookups) next(ctx context.Context) {
	if l.running == lookupsAtOnce || len(l.waiting) == 0 {
		return
	}
	count := min(len(l.waiting), lookupTokens)
	batch := l.waiting[:count:count]
	l.waiting = l.waiting[count:]
	l.running++
	go l.run(context.WithoutCancel(ctx), batch)
}

func (l *lookups) run(ctx context.Context, batch []*lookup) {
	hashes := make([][]byte, len(batch))
	for i, one := range batch {
		hashes[i] = one.hash
	}
	found, err := l.query(ctx, hashes)
	byHash := make(map[string]current, len(found))
	for _, c := range found {
		byHash[string(c.hash)] = c
	}
	for _, one := range batch {
		if one.err = err; err == nil {
			one.found, one.known = byHash[string(one.hash)]
		}
		close(one.done)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running--
	l.next(ctx)
}
