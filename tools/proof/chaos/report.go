package chaos

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"baari.dev/tools/proof/checker"
)

// Report is the outcome of a run.
type Report struct {
	Seed       uint64              `json:"seed"`
	Date       string              `json:"date"`
	Commit     string              `json:"commit"`
	Machine    string              `json:"machine"`
	Load       string              `json:"load"` // load average at the start, over 1, 5 and 15 minutes
	Lasting    string              `json:"lasting"`
	Faults     map[string]int      `json:"faults"`     // by kind
	Killed     []string            `json:"killed"`     // program, pid and signal
	Operations map[string]int      `json:"operations"` // by kind and outcome
	Total      int                 `json:"total_operations"`
	Visits     int                 `json:"visits"`
	Events     int64               `json:"events"`
	Dashboards int                 `json:"dashboards"`
	Frames     int                 `json:"frames"`   // received by dashboards
	Slowness   float64             `json:"slowness"` // factor on the limits of a smoke run
	Settled    string              `json:"settled"`  // time after the last fault until every dashboard was up to date
	Resets     int                 `json:"resets"`   // of dashboards
	CalmP99    string              `json:"calm_p99"` // of requests outside faults
	P99        string              `json:"p99"`      // of all requests
	Violations []checker.Violation `json:"violations"`
}

// Outcome is the result of an experiment of this package.
type Outcome interface {
	Print(out io.Writer) // writes it as text
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

func (r *run) report(e *checker.Evidence) *Report {
	report := &Report{
		Seed: r.options.Seed, Date: time.Now().UTC().Format(time.DateOnly), Commit: commitOf(r.options.Root),
		Machine: fmt.Sprintf("%s/%s, %d cores", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
		Load:    r.load, Slowness: e.Slowness, Settled: r.settled.Round(10 * time.Millisecond).String(),
		Lasting: r.options.Lasting.String(), Faults: map[string]int{}, Killed: r.killed, Operations: map[string]int{},
		Total: len(e.Ops), Visits: len(e.Visits), Events: e.Head, Dashboards: len(e.Dashboards),
		Violations: append(checker.Check(e), r.late()...),
	}
	for _, w := range e.Faults {
		report.Faults[w.Fault]++
	}
	var took []time.Duration
	for _, op := range e.Ops {
		if op.Kind == checker.Read { // part of a list
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

// Print writes the report as text.
func (r *Report) Print(w io.Writer) {
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(r.Faults)) {
		kinds = append(kinds, fmt.Sprintf("%s %d", kind, r.Faults[kind]))
	}
	_, _ = fmt.Fprintf(w, "\nseed %d, %s with faults, %s\n", r.Seed, r.Lasting, r.Machine)
	_, _ = fmt.Fprintf(w, "faults      %d: %s\n", r.strikes(), strings.Join(kinds, ", "))
	_, _ = fmt.Fprintf(w, "killed      %d: %s\n", len(r.Killed), strings.Join(r.Killed, ", "))
	_, _ = fmt.Fprintf(w, "operations  %d: %s\n", r.Total, countsOf(r.Operations))
	_, _ = fmt.Fprintf(w, "visits      %d, events %d, frames on %d dashboards %d, resets %d, all up to date after %s\n",
		r.Visits, r.Events, r.Dashboards, r.Frames, r.Resets, r.Settled)
	_, _ = fmt.Fprintf(w, "p99         %s outside faults, %s of all requests; load at the start %s; limit of the p99"+
		" multiplied by %.0f\n", r.CalmP99, r.P99, r.Load, r.Slowness)
	for _, v := range r.Violations {
		_, _ = fmt.Fprintf(w, "\n%s\n", v)
	}
	_, _ = fmt.Fprintf(w, "\noutcome     %s\n", r.outcome())
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

// loadNow returns the load average over 1, 5 and 15 minutes, or "" where it is not available.
func loadNow() string {
	text, err := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(text)); err == nil && len(fields) >= 3 {
		return strings.Join(fields[:3], " ")
	}
	return "unknown"
}

// commitOf returns the commit that ran, with a + if files were changed.
func commitOf(root string) string {
	text, err := exec.Command("git", "-C", root, "describe", "--always", "--abbrev=10", "--dirty=+").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(text))
}

func countsOf(counts map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(parts, ", ")
}

// JSON returns the report with the trials, which may be nil.
func (r *Report) JSON(trials *Trials) ([]byte, error) {
	return json.MarshalIndent(struct {
		*Report
		Mutants *Trials `json:"mutants,omitempty"`
	}{r, trials}, "", "  ")
}
