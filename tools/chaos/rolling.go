package chaos

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"baari.dev/tools/checker"
	"baari.dev/tools/stack"
)

// What T23 of reliability.md asks for.
const (
	rollingRounds = 5
	rollingCalls  = 10_000
	rollingPause  = 10 * time.Second // between two restarts; a program that ran this long is started again at once
	rollingLimit  = 10 * time.Minute // after the last restart
	rollingResume = 3 * time.Second  // within which 99 of 100 streams go on
)

// RollingReport is what became of an office whose services were all ended and started again, one after the other.
type RollingReport struct {
	Seed       uint64              `json:"seed"`
	Restarts   int                 `json:"restarts"`
	Calls      int                 `json:"calls"`
	Failed     []string            `json:"failed"` // calls without an answer, or with one of 5xx
	Resumed    int                 `json:"resumed"`
	ResumedP99 time.Duration       `json:"resumed_p99"`
	Violations []checker.Violation `json:"violations"` // but for those about a call: they are in Failed
	Load       string              `json:"load"`
}

// Valid tells whether no call failed of as many as are asked for, and every stream went on in time and missed nothing.
func (r *RollingReport) Valid() bool {
	return r.Calls >= rollingCalls && len(r.Failed) == 0 && len(r.Violations) == 0 && r.ResumedP99 <= rollingResume
}

// Print writes the report for a person.
func (r *RollingReport) Print(w io.Writer) {
	_, _ = fmt.Fprintf(w, "\nseed %d, load of the machine at the start %s\n", r.Seed, r.Load)
	_, _ = fmt.Fprintf(w, "restarts    %d\ncalls       %d, wanted at least %d; failed %d\n", r.Restarts, r.Calls, rollingCalls, len(r.Failed))
	_, _ = fmt.Fprintf(w, "streams     resumed %d times, 99 of 100 within %s, wanted %s\n", r.Resumed, r.ResumedP99.Round(10*time.Millisecond), rollingResume)
	for _, call := range r.Failed[:min(len(r.Failed), 10)] {
		_, _ = fmt.Fprintf(w, "    %s\n", call)
	}
	for _, v := range r.Violations {
		_, _ = fmt.Fprintf(w, "\n%s\n", v)
	}
	verdict := "VALID: nobody noticed"
	if !r.Valid() {
		verdict = "INVALID"
	}
	_, _ = fmt.Fprintf(w, "\nverdict     %s\n", verdict)
}

// Rolling asks every service five times to end, each with one process only, and starts it again. Robots work all the while, without trying
// anything again, and dashboards watch. The gateway goes on: it has the only address that people know.
func Rolling(ctx context.Context, options Options) (*RollingReport, error) {
	options.NoRetry = true
	r := newRun(options)
	defer r.links.Close()
	if err := r.start(ctx); err != nil {
		return nil, err
	}
	defer r.system.Stop()
	defer func() { _ = r.redis.Close() }()
	var err error
	if r.history, err = openHistory(filepath.Join(options.Data, "history.jsonl")); err != nil {
		return nil, err
	}
	report, err := r.roll(ctx)
	return report, errors.Join(err, r.history.close())
}

func (r *run) roll(ctx context.Context) (*RollingReport, error) {
	report := &RollingReport{Seed: r.options.Seed, Load: loadNow()}
	o, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	screens := r.screens(o, 40)
	watching, close := context.WithCancel(ctx)
	defer close()
	working, stop := context.WithCancel(ctx)
	defer stop()
	var watchers, robots sync.WaitGroup
	for _, d := range screens {
		watchers.Go(func() { d.run(watching) })
	}
	for _, person := range o.robots {
		robots.Go(func() { person.work(working, o) })
	}
	sleep(ctx, warmUp)
	for range rollingRounds {
		for _, service := range stack.Services {
			if err := r.kill(service, syscall.SIGTERM); err != nil {
				return nil, err
			}
			r.awaitReady(ctx, "the restart of "+service)
			sleep(ctx, rollingPause)
			report.Restarts++
		}
	}
	for until := time.Now().Add(rollingLimit); r.history.answered() < rollingCalls && time.Now().Before(until) && ctx.Err() == nil; {
		sleep(ctx, time.Second)
	}
	stop()
	robots.Wait()
	for _, d := range screens {
		d.heal()
	}
	settle(ctx, screens)
	evidence, err := r.evidence(ctx, o, screens)
	close()
	watchers.Wait()
	if err != nil {
		return nil, err
	}
	report.judge(evidence, screens)
	return report, ctx.Err()
}

func (r *RollingReport) judge(e *checker.Evidence, screens []*dashboard) {
	for _, op := range e.Ops {
		if op.Kind == checker.Read { // part of a list
			continue
		}
		r.Calls++
		if op.Outcome == checker.Unknown {
			r.Failed = append(r.Failed, op.Line())
		}
	}
	r.Violations = slices.DeleteFunc(checker.Check(e), func(v checker.Violation) bool { return v.Invariant == "I16" })
	var gaps []time.Duration
	for _, d := range screens {
		gaps = append(gaps, d.gaps...)
	}
	r.Resumed = len(gaps)
	if p99, measured := checker.Percentile(gaps, 99); measured {
		r.ResumedP99 = p99
	}
}
