package chaos

import (
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"baari.dev/tools/checker"
)

// Report is what a run did and found.
type Report struct {
	Seed       uint64              `json:"seed"`
	Date       string              `json:"date"`
	Commit     string              `json:"commit"`
	Machine    string              `json:"machine"`
	Load       string              `json:"load"` // of the machine when the run began, over 1, 5 and 15 minutes
	Lasting    string              `json:"lasting"`
	Faults     map[string]int      `json:"faults"`     // by kind
	Killed     []string            `json:"killed"`     // program, pid and signal
	Operations map[string]int      `json:"operations"` // by kind and outcome
	Total      int                 `json:"total_operations"`
	Visits     int                 `json:"visits"`
	Events     int64               `json:"events"`
	Dashboards int                 `json:"dashboards"`
	Frames     int                 `json:"frames"`   // that dashboards got
	Slowness   float64             `json:"slowness"` // by which a smoke run's times are judged
	Settled    string              `json:"settled"`  // after the last fault, until every dashboard had fetched what it was told of
	Resets     int                 `json:"resets"`   // of dashboards
	CalmP99    string              `json:"calm_p99"` // of calls outside faults
	P99        string              `json:"p99"`      // of all calls
	Violations []checker.Violation `json:"violations"`
}

// Valid tells whether every promise was kept.
func (r *Report) Valid() bool { return len(r.Violations) == 0 }

func (r *run) report(e *checker.Evidence) *Report {
	report := &Report{
		Seed: r.options.Seed, Date: time.Now().UTC().Format(time.DateOnly), Commit: commitOf(r.options.Root), Load: r.load, Slowness: e.Slowness, Settled: r.settled.Round(10 * time.Millisecond).String(), Machine: fmt.Sprintf("%s/%s, %d cores", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
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

// Print writes the report for a person.
func (r *Report) Print(w io.Writer) {
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(r.Faults)) {
		kinds = append(kinds, fmt.Sprintf("%s %d", kind, r.Faults[kind]))
	}
	_, _ = fmt.Fprintf(w, "\nseed %d, %s with faults, %s\n", r.Seed, r.Lasting, r.Machine)
	_, _ = fmt.Fprintf(w, "faults      %d: %s\n", r.strikes(), strings.Join(kinds, ", "))
	_, _ = fmt.Fprintf(w, "killed      %d: %s\n", len(r.Killed), strings.Join(r.Killed, ", "))
	_, _ = fmt.Fprintf(w, "operations  %d: %s\n", r.Total, countsOf(r.Operations))
	_, _ = fmt.Fprintf(w, "visits      %d, events %d, frames on %d dashboards %d, resets %d, all right after %s\n", r.Visits, r.Events, r.Dashboards, r.Frames, r.Resets, r.Settled)
	_, _ = fmt.Fprintf(w, "p99         %s outside faults, %s of all calls; load of the machine at the start %s; times are judged with a factor of %.0f\n", r.CalmP99, r.P99, r.Load, r.Slowness)
	for _, v := range r.Violations {
		_, _ = fmt.Fprintf(w, "\n%s\n", v)
	}
	_, _ = fmt.Fprintf(w, "\nverdict     %s\n", r.verdict())
}

func (r *Report) verdict() string {
	if r.Valid() {
		return "VALID: every promise was kept"
	}
	return fmt.Sprintf("INVALID: %d violations; --seed %d strikes the same faults again", len(r.Violations), r.Seed)
}

// strikes is how many faults there were; the tail is none.
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
		return "(too few calls)"
	}
	return p99.Round(time.Millisecond).String()
}

// loadNow is the machine's load over 1, 5 and 15 minutes, where the system tells it.
func loadNow() string {
	text, err := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(text)); err == nil && len(fields) >= 3 {
		return strings.Join(fields[:3], " ")
	}
	return "unknown"
}

// commitOf is the version that ran, with a + where files were changed since.
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

// JSON is the report for a program; trials may be nil.
func (r *Report) JSON(trials *Trials) ([]byte, error) {
	return jsonIndent(struct {
		*Report
		Mutants *Trials `json:"mutants,omitempty"`
	}{r, trials})
}
