package visits

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"baari.dev/services/platform/fault"
)

const (
	// mostJoined is how many requests share a transaction at most.
	mostJoined = 64
	// joinPatience is how long those who wait stand behind a transaction that hangs, before they begin one of their own.
	joinPatience = 250 * time.Millisecond
	// joinedLimit is how long a shared transaction may take, without its commit.
	joinedLimit = 6 * time.Second
)

// errAlone says that a request was left out of its batch, or that the batch came to nothing: it is to be made by itself.
var errAlone = errors.New("to be made by itself")

// joining is what every request has that may share a transaction.
type joining struct {
	ctx     context.Context // of the request: who asks, its id and trace
	settled chan error      // one error, nil when what the request asks for is committed; errAlone
}

func newJoining(ctx context.Context) joining { return joining{ctx: ctx, settled: make(chan error, 1)} }

func (j *joining) request() *joining { return j }

// joins is a pointer to what has a joining.
type joins interface {
	comparable
	request() *joining
}

// joiner lets requests that come while another is being committed share the next transaction: one commit for all waits for
// the disk once. Whoever comes when nobody is at it waits for nobody.
type joiner[T joins] struct {
	commit func([]T) // settles each of them

	mu      sync.Mutex
	waiting []T
	leading bool // somebody takes those who wait
}

// join waits until a request is settled. A caller who leaves while still waiting has changed nothing; one whose time runs
// out in the middle of a transaction does not know.
func (j *joiner[T]) join(one T) error {
	n := one.request()
	j.mu.Lock()
	j.waiting = append(j.waiting, one)
	if !j.leading {
		j.leading = true
		go j.lead()
	}
	j.mu.Unlock()
	select {
	case err := <-n.settled:
		return err
	case <-n.ctx.Done():
	}
	if j.withdraw(one) {
		return n.ctx.Err()
	}
	if errors.Is(n.ctx.Err(), context.Canceled) {
		return <-n.settled // nobody reads the answer, but what is counted is true
	}
	select {
	case err := <-n.settled:
		return err
	default:
		return fault.ErrUnknownOutcome.Because(n.ctx.Err())
	}
}

// withdraw takes one out of those who wait; false when it is among them no more.
func (j *joiner[T]) withdraw(one T) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	i := slices.Index(j.waiting, one)
	if i < 0 {
		return false
	}
	j.waiting = append(j.waiting[:i], j.waiting[i+1:]...)
	return true
}

// lead commits those who wait, batch after batch, until nobody does. One whose transaction hangs is left with it.
func (j *joiner[T]) lead() {
	for {
		batch := j.next()
		if len(batch) == 0 {
			return
		}
		patience := time.AfterFunc(joinPatience, j.handOver)
		j.commit(batch)
		if !patience.Stop() {
			return
		}
	}
}

// next takes those who have waited longest. When nobody waits nobody leads any more.
func (j *joiner[T]) next() []T {
	j.mu.Lock()
	defer j.mu.Unlock()
	count := min(len(j.waiting), mostJoined)
	j.leading = count > 0
	batch := j.waiting[:count:count]
	j.waiting = j.waiting[count:]
	return batch
}

// handOver lets others lead.
func (j *joiner[T]) handOver() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.leading = len(j.waiting) > 0
	if j.leading {
		go j.lead()
	}
}

// unmade is what one of a batch hears whose transaction failed: what may be one's only, each is to find out by itself. Who
// was in it hears also that it may have been committed.
func unmade(err error, in bool) error {
	if fault.Of(err).Kind == fault.Unavailable && (in || !errors.Is(err, fault.ErrUnknownOutcome)) {
		return err
	}
	return errAlone
}
