package chaos

import (
	"context"
	"errors"
	"fmt"
	"time"

	"baari.dev/tools/proof/checker"
	"baari.dev/tools/stack"
)

// restoreInTurn restores the database of one service. Each call restores that of the next service.
func restoreInTurn(ctx context.Context, r *run, lasting time.Duration) error {
	service := stack.Services[(int(r.options.Seed%5)+r.turn)%len(stack.Services)]
	r.turn++
	return r.restore(ctx, service, func() { sleep(ctx, lasting) })
}

// restoreOnly returns the phase that restores the database of one service.
func restoreOnly(service string) phase {
	return func(ctx context.Context, r *run, _ *crew) error {
		return r.restore(ctx, service, func() { r.await(ctx, r.history.answered()+restoredCalls) })
	}
}

// restoreQuiet restores the database of visits, and pauses the robots until the consumers have applied the new epoch.
// Every delivery then contains only events that the consumers had applied before the restore.
func restoreQuiet(ctx context.Context, r *run, _ *crew) error {
	quiet := false
	err := r.restore(ctx, "visits", func() {
		r.await(ctx, r.history.answered()+restoredCalls)
		r.turns.Lock()
		quiet = true
	})
	if quiet {
		defer r.turns.Unlock()
	}
	if err != nil {
		return err
	}
	return errors.Join(r.awaitConsumer(ctx, "directory"), r.awaitConsumer(ctx, "audit"))
}

// awaitConsumer waits until a consumer of visits' feed has applied all events.
func (r *run) awaitConsumer(ctx context.Context, consumer string) error {
	const cursor = `SELECT epoch, seq FROM feed_cursor WHERE source = 'visits'`
	at, err := r.positionOf(ctx, "visits")
	if err != nil {
		return err
	}
	if !poll(ctx, readyTime, 50*time.Millisecond, func() bool {
		var epoch string
		var seq int64
		err := r.row(ctx, consumer, cursor, nil, &epoch, &seq)
		return err == nil && epoch == at.Epoch && seq >= at.Head
	}) {
		return fmt.Errorf("%s has not applied the events of visits' new epoch in %s", consumer, readyTime)
	}
	return nil
}

// restoredCalls is the number of answered requests between a copy and its restore in a trial.
const restoredCalls = 150

func restoreEach(ctx context.Context, r *run, c *crew) error {
	for _, service := range stack.Services {
		if err := restoreOnly(service)(ctx, r, c); err != nil {
			return err
		}
	}
	return nil
}

// restore copies the database of one service, calls a function while robots work, and replaces the database by the
// copy. Only changes of this service that were acknowledged in between may be lost. No rights are withdrawn or probed
// meanwhile, since a restored session or account has its earlier rights.
func (r *run) restore(ctx context.Context, service string, between func()) error {
	r.rights.Lock()
	defer r.rights.Unlock()
	const name = "alone"
	r.stopCounted(service)
	begin := r.history.now()
	if err := r.system.SaveDatabases(ctx, name, service); err != nil {
		return err
	}
	copied, err := r.positionOf(ctx, service)
	if err != nil {
		return err
	}
	if err := r.system.StartServices(ctx, r.variant(), service); err != nil {
		return err
	}
	r.awaitReady(ctx, "the copy of "+service)
	between()
	r.stopCounted(service)
	if err := r.system.RestoreDatabases(ctx, name, service); err != nil {
		return err
	}
	r.restores = append(r.restores, copied)
	r.undone = append(r.undone, checker.Window{Fault: "restore", Source: service, Start: begin, End: r.history.now()})
	if err := r.system.StartServices(ctx, r.variant(), service); err != nil {
		return err
	}
	r.awaitReady(ctx, "the restore of "+service)
	return nil
}

// stopCounted stops a service and resets its count of kills: the next process counts its restarts from zero.
func (r *run) stopCounted(service string) {
	restarts := r.system.Restarts()[service]
	r.mu.Lock()
	if restarts != r.kills[service] {
		r.remains = append(r.remains, restartsDiffer(service, restarts, r.kills[service]))
	}
	r.kills[service] = 0
	r.mu.Unlock()
	r.system.StopServices(service)
}

// positionOf returns the position of a service's stream, and the head of the trail if the service is audit.
func (r *run) positionOf(ctx context.Context, service string) (at checker.Restore, err error) {
	at.Source = service
	const stream = `SELECT epoch::text, head FROM stream_head WHERE stream = $1`
	err = r.row(ctx, service, stream, []any{service}, &at.Epoch, &at.Head)
	if err == nil && service == "audit" {
		err = r.row(ctx, service, `SELECT n FROM chain_head`, nil, &at.Trail)
	}
	return at, err
}
