package observe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"baari.dev/tools/proof/links"
	"baari.dev/tools/stack"
)

// Night is a run on a system, in which a fault causes each alert.
type Night struct {
	Root     string
	Quiet    time.Duration // initial period, in which no alert may fire
	Only     []string      // names of alerts; none: all
	Progress *stack.Progress

	system     *stack.Stack
	links      *links.Links
	prometheus *Prometheus
	office     *Office
	seen       []seen
}

type seen struct {
	alert, fault string
	fired, ended time.Duration // 0: not seen
	healed       time.Time
	slow         bool
}

// An alert ends when its window of five minutes has passed after the system has caught up.
const endWithin = 8 * time.Minute

// Run runs the faults and writes a table of the alerts. It returns an error with every alert that did not fire or end.
func (n *Night) Run(ctx context.Context, system *stack.Stack, links *links.Links, out io.Writer) (err error) {
	n.system, n.links = system, links
	if err := n.allKnown(); err != nil {
		return err
	}
	if n.prometheus, err = Open(system.Prometheus()); err != nil {
		return err
	}
	if n.office, err = OpenOffice(ctx, system); err != nil {
		return err
	}
	watching, stop := context.WithCancel(ctx)
	defer stop()
	go n.office.Watch(watching)
	errs := []error{n.quiet(ctx)}
	for _, f := range faults {
		if ctx.Err() != nil || !n.wants(f) {
			continue
		}
		errs = append(errs, n.strike(ctx, f))
	}
	errs = append(errs, n.ends(ctx), n.report(out))
	return errors.Join(errs...)
}

func (n *Night) wants(f fault) bool {
	named := func(alert string) bool { return slices.Contains(n.Only, alert) }
	return len(n.Only) == 0 || slices.ContainsFunc(f.alerts, named)
}

// allKnown returns an error if a rule that needs no cluster has no fault, or if Only has an unknown alert.
func (n *Night) allKnown() error {
	rules, err := LoadRules(n.Root)
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range n.Only {
		if !slices.ContainsFunc(rules, func(r Rule) bool { return r.Alert == name }) {
			errs = append(errs, stack.Advice(fmt.Sprintf("There is no alert %q: k8s/monitoring/rules.yaml has them all.", name)))
		}
	}
	for _, rule := range rules {
		causes := func(f fault) bool { return slices.Contains(f.alerts, rule.Alert) }
		known := slices.Contains(needCluster, rule.Alert) || slices.ContainsFunc(faults, causes)
		if rule.Alert != "" && !known {
			errs = append(errs, fmt.Errorf("no fault causes %s", rule.Alert))
		}
	}
	return errors.Join(errs...)
}

// quiet runs an office without a fault. It returns an error if an alert fires.
func (n *Night) quiet(ctx context.Context) error {
	n.Progress.Printf("%s in which nothing is wrong", n.Quiet)
	for end := time.Now().Add(n.Quiet); time.Now().Before(end) && ctx.Err() == nil; _ = stack.Pause(ctx, Every) {
		if err := n.office.Visit(ctx); err != nil {
			return err
		}
		firing, err := n.prometheus.Firing(ctx)
		if err != nil {
			return err
		}
		if len(firing) > 0 {
			return fmt.Errorf("%s fire although nothing is wrong", strings.Join(slices.Sorted(maps.Keys(firing)), ", "))
		}
	}
	return nil
}

// strike causes one fault, waits until Prometheus lists each of its alerts as firing, and ends the fault.
func (n *Night) strike(ctx context.Context, f fault) error {
	n.Progress.Printf("%s", f.name)
	began := time.Now()
	var heal func(context.Context) error
	if f.begin != nil {
		var err error
		if heal, err = f.begin(ctx, n); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	fired := map[string]time.Duration{}
	failed := n.wait(ctx, f, began, fired)
	if heal != nil {
		if err := heal(context.WithoutCancel(ctx)); err != nil {
			return errors.Join(failed, fmt.Errorf("heal: %s: %w", f.name, err))
		}
	}
	for _, alert := range f.alerts {
		n.seen = append(n.seen, seen{alert: alert, fault: f.name, fired: fired[alert], healed: time.Now(), slow: f.slow})
	}
	return failed
}

func (n *Night) wait(ctx context.Context, f fault, began time.Time, fired map[string]time.Duration) error {
	for time.Since(began) < f.within && ctx.Err() == nil {
		if f.keep != nil {
			if err := f.keep(ctx, n); err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
		}
		firing, err := n.look(ctx)
		if err != nil {
			return err
		}
		for _, alert := range f.alerts {
			if _, fires := firing[alert]; fires && fired[alert] == 0 {
				fired[alert] = time.Since(began)
				n.Progress.Printf("  %s fires after %s", alert, fired[alert].Round(time.Second))
			}
		}
		if len(fired) == len(f.alerts) {
			return nil
		}
		_ = stack.Pause(ctx, Every/2)
	}
	var errs []error
	for _, alert := range f.alerts {
		if fired[alert] == 0 {
			errs = append(errs, fmt.Errorf("%s: %s does not fire within %s", f.name, alert, f.within))
		}
	}
	return errors.Join(errs...)
}

// look returns the firing alerts, and records which alerts of earlier faults have ended.
func (n *Night) look(ctx context.Context) (map[string]string, error) {
	firing, err := n.prometheus.Firing(ctx)
	if err != nil {
		return nil, err
	}
	for i := range n.seen {
		s := &n.seen[i]
		if _, fires := firing[s.alert]; !fires && s.fired > 0 && s.ended == 0 {
			s.ended = time.Since(s.healed)
			n.Progress.Printf("  %s has ended %s after it was healed", s.alert, s.ended.Round(time.Second))
		}
	}
	return firing, nil
}

// ends waits until every alert that is not slow has ended.
func (n *Night) ends(ctx context.Context) error {
	for begin := time.Now(); time.Since(begin) < endWithin && ctx.Err() == nil; _ = stack.Pause(ctx, Every) {
		if _, err := n.look(ctx); err != nil {
			return err
		}
		if len(n.open()) == 0 {
			return nil
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return fmt.Errorf("%s: still firing %s after the last fault was healed", strings.Join(n.open(), ", "), endWithin)
}

func (n *Night) open() []string {
	var names []string
	for _, s := range n.seen {
		if s.fired > 0 && s.ended == 0 && !s.slow {
			names = append(names, s.alert)
		}
	}
	return names
}

func (n *Night) report(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "\nalert\tfired after\tended after\tfault")
	word := func(d time.Duration) string {
		switch {
		case d == 0:
			return "-"
		case d < time.Second:
			return "at once" // Fired at once: an earlier fault had already caused the alert
		}
		return d.Round(time.Second).String()
	}
	for _, s := range n.seen {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", s.alert, word(s.fired), word(s.ended), s.fault)
	}
	return table.Flush()
}
