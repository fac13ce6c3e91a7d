package chaos

import (
	"context"
	"errors"
	"slices"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/tools/proof/links"
	"baari.dev/tools/stack"
)

// The links that faults act on.
var (
	visitsToPostgres  = links.Link{From: "visits", To: "postgres"}
	visitsToRedis     = links.Link{From: "visits", To: "redis"}
	realtimeToRedis   = links.Link{From: "realtime", To: "redis"}
	realtimeToVisits  = links.Link{From: "realtime", To: "visits"}
	gatewayToRealtime = links.Link{From: "gateway", To: "realtime"}

	fromLobby = []links.Link{
		{From: "lobby", To: "postgres"}, {From: "lobby", To: "redis"}, {From: "lobby", To: "visits"},
		{From: "lobby", To: "directory"},
	}
)

// fault is one kind of fault. strike returns when the fault ends; the affected programs may still be recovering.
type fault struct {
	id, name string
	nightly  bool          // left out of the smoke run: it takes too long or needs programs built for it
	aside    bool          // affects a program that no robot needs: requests must not fail meanwhile
	duration time.Duration // 0: as planned
	strike   strikeFunc
}

// strikeFunc injects a fault of a planned duration.
type strikeFunc func(context.Context, *run, time.Duration) error

// faults lists all kinds except N18, a full disk, which needs a file system of its own and therefore root.
var faults = []fault{
	{id: "N1", name: "kill -9 of a program", strike: strikeSignal(syscall.SIGKILL, services...)},
	{id: "N2", name: "a program is paused and continued", strike: pauseProgram},
	{id: "N3", name: "a program is stopped and starts again", strike: strikeSignal(syscall.SIGTERM, services...)},
	{id: "N4", name: "PostgreSQL aborts and recovers", strike: strikeSignal(syscall.SIGQUIT, "postgres")},
	{id: "N5", name: "Redis is killed and comes back empty", strike: strikeSignal(syscall.SIGKILL, "redis")},
	{id: "N6", name: "visits cannot reach PostgreSQL", strike: strikeCut(visitsToPostgres)},
	{id: "N7", name: "realtime cannot reach Redis", strike: strikeCut(realtimeToRedis)},
	{id: "N8", name: "realtime cannot reach the feed of visits", strike: strikeCut(realtimeToVisits)},
	{id: "N9", name: "PostgreSQL's answers to visits are lost", strike: loseAnswers},
	{id: "N10", name: "PostgreSQL is slow for visits", strike: strikeToxic(
		visitsToPostgres, "latency", map[string]any{"latency": 300, "jitter": 300})},
	{id: "N11", name: "streams are reset", strike: strikeStreams("reset_peer", map[string]any{"timeout": 500})},
	{id: "N12", name: "streams get 2 KB a second", strike: strikeStreams("bandwidth", map[string]any{"rate": 2})},
	{id: "N13", name: "streams come byte by byte", strike: strikeStreams(
		"slicer", map[string]any{"average_size": 1, "size_variation": 0, "delay": 10})},
	{id: "N14", name: "Redis drops its subscribers", strike: dropSubscribers},
	{id: "N15", name: "a write transaction stays open in PostgreSQL", duration: 9 * time.Second,
		strike: holdTransaction},
	{id: "N16", name: "realtime is unreachable for a minute", nightly: true, duration: time.Minute,
		strike: strikeCut(gatewayToRealtime)},
	{id: "N17", name: "a program's clock is wrong", nightly: true, strike: setClockWrong},
	{id: "N19", name: "one database is restored from an older copy", duration: 3 * time.Second, strike: restoreInTurn},
	{id: "N20", name: "lobby is killed, then cut off from all others", aside: true, strike: loseLobby},
	{id: "N21", name: "desks are cut off, give out tokens, and send them", strike: cutDesks},
}

// services lists the programs that faults stop or pause.
var services = append(slices.Clone(stack.Services), "gateway")

