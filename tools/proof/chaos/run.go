// Package chaos loads a running system with robots and dashboards, injects faults, and lets the checker check the
// recorded history (services/docs/proof.md). Start reading at Run; faults.go lists the faults.
package chaos

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/time/rate"

	"baari.dev/tools/measure/machine"
	"baari.dev/tools/proof/checker"
	"baari.dev/tools/proof/links"
	"baari.dev/tools/stack"
)

// Options configure a run.
type Options struct {
	Root     string        // the repository
	Data     string        // folder for data, logs and the history
	Seed     uint64        // determines the planned faults and the robots' choices
	Lasting  time.Duration // time during which faults are injected
	Rate     float64       // requests a second of all robots together
	Smoke    bool          // short faults only
	NoRetry  bool
	Only     []string // ids of kinds of faults; empty: all
	Progress *stack.Progress
}

// quietTime is the period without load or faults before the checks, in runs that are not smoke runs. Whatever has not
// converged at its end is a violation.
const (
	warmUp      = 8 * time.Second
	wholeWarmUp = 2 * time.Minute // used in longer runs, which check memory: a heap reaches its steady size under load
	healTime    = 5 * time.Second // limit for every dashboard to be up to date
	quietTime   = 30 * time.Second
	publishTime = 3 * time.Second // time after which the relay has given up a message
	settleLimit = time.Minute     // time after which a dashboard that still fetches is checked as it is
	settleLook  = 20 * time.Millisecond
	readyTime   = 30 * time.Second // limit for a program to be ready after a fault
)

// tailFault is the Fault of the window in which the tail of a run loses messages.
const tailFault = "tail"

type run struct {
	options  Options
	system   *stack.Stack
	links    *links.Links
	redis    *redis.Client
	provider *provider
	crew     *crew
	desks    []*paired
	http     *http.Client
	base     string
	history  *history
	pace     *rate.Limiter
	fetch    *rate.Limiter // limits how often dashboards fetch their lists
	random   *rand.Rand
	probing  *rand.Rand

	mu       sync.Mutex
	windows  []checker.Window
	undone   []checker.Window // periods that a restore undid
	restores []checker.Restore
	striking bool
	kills    map[string]int
	killed   []string // program, pid and signal, for the report
	remains  []string
	kept     bool // the data folder already holds an office
	plan     []strike
	clocks   bool              // the programs' clocks can be set
	whole    bool              // all targets run in one process, without Redis and links
	load     string            // load average at the start
	settled  time.Duration     // time after the last fault until every dashboard had fetched all changes
	planted  map[string]string // programs with a bug, by service
	settings []string          // settings of all services, each NAME=value
	zone     *time.Location    // time zone of the office
	midnight time.Time         // the office's midnight, within the run
	rights   sync.Mutex        // held while a right is withdrawn and probed, and while a database is restored
	turns    sync.RWMutex      // held for writing to pause the robots
	turn     int               // number of databases that restoreInTurn has restored
}

// fetchRate is the largest number of lists that all dashboards together fetch per second under load.
const fetchRate = 4

func linksOf() *links.Links {
	fixed := []links.Link{visitsToPostgres, visitsToRedis, realtimeToRedis, realtimeToVisits, gatewayToRealtime}
	return links.New(slices.Concat(fixed, fromLobby)...)
}

func newRun(options Options) *run {
	return &run{
		options: options,
		links:   linksOf(),
		http:    newHTTP(),
		pace:    newPace(options.Rate),
		fetch:   newPace(fetchRate),
		kills:   map[string]int{},
		random:  rand.New(rand.NewPCG(options.Seed, 1)),
		probing: rand.New(rand.NewPCG(options.Seed, 2)),
	}
}

// Run starts a system, injects faults and checks the history. It returns an error if that was not possible;
// violations are in the report.
func Run(ctx context.Context, options Options) (report *Report, err error) {
	kinds, err := options.kinds()
	if err != nil {
		return nil, err
	}
	r := newRun(options)
	r.plan = planOf(kinds, options.Seed, options.Lasting, options.Smoke)
	r.clocks = slices.ContainsFunc(r.plan, func(s strike) bool { return s.fault.id == "N17" })
	err = r.withRecordedSystem(ctx, func() (err error) {
		report, err = r.day(ctx)
		return err
	})
	return report, err
}

// withRecordedSystem starts a system, records a history in the data folder while use runs, and stops the system.
func (r *run) withRecordedSystem(ctx context.Context, use func() error) error {
	return r.withSystem(ctx, func() error { return r.record("history.jsonl", use) })
}

