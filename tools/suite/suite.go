// Package suite runs the project's tests in parts, installs what they need, and prints a table of results. Start
// reading at Tier and Run; schedule.go decides what runs in parallel.
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
	Run  func(context.Context, *Runner) error
}

// alone reports whether no other part runs at the same time. Browser tests use both processors.
func (p Part) alone() bool { return p.Name == browserTests }

// yields reports whether a part has a lower priority, so that it does not slow down the parts with time limits.
func (p Part) yields() bool {
	return slices.Contains([]string{"static", "lint", "go", "web", "chart"}, p.Name)
}

const browserTests = "browser"

// Tier is a set of parts.
type Tier string

// The tiers of `baari test`. Both use a real PostgreSQL, Redis and Chromium.
const (
	Fast Tier = ""    // what a developer runs after each change: ten minutes on two processors
	All  Tier = "all" // what a merge needs
)

// Parts returns the parts of a tier, in the order in which they start.
func (t Tier) Parts() []Part {
	if t == All {
		return allParts
	}
	return fastParts
}

func (t Tier) command(program string) []string {
	if t == All {
		return []string{program, "test", string(All)}
	}
	return []string{program, "test"}
}

var fastParts = []Part{
	{"build", "the programs and the web", buildPart},
	{
		"static", "format, go vet, types, generated files, budgets, rules of sources, tested statements",
		staticPart("typecheck"),
	},
	{"go", "tests of the services and of the gateway", quickGoPart()},
	{"web", "unit tests of the web", webPart},
	{"system", "access rules, invalid requests, attacks and a visit's life, against the whole system", quickSystemPart},
	{browserTests, "each role's day in a browser", quickBrowserPart},
}

var allParts = []Part{
	{"build", "the programs and the web", buildPart},
	{
		"static", "format, go vet, types, the web's lint, generated files, budgets, rules of sources, tested statements",
		staticPart("typecheck", "lint", "format:check"),
	},
	{"lint", "golangci-lint", lintPart},
	{"go", "tests of every Go module, with the race detector and the coverage", goPart},
	{"web", "unit tests of the web", webPart},
	{"chaos", "ninety seconds of faults under load, then the checks of the history", smokePart},
	{"gateway", "the gateway suite against the embedded gateway and Traefik", gatewayPart},
	{"system", "access rules, invalid requests and headers, against the whole system behind both gateways", systemPart},
	{
		"observe", "unit tests of the alert rules; every query of a rule or dashboard returns data",
		packagePart("./measure/observe"),
	},
	{
		"chart", "the chart's renderings are valid and match the committed ones; invalid values are rejected",
		packagePart("./chart"),
	},
	{browserTests, "all browser tests, and the visitor's day behind each gateway", browserPart},
}

// Runner has what a part needs to run.
type Runner struct {
	Root     string // the repository
	Out      io.Writer
	Progress *stack.Progress
	Scratch  string // temporary data of the part
	colours  bool   // whether Out is a terminal

	servers func() (stack.Servers, error) // started on first use
	node    func() (*stack.Node, error)
	cleanup []func()
}

// Result is the outcome of one part.
type Result struct {
	Part string
	Err  error
	Took time.Duration
	CPU  time.Duration // CPU time of all processes of the part
}

// Run runs the wanted parts of a tier, or all if wanted is empty, except the excluded ones. It prints the output of
// each part at its end, a status line at intervals, and a table at the end. The last line counts the passed and failed
// parts and names those left out. Run returns ErrFailed if a part failed, and Advice if a named part is unknown.
func Run(ctx context.Context, root string, out io.Writer, tier Tier, wanted, excluded []string) error {
	chosen, err := Choose(tier.Parts(), wanted, excluded)
	if err != nil {
		return err
	}
	if len(chosen) == 1 { // The output of a single part need not be buffered.
		return RunParts(ctx, root, out, chosen, excluded)
	}
	results, err := together(ctx, root, out, tier, chosen)
	if err != nil {
		return err
	}
	return report(out, results, excluded, ctx.Err())
}

// RunParts runs the given parts one after the other, and reports as Run does.
func RunParts(ctx context.Context, root string, out io.Writer, chosen []Part, excluded []string) error {
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
	return report(out, results, excluded, ctx.Err())
}

// runOne runs a part with its own scratch folder and servers.
func runOne(ctx context.Context, root string, out io.Writer, part Part) error {
	return WithRunner(ctx, root, out, func(r *Runner) error {
		r.Progress.Printf("\n=== %s: %s", part.Name, part.Help)
		err := part.Run(ctx, r)
		if err != nil {
			r.Progress.Printf("%s failed: %v", part.Name, err)
		}
		return err
	})
}

// WithRunner calls f with a Runner. At the end it removes the Runner's scratch folder and stops its servers.
func WithRunner(ctx context.Context, root string, out io.Writer, f func(*Runner) error) error {
	scratch, err := os.MkdirTemp("", "baari-test-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	r := newRunner(ctx, root, out, scratch)
	defer r.close()
	if err := errors.Join(useUnpacked(redisServer), useUnpacked(pgBouncer)); err != nil {
		return err
	}
	// The parts start their own servers. The servers in the caller's environment may have stopped, or be in use.
	for _, name := range []string{databaseVariable, redisVariable} {
		if err := os.Unsetenv(name); err != nil {
			return err
		}
	}
	return f(r)
}

func newRunner(ctx context.Context, root string, out io.Writer, scratch string) *Runner {
	r := &Runner{Root: root, Out: out, Progress: stack.NewProgress(out), Scratch: scratch}
	if file, ok := out.(*os.File); ok {
		r.colours = term.IsTerminal(int(file.Fd()))
	}
	r.node = sync.OnceValues(func() (*stack.Node, error) {
		node, err := stack.FindNode(ctx, r.Progress)
		if err != nil {
			return nil, err
		}
		return node, stack.InstallWeb(ctx, root, node, r.Progress)
	})
	r.servers = sync.OnceValues(func() (stack.Servers, error) {
		servers, err := stack.StartDependencies(ctx, filepath.Join(root, ".baari", "deps"), false, r.Progress)
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

// Choose returns the wanted parts, or all if wanted is empty, except the excluded ones, in the order of parts.
// It returns Advice if a named part does not exist or if no part is left.
func Choose(parts []Part, wanted, excluded []string) ([]Part, error) {
	for _, name := range slices.Concat(wanted, excluded) {
		if !slices.ContainsFunc(parts, func(p Part) bool { return p.Name == name }) {
			return nil, stack.Advice(fmt.Sprintf("There is no part %q: choose from %s.", name, strings.Join(Names(parts), ", ")))
		}
	}
	var chosen []Part
	for _, part := range parts {
		if (len(wanted) == 0 || slices.Contains(wanted, part.Name)) && !slices.Contains(excluded, part.Name) {
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

func report(out io.Writer, results []Result, excluded []string, interrupted error) error {
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
	if len(excluded) > 0 {
		last += ", left out: " + strings.Join(excluded, ", ")
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

// ErrFailed is the error of Run if a part failed. The report names the part.
var ErrFailed = errors.New("a part failed")
