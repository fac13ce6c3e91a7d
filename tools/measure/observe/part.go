package observe

import (
	"context"
	"path/filepath"
	"time"

	"baari.dev/tools/stack"
	"baari.dev/tools/suite"
)

// Every is Prometheus's scrape interval during the checks.
const Every = 2 * time.Second

// observed starts a system with Prometheus on a data folder of its own and calls use.
func observed(ctx context.Context, r *suite.Runner, link stack.Link, use func(*stack.Stack) error) error {
	if err := suite.EnsureRedis(ctx, r.Root, r.Out); err != nil {
		return err
	}
	system, err := stack.Start(ctx, stack.Options{
		Root: r.Root, Data: filepath.Join(r.Scratch, "observed"), Gateway: stack.Embedded, NoLimits: true,
		Observe: Every, Progress: r.Progress, Link: link,
	})
	if err != nil {
		return err
	}
	defer system.Stop()
	return use(system)
}

// Alerts returns a part that checks in Prometheus that no alert fires in a quiet period and that each alert fires
// under its fault. If only is not empty, only the faults of the named alerts are caused.
func Alerts(quiet time.Duration, only []string) suite.Part {
	run := func(ctx context.Context, r *suite.Runner) error {
		links := Links()
		defer links.Close()
		return observed(ctx, r, links.Stand, func(system *stack.Stack) error {
			night := Night{Root: r.Root, Quiet: quiet, Only: only, Progress: r.Progress}
			return night.Run(ctx, system, links, r.Out)
		})
	}
	return suite.Part{Name: "alerts", Help: "each alert fires under its fault, and none in a quiet time", Run: run}
}
