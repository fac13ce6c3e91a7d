package chaos

import (
	"fmt"
	"io"
	"maps"
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
	Machine    string              `json:"machine"`
	Lasting    string              `json:"lasting"`
	Faults     map[string]int      `json:"faults"`     // by kind
	Killed     []string            `json:"killed"`     // program, pid and signal
	Operations map[string]int      `json:"operations"` // by kind and outcome
	Total      int                 `json:"total_operations"`
	Visits     int                 `json:"visits"`
	Events     int64               `json:"events"`
	Frames     int                 `json:"frames"` // that dashboards got
	Resets     int                 `json:"resets"` // of dashboards
	CalmP99    string              `json:"calm_p99"`
	Violations []checker.Violation `json:"violations"`
}

// Valid tells whether every promise was kept.
func (r *Report) Valid() bool { return len(r.Violations) == 0 }

func (r *run) report(e *checker.Evidence) *Report {
	report := &Report{
		Seed: r.options.Seed, Date: time.Now().UTC().Format(time.DateOnly), Machine: fmt.Sprintf("%s/%s, %d cores", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
		Lasting: r.options.Lasting.String(), Faults: map[string]int{}, Killed: r.killed, Operations: map[string]int{},
		Total: len(e.Ops), Visits: len(e.Visits), Events: e.Head, Violations: checker.Check(e),
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
	if p99, measured := checker.Percentile(took, 99); measured {
		report.CalmP99 = p99.Round(time.Millisecond).String()
	}
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
	faults := 0
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(r.Faults)) {
		faults += r.Faults[kind]
		kinds = append(kinds, fmt.Sprintf("%s %d", kind, r.Faults[kind]))
	}
	_, _ = fmt.Fprintf(w, "\nseed %d, %s with faults, %s\n", r.Seed, r.Lasting, r.Machine)
	_, _ = fmt.Fprintf(w, "faults      %d: %s\n", faults, strings.Join(kinds, ", "))
	_, _ = fmt.Fprintf(w, "killed      %d: %s\n", len(r.Killed), strings.Join(r.Killed, ", "))
	_, _ = fmt.Fprintf(w, "operations  %d: %s\n", r.Total, countsOf(r.Operations))
	_, _ = fmt.Fprintf(w, "visits      %d, events %d, frames on 40 dashboards %d, resets %d, p99 of all calls %s\n", r.Visits, r.Events, r.Frames, r.Resets, r.CalmP99)
	for _, v := range r.Violations {
		_, _ = fmt.Fprintf(w, "\n%s\n", v)
	}
	verdict := "VALID: every promise was kept"
	if !r.Valid() {
		verdict = fmt.Sprintf("INVALID: %d violations; --seed %d strikes the same faults again", len(r.Violations), r.Seed)
	}
	_, _ = fmt.Fprintf(w, "\nverdict     %s\n", verdict)
}

func countsOf(counts map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(parts, ", ")
}

// JSON is the report for a program.
func (r *Report) JSON() ([]byte, error) { return jsonIndent(r) }
