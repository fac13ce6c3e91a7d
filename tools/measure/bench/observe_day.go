package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"baari.dev/tools/proof/chaos"
	"baari.dev/tools/stack"
)

// played are the calls of the queue's day, as k6 makes them: registering, deciding, sessions, lists, the trail,
// exports. What they set off, also at open screens, counts as theirs.
const played = "a call of the queue's day"

// warming is the share of a day that is not measured, because the programs have just started.
const warming = 0.25

// dayIn plays the queue's day in both systems at the same time, with as many visitors in each.
func dayIn(ctx context.Context, plan ObservePlan, options stack.Options, plain, seen *arm) (r round, err error) {
	cpu, calls := [2]float64{}, [2]int{}
	playing, ctx := errgroup.WithContext(ctx)
	for i, one := range []*arm{plain, seen} {
		playing.Go(func() (err error) {
			cpu[i], calls[i], err = one.play(ctx, plan, options)
			return err
		})
	}
	err = playing.Wait()
	return round{plain: cpu[0], seen: cpu[1], calls: calls[0] + calls[1]}, err
}

// play returns the processor time of gateway and services per call, in microseconds, and the number of calls.
func (a *arm) play(ctx context.Context, plan ObservePlan, options stack.Options) (each float64, calls int, err error) {
	watching := chaos.Options{Root: options.Root, Data: a.data, Rate: 1, Progress: options.Progress}
	onlookers, err := chaos.Onlook(ctx, watching, a.system, plan.Day.Screens)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, onlookers.Close()) }()
	one := plan.Day
	one.Reports = filepath.Join(a.data, "k6")
	day := &queueDay{plan: one, system: a.system, onlookers: onlookers, data: a.data, root: options.Root}
	var before, after time.Duration
	ending, ctx := errgroup.WithContext(ctx)
	ending.Go(func() error { return day.k6(ctx) })
	ending.Go(func() (err error) {
		if err := day.awaitFirst(ctx); err != nil { // signing in hashes a password, which is not part of the day's calls
			return err
		}
		time.Sleep(time.Duration(warming * float64(one.Lasting)))
		before, err = a.processorTime()
		return err
	})
	if err := ending.Wait(); err != nil {
		return 0, 0, err
	}
	time.Sleep(settling)
	if after, err = a.processorTime(); err != nil {
		return 0, 0, err
	}
	found, err := readSummary(filepath.Join(one.Reports, "queue-k6.json"))
	if err != nil {
		return 0, 0, err
	}
	var report QueueReport
	found.fill(&report)
	for _, called := range report.Calls {
		calls += int(called.Count)
	}
	if calls == 0 {
		return 0, 0, errors.New("no request was sent")
	}
	calls = int((1 - warming) * float64(calls)) // the rate is constant
	return (after - before).Seconds() * 1e6 / float64(calls), calls, nil
}

// awaitFirst returns when all users have signed in and the first visitor is registered.
func (d *queueDay) awaitFirst(ctx context.Context) error {
	for {
		if about, err := os.Stat(d.written()); err == nil && about.Size() > 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("no visitor came: %w", ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
}
