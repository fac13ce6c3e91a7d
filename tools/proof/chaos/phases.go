package chaos

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"

	"baari.dev/tools/proof/checker"
)

// slowness makes transactions overlap and commit in another order than they started.
var slowness = map[string]any{"latency": 80, "jitter": 80}

const slowTime = 4 * time.Second // duration of the phase slow, also used for other waits

// nothing is the phase of a bug that shows under ordinary load or in the tail.
func nothing(context.Context, *run, *crew) error { return nil }

// whileSlow runs a phase while PostgreSQL is slow for visits.
func whileSlow(happen phase) phase {
	return func(ctx context.Context, r *run, c *crew) error {
		if err := r.links.Poison(visitsToPostgres, "latency", slowness); err != nil {
			return err
		}
		var err error
		if happen == nil {
			sleep(ctx, slowTime)
		} else {
			err = happen(ctx, r, c)
		}
		return errors.Join(err, r.links.Cure(context.WithoutCancel(ctx), visitsToPostgres, "latency"))
	}
}

const (
	raceRounds = 3
	racers     = 8 // visits of one consultant, all started at once
)

// raceStarts starts several sessions of one consultant at the same time, while PostgreSQL is slow.
func raceStarts(ctx context.Context, r *run, c *crew) error {
	for range raceRounds {
		var waiting []string
		for attempt := 0; attempt < 4*racers && len(waiting) < racers; attempt++ {
			if id := r.bring(ctx, c); id != "" {
				waiting = append(waiting, id)
			}
		}
		race := whileSlow(func(ctx context.Context, r *run, c *crew) error {
			var all sync.WaitGroup
			for i, id := range waiting {
				person := r.twin(c.spare, fmt.Sprintf("spare-%d", i+1))
				all.Go(func() { person.start(ctx, checker.Op{Visit: id}) })
			}
			all.Wait()
			return nil
		})
		if err := race(ctx, r, c); err != nil {
			return err
		}
		for _, id := range waiting {
			c.spare.complete(ctx, checker.Op{Visit: id})
		}
	}
	return nil
}

// bring registers a visitor and assigns the visit to the spare consultant. It returns the visit's id, or "" if a
// request failed, for example because a robot decided the visit first.
func (r *run) bring(ctx context.Context, c *crew) string {
	reception, pa := r.twin(c.firstOf("reception"), "reception-race"), r.twin(c.firstOf("pa"), "pa-race")
	made := reception.create(ctx, c)
	if made.Outcome != checker.OK {
		return ""
	}
	if pa.approve(ctx, checker.Op{Visit: made.Visit, Consultant: c.spare.id}).Outcome != checker.OK {
		return ""
	}
	return made.Visit
}

// phaseVisitors is the number of visitors in a phase that handles visitors one by one.
const phaseVisitors = 4

// callUnwilling calls visitors who consented to messages and then withdrew the consent.
func callUnwilling(ctx context.Context, r *run, c *crew) error {
	reception, pa := r.twin(c.firstOf("reception"), "reception-unwilling"), r.twin(c.firstOf("pa"), "pa-unwilling")
	for range phaseVisitors {
		id := reception.register(ctx, c, true).Visit
		if id == "" {
			continue
		}
		reception.withdraw(ctx, id)
		if !pa.callBySpare(ctx, c, id) {
			continue
		}
		sleep(ctx, messageWithin)
		pa.act(ctx, checker.Leave, checker.Op{Visit: id}, map[string]any{})
	}
	return nil
}

// callBySpare assigns a visit to the spare consultant and calls the visitor. It returns false if the approval failed.
func (r *robot) callBySpare(ctx context.Context, c *crew, visit string) bool {
	if r.approve(ctx, checker.Op{Visit: visit, Consultant: c.spare.id}).Outcome != checker.OK {
		return false
	}
	r.act(ctx, checker.CallOne, checker.Op{Visit: visit, Consultant: c.spare.id},
		map[string]any{"consultant_id": c.spare.id})
	return true
}

// messageWithin is longer than lobby takes to send the message of a call.
const messageWithin = 2 * time.Second

// killSending calls visitors one by one, and kills lobby while it sends the message of the call. The visitor stays
// called until lobby is back.
func killSending(ctx context.Context, r *run, c *crew) error {
	reception, pa := r.twin(c.firstOf("reception"), "reception-sending"), r.twin(c.firstOf("pa"), "pa-sending")
	for range phaseVisitors {
		body := reception.registration(c)
		body["messages"] = true
		id := reception.enter(ctx, c, body).Visit
		if id == "" || !pa.callBySpare(ctx, c, id) {
			continue
		}
		to, _ := body["phone"].(string)
		if poll(ctx, messageWithin, time.Millisecond, func() bool { return r.provider.hasTaken(to) }) {
			if err := r.kill(ctx, "lobby", syscall.SIGKILL); err != nil {
				return err
			}
			r.awaitReady(ctx, "a kill")
			sleep(ctx, messageWithin)
		}
		pa.act(ctx, checker.Leave, checker.Op{Visit: id}, map[string]any{})
	}
	return nil
}

const (
	passedRounds = 2
	passing      = 8 // visitors who arrive after the visitor whom they pass, but are due earlier
)

