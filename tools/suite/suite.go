// Package suite runs the project's tests part by part, gets what they need, and says in a table what passed, failed or was left out.
package suite

import (
	"bytes"
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

// Part is one group of tests that can be run, or left out, on its own.
type Part struct {
	Name string
	Help string
	run  func(context.Context, *Runner) error
}

// Parts are all parts in the order of running: the quick ones first.
var Parts = []Part{
	{"spec", "a test names every statement of the specification, and none that does not exist", specPart},
	{"lint", "gofmt and golangci-lint", lintPart},
	{"contract", "generated files are what their sources make", checkGenerated},
	{"chart", "the chart's renderings are valid and what is committed, wrong values are refused", chartPart},
	{"web", "types, unit tests, lint and format of the web", webPart},
	{"go", "vet and tests of every Go module, with the race detector", goPart},
	{"gateway", "the suite of the gateway, against the embedded one and Traefik", gatewayPart},
	{"security", "who may do what, bad requests and headers, asked of the whole system", securityPart},
	{"observe", "alerts say what they should; every query of a rule or dashboard finds data in Prometheus", observePart},
	{"chaos", "ninety seconds of faults in a working office, and the verdict", smokePart},
	{"e2e", "journeys in a browser through the whole system, behind each gateway", e2ePart},
}

// besideGo are parts that wait more than they work, for deadlines, restarts and scrapes: they run one after another beside the part go,
// whose own tests leave much of a machine idle, too.
var besideGo = []string{"gateway", "security", "observe", "chaos"}

// Runner is one run of the suite.
type Runner struct {
	root     string
	out      io.Writer
	progress *stack.Progress
	scratch  string // for data that ends with the run
	colours  bool   // whether a person looks on

	servers func() (*stack.Dependencies, error) // started by the first part that asks
	node    func() (*stack.Node, error)
	cleanup []func()
}

// Result is how one part ended.
type Result struct {
	Part string
	Err  error
	Took time.Duration
}

// Run runs the named parts, or all when none is named, but for those to be left out. It prints the output of the tests and at
// the end a table; its last line counts the parts that passed and failed and names the ones left out. It returns an error when a part failed
// or could not run, and Advice for a part that does not exist.
func Run(ctx context.Context, root string, out io.Writer, only, without []string) error {
	chosen, err := Choose(Parts, only, without)
	if err != nil {
		return err
	}
	return RunParts(ctx, root, out, chosen, without)
}

// RunParts runs the given parts and reports as Run does.
func RunParts(ctx context.Context, root string, out io.Writer, chosen []Part, without []string) error {
	scratch, err := os.MkdirTemp("", "baari-test-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	r := newRunner(ctx, root, out, scratch)
	defer r.close()
	var results []Result
	for rest := chosen; len(rest) > 0 && ctx.Err() == nil; {
		var beside []Part
		first := rest[0]
		beside, rest = besides(first, rest[1:])
		results = append(results, r.play(ctx, first, beside)...)
	}
	return report(out, results, without, ctx.Err())
}

// besides divides the parts that follow one into those that run beside it and the rest.
func besides(first Part, following []Part) (beside, rest []Part) {
	n := 0
	for first.Name == "go" && n < len(following) && slices.Contains(besideGo, following[n].Name) {
		n++
	}
	return following[:n], following[n:]
}

// play runs a part, and others one after another beside it. What those print is held back until they and the first have ended, so that
// each part's output stands together.
func (r *Runner) play(ctx context.Context, first Part, beside []Part) []Result {
	type ended struct {
		Result
		printed *bytes.Buffer
	}
	others := make(chan ended, len(beside))
	go func() {
		defer close(others)
		for _, part := range beside {
			if ctx.Err() != nil {
				return
			}
			printed := &bytes.Buffer{}
			others <- ended{r.printingTo(printed).one(ctx, part), printed}
		}
	}()
	results := []Result{r.one(ctx, first)}
	for other := range others {
		_, _ = other.printed.WriteTo(r.out)
		results = append(results, other.Result)
	}
	return results
}

// one runs a part.
func (r *Runner) one(ctx context.Context, part Part) Result {
	r.progress.Printf("\n=== %s: %s", part.Name, part.Help)
	begin := time.Now()
	err := part.run(ctx, r)
	if err != nil {
		r.progress.Printf("%s failed: %v", part.Name, err)
	}
	return Result{part.Name, err, time.Since(begin)}
}

// printingTo is the same run with another output.
func (r *Runner) printingTo(out io.Writer) *Runner {
	other := *r
	other.out, other.progress, other.colours = out, stack.NewProgress(out), false
	return &other
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
	r.servers = sync.OnceValues(func() (*stack.Dependencies, error) {
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

// Choose picks the named parts, or all when none is named, but for those to be left out, in the order of parts. It
// returns Advice for a part that does not exist, and when nothing is left.
func Choose(parts []Part, only, without []string) ([]Part, error) {
	for _, name := range slices.Concat(only, without) {
		if !slices.ContainsFunc(parts, func(p Part) bool { return p.Name == name }) {
			return nil, stack.Advice(fmt.Sprintf("There is no part %q: choose of %s.", name, strings.Join(names(parts), ", ")))
		}
	}
	var chosen []Part
	for _, part := range parts {
		if (len(only) == 0 || slices.Contains(only, part.Name)) && !slices.Contains(without, part.Name) {
			chosen = append(chosen, part)
		}
	}
	if len(chosen) == 0 {
		return nil, stack.Advice("Nothing is left to run: every part that was asked for is left out.")
	}
	return chosen, nil
}

func names(parts []Part) []string {
	var all []string
	for _, part := range parts {
		all = append(all, part.Name)
	}
	return all
}

// report prints the table and the last line.
func report(out io.Writer, results []Result, without []string, interrupted error) error {
	var failed int
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "\npart\tresult\tduration")
	for _, result := range results {
		word := "passed"
		if result.Err != nil {
			word = "failed"
			failed++
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\n", result.Part, word, result.Took.Round(100*time.Millisecond))
	}
	_ = table.Flush()
	last := fmt.Sprintf("\n%d passed, %d failed", len(results)-failed, failed)
	if len(without) > 0 {
		last += ", left out: " + strings.Join(without, ", ")
	}
	_, _ = fmt.Fprintln(out, last)
	switch {
	case interrupted != nil:
		return errors.New("interrupted before every part has run")
	case failed > 0:
		return ErrFailed
	}
	return nil
}

// ErrFailed says that a part failed. The report has named it.
var ErrFailed = errors.New("a part failed")
