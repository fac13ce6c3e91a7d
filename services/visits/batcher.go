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
	// maxBatch is the largest number of items of one batch.
	maxBatch = 64
	// commitPatience is how long a batch may take before the items behind it are committed beside it.
	commitPatience = 250 * time.Millisecond
)

// item is one element of a batch. commit sends its outcome exactly once.
type item struct {
	ctx  context.Context // of the request
	done chan error
}

func newItem(ctx context.Context) item { return item{ctx: ctx, done: make(chan error, 1)} }

func (i *item) batched() *item { return i }

// batched is a pointer to a type that embeds item.
type batched interface {
	comparable
	batched() *item
}

// batcher groups items that arrive while a batch is being committed into the next batch, so that one commit, and one
// flush of PostgreSQL's log, serves all of them. An idle batcher commits immediately. The zero value with commit set is
// ready for use.
type batcher[T batched] struct {
	commit func([]T) // sends the outcome of each item to its done channel

	mu      sync.Mutex
	pending []T
	running bool // a goroutine takes pending items
}

// submit waits for the outcome of an item. When the context ends while the item is pending, nothing has been changed and
// submit returns the context's error. When its deadline passes during the commit, submit returns ErrUnknownOutcome.
func (b *batcher[T]) submit(one T) error {
	n := one.batched()
	b.mu.Lock()
	b.pending = append(b.pending, one)
	if !b.running {
		b.running = true
		go b.run()
	}
	b.mu.Unlock()
	select {
	case err := <-n.done:
		return err
	case <-n.ctx.Done():
	}
	if b.withdraw(one) {
		return n.ctx.Err()
	}
	if errors.Is(n.ctx.Err(), context.Canceled) {
		return <-n.done // the client is gone; metrics still count what was committed
	}
	select {
	case err := <-n.done:
		return err
	default:
		return fault.ErrUnknownOutcome.Because(n.ctx.Err())
	}
}

// withdraw removes a pending item and reports whether it was still pending.
func (b *batcher[T]) withdraw(one T) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.Index(b.pending, one)
	if i < 0 {
		return false
	}
	b.pending = slices.Delete(b.pending, i, i+1)
	return true
}

// run commits pending items, batch after batch, until there are none. When a commit exceeds commitPatience, another
// goroutine takes over and this one ends with its batch.
func (b *batcher[T]) run() {
	for {
		batch := b.next()
		if len(batch) == 0 {
			return
		}
		patience := time.AfterFunc(commitPatience, b.takeOver)
		b.commit(batch)
		if !patience.Stop() {
			return
		}
	}
}

// next takes the oldest pending items.
func (b *batcher[T]) next() []T {
	b.mu.Lock()
	defer b.mu.Unlock()
	count := min(len(b.pending), maxBatch)
	b.running = count > 0
	batch := slices.Clone(b.pending[:count])
	b.pending = slices.Delete(b.pending, 0, count)
	return batch
}

// takeOver starts another goroutine for the pending items.
func (b *batcher[T]) takeOver() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running = len(b.pending) > 0
	if b.running {
		go b.run()
	}
}