// strikeSignal sends a signal to one of the named programs; the launcher restarts it.
func strikeSignal(signal syscall.Signal, names ...string) strikeFunc {
	return func(ctx context.Context, r *run, _ time.Duration) error {
		return r.kill(ctx, names[r.random.IntN(len(names))], signal)
	}
}

// pauseProgram pauses a program, which keeps its locks and connections.
func pauseProgram(ctx context.Context, r *run, lasting time.Duration) error {
	name := services[r.random.IntN(len(services))]
	if _, err := r.system.Signal(name, syscall.SIGSTOP); err != nil {
		return err
	}
	sleep(ctx, lasting)
	_, err := r.system.Signal(name, syscall.SIGCONT)
	return err
}

func strikeCut(at links.Link) strikeFunc {
	return func(ctx context.Context, r *run, lasting time.Duration) error {
		r.links.Cut(at)
		sleep(ctx, lasting)
		return r.links.Mend(at)
	}
}

// loseLobby kills lobby, and disconnects it as soon as it runs again.
func loseLobby(ctx context.Context, r *run, lasting time.Duration) error {
	if err := r.kill(ctx, "lobby", syscall.SIGKILL); err != nil {
		return err
	}
	for _, link := range fromLobby {
		r.links.Cut(link)
	}
	sleep(ctx, lasting)
	var errs []error
	for _, link := range fromLobby {
		errs = append(errs, r.links.Mend(link))
	}
	return errors.Join(errs...)
}

func strikeToxic(at links.Link, kind string, attributes map[string]any) strikeFunc {
	return func(ctx context.Context, r *run, lasting time.Duration) error {
		if err := r.links.Poison(at, kind, attributes); err != nil {
			return err
		}
		sleep(ctx, lasting)
		return r.links.Cure(context.WithoutCancel(ctx), at, kind)
	}
}

// strikeStreams disturbs realtime's streams. Some close meanwhile, so only Renew, which closes all, can end this.
func strikeStreams(kind string, attributes map[string]any) strikeFunc {
	return func(ctx context.Context, r *run, lasting time.Duration) error {
		if err := r.links.Poison(gatewayToRealtime, kind, attributes); err != nil {
			return err
		}
		sleep(ctx, lasting)
		return r.links.Renew(gatewayToRealtime)
	}
}

// loseAnswers forwards statements and drops their answers, so commits have an unknown outcome; then it disconnects.
func loseAnswers(ctx context.Context, r *run, lasting time.Duration) error {
	const kind = "timeout"
	if err := r.links.Poison(visitsToPostgres, kind, map[string]any{"timeout": 0}); err != nil {
		return err
	}
	sleep(ctx, lasting)
	r.links.Cut(visitsToPostgres)
	return errors.Join(r.links.Cure(context.WithoutCancel(ctx), visitsToPostgres, kind), r.links.Mend(visitsToPostgres))
}

func dropSubscribers(ctx context.Context, r *run, _ time.Duration) error {
	return r.redis.ClientKillByFilter(ctx, "TYPE", "pubsub").Err()
}

// holdTransaction keeps a transaction with an assigned id open: a relay that waits for older transactions would stop.
func holdTransaction(ctx context.Context, r *run, lasting time.Duration) error {
	return r.system.WithDatabase(ctx, "visits", func(connection *pgx.Conn) error {
		tx, err := connection.Begin(ctx)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "SELECT pg_current_xact_id()"); err != nil {
			return err
		}
		sleep(ctx, lasting)
		return tx.Rollback(context.WithoutCancel(ctx))
	})
}

// setClockWrong sets the clock of one program an hour ahead, an hour behind, or to shortly before midnight.
func setClockWrong(ctx context.Context, r *run, lasting time.Duration) error {
	name := services[r.random.IntN(len(services))]
	ahead := []time.Duration{time.Hour, -time.Hour, r.untilMidnight(time.Now()) - lasting/2}[r.random.IntN(3)]
	if err := r.system.SetClock(name, ahead); err != nil {
		return err
	}
	sleep(ctx, lasting)
	return r.system.SetClock(name, 0)
}
