package chaos

import (
	"context"
	"fmt"
	"io"
	"slices"
	"syscall"
	"time"

	"baari.dev/tools/measure/machine"
	"baari.dev/tools/proof/checker"
	"baari.dev/tools/stack"
)

// Sizes and limits of the rolling restart, which is test T23 of services/docs/gates.md.
const (
	rollingRounds = 5
	rollingCalls  = 10_000
	rollingPause  = 10 * time.Second // pause between restarts; a program that ran this long is restarted immediately
	rollingLimit  = 10 * time.Minute // limit of the load after the last restart
	rollingResume = 3 * time.Second  // limit for 99 of 100 streams to resume
)

// RollingReport is the outcome of a rolling restart of all services.
type RollingReport struct {
	Seed       uint64
	Restarts   int
	Calls      int
	Failed     []string // requests without an answer, or with a 5xx status
	Resumed    int
	ResumedP99 time.Duration
	Violations []checker.Violation // all but those of I16: failed requests are in Failed
	Load       string
}

// Valid reports whether enough requests were sent, none failed, no invariant was violated, and streams resumed in time.
func (r *RollingReport) Valid() bool {
	return r.Calls >= rollingCalls && len(r.Failed) == 0 && len(r.Violations) == 0 && r.ResumedP99 <= rollingResume
}

// Print writes the report as text.
func (r *RollingReport) Print(w io.Writer) {
	outcome := "VALID: no request failed and no stream missed an event"
	if !r.Valid() {
		outcome = "INVALID"
	}
	rows := [][2]string{
		{"seed", fmt.Sprintf("%d, load of the machine at the start %s", r.Seed, r.Load)},
		{"restarts", fmt.Sprint(r.Restarts)},
		{"requests", fmt.Sprintf("%d, required %d; failed %d", r.Calls, rollingCalls, len(r.Failed))},
		{"streams", fmt.Sprintf("resumed %d times, 99 of 100 within %s, limit %s",
			r.Resumed, r.ResumedP99.Round(10*time.Millisecond), rollingResume)},
	}
	for _, call := range r.Failed[:min(len(r.Failed), 10)] {
		rows = append(rows, [2]string{"failed", call})
	}
	printOutcome(w, rows, r.Violations, outcome)
}

// Rolling stops every service, each with one process, five times with SIGTERM and restarts it, while robots work
// without retries and dashboards are open. The gateway is not restarted: it has the only address that clients know.
func Rolling(ctx context.Context, options Options) (report *RollingReport, err error) {
	options.NoRetry = true
	r := newRun(options)
	err = r.withRecordedSystem(ctx, func() (err error) {
		report, err = r.roll(ctx)
		return err
	})
	return report, err
}

func (r *run) roll(ctx context.Context) (*RollingReport, error) {
	report := &RollingReport{Seed: r.options.Seed, Load: machine.Load()}
	o, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.restartWithMidnight(ctx, time.Now().Add(time.Minute)); err != nil {
		return nil, err
	}
	screens := append(r.screens(o, 40), r.boards(o)...)
	closeScreens := concurrently(ctx, screens, (*dashboard).run)
	defer closeScreens()
	stop := o.work(ctx)
	defer stop()
	sleep(ctx, warmUp)
	for range rollingRounds {
		for _, service := range stack.Services {
			if err := r.kill(ctx, service, syscall.SIGTERM); err != nil {
				return nil, err
			}
			r.awaitReady(ctx, "the restart of "+service)
			sleep(ctx, rollingPause)
			report.Restarts++
		}
	}
	poll(ctx, rollingLimit, time.Second, func() bool { return r.history.answered() >= rollingCalls })
	stop()
	for _, d := range screens {
		d.heal()
	}
	settle(ctx, screens)
	evidence, err := r.evidence(ctx, o, screens)
	if err != nil {
		return nil, err
	}
	closeScreens() // The gaps of the dashboards are complete only then.
	report.judge(evidence, screens)
	return report, ctx.Err()
}

func (r *RollingReport) judge(e *checker.Evidence, screens []*dashboard) {
	for _, op := range e.Ops {
		if op.Kind == checker.Read { // state of a visit in a list
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
