package chaos

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"baari.dev/tools/proof/checker"
)

// Markdown writes the report as the page that is kept in the repository; trials may be nil. again is the command
// that repeats the run.
func (r *Report) Markdown(w io.Writer, trials *Trials, again string) error {
	page := &strings.Builder{}
	line := func(format string, values ...any) { fmt.Fprintf(page, format+"\n", values...) }
	line("# Nothing lost: a run of %s", r.Lasting)
	line("\nWritten by `baari chaos`; the invariants and how they are checked: [proof.md](proof.md).\n")
	line("| | |\n|---|---|")
	line("| outcome | **%s** |", r.outcome())
	line("| run again | `%s` |", again)
	line("| date, commit | %s, `%s` |", r.Date, r.Commit)
	line("| machine | %s, load %s at the start |", r.Machine, r.Load)
	line("| seed | %d |", r.Seed)
	line("| faults | %d of %d kinds |", r.strikes(), len(r.Faults))
	line("| operations | %d: %s |", r.Total, countsOf(r.Operations))
	line("| visits, events | %d, %d |", r.Visits, r.Events)
	line("| dashboards | %d, which received %d frames and %d resets |", r.Dashboards, r.Frames, r.Resets)
	line("| every dashboard right | %s after the last fault |", r.Settled)
	line("| time of a request, p99 | %s outside faults, %s of all |", r.CalmP99, r.P99)
	line("| violations | %d |", len(r.Violations))
	line("\n## Faults\n\n| kind | times | what |\n|---|---|---|")
	for _, f := range faults {
		line("| %s | %d | %s |", f.id, r.Faults[f.id], f.name)
	}
	line("\n## Invariants\n\n| | invariant | violated |\n|---|---|---|")
	for _, invariant := range checker.Invariants {
		line("| %s | %s | %d |", invariant.ID, invariant.Promise, r.broken(invariant.ID))
	}
	for _, v := range r.Violations {
		line("\n```\n%s\n```", v)
	}
	line("\n## Killed and stopped processes\n")
	killed := byProgram(r.Killed)
	for _, name := range slices.Sorted(maps.Keys(killed)) {
		line("- %s: %s", name, strings.Join(killed[name], ", "))
	}
	if trials != nil {
		trials.markdown(line)
	}
	_, err := io.WriteString(w, page.String())
	return err
}

// Renew replaces the trials in a kept page, or appends them.
func (t *Trials) Renew(page string) string {
	kept, _, _ := strings.Cut(page, "\n"+plantedBugs)
	renewed := &strings.Builder{}
	renewed.WriteString(kept)
	t.markdown(func(format string, values ...any) { fmt.Fprintf(renewed, format+"\n", values...) })
	return renewed.String()
}

// plantedBugs is the title of the last section of the page.
const plantedBugs = "## Planted bugs"

func (r *Report) broken(invariant string) int {
	count := 0
	for _, v := range r.Violations {
		if v.Invariant == invariant {
			count++
		}
	}
	return count
}

// byProgram groups the stopped processes by program: "visits (pid 7) by killed" becomes "pid 7 by killed" of
// visits.
func byProgram(killed []string) map[string][]string {
	groups := map[string][]string{}
	for _, what := range killed {
		name, rest, _ := strings.Cut(what, " ")
		groups[name] = append(groups[name], strings.NewReplacer("(", "", ")", "").Replace(rest))
	}
	return groups
}

func (t *Trials) markdown(line func(string, ...any)) {
	line("\n%s\n\nEach is a patch of the product's sources in `tools/proof/mutants`. It counts as detected only if the"+
		" system answered at least %d requests, no process panicked, and the checker reported the invariant.\n",
		plantedBugs, mutantServed)
	line("**Mutants killed: %d/%d**, on %s at `%s`; again: `go run ./tools/baari chaos mutants --seed %d`\n",
		t.Killed(), len(t.Mutants), t.Date, t.Commit, t.Seed)
	line("| | bug | planted against | reported | requests | | violation |\n|---|---|---|---|---|---|---|")
	outcome := "valid"
	if len(t.Control.Named) > 0 {
		outcome = "**INVALID**"
	}
	c := t.Control
	line("| none | %s | | %s | %d | %s | %s |", c.Bug, strings.Join(c.Named, " "), c.Served, outcome, c.Detail)
	for _, trial := range t.Mutants {
		outcome = "killed"
		if !trial.Killed {
			outcome = "**SURVIVED**"
		}
		line("| %s | %s | %s | %s | %d | %s | %s |", trial.ID, trial.Bug, trial.Invariant, strings.Join(trial.Named, " "),
			trial.Served, outcome, strings.ReplaceAll(trial.Detail, "|", "\\|"))
	}
}
