// Package chaos runs a whole office against a system that is being hurt, and has the checker decide whether a promise was broken
// (reliability.md, section 4).
package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/time/rate"

	"baari.dev/tools/checker"
	"baari.dev/tools/links"
	"baari.dev/tools/stack"
)

// Options say how long and how hard.
type Options struct {
	Root     string        // the repository
	Data     string        // folder for data, logs and the history
	Seed     uint64        // of the plan of faults and of what robots choose
	Lasting  time.Duration // of the time with faults
	Rate     float64       // calls a second of all robots together
	Smoke    bool          // short faults only
	NoRetry  bool          // nobody tries a call again
	Only     []string      // kinds of faults, by their ids; none: all
	Tags     string        // build tags of the programs
	Progress *stack.Progress
}

// quietTime is how long nothing happens before the verdict: what has not converged by then is held against the system.
const (
	warmUp      = 8 * time.Second
	wholeWarmUp = 2 * time.Minute // of a longer run, which asks for memory: a heap finds its size at work
	healTime    = 5 * time.Second // within which every dashboard must be right again
	quietTime   = 30 * time.Second
	publishTime = 3 * time.Second // after which the relay has given a message up
	settleLimit = time.Minute     // after which a dashboard that still fetches is judged as it is
	settleLook  = 20 * time.Millisecond
	readyTime   = 30 * time.Second // within which a program must be ready again after a fault
)

// tailFault names the end of a run among the times with faults.
const tailFault = "tail"

// run is one run of the harness.
type run struct {
	options Options
	system  *stack.Stack
	links   *links.Links
	redis   *redis.Client
	http    *http.Client
	base    string
	history *history
	pace    *rate.Limiter
	fetch   *rate.Limiter // of the dashboards' lists
	random  *rand.Rand
	probing *rand.Rand

	mu       sync.Mutex
	windows  []checker.Window
	undone   []checker.Window // times that a restore took back
	striking bool
	kills    map[string]int
	killed   []string // pids, for the report
	remains  []string
	kept     bool // the data folder holds an office already
	plan     []strike
	clocks   bool                // the programs' clocks can be set wrong
	load     string              // of the machine when it began
	settled  time.Duration       // after the last fault, until no dashboard had anything to fetch
	settings map[string][]string // of the services, beside their usual ones
}

// fetchRate is how many lists all dashboards together fetch in a second while people work.
const fetchRate = 4

func linksOf() *links.Links {
	return links.New(visitsToPostgres, visitsToRedis, realtimeToRedis, realtimeToVisits, gatewayToRealtime)
}

// Run starts a system, hurts it and judges it. It returns an error when it could not, not when a promise was broken: that stands in the report.
func Run(ctx context.Context, options Options) (*Report, error) {
	kinds, err := options.kinds()
	if err != nil {
		return nil, err
	}
	r := newRun(options)
	r.plan = planOf(kinds, options.Seed, options.Lasting, options.Smoke)
	r.clocks = slices.ContainsFunc(r.plan, func(s strike) bool { return s.fault.id == "N17" })
	defer r.links.Close()
	if err := r.start(ctx); err != nil {
		return nil, err
	}
	defer r.system.Stop()
	defer func() { _ = r.redis.Close() }()
	if r.history, err = openHistory(filepath.Join(options.Data, "history.jsonl")); err != nil {
		return nil, err
	}
	report, err := r.day(ctx)
	return report, errors.Join(err, r.history.close())
}

func (r *run) start(ctx context.Context) error {
	ports, err := stack.FreePorts(1)
	if err != nil {
		return err
	}
	r.system, err = stack.Start(ctx, stack.Options{
		Root: r.options.Root, Data: r.options.Data, Port: ports[0], Gateway: stack.Embedded, Fresh: !r.kept, NoLimits: true,
		Tags: r.options.Tags, Clocks: r.clocks, Progress: r.options.Progress, Link: r.links.Stand,
	})
	if err != nil {
		return err
	}
	r.base = r.system.URL()
	at, err := redis.ParseURL(r.system.Redis())
	if err != nil {
		return fmt.Errorf("the address of Redis: %w", err)
	}
	r.redis = redis.NewClient(at)
	return nil
}

// day is the run itself: people come, faults strike, people go, and the verdict is given.
func (r *run) day(ctx context.Context) (*Report, error) {
	r.load = loadNow()
	office, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	screens := r.screens(office, 40)
	watching, close := context.WithCancel(ctx)
	defer close()
	var watchers sync.WaitGroup
	for _, d := range screens {
		watchers.Go(func() { d.run(watching) })
	}
	before, err := r.work(ctx, office)
	if err != nil {
		return nil, err
	}
	if err := r.tail(ctx, office, screens); err != nil {
		return nil, err
	}
	evidence, err := r.evidence(ctx, office, screens)
	if err != nil {
		return nil, err
	}
	remains, err := r.atRest(ctx, before)
	if err != nil {
		return nil, err
	}
	close()
	watchers.Wait()
	evidence.Remains = slices.Concat(r.remains, remains)
	return r.report(evidence), ctx.Err()
}