// withSystem starts a system, calls use, and stops the system. use may replace the system, links and Redis client.
func (r *run) withSystem(ctx context.Context, use func() error) error {
	defer func() { r.links.Close() }()
	var err error
	if r.provider, err = openProvider(); err != nil {
		return err
	}
	defer r.provider.close()
	if err := r.start(ctx); err != nil {
		return err
	}
	defer func() {
		if r.redis != nil {
			_ = r.redis.Close()
		}
		r.system.Stop()
	}()
	return use()
}

// record writes the history to a file of the data folder while use runs.
func (r *run) record(file string, use func() error) error {
	history, err := openHistory(filepath.Join(r.options.Data, file))
	if err != nil {
		return err
	}
	r.history = history
	return errors.Join(use(), history.close())
}

func (r *run) start(ctx context.Context) error {
	ports, err := stack.FreePorts(1)
	if err != nil {
		return err
	}
	options := stack.Options{
		Root: r.options.Root, Data: r.options.Data, Port: ports[0], Gateway: stack.Embedded, Fresh: !r.kept, NoLimits: true,
		Clocks: r.clocks, Progress: r.options.Progress, Link: r.links.Stand,
	}
	if r.whole {
		return r.startWhole(ctx, options)
	}
	if r.system, err = stack.Start(ctx, options); err != nil {
		return err
	}
	r.base = r.system.URL()
	at, err := redis.ParseURL(r.system.Redis())
	if err != nil {
		return fmt.Errorf("address of Redis: %w", err)
	}
	r.redis = redis.NewClient(at)
	return nil
}

// day performs the run: it starts the load, injects faults, stops the load, and checks the history.
func (r *run) day(ctx context.Context) (*Report, error) {
	r.load = machine.Load()
	crew, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	share := 0.2 + 0.6*r.random.Float64() // the part of options.Lasting that has passed at midnight
	midnight := time.Now().Add(r.warmUp() + time.Duration(share*float64(r.options.Lasting)))
	if err := r.restartWithMidnight(ctx, midnight); err != nil {
		return nil, err
	}
	screens := append(r.screens(crew, 40), r.boards(crew)...)
	closeScreens := concurrently(ctx, screens, (*dashboard).run)
	defer closeScreens()
	before, err := r.work(ctx, crew)
	if err != nil {
		return nil, err
	}
	if err := r.tail(ctx, crew, screens); err != nil {
		return nil, err
	}
	evidence, err := r.evidence(ctx, crew, screens)
	if err != nil {
		return nil, err
	}
	remains, err := r.atRest(ctx, before)
	if err != nil {
		return nil, err
	}
	closeScreens()
	evidence.Remains = slices.Concat(r.remains, remains)
	return r.report(ctx, evidence), ctx.Err()
}

// screens returns the dashboards: one in eight is slow, and one in eight reconnects all the time.
func (r *run) screens(c *crew, count int) []*dashboard {
	var screens []*dashboard
	for i := range count {
		habit := steady
		switch {
		case i >= count*7/8:
			habit = restless
		case i >= count*6/8:
			habit = slow
		}
		person := c.robots[i%len(c.robots)]
		screen := newDashboard(r.twin(person, fmt.Sprintf("%s-screen%d", person.name, i+1)), habit, r.fetch)
		screen.midnight = r.midnight
		if i/len(c.robots)%2 == i%2 { // half of the dashboards of each role show the line
			screen.line = []string{}
		}
		screens = append(screens, screen)
	}
	return screens
}

// work runs the robots while it injects the planned faults, and returns the programs' figures before the first fault.
func (r *run) work(ctx context.Context, c *crew) (before map[string]vitals, err error) {
	stop := c.work(ctx)
	defer stop()
	sleep(ctx, r.warmUp())
	if before, err = r.measure(ctx); err != nil {
		return nil, err
	}
	stopProbe := concurrently(ctx, []*run{r}, func(r *run, ctx context.Context) { r.probe(ctx, c) })
	defer stopProbe()
	deadline := time.Now().Add(r.options.Lasting)
	for _, s := range r.plan {
		sleep(ctx, s.wait)
		if ctx.Err() != nil || time.Now().After(deadline) {
			break
		}
		if err := r.strike(ctx, s); err != nil {
			return nil, err
		}
	}
	sleep(ctx, time.Until(deadline))
	stop()
	stopProbe()
	return before, ctx.Err()
}

func (r *run) warmUp() time.Duration {
	if r.options.Smoke {
		return warmUp
	}
	return wholeWarmUp
}

