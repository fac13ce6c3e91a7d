package chaos

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/tools/proof/checker"
	"baari.dev/tools/stack"
)

// restoreInTurn restores the database of one service, the next one in each call.
func restoreInTurn(ctx context.Context, r *run, lasting time.Duration) error {
	service := stack.Services[(int(r.options.Seed%5)+r.turn)%len(stack.Services)]
	r.turn++
	return r.restore(ctx, service, func() { sleep(ctx, lasting) })
}

// restoreOnly returns the phase that restores the database of one service.
func restoreOnly(service string) phase {
	return func(ctx context.Context, r *run, _ *office) error {
		return r.restore(ctx, service, func() { r.await(ctx, r.history.answered()+restoredCalls) })
	}
}

// restoreQuiet restores the database of visits and pauses the robots until its consumers have applied the new epoch:
// every delivery then contains only events that they have applied before.
func restoreQuiet(ctx context.Context, r *run, _ *office) error {
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
	for until := time.Now().Add(readyTime); time.Now().Before(until) && ctx.Err() == nil; sleep(ctx, 50*time.Millisecond) {
		var epoch string
		var seq int64
		err := r.database(ctx, consumer, func(connection *pgx.Conn) error { return connection.QueryRow(ctx, cursor).Scan(&epoch, &seq) })
		if err == nil && epoch == at.Epoch && seq >= at.Head {
			return nil
		}
	}
	return fmt.Errorf("%s has not applied the events of visits' new epoch in %s", consumer, readyTime)
}

// restoredCalls is the number of answered requests between a copy and its restore in a trial.
const restoredCalls = 150

// restoreEach restores the five databases one after the other.
func restoreEach(ctx context.Context, r *run, o *office) error {
	for _, service := range stack.Services {
		if err := restoreOnly(service)(ctx, r, o); err != nil {
			return err
		}
	}
	return nil
}

// restore copies the database of one service, lets robots continue while between runs, and replaces the database by
// the copy. Only changes of this service that were acknowledged in between may be lost: the window begins before
// the copy. No rights are withdrawn or probed meanwhile, since a restored session or account has its earlier
// rights.
func (r *run) restore(ctx context.Context, service string, between func()) error {
	r.rights.Lock()
	defer r.rights.Unlock()
	name := "alone"
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
		r.remains = append(r.remains, fmt.Sprintf("%s was started again %d times and killed %d times", service, restarts, r.kills[service]))
	}
	r.kills[service] = 0
	r.mu.Unlock()
	r.system.StopServices(service)
}

// positionOf returns the position of a service's stream, and the head of the trail if the service is audit.
func (r *run) positionOf(ctx context.Context, service string) (at checker.Restore, err error) {
	const (
		stream = `SELECT epoch::text, head FROM stream_head WHERE stream = $1`
		trail  = `SELECT n FROM chain_head`
	)
	at.Source = service
	err = r.database(ctx, service, func(connection *pgx.Conn) error {
		if err := connection.QueryRow(ctx, stream, service).Scan(&at.Epoch, &at.Head); err != nil || service != "audit" {
			return err
		}
		return connection.QueryRow(ctx, trail).Scan(&at.Trail)
	})
	return at, err
}
