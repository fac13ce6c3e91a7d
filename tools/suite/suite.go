// Package suite runs the project's tests in parts, installs what they need, and prints a table of results. Start
// reading at Parts and Run; schedule.go decides what runs in parallel.
package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"golang.org/x/term"

	"baari.dev/tools/stack"
)

// Part is a group of tests that can be chosen or left out.
type Part struct {
	Name string
	Help string
	run  func(context.Context, *Runner) error
}

// Parts lists all parts in the order of the result table. places holds the lane and the needs of each.
var Parts = []Part{
	{"spec", "every statement of the specification is named by a test, and no unknown one is", specPart},
	{"lint", "gofmt and golangci-lint, which includes go vet", lintPart},
	{"contract", "generated files are up to date", checkGenerated},
	{"chart", "the chart's renderings are valid and match the committed ones; invalid values are rejected", chartPart},
	{"web", "types, unit tests, lint and format of the web", webPart},
	{"go", "tests of every Go module, with the race detector", goPart},
	{"gateway", "the gateway suite against the embedded gateway and Traefik", gatewayPart},
	{"security", "access rules, invalid requests and headers, against the whole system", securityPart},
	{"observe", "unit tests of the alert rules; every query of a rule or dashboard returns data", observePart},
	{"chaos", "ninety seconds of faults under load, then the checks of the history", smokePart},
	{"e2e", "browser tests of the whole system, behind each gateway", e2ePart},
}

// Runner is one run of the suite.
type Runner struct {
	root     string
	out      io.Writer
	progress *stack.Progress
	scratch  string // temporary data of the run
	colours  bool   // whether out is a terminal

	servers func() (*stack.Stack, error) // started on first use
	node    func() (*stack.Node, error)
	cleanup []func()
}

// Result is the outcome of one part.
type Result struct {
	Part string
	Err  error
	Took time.Duration
	CPU  time.Duration // of all its processes
}

// Run runs the parts in only, or all if it is empty, except those in without. It prints the output of each part
// when the part has ended, a status line at intervals, and a table at the end; the last line counts the passed and
// failed parts and names those left out. It returns ErrFailed if a part failed, and Advice for a part that does not
// exist.
func Run(ctx context.Context, root string, out io.Writer, only, without []string) error {
	chosen, err := Choose(Parts, only, without)
	if err != nil {
		return err
	}
	if len(chosen) == 1 { // no other part, so the output is not buffered
		return RunParts(ctx, root, out, chosen, without)
	}
	results, err := together(ctx, root, out, chosen)
	if err != nil {
		return err
	}
	return report(out, results, without, ctx.Err())
}

// RunParts runs the given parts one after another and reports as Run does.
func RunParts(ctx context.Context, root string, out io.Writer, chosen []Part, without []string) error {
	var results []Result
	for _, part := range chosen {
		if ctx.Err() != nil {
			break
		}
		before := usedCPU()
		begin := time.Now()
		err := runOne(ctx, root, out, part)
		results = append(results, Result{part.Name, err, time.Since(begin), usedCPU() - before})
	}
	return report(out, results, without, ctx.Err())
}

// runOne runs a part, or a supply in the form of one, with its own scratch folder and servers.
func runOne(ctx context.Context, root string, out io.Writer, part Part) error {
	scratch, err := os.MkdirTemp("", "baari-test-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	r := newRunner(ctx, root, out, scratch)
	defer r.close()
	r.progress.Printf("\n=== %s: %s", part.Name, part.Help)
	if err := errors.Join(useUnpacked(redisServer), useUnpacked(pgBouncer)); err != nil {
		return err
	}
	// The parts start their own servers. Those of the caller's shell may have stopped, or be in use.
	for _, name := range []string{databaseVariable, redisVariable} {
		if err := os.Unsetenv(name); err != nil {
			return err
		}
	}
	if err := part.run(ctx, r); err != nil {
		r.progress.Printf("%s failed: %v", part.Name, err)
		return err
	}
	return nil
}

func newRunner(ctx context.Context, root string, out io.Writer, scratch string) *Runner {
	r := &Runner{root: root, out: out, progress: stack.NewProgress(out), scratch: scratch}
	if file, ok := out.(*os.File); ok {
		r.colours = term.IsTerminal(int(file.Fd()))
	}
	r.node = sync.OnceValues(func() (*stack.Node, error) {
		node, err := stack.FindNode(ctx, r.progress)
		if err != nil {
			return nil, err
		}
		return node, stack.InstallWeb(ctx, root, node, r.progress)
	})
	r.servers = sync.OnceValues(func() (*stack.Stack, error) {
		servers, err := stack.StartDependencies(ctx, filepath.Join(scratch, "servers"), r.progress)
		if err == nil {
			r.cleanup = append(r.cleanup, servers.Stop)
		}
		return servers, err
	})
	return r
}

func (r *Runner) close() {
	for _, cleanup := range slices.Backward(r.cleanup) {
		cleanup()
	}
}

// Choose returns the parts in only, or all if it is empty, except those in without, in the order of parts. It
// returns Advice for a part that does not exist or if no part is left.
func Choose(parts []Part, only, without []string) ([]Part, error) {
	for _, name := range slices.Concat(only, without) {
		if !slices.ContainsFunc(parts, func(p Part) bool { return p.Name == name }) {
			return nil, stack.Advice(fmt.Sprintf("There is no part %q: choose from %s.", name, strings.Join(Names(parts), ", ")))
		}
	}
	var chosen []Part
	for _, part := range parts {
		if (len(only) == 0 || slices.Contains(only, part.Name)) && !slices.Contains(without, part.Name) {
			chosen = append(chosen, part)
		}
	}
	if len(chosen) == 0 {
		return nil, stack.Advice("Nothing to run: every chosen part is left out.")
	}
	return chosen, nil
}

// Names returns the names of parts.
func Names(parts []Part) []string {
	var all []string
	for _, part := range parts {
		all = append(all, part.Name)
	}
	return all
}

// report prints the table and the last line.
func report(out io.Writer, results []Result, without []string, interrupted error) error {
	var failed int
	var cpu time.Duration
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "\npart\tresult\tduration\tCPU")
	for _, result := range results {
		word := "passed"
		if result.Err != nil {
			word = "failed"
			failed++
		}
		cpu += result.CPU
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\n",
			result.Part, word, result.Took.Round(100*time.Millisecond), result.CPU.Round(100*time.Millisecond))
	}
	_ = table.Flush()
	last := fmt.Sprintf("\n%d passed, %d failed", len(results)-failed, failed)
	if len(without) > 0 {
		last += ", left out: " + strings.Join(without, ", ")
	}
	_, _ = fmt.Fprintln(out, last)
	switch {
	case interrupted != nil:
		return errors.New("interrupted before all parts have run")
	case failed > 0:
		return ErrFailed
	}
	return nil
}

// ErrFailed is returned if a part failed; the report names the part.
var ErrFailed = errors.New("a part failed")