// passOver makes the spare consultant call visitors of the class priority, who pass a visitor of the class normal,
// until the limit of the policy (maxBypass) puts the passed visitor first.
func passOver(ctx context.Context, r *run, c *crew) error {
	reception, pa := r.twin(c.firstOf("reception"), "reception-passed"), r.twin(c.firstOf("pa"), "pa-passed")
	arrive := func(class string) {
		body := reception.registration(c)
		body["class"] = class
		if id := reception.enter(ctx, c, body).Visit; id != "" {
			pa.approve(ctx, checker.Op{Visit: id, Consultant: c.spare.id})
		}
	}
	for range passedRounds {
		arrive("normal")
		for range passing {
			arrive("priority")
			if called := c.spare.next(ctx, c).Visit; called != "" {
				pa.act(ctx, checker.Leave, checker.Op{Visit: called}, map[string]any{})
			}
		}
	}
	return nil
}

func (c *crew) firstOf(role string) *robot {
	for _, person := range c.robots {
		if person.role == role {
			return person
		}
	}
	return nil
}

func killed(service string) phase {
	return func(ctx context.Context, r *run, _ *crew) error {
		for range 5 {
			if err := r.kill(ctx, service, syscall.SIGKILL); err != nil {
				return err
			}
			r.awaitReady(ctx, "a kill")
			sleep(ctx, 700*time.Millisecond)
		}
		return nil
	}
}

// losePublishing disconnects visits from Redis briefly, while realtime keeps its subscription. The first event
// published after the reconnect then follows a gap. The feed, through which realtime would close the gap earlier, is
// unreachable meanwhile.
func losePublishing(ctx context.Context, r *run, _ *crew) error {
	const rounds, cut, found = 2, 300 * time.Millisecond, 3 * time.Second
	for range rounds {
		r.links.Cut(realtimeToVisits)
		r.links.Cut(visitsToRedis)
		sleep(ctx, cut)
		err := r.links.Mend(visitsToRedis)
		sleep(ctx, found)
		if err = errors.Join(err, r.links.Mend(realtimeToVisits)); err != nil {
			return err
		}
		sleep(ctx, time.Second)
	}
	return nil
}

// restoreAll copies all databases, continues the load, and restores the copies. Dashboards reconnect when the new
// epoch has more events than they had received.
func restoreAll(ctx context.Context, r *run, _ *crew) error {
	const saved = "saved"
	r.system.StopServices()
	begin := r.history.now()
	if err := r.system.SaveDatabases(ctx, saved); err != nil {
		return err
	}
	if err := r.system.StartServices(ctx, r.variant()); err != nil {
		return err
	}
	r.awaitReady(ctx, "a backup")
	r.await(ctx, r.history.answered()+200)
	r.system.StopServices()
	r.links.Cut(gatewayToRealtime)
	lost, err := r.positionOf(ctx, "visits")
	if err != nil {
		return err
	}
	if err := r.system.RestoreDatabases(ctx, saved); err != nil {
		return err
	}
	r.undone = append(r.undone, checker.Window{Fault: "restore", Start: begin, End: r.history.now()})
	if err := r.system.StartServices(ctx, r.variant()); err != nil {
		return err
	}
	r.awaitReady(ctx, "a restore")
	poll(ctx, mutantLimit, 50*time.Millisecond, func() bool {
		now, err := r.positionOf(ctx, "visits")
		return err == nil && now.Head > lost.Head
	})
	return r.links.Mend(gatewayToRealtime)
}

// withReplica runs a phase while a second process of a service runs. The process keeps running until the end.
func withReplica(service string, happen phase) phase {
	return func(ctx context.Context, r *run, c *crew) error {
		if err := r.system.StartReplica(ctx, service, r.variant()); err != nil {
			return err
		}
		return happen(ctx, r, c)
	}
}

// twice returns a phase that probes a right two times.
func twice(probe func(*run, context.Context, *crew)) phase {
	return func(ctx context.Context, r *run, c *crew) error {
		for range 2 {
			probe(r, ctx, c)
		}
		return nil
	}
}

// deskOffline disconnects the desks and makes them send their stored visits, three times.
func deskOffline(ctx context.Context, r *run, _ *crew) error {
	for range 3 {
		if err := cutDesks(ctx, r, slowTime); err != nil {
			return err
		}
	}
	return nil
}

// stopped stops a service for a time, after which the service receives events in few, large batches.
func stopped(service string) phase {
	return func(ctx context.Context, r *run, _ *crew) error {
		r.stopCounted(service)
		r.await(ctx, r.history.answered()+missedCalls)
		if err := r.system.StartServices(ctx, r.variant(), service); err != nil {
			return err
		}
		r.awaitReady(ctx, "the stop of "+service)
		return nil
	}
}

// missedCalls is the number of requests while a service is stopped: enough to assign, start and complete visits.
const missedCalls = 400

// everyPhase runs all phases one after the other. Without a bug none may cause a violation.
func everyPhase(ctx context.Context, r *run, c *crew) error {
	for _, happen := range []phase{
		restoreAll, restoreEach, restoreQuiet, whileSlow(nil), overtake, raceStarts, loseCommits,
		whileSlow(killed("visits")), killSending, loseChanges, losePublishing, twice((*run).revoke),
		twice((*run).replaceSession), stopped("directory"), stopped("audit"), callUnwilling, passOver, crowdSlot,
		deskOffline, withReplica("audit", nothing), withReplica("visits", whileSlow(nil)),
	} {
		if err := happen(ctx, r, c); err != nil {
			return err
		}
	}
	return nil
}
