package auth

import (
	"context"
	"sync"

	"baari.dev/services/platform/fault"
)

// How many questions are out at once, and how many tokens one asks about at most.
const (
	lookupsAtOnce = 2
	lookupTokens  = 256
)

// lookups finds the sessions of tokens. Whoever comes while the questions that may be out are, waits and is asked about
// together with all who wait: under load one statement serves many. Nothing is kept: an answer is never older than the
// request it is for, so what was revoked before is not found.
type lookups struct {
	ask func(ctx context.Context, hashes [][]byte) ([]current, error)

	mu      sync.Mutex
	out     int
	waiting []*lookup
}

// lookup is one request's question.
type lookup struct {
	hash  []byte
	found current
	known bool
	err   error
	done  chan struct{}
}

// find answers the session of a token, live or not, with its user; known is false when there is none.
func (l *lookups) find(ctx context.Context, token string) (found current, known bool, err error) {
	mine := &lookup{hash: digest(token), done: make(chan struct{})}
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

// next asks about those who wait, if a question may go out; the caller holds mu. The question outlives the request
// that it goes out with: others wait for it too.
func (l *lookups) next(ctx context.Context) {
	if l.out == lookupsAtOnce || len(l.waiting) == 0 {
		return
	}
	count := min(len(l.waiting), lookupTokens)
	batch := l.waiting[:count:count]
	l.waiting = l.waiting[count:]
	l.out++
	go l.run(context.WithoutCancel(ctx), batch)
}

func (l *lookups) run(ctx context.Context, batch []*lookup) {
	hashes := make([][]byte, len(batch))
	for i, one := range batch {
		hashes[i] = one.hash
	}
	found, err := l.ask(ctx, hashes)
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
	l.out--
	l.next(ctx)
}
