package suite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"baari.dev/tools/measure/bench"
	"baari.dev/tools/stack"
)

// loadPart runs the k6 scenarios of T22 (services/docs/gates.md): a ramp of arrivals, then a soak at a constant rate.
func loadPart(soak time.Duration) func(context.Context, *Runner) error {
	return func(ctx context.Context, r *Runner) error {
		if err := r.ensure(ctx, redisServer); err != nil {
			return err
		}
		k6, err := r.goProgram(ctx, "k6", k6Module)
		if err != nil {
			return err
		}
		var errs []error
		for _, plan := range []bench.QueuePlan{
			{Profile: "ramp", Lasting: 10 * time.Minute, Rate: 60, Screens: 200},
			{Profile: "soak", Lasting: soak, Rate: 10, Screens: 200},
		} {
			data := filepath.Join(r.scratch, "load-"+plan.Profile)
			plan.K6, plan.Out, plan.Reports = k6, r.out, data+"-reports"
			report, err := bench.Queue(ctx, stack.Options{Root: r.root, Data: data, Fresh: true, Progress: r.progress}, plan)
			if err == nil {
				report.Print(r.out)
				if !report.Met() {
					err = errors.New(report.Summary())
				}
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", plan.Profile, err))
			}
		}
		return errors.Join(errs...)
	}
}
