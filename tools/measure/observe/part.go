package observe

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"baari.dev/tools/stack"
	"baari.dev/tools/suite"
)

// unitTests is the folder of promtool's unit tests of the rules.
const unitTests = "tools/measure/observe/testdata"

// Part runs promtool's unit tests of the rules, then checks rules and dashboards against a Prometheus that
// scrapes a running system.
func Part(ctx context.Context, r *suite.Runner) error {
	programs, err := stack.FindPrometheus(ctx, r.Root, r.Progress)
	if err != nil {
		return err
	}
	if err := testRules(ctx, r, programs.Promtool); err != nil {
		return err
	}
	return observed(ctx, r, nil, func(system *stack.Stack) error { return Check(ctx, r.Root, system, r.Progress) })
}

// testRules runs the unit tests next to a copy of the rules in promtool's format.
func testRules(ctx context.Context, r *suite.Runner, promtool string) error {
	dir := filepath.Join(r.Scratch, "rules")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(r.Root, filepath.FromSlash(unitTests)))); err != nil {
		return err
	}
	rules := filepath.Join(dir, "rules.yaml")
	if err := stack.WriteRules(r.Root, rules); err != nil {
		return err
	}
	tests, err := filepath.Glob(filepath.Join(r.Root, filepath.FromSlash(unitTests), "*.yaml"))
	if err != nil {
		return err
	}
	args := []string{"test", "rules"}
	for _, file := range tests {
		args = append(args, filepath.Join(dir, filepath.Base(file)))
	}
	return errors.Join(
		r.Run(r.Command(ctx, "", promtool, "check", "rules", rules)),
		r.Run(r.Command(ctx, "", promtool, args...)),
	)
}

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
// under its fault. If only is not empty, only the named alerts are triggered.
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
