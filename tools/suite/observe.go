package suite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"baari.dev/tools/observe"
	"baari.dev/tools/stack"
)

// unitTests of the rules, for promtool.
const unitTests = "tools/observe/testdata"

// observePart has promtool test the rules, then holds rules and dashboards against a Prometheus that watches a working system.
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

// testRules runs the unit tests beside a copy of the rules in the form that promtool takes.
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

// observed starts a system that Prometheus watches, on data of its own.
func (r *Runner) observed(ctx context.Context, link stack.Link, use func(*stack.Stack) error) error {
	if err := r.ensure(ctx, redisServer); err != nil {
		return err
	}
	ports, err := stack.FreePorts(1)
	if err != nil {
		return err
	}
	system, err := stack.Start(ctx, stack.Options{
		Root: r.root, Data: filepath.Join(r.scratch, "observed"), Port: ports[0], Gateway: stack.Embedded, NoLimits: true,
		Observe: observe.Every, Progress: r.progress, Link: link,
	})
	if err != nil {
		return err
	}
	defer system.Stop()
	return use(system)
}

// Alerts is a part in which Prometheus itself lists each alert as firing under its fault, and none in a quiet time before. With names given only
// those alerts are brought about.
func Alerts(quiet time.Duration, only []string) Part {
	return Part{"alerts", "each alert fires under its fault, and none in a quiet time", func(ctx context.Context, r *Runner) error {
		links := observe.Links()
		defer links.Close()
		return r.observed(ctx, links.Stand, func(system *stack.Stack) error {
			night := observe.Night{Root: r.root, Quiet: quiet, Only: only, Progress: r.progress}
			return night.Run(ctx, system, links, r.out)
		})
	}}
}
