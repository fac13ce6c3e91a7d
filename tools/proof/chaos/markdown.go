package chaos

import (
	"fmt"
	"strings"

	"baari.dev/tools/proof/checker"
)

// Markdown returns the report as the page that is kept in the repository; trials may be nil.
func (r *Report) Markdown(trials *Trials) string {
	page := &strings.Builder{}
	line := func(format string, values ...any) { fmt.Fprintf(page, format+"\n", values...) }
	line("# Nothing lost: a run of %s", r.Lasting)
	line("\nWritten by `baari chaos`; the invariants and how they are checked: [proof.md](proof.md).\n")
	line("| | |\n|---|---|\n| outcome | **%s** |", r.outcome())
	for _, row := range r.rows() {
		line("| %s | %s |", row[0], row[1])
	}
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
	if trials != nil {
		trials.markdown(line)
	}
	return page.String()
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

func (t *Trials) markdown(line func(string, ...any)) {
	line("\n%s\n\nEach is a patch of the product's sources in `tools/proof/mutants`. It counts as detected only if the"+
		" system answered at least %d requests, no process panicked, and the checker reported the invariant, or if the Go"+
		" test fails that the patch names, which passes without the bug.\n",
		plantedBugs, mutantServed)
	line("**Mutants killed: %d/%d**, on %s at `%s`; again: `go run ./tools/baari chaos mutants --seed %d`\n",
		t.Killed(), len(t.Mutants), t.Date, t.Commit, t.Seed)
	line("| | bug | planted against | reported | requests | | violation |\n|---|---|---|---|---|---|---|")
	for _, trial := range append([]Trial{t.Control}, t.Mutants...) {
		cells := trial.cells()
		for i, cell := range cells {
			cells[i] = strings.ReplaceAll(cell, "|", "\\|")
		}
		line("| %s |", strings.Join(cells, " | "))
	}
}
