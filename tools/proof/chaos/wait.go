package chaos

import (
	"context"
	"sync"
	"time"

	"baari.dev/tools/stack"
)

// concurrently runs a function for each item, each in a goroutine of its own. stop ends their context and waits for
// them; it may be called several times.
func concurrently[T any](ctx context.Context, items []T, run func(T, context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	for _, item := range items {
		all.Go(func() { run(item, ctx) })
	}
	return func() {
		cancel()
		all.Wait()
	}
}

// poll calls done at intervals until done returns true. poll returns false if limit has passed or ctx has ended.
func poll(ctx context.Context, limit, every time.Duration, done func() bool) bool {
	for until := time.Now().Add(limit); ; sleep(ctx, every) {
		if done() {
			return true
		}
		if ctx.Err() != nil || time.Now().After(until) {
			return false
		}
	}
}

func sleep(ctx context.Context, lasting time.Duration) { _ = stack.Pause(ctx, lasting) }
