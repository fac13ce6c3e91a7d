package observe

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"baari.dev/tools/stack"
)

// Every is Prometheus's scrape interval during the checks.
const Every = 2 * time.Second

// patience is how long a query may take to find its first data while the office is at work.
const patience = 90 * time.Second

// asked is a query and its source.
type asked struct{ where, query string }

// ofCluster matches metrics of programs that do not run here: Traefik, whose names gateway/test compares with what it
// exports, and kube-state-metrics.
var ofCluster = regexp.MustCompile(`\b(?:traefik|kube)_`)

// needCluster are alerts on what only a cluster has: kube-state-metrics, and targets that come and go with their pods.
// promtool's unit tests show that they fire.
var needCluster = []string{"BaariNoReplica", "BaariTargetAbsent"}

// Check runs a load and shows that every query of a dashboard and every input of a rule returns data while the
// services run, and none when they are stopped.
func Check(ctx context.Context, root string, system *stack.Stack, progress *stack.Progress) error {
	prometheus, err := Open(system.Prometheus())
	if err != nil {
		return err
	}
	all, err := queries(root)
	if err != nil {
		return err
	}
	if err := whileWorking(ctx, system, prometheus, all); err != nil {
		return err
	}
	progress.Printf("%d queries of dashboards and rules find data", len(all))
	return whileStopped(ctx, system, prometheus, all, progress)
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

// far is beyond the longest window of a query.
const far = 73 * time.Hour

var window = regexp.MustCompile(`\[\d+[hmd]\]|baari:`)

// whileStopped stops every program of the system. A query of the present must then return nothing immediately, a query
// over a window at the end of the window. Queries of `up` still return data, which must be 0.
func whileStopped(
	ctx context.Context, system *stack.Stack, prometheus *Prometheus, all []asked, progress *stack.Progress,
) error {
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
	progress.Printf("with the services stopped none does: %d at once, %d when their windows have passed",
		now, len(all)-now)
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
