package observe

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"baari.dev/tools/stack"
	"baari.dev/tools/suite"
)

// patience is how long a query may take to find its first data while the office is at work.
const patience = 90 * time.Second

// unitTests is the folder of promtool's unit tests of the rules.
const unitTests = "tools/measure/observe/testdata"

type asked struct{ where, query string }

// ofCluster matches metrics of programs that do not run here: Traefik and kube-state-metrics. A test in gateway/test
// compares the names of Traefik's metrics with those that Traefik exports.
var ofCluster = regexp.MustCompile(`\b(?:traefik|kube)_`)

// TestTheRulesAndTheirQueries runs promtool's unit tests of the rules. Then it runs a load, and shows that every query
// and every input of a rule that needs no cluster finds data while the services run, and none afterwards.
func TestTheRulesAndTheirQueries(t *testing.T) {
	if testing.Short() {
		t.Skip("part observe of `baari test all`, which starts Prometheus and a system")
	}
	at, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	err = suite.WithRunner(t.Context(), at, t.Output(), func(r *suite.Runner) error {
		programs, err := stack.FindPrometheus(t.Context(), r.Root, r.Progress)
		if err != nil {
			return err
		}
		if err := testRules(t.Context(), r, programs.Promtool); err != nil {
			return err
		}
		return observed(t.Context(), r, nil, func(system *stack.Stack) error { return ask(t, system) })
	})
	if err != nil {
		t.Fatal(err)
	}
}

func ask(t *testing.T, system *stack.Stack) error {
	prometheus, err := Open(system.Prometheus())
	if err != nil {
		return err
	}
	all, err := queries(root)
	if err != nil {
		return err
	}
	if err := whileWorking(t.Context(), system, prometheus, all); err != nil {
		return err
	}
	t.Logf("%d queries of dashboards and rules find data", len(all))
	return whileStopped(t, system, prometheus, all)
}

func queries(root string) ([]asked, error) {
	rules, err := LoadRules(root)
	if err != nil {
		return nil, err
	}
	boards, err := LoadDashboards(root)
	if err != nil {
		return nil, err
	}
	var all []asked
	for _, board := range boards {
		for _, panel := range board.Panels {
			for _, target := range panel.Targets {
				if ofCluster.MatchString(target.Expr) {
					continue
				}
				all = append(all, asked{board.File + ", " + panel.Title, target.Now()})
			}
		}
	}
	for _, rule := range rules {
		if slices.Contains(needCluster, rule.Alert) {
			continue
		}
		inputs, err := rule.Inputs()
		if err != nil {
			return nil, err
		}
		for _, input := range inputs {
			all = append(all, asked{"rules.yaml, " + rule.Name(), input})
		}
	}
	return all, nil
}

// whileWorking repeats each query until it returns data.
func whileWorking(ctx context.Context, system *stack.Stack, prometheus *Prometheus, all []asked) error {
	office, err := OpenOffice(ctx, system)
	if err != nil {
		return err
	}
	working, stop := context.WithCancel(ctx)
	day := make(chan error, 1)
	go func() { day <- office.Day(working) }()
	deadline := time.Now().Add(patience)
	left := all
	for len(left) > 0 && time.Now().Before(deadline) && ctx.Err() == nil {
		var empty []asked
		for _, a := range left {
			found, err := prometheus.Values(ctx, a.query, time.Now())
			if err != nil {
				stop()
				return errors.Join(fmt.Errorf("%s: %w", a.where, err), <-day)
			}
			if len(found) == 0 {
				empty = append(empty, a)
			}
		}
		left = empty
		_ = stack.Pause(ctx, Every)
	}
	stop()
	errs := []error{<-day, ctx.Err()}
	for _, a := range left {
		errs = append(errs, fmt.Errorf("%s finds no data: %s", a.where, a.query))
	}
	return errors.Join(errs...)
}

// far is longer than the longest window of a query.
const far = 73 * time.Hour

var window = regexp.MustCompile(`\[\d+[hmd]\]|baari:`)

// whileStopped pauses all programs with metrics. A query of the present must then return nothing. A query over a
// window must return nothing at a time after the window. Queries of `up` still return data, which must be 0.
func whileStopped(t *testing.T, system *stack.Stack, prometheus *Prometheus, all []asked) error {
	ctx := t.Context()
	errs := []error{halt(system, syscall.SIGSTOP)}
	defer func() { _ = halt(system, syscall.SIGCONT) }()
	errs = append(errs, stack.Await(ctx, 30*time.Second, func(ctx context.Context) error {
		up, err := prometheus.Values(ctx, "up == 1", time.Now())
		if err == nil && len(up) > 0 {
			err = errors.Join(fmt.Errorf("%v still answers", up[0].Metric["service"]), stack.Pause(ctx, Every))
		}
		return err
	}))
	_ = stack.Pause(ctx, 17*time.Second) // the shortest window is over
	now := 0
	for _, a := range all {
		at := time.Now()
		if window.MatchString(a.query) {
			at = at.Add(far)
		} else {
			now++
		}
		found, err := prometheus.Values(ctx, a.query, at)
		switch {
		case err != nil:
			errs = append(errs, err)
		case strings.Contains(a.query, "(up{"):
			for _, sample := range found {
				if sample.Value != 0 {
					errs = append(errs, fmt.Errorf("%s: %s", a.where, sample))
				}
			}
		case len(found) > 0:
			errs = append(errs, fmt.Errorf("%s finds data of stopped services: %s", a.where, a.query))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	t.Logf("with the services stopped none does: %d at once, %d when their windows have passed", now, len(all)-now)
	return nil
}

func halt(system *stack.Stack, signal syscall.Signal) error {
	var errs []error
	for name := range system.Admin() {
		_, err := system.Signal(name, signal)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
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

// Name returns the name of the alert, or of the recorded series.
func (r Rule) Name() string { return r.Alert + r.Record }

var (
	joined     = regexp.MustCompile(`\s+(?:or|and on \([a-z, ]+\))\s+`)
	comparison = regexp.MustCompile(`^(.*\S)\s+(?:>|==)\s+[\d.][\d.* ]*$`)
	longAgo    = regexp.MustCompile(`offset \w+`)
)

// Inputs returns the expressions that an alert compares with its limits, with every offset shortened to five seconds.
// For a recording rule, it returns the whole expression.
func (r Rule) Inputs() ([]string, error) {
	if r.Record != "" {
		return []string{r.Expr}, nil
	}
	var inputs []string
	for _, term := range joined.Split(strings.TrimSpace(r.Expr), -1) {
		parts := comparison.FindStringSubmatch(unwrapped(term))
		if parts == nil {
			return nil, fmt.Errorf("%s: %q compares nothing with a number", r.Alert, term)
		}
		inputs = append(inputs, longAgo.ReplaceAllString(parts[1], "offset 5s"))
	}
	return inputs, nil
}

// unwrapped removes the parentheses around joined terms, not those of a function.
func unwrapped(term string) string {
	if strings.Count(term, "(") > strings.Count(term, ")") {
		term = strings.TrimPrefix(term, "(")
	}
	if strings.Count(term, ")") > strings.Count(term, "(") {
		term = strings.TrimSuffix(term, ")")
	}
	return strings.TrimSpace(term)
}
