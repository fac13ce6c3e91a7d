package chaos

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

	"baari.dev/tools/measure/machine"
	"baari.dev/tools/proof/checker"
)

// reportFile is the page of the last recorded run, in the repository.
const reportFile = "services/docs/chaos-report.md"

// Report is the outcome of a run.
type Report struct {
	Seed       uint64
	Date       string
	Commit     string
	Machine    string
	Load       string // load average at the start, over 1, 5 and 15 minutes
	Again      string // the command that repeats the run
	Lasting    string
	Faults     map[string]int // number by kind
	Killed     []string       // program, pid and signal
	Operations map[string]int // number by kind and outcome
	Total      int
	Visits     int
	Events     int64
	Dashboards int
	Frames     int     // received by dashboards
	Slowness   float64 // factor on the limit of the p99
	Settled    string  // time after the last fault until every dashboard was up to date
	Resets     int     // received by dashboards
	CalmP99    string  // p99 of requests outside faults
	P99        string  // p99 of all requests
	Violations []checker.Violation
	Logged     []string // log lines of the first requests that failed outside faults
}

// Outcome is the result of an experiment of this package.
type Outcome interface {
	Print(out io.Writer) // writes the outcome as text
	Valid() bool
}

// Conclude prints an outcome. It returns err, or ErrBroken if the outcome is not valid.
func Conclude(out io.Writer, outcome Outcome, err error) error {
	if err != nil {
		return err
	}
	outcome.Print(out)
	if !outcome.Valid() {
		return ErrBroken
	}
	return nil
}

// ErrBroken is returned for an outcome that is not valid. The printed outcome has the reason.
var ErrBroken = errors.New("an invariant is violated, or a planted bug was not detected")

// Valid reports whether no invariant was violated.
func (r *Report) Valid() bool { return len(r.Violations) == 0 }

func (r *run) report(ctx context.Context, e *checker.Evidence) *Report {
	report := &Report{
		Seed: r.options.Seed, Date: time.Now().UTC().Format(time.DateOnly),
		Commit:  machine.Commit(ctx, r.options.Root, reportFile),
		Machine: machine.Describe(),
		Load:    r.load, Slowness: e.Slowness, Settled: r.settled.Round(10 * time.Millisecond).String(),
		Lasting: r.options.Lasting.String(), Faults: map[string]int{}, Killed: r.killed, Operations: map[string]int{},
		Total: len(e.Ops), Visits: len(e.Visits), Events: e.Head, Dashboards: len(e.Dashboards),
		Violations: append(checker.Check(e), r.late()...), Logged: r.loggedOf(e),
	}
	for _, w := range e.Faults {
		report.Faults[w.Fault]++
	}
	var took []time.Duration
	for _, op := range e.Ops {
		if op.Kind == checker.Read { // state of a visit in a list
			report.Total--
			continue
		}
		report.Operations[op.Kind+" "+string(op.Outcome)]++
		took = append(took, time.Duration(op.Return-op.Call))
	}
	report.P99, report.CalmP99 = p99Of(took), p99Of(checker.CalmTimes(e))
	for _, d := range e.Dashboards {
		report.Frames += len(d.Frames)
		for _, f := range d.Frames {
			if f.Type == checker.Reset {
				report.Resets++
			}
		}
	}
	return report
}

// rows are the figures of the report, each after its name.
func (r *Report) rows() [][2]string {
	return [][2]string{
		{"run again", r.Again},
		{"date, commit", r.Date + ", " + r.Commit},
		{"machine", r.Machine + ", load " + r.Load + " at the start"},
		{"seed", fmt.Sprint(r.Seed)},
		{"faults", fmt.Sprintf("%d in %s: %s", r.strikes(), r.Lasting, countsOf(r.Faults))},
		{"killed and stopped", fmt.Sprintf("%d: %s", len(r.Killed), strings.Join(r.Killed, ", "))},
		{"operations", fmt.Sprintf("%d: %s", r.Total, countsOf(r.Operations))},
		{"visits, events", fmt.Sprintf("%d, %d", r.Visits, r.Events)},
		{
			"dashboards",
			fmt.Sprintf("%d, which received %d frames and %d resets", r.Dashboards, r.Frames, r.Resets),
		},
		{"every dashboard right", r.Settled + " after the last fault"},
		{
			"time of a request, p99",
			fmt.Sprintf("%s outside faults, %s of all; limit multiplied by %.0f", r.CalmP99, r.P99, r.Slowness),
		},
		{"violations", fmt.Sprint(len(r.Violations))},
	}
}

// Print writes the report as text.
func (r *Report) Print(w io.Writer) {
	for _, lines := range r.Logged {
		_, _ = fmt.Fprintf(w, "\nlogged of a request that failed outside faults:\n%s", lines)
	}
	printOutcome(w, r.rows(), r.Violations, r.outcome())
}

// printOutcome writes rows of a figure's name and value, then the violations and the outcome.
func printOutcome(w io.Writer, rows [][2]string, violations []checker.Violation, outcome string) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table)
	for _, row := range rows {
		_, _ = fmt.Fprintf(table, "%s\t%s\n", row[0], row[1])
	}
	_ = table.Flush()
	for _, v := range violations {
		_, _ = fmt.Fprintf(w, "\n%s\n", v)
	}
	_, _ = fmt.Fprintf(w, "\noutcome  %s\n", outcome)
}

func (r *Report) outcome() string {
	if r.Valid() {
		return "VALID: no invariant was violated"
	}
	return fmt.Sprintf("INVALID: %d violations; --seed %d injects the same faults again", len(r.Violations), r.Seed)
}

// strikes returns the number of faults, without the tail.
func (r *Report) strikes() int {
	count := 0
	for kind, times := range r.Faults {
		if kind != tailFault {
			count += times
		}
	}
	return count
}

func p99Of(times []time.Duration) string {
	p99, measured := checker.Percentile(times, 99)
	if !measured {
		return "(too few requests)"
	}
	return p99.Round(time.Millisecond).String()
}

func countsOf(counts map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(parts, ", ")
}
