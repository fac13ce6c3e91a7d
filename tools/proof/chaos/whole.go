package chaos

import (
	"context"
	"slices"
	"syscall"
	"time"

	"baari.dev/tools/measure/machine"
	"baari.dev/tools/stack"
)

const (
	wholeKills    = 3
	wholePause    = 12 * time.Second // pause after each kill: a program that ends sooner is restarted after a delay
	wholeMidnight = 45 * time.Second // time from the start of the system to the office's midnight
)

// allKilled is the only fault of a run in one process.
var allKilled = fault{
	id: "N1", name: "kill -9 of the program with all targets",
	strike: func(ctx context.Context, r *run, _ time.Duration) error {
		return r.kill(ctx, stack.Product, syscall.SIGKILL)
	},
}

// Whole runs all targets in one process, which needs no Redis. While robots work and dashboards are open, it kills the
// process three times, then checks the history. The error is about the run itself; violations are in the report.
func Whole(ctx context.Context, options Options) (report *Report, err error) {
	options.Smoke = true
	r := newRun(options)
	r.whole = true
	err = r.withRecordedSystem(ctx, func() (err error) {
		report, err = r.wholeDay(ctx)
		return err
	})
	return report, err
}

// startWhole starts the system with settings that place the office's midnight within the run.
func (r *run) startWhole(ctx context.Context, options stack.Options) (err error) {
	// The build may take longer than the time until midnight, so it comes first.
	if err := stack.Build(ctx, options); err != nil {
		return err
	}
	if err := r.placeMidnight(time.Now().Add(wholeMidnight)); err != nil {
		return err
	}
	options.Link, options.Env = nil, r.settings
	if r.system, err = stack.Start(ctx, options); err != nil {
		return err
	}
	r.base = r.system.URL()
	return nil
}

func (r *run) wholeDay(ctx context.Context) (*Report, error) {
	r.load = machine.Load()
	began := time.Now()
	o, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	screens := append(r.screens(o, 40), r.boards(o)...)
	closeScreens := concurrently(ctx, screens, (*dashboard).run)
	defer closeScreens()
	stop := o.work(ctx)
	defer stop()
	sleep(ctx, warmUp)
	before, err := r.measure(ctx)
	if err != nil {
		return nil, err
	}
	for range wholeKills {
		if err := r.strike(ctx, strike{fault: allKilled}); err != nil {
			return nil, err
		}
		sleep(ctx, wholePause)
	}
	sleep(ctx, time.Until(r.midnight.Add(warmUp)))
	stop()
	r.options.Lasting = time.Since(began).Round(time.Second)
	for _, d := range screens {
		d.heal()
	}
	r.settled = settle(ctx, screens)
	evidence, err := r.evidence(ctx, o, screens)
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