// screens are the dashboards: of each eight one is slow and one comes anew all the time.
func (r *run) screens(o *office, count int) []*dashboard {
	var screens []*dashboard
	for i := range count {
		habit := steady
		switch {
		case i >= count*7/8:
			habit = restless
		case i >= count*6/8:
			habit = slow
		}
		person := o.robots[i%len(o.robots)]
		screens = append(screens, newDashboard(r.twin(person, fmt.Sprintf("%s-screen%d", person.name, i+1)), habit, r.fetch))
	}
	return screens
}

// work lets robots work while the faults of the plan strike, and returns how the programs were before the first one.
func (r *run) work(ctx context.Context, o *office) (before map[string]vitals, err error) {
	working, stop := context.WithCancel(ctx)
	defer stop()
	var robots sync.WaitGroup
	for _, robot := range o.robots {
		robots.Go(func() { robot.work(working, o) })
	}
	if r.options.Smoke {
		sleep(ctx, warmUp)
	} else {
		sleep(ctx, wholeWarmUp)
	}
	if before, err = r.measure(ctx); err != nil {
		return nil, err
	}
	robots.Go(func() { r.probe(working, o) })
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
	robots.Wait()
	return before, ctx.Err()
}

// strike lets one fault happen and waits until every program is ready again.
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
	r.windows = append(r.windows, checker.Window{Fault: s.fault.id, Start: begin, End: r.history.now()})
	r.mu.Unlock()
	if err != nil {
		return fmt.Errorf("%s (%s): %w", s.fault.id, s.fault.name, err)
	}
	return nil
}

// kill sends a signal that ends a program, and counts it: only what was killed may have been started again.
func (r *run) kill(name string, signal syscall.Signal) error {
	was := r.system.Restarts()[name]
	pid, err := r.system.Signal(name, signal)
	if err != nil {
		return err
	}
	r.mu.Lock()
	r.kills[name]++
	r.killed = append(r.killed, fmt.Sprintf("%s (pid %d) by %s", name, pid, signal))
	r.mu.Unlock()
	for until := time.Now().Add(readyTime); r.system.Restarts()[name] == was; {
		if time.Now().After(until) {
			return fmt.Errorf("%s was not started again", name)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}

// awaitReady waits until every program says that it is ready.
func (r *run) awaitReady(ctx context.Context, fault string) {
	until := time.Now().Add(readyTime)
	for _, process := range r.system.Processes() {
		if process.AdminPort == 0 {
			continue
		}
		for !r.isReady(ctx, process) {
			if time.Now().After(until) || ctx.Err() != nil {
				r.remains = append(r.remains, fmt.Sprintf("%s is not ready %s after %s", process.Name, readyTime, fault))
				return
			}
			sleep(ctx, 50*time.Millisecond)
		}
	}
}

func (r *run) isReady(ctx context.Context, process stack.Process) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, adminURL(process)+"/readyz", nil)
	if err != nil {
		return false
	}
	response, err := r.http.Do(request)
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode == http.StatusOK
}

func adminURL(process stack.Process) string {
	return fmt.Sprintf("http://127.0.0.1:%d", process.AdminPort)
}

// tail is the end that every run has ([T2]): messages are lost, and nothing follows that would reveal the hole. The first is lost with the
// subscription, whose return makes realtime look; of the last one nobody is told at all.
func (r *run) tail(ctx context.Context, o *office, screens []*dashboard) error {
	r.fetch.SetLimit(rate.Inf)
	for _, d := range screens {
		d.heal()
	}
	sleep(ctx, healTime) // what lies behind is settled: only the last writes are in question
	begin := r.history.now()
	r.links.Cut(realtimeToRedis)
	err := dropSubscribers(ctx, r, 0)
	o.robots[0].create(ctx, o)
	sleep(ctx, time.Second)
	err = errors.Join(err, r.links.Mend(realtimeToRedis))
	sleep(ctx, 2*time.Second) // it subscribes again

	r.links.Cut(visitsToRedis)
	o.robots[0].create(ctx, o)
	sleep(ctx, publishTime)
	err = errors.Join(err, r.links.Mend(visitsToRedis))
	r.windows = append(r.windows, checker.Window{Fault: tailFault, Start: begin, End: r.history.now()})
	r.settled = settle(ctx, screens)
	if !r.options.Smoke {
		sleep(ctx, quietTime-healTime)
	}
	return err
}

// settle waits at least the time that a dashboard has to be right again, and then until none has anything more to fetch: what it does not show
// by then it will never show. It answers how long that took.
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

// late is what [I10] says of the time: every dashboard is right five seconds after the last fault. A smoke run shares its machine with others:
// it asks only that they become right.
func (r *run) late() []checker.Violation {
	if r.options.Smoke || r.settled <= healTime {
		return nil
	}
	return []checker.Violation{{Invariant: "I10", What: fmt.Sprintf("the dashboards were right only %s after the last fault", r.settled.Round(10*time.Millisecond))}}
}
