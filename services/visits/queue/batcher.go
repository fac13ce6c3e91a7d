package queue

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"baari.dev/services/platform/fault"
)

const (
	maxBatch = 64
	// commitPatience is how long a commit of registrations or decisions may take before another goroutine commits the
	// pending commands.
	commitPatience = 250 * time.Millisecond
)

// reply is the result of a commit for one command.
type reply[R any] struct {
	result R
	err    error
}

// batcher groups the commands C that arrive during a commit into the next batch, so that one commit, and one flush of
// PostgreSQL's log, serves all of them. An idle batcher commits immediately. The zero value with commit set is ready to
// use.
type batcher[C, R any] struct {
	commit func([]C) []reply[R] // returns the reply to each command, in their order
	// patience is how long a commit may take before another goroutine commits the pending commands; 0: without limit.
	patience time.Duration

	mu      sync.Mutex
	pending []*submission[C, R]
	running bool // set while a goroutine takes pending submissions
}

// submission is a command whose caller waits for the reply.
type submission[C, R any] struct {
	command C
	done    chan reply[R] // buffered, so that run never waits for the caller
}

// submit waits for the result of a command. If ctx ends while the command is pending, nothing was changed and submit
// returns the context's error. If the deadline passes during the commit, submit returns ErrUnknownOutcome.
func (b *batcher[C, R]) submit(ctx context.Context, command C) (R, error) {
	own := &submission[C, R]{command: command, done: make(chan reply[R], 1)}
	b.add(own)
	select {
	case got := <-own.done:
		return got.result, got.err
	case <-ctx.Done():
	}
	var none R
	if b.withdraw(own) {
		return none, ctx.Err()
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		got := <-own.done // the client has disconnected; metrics still count the commit
		return got.result, got.err
	}
	select {
	case got := <-own.done:
		return got.result, got.err
	default:
		return none, fault.ErrUnknownOutcome.Because(ctx.Err())
	}
}

func (b *batcher[C, R]) add(one *submission[C, R]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pending = append(b.pending, one)
	if !b.running {
		b.running = true
		go b.run()
	}
}

// withdraw removes a pending submission and reports whether it was still pending.
func (b *batcher[C, R]) withdraw(one *submission[C, R]) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.Index(b.pending, one)
	if i < 0 {
		return false
	}
	b.pending = slices.Delete(b.pending, i, i+1)
	return true
}

// run commits batches of pending commands until there are none. If a commit exceeds the patience, another goroutine
// takes over and this one ends after its batch.
func (b *batcher[C, R]) run() {
	for {
		batch := b.next()
		if len(batch) == 0 {
			return
		}
		if b.patience == 0 {
			b.commitBatch(batch)
			continue
		}
		patience := time.AfterFunc(b.patience, b.takeOver)
		b.commitBatch(batch)
		if !patience.Stop() {
			return
		}
	}
}

func (b *batcher[C, R]) commitBatch(batch []*submission[C, R]) {
	commands := make([]C, len(batch))
	for i, one := range batch {
		commands[i] = one.command
	}
	for i, got := range b.committed(commands) {
		batch[i].done <- got
	}
}

// committed calls commit. A panic of commit becomes the reply to each command, because it would otherwise end the
// process, which serves other requests.
func (b *batcher[C, R]) committed(commands []C) (replies []reply[R]) {
	defer func() {
		if cause := recover(); cause != nil {
			replies = make([]reply[R], len(commands))
			for i := range replies {
				replies[i].err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
			}
		}
	}()
	return b.commit(commands)
}

func (b *batcher[C, R]) next() []*submission[C, R] {
	b.mu.Lock()
	defer b.mu.Unlock()
	count := min(len(b.pending), maxBatch)
	b.running = count > 0
	batch := slices.Clone(b.pending[:count])
	b.pending = slices.Delete(b.pending, 0, count)
	return batch
}

func (b *batcher[C, R]) takeOver() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running = len(b.pending) > 0
	if b.running {
		go b.run()
	}
}
