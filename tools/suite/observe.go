package suite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"baari.dev/tools/measure/observe"
	"baari.dev/tools/stack"
)

// unitTests is the folder of promtool's unit tests of the rules.
const unitTests = "tools/measure/observe/testdata"

// observePart runs promtool's unit tests of the rules, then checks rules and dashboards against a Prometheus that
// scrapes a running system.
func observePart(ctx context.Context, r *Runner) error {
	programs, err := stack.FindPrometheus(ctx, r.root, r.progress)
	if err != nil {
		return err
	}
	if err := r.testRules(ctx, programs.Promtool); err != nil {
		return err
	}
	return r.observed(ctx, nil, func(system *stack.Stack) error { return observe.Check(ctx, r.root, system, r.progress) })
}

// testRules runs the unit tests next to a copy of the rules in promtool's format.
func (r *Runner) testRules(ctx context.Context, promtool string) error {
	dir := filepath.Join(r.scratch, "rules")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(r.root, filepath.FromSlash(unitTests)))); err != nil {
		return err
	}
	rules := filepath.Join(dir, "rules.yaml")
	if err := stack.WriteRules(r.root, rules); err != nil {
		return err
	}
	tests, err := filepath.Glob(filepath.Join(r.root, filepath.FromSlash(unitTests), "*.yaml"))
	if err != nil {
		return err
	}
	args := []string{"test", "rules"}
	for _, file := range tests {
		args = append(args, filepath.Join(dir, filepath.Base(file)))
	}
	return errors.Join(
		r.run(r.command(ctx, "", promtool, "check", "rules", rules)),
		r.run(r.command(ctx, "", promtool, args...)),
	)
}

// observed starts a system with Prometheus on a data folder of its own and calls use.
func (r *Runner) observed(ctx context.Context, link stack.Link, use func(*stack.Stack) error) error {
	if err := r.ensure(ctx, redisServer); err != nil {
		return err
	}
	system, err := stack.Start(ctx, stack.Options{
		Root: r.root, Data: filepath.Join(r.scratch, "observed"), Gateway: stack.Embedded, NoLimits: true,
		Observe: observe.Every, Progress: r.progress, Link: link,
	})
	if err != nil {
		return err
	}
	defer system.Stop()
	return use(system)
}

// Alerts returns a part that checks in Prometheus that no alert fires in a quiet period and that each alert fires
// under its fault. If only is not empty, only the named alerts are triggered.
func Alerts(quiet time.Duration, only []string) Part {
	run := func(ctx context.Context, r *Runner) error {
		links := observe.Links()
		defer links.Close()
		return r.observed(ctx, links.Stand, func(system *stack.Stack) error {
			night := observe.Night{Root: r.root, Quiet: quiet, Only: only, Progress: r.progress}
			return night.Run(ctx, system, links, r.out)
		})
	}
	return Part{"alerts", "each alert fires under its fault, and none in a quiet time", run}
}