// strike injects one fault and waits until every program is ready again.
func (r *run) strike(ctx context.Context, s strike) error {
	begin := r.history.now()
	r.options.Progress.Printf("%7.1fs  %-4s %s", time.Duration(begin).Seconds(), s.fault.id, s.fault.name)
	r.mu.Lock()
	r.striking = true
	r.mu.Unlock()
	err := s.fault.strike(ctx, r, s.lasting)
	r.awaitReady(ctx, s.fault.id)
	r.mu.Lock()
	r.striking = false
	r.windows = append(r.windows, checker.Window{
		Fault: s.fault.id, Start: begin, End: r.history.now(), Aside: s.fault.aside,
	})
	r.mu.Unlock()
	if err != nil {
		return fmt.Errorf("%s (%s): %w", s.fault.id, s.fault.name, err)
	}
	return nil
}

// kill sends a signal that ends a program, and counts the kill: a restart without a counted kill is a violation.
func (r *run) kill(ctx context.Context, name string, signal syscall.Signal) error {
	was := r.system.Restarts()[name]
	pid, err := r.system.Signal(name, signal)
	if err != nil {
		return err
	}
	r.mu.Lock()
	r.kills[name]++
	r.killed = append(r.killed, fmt.Sprintf("%s (pid %d) by %s", name, pid, signal))
	r.mu.Unlock()
	if !poll(ctx, readyTime, 10*time.Millisecond, func() bool { return r.system.Restarts()[name] != was }) {
		return errors.Join(fmt.Errorf("%s was not started again", name), ctx.Err())
	}
	return nil
}

// awaitReady waits until every program is ready, and records the first one that is late.
func (r *run) awaitReady(ctx context.Context, fault string) {
	until := time.Now().Add(readyTime)
	for name, admin := range r.system.Admin() {
		ready := func() bool {
			ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
			defer cancel()
			return stack.Get(ctx, admin+"/readyz", "", io.Discard) == nil
		}
		if !poll(ctx, time.Until(until), 50*time.Millisecond, ready) {
			r.remains = append(r.remains, fmt.Sprintf("%s is not ready %s after %s", name, readyTime, fault))
			return
		}
	}
}

// tail ends a run with lost messages that no later message reveals. The first message is lost while the subscription is
// interrupted; realtime then reads the head. The other messages are not published at all. The last is the undo of a
// call: boards show the call until they receive the undo.
func (r *run) tail(ctx context.Context, c *crew, screens []*dashboard) error {
	r.fetch.SetLimit(rate.Inf)
	for _, d := range screens {
		d.heal()
	}
	pa := c.firstOf("pa")
	called := c.callLast(ctx, pa)
	sleep(ctx, healTime) // All earlier changes have been delivered by now: only the last ones matter.
	begin := r.history.now()
	r.links.Cut(realtimeToRedis)
	err := dropSubscribers(ctx, r, 0)
	c.robots[0].create(ctx, c)
	sleep(ctx, time.Second)
	err = errors.Join(err, r.links.Mend(realtimeToRedis))
	sleep(ctx, 2*time.Second) // it resubscribes

	r.links.Cut(visitsToRedis)
	c.robots[0].create(ctx, c)
	if called.Visit != "" {
		pa.act(ctx, checker.Undo, called, map[string]any{})
	}
	sleep(ctx, publishTime)
	err = errors.Join(err, r.links.Mend(visitsToRedis))
	r.windows = append(r.windows, checker.Window{Fault: tailFault, Start: begin, End: r.history.now()})
	r.settled = settle(ctx, screens)
	if !r.options.Smoke {
		sleep(ctx, quietTime-healTime)
	}
	return err
}

// settle waits at least as long as a dashboard may take to be up to date, and then until no dashboard has anything to
// fetch. It returns the time until every dashboard was up to date.
func settle(ctx context.Context, screens []*dashboard) time.Duration {
	began := time.Now()
	quietSince := began
	for until := began.Add(settleLimit); time.Now().Before(until) && ctx.Err() == nil; sleep(ctx, settleLook) {
		if slices.ContainsFunc(screens, (*dashboard).isBehind) {
			quietSince = time.Now()
		}
		if time.Since(quietSince) >= time.Second && time.Since(began) >= healTime {
			break
		}
	}
	return quietSince.Sub(began)
}

// late checks the time limit of [I10]: every dashboard is up to date five seconds after the last fault. A smoke run
// shares its machine, so it checks only that they become up to date.
func (r *run) late() []checker.Violation {
	if r.options.Smoke || r.settled <= healTime {
		return nil
	}
	what := fmt.Sprintf("the dashboards were up to date only %s after the last fault",
		r.settled.Round(10*time.Millisecond))
	return []checker.Violation{{Invariant: "I10", What: what}}
}
