package chaos

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/tools/proof/checker"
)

// slowness makes transactions overlap and commit in another order than they started.
var slowness = map[string]any{"latency": 80, "jitter": 80}

const slowTime = 4 * time.Second // duration without anything else

// nothing is the phase of a bug that shows under ordinary load or in the tail.
func nothing(context.Context, *run, *office) error { return nil }

// whileSlow runs a phase while PostgreSQL is slow for visits.
func whileSlow(happen phase) phase {
	return func(ctx context.Context, r *run, o *office) error {
		if err := r.links.Poison(visitsToPostgres, "latency", slowness); err != nil {
			return err
		}
		var err error
		if happen == nil {
			sleep(ctx, slowTime)
		} else {
			err = happen(ctx, r, o)
		}
		return errors.Join(err, r.links.Cure(context.WithoutCancel(ctx), visitsToPostgres, "latency"))
	}
}

const (
	raceRounds = 3
	racers     = 8 // visits of one consultant, all started at once
)

// raceStarts starts several sessions of one consultant at the same time, while PostgreSQL is slow.
func raceStarts(ctx context.Context, r *run, o *office) error {
	for range raceRounds {
		var waiting []string
		for attempt := 0; attempt < 4*racers && len(waiting) < racers; attempt++ {
			if id := r.bring(ctx, o); id != "" {
				waiting = append(waiting, id)
			}
		}
		race := whileSlow(func(ctx context.Context, r *run, o *office) error {
			var all sync.WaitGroup
			for i, id := range waiting {
				person := r.twin(o.spare, fmt.Sprintf("spare-%d", i+1))
				all.Go(func() {
					person.transit(ctx, checker.Op{Kind: checker.Start, Visit: id}, map[string]any{"status": "in-session"})
				})
			}
			all.Wait()
			return nil
		})
		if err := race(ctx, r, o); err != nil {
			return err
		}
		for _, id := range waiting {
			o.spare.transit(ctx, checker.Op{Kind: checker.Complete, Visit: id}, map[string]any{"status": "completed"})
		}
	}
	return nil
}

// bring registers a visitor and assigns the visit to the spare consultant. It returns the visit's id, or "" if a
// robot has decided it first.
func (r *run) bring(ctx context.Context, o *office) string {
	reception, pa := r.twin(o.firstOf("reception"), "reception-race"), r.twin(o.firstOf("pa"), "pa-race")
	made := reception.create(ctx, o)
	if made.Outcome != checker.OK {
		return ""
	}
	decided := pa.transit(ctx, checker.Op{Kind: checker.Approve, Visit: made.Visit, Consultant: o.spare.id},
		map[string]any{"status": "approved", "assigned_consultant_id": o.spare.id})
	if decided.Outcome != checker.OK {
		return ""
	}
	return made.Visit
}

func (o *office) firstOf(role string) *robot {
	for _, person := range o.robots {
		if person.role == role {
			return person
		}
	}
	return nil
}

// killVisits kills visits in the middle of requests.
func killVisits(ctx context.Context, r *run, _ *office) error {
	for range 5 {
		if err := r.kill("visits", syscall.SIGKILL); err != nil {
			return err
		}
		r.awaitReady(ctx, "a kill")
		sleep(ctx, 700*time.Millisecond)
	}
	return nil
}

// losePublishing disconnects visits from Redis for a moment, while realtime keeps its subscription: the first event
// published after the reconnect follows a gap. The feed, through which realtime would close the gap earlier, is
// unreachable meanwhile.
func losePublishing(ctx context.Context, r *run, _ *office) error {
	const rounds, moment, found = 2, 300 * time.Millisecond, 3 * time.Second
	for range rounds {
		r.links.Cut(realtimeToVisits)
		r.links.Cut(visitsToRedis)
		sleep(ctx, moment)
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
func restoreAll(ctx context.Context, r *run, _ *office) error {
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
	lost, err := r.head(ctx)
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
	for until := time.Now().Add(mutantLimit); time.Now().Before(until) && ctx.Err() == nil; sleep(ctx, 50*time.Millisecond) {
		if head, err := r.head(ctx); err == nil && head > lost {
			break
		}
	}
	return r.links.Mend(gatewayToRealtime)
}

// head returns the number of visits' last event.
func (r *run) head(ctx context.Context) (head int64, err error) {
	err = r.database(ctx, "visits", func(connection *pgx.Conn) error {
		return connection.QueryRow(ctx, `SELECT head FROM stream_head WHERE stream = 'visits'`).Scan(&head)
	})
	return head, err
}

// withReplica runs a phase while a second process of a service runs. The process keeps running until the end.
func withReplica(service string, happen phase) phase {
	return func(ctx context.Context, r *run, o *office) error {
		if err := r.system.StartReplica(ctx, service, r.variant()); err != nil {
			return err
		}
		return happen(ctx, r, o)
	}
}

// revokeTwice ends two sessions that have a stream open.
func revokeTwice(ctx context.Context, r *run, o *office) error {
	for range 2 {
		r.revoke(ctx, o)
	}
	return nil
}

// changeHandsTwice replaces two sessions by a sign-in of another user in the same browser.
func changeHandsTwice(ctx context.Context, r *run, o *office) error {
	for range 2 {
		r.changeHands(ctx, o)
	}
	return nil
}

// away stops a service while robots work and starts it again: it then receives the events of that time in few, large
// batches.
func away(service string) phase {
	return func(ctx context.Context, r *run, _ *office) error {
		r.stopCounted(service)
		r.await(ctx, r.history.answered()+missedCalls)
		if err := r.system.StartServices(ctx, r.variant(), service); err != nil {
			return err
		}
		r.awaitReady(ctx, service+" was away")
		return nil
	}
}

// missedCalls is the number of requests answered while a service is away, enough to assign, start and complete visits.
const missedCalls = 400

// everyPhase runs all phases one after the other. Without a bug none may cause a violation.
func everyPhase(ctx context.Context, r *run, o *office) error {
	for _, happen := range []phase{
		restoreAll, restoreEach, restoreQuiet, whileSlow(nil), overtake, raceStarts, loseCommits, whileSlow(killVisits), loseChanges, losePublishing,
		revokeTwice, changeHandsTwice, away("directory"), away("audit"), withReplica("audit", nothing), withReplica("visits", whileSlow(nil)),
	} {
		if err := happen(ctx, r, o); err != nil {
			return err
		}
	}
	return nil
}
