package suite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"

	"baari.dev/tools/stack"
)

// Nightly lists the checks that take too long for every merge.
var Nightly = []Part{
	{"night", "tests with build tag nightly, and realtime's tests twenty times", nightPart},
	{"flakes", "the Go, web and browser tests of `baari test` three times, beside busy loops", flakesPart},
	{"start", "the README's two commands on empty build caches and again, within their limits of time", startPart},
	{"system", "10,000 invalid requests, and the tests of a whole system of every merge", nightlySystemPart},
	{"desk", "a day of 60 visits by keyboard only, and the frame times of a list of 1,000 visits", frontDeskPart},
	{
		"screens", "axe on every state of every screen, each by keyboard only, the browser tests in every look and language",
		everyScreenPart,
	},
	{
		"languages", "every state of every screen in all languages and a longer one, with contact sheets of them",
		everyLanguagePart,
	},
	{
		"offline", "two desks cut off for half an hour, a hundred kills of a desk's browser, the time to its paper dialog",
		offlinePart,
	},
	{
		"lighthouse", "the landing page and the sign-in screen, in English, Hindi and Tamil",
		lighthousePart,
	},
	{"fuzz", "each fuzz target for ten minutes", fuzzPart},
	{
		"alerts", "each alert fires under its fault, and none in a quiet time",
		labPart("verify", "alerts", "--quiet=1h"),
	},
	{
		"mutants", "bugs planted in the product, each of which the checker must detect",
		experiment("mutants", "chaos", "mutants"),
	},
	{
		"rolling", "every service restarted five times under load without a failed request",
		experiment("rolling", "chaos", "rolling"),
	},
	{
		"whole", "all targets in one process, which is killed three times under load",
		experiment("whole", "chaos", "whole"),
	},
	{
		"drill", "a million visits backed up under load, restored on another port, and checked",
		experiment("drill", "restore", "drill"),
	},
	{"load", "k6: up to sixty visitors a second, then ten a second for two hours", loadPart("2h")},
	{"chaos", "twenty minutes of faults, then the checks of the history", experiment("chaos", "chaos", "--nightly")},
}

// Release lists the checks before a release: the nightly checks, of which two run longer, and the supply chain.
var Release = slices.Concat(Nightly[:len(Nightly)-2], []Part{
	{"load", "k6: up to sixty visitors a second, then ten a second for twelve hours", loadPart("12h")},
	{"chaos", "two hours of faults, then the checks of the history", experiment("chaos", "chaos", "--release")},
	{"supply", "the image, known vulnerabilities and licences of the dependencies", supplyPart},
})

const fuzzTime = "10m"

func nightPart(ctx context.Context, r *Runner) error {
	env, err := r.goEnvironment(ctx)
	if err != nil {
		return err
	}
	err = r.eachModule(ctx, func(module string, packages []string) error {
		test := append([]string{"test", "-tags", "nightly", "-count=1", "-p=1", "-timeout=60m"}, packages...)
		return r.Run(r.Command(ctx, module, "go", test...), env...)
	})
	repeated := []string{"test", "-race", "-shuffle=on", "-count=20", "-timeout=60m", "./realtime/..."}
	return errors.Join(err, r.Run(r.Command(ctx, "services", "go", repeated...), env...))
}

// nightlySystemPart runs the tests of a system with a new random sample of requests, which the printed seed reproduces.
func nightlySystemPart(ctx context.Context, r *Runner) error {
	seed := rand.Uint64N(1_000_000)
	r.Progress.Printf("seed %d", seed)
	return r.systemTests(ctx, "-tags", "nightly", "-timeout", "60m", "-args", "-seed", fmt.Sprint(seed))
}

var fuzzName = regexp.MustCompile(`(?m)^Fuzz\w+$`)

func fuzzPart(ctx context.Context, r *Runner) error {
	env, err := r.goEnvironment(ctx)
	if err != nil {
		return err
	}
	targets := 0
	err = r.eachModule(ctx, func(module string, packages []string) error {
		var errs []error
		for _, name := range packages {
			listed, err := stack.Output(r.Command(ctx, module, "go", "test", "-list", "^Fuzz", name))
			if err != nil {
				errs = append(errs, fmt.Errorf("list the fuzz targets of %s: %w", name, err))
			}
			for _, target := range fuzzName.FindAllString(listed, -1) {
				targets++
				fuzz := []string{"test", "-run", "^$", "-fuzz", "^" + target + "$", "-fuzztime", fuzzTime, name}
				errs = append(errs, r.Run(r.Command(ctx, module, "go", fuzz...), env...))
			}
		}
		return errors.Join(errs...)
	})
	if targets == 0 {
		err = errors.Join(err, errors.New("there is no fuzz target"))
	}
	return err
}

// lab runs a command of tools/lab, which has the commands that are not part of the launcher.
func (r *Runner) lab(ctx context.Context, args ...string) error {
	program, err := stack.BuildProgram(ctx, stack.Options{Root: r.Root, Progress: r.Progress}, stack.Lab)
	if err != nil {
		return err
	}
	cmd := r.Command(ctx, "", program, args...)
	cmd.WaitDelay = partGrace // time for the command to stop its systems
	return r.Run(cmd)
}

func labPart(args ...string) func(context.Context, *Runner) error {
	return func(ctx context.Context, r *Runner) error { return r.lab(ctx, args...) }
}

// experiment returns a part that runs a command of lab on a data folder of this name, with a new seed each time.
func experiment(name string, args ...string) func(context.Context, *Runner) error {
	return func(ctx context.Context, r *Runner) error {
		return r.keeping(name, func() error {
			return r.lab(ctx, append(slices.Clone(args), "--data="+filepath.Join(r.Scratch, name),
				fmt.Sprintf("--seed=%d", rand.Uint64N(1_000_000)))...)
		})
	}
}

// loadPart runs the k6 scenarios of T22 (services/docs/gates.md): a ramp of arrivals, then a soak at a constant rate.
func loadPart(soak string) func(context.Context, *Runner) error {
	return func(ctx context.Context, r *Runner) error {
		queue := func(args ...string) error {
			return r.lab(ctx, append([]string{"bench", "queue", "--dashboards=200", "--record=false"}, args...)...)
		}
		return errors.Join(queue("--profile=ramp", "--lasting=10m", "--rate=60"),
			queue("--profile=soak", "--lasting="+soak, "--rate=10"))
	}
}

// keeping calls run, an experiment in a data folder of this name. After a failure its logs stay until the next run.
func (r *Runner) keeping(name string, run func() error) error {
	kept := filepath.Join(r.Root, ".baari", "test", name+"-logs")
	if err := os.RemoveAll(kept); err != nil {
		return err
	}
	failed := run()
	if failed == nil {
		return nil
	}
	r.Progress.Printf("the logs and the history of the run are in %s", kept)
	return errors.Join(failed, keepLogs(filepath.Join(r.Scratch, name), kept))
}

// keepLogs copies the logs and the histories of a data folder to another folder.
func keepLogs(data, to string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	kept, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer func() { _ = kept.Close() }()
	for _, pattern := range []string{"logs/*.log*", "*.jsonl"} {
		files, _ := fs.Glob(os.DirFS(data), pattern) // cannot fail, because the patterns are valid
		for _, file := range files {
			text, err := os.ReadFile(filepath.Join(data, file))
			if err != nil {
				return err
			}
			if err := kept.WriteFile(filepath.Base(file), text, 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}

// smokePart is the short chaos run of every merge.
var smokePart = experiment("chaos", "chaos")

const vulnModule = "golang.org/x/vuln/cmd/govulncheck@v1.9.0"

// unreachable matches the output of the checks if the vulnerability database cannot be reached.
var unreachable = regexp.MustCompile(`(?i)no such host|connection refused|i/o timeout|ENOTFOUND|ECONNREFUSED` +
	`|EAI_AGAIN|ETIMEDOUT|audit endpoint returned|endpoint is being retired|fetching vulnerabilities` +
	`|40[345] |Forbidden`)

// supplyPart checks the licences and the image, and queries the databases of known vulnerabilities. A database that
// cannot be reached is reported and is no failure. There are no exceptions: a vulnerable module is updated or removed.
func supplyPart(ctx context.Context, r *Runner) error {
	errs := []error{r.Run(r.Command(ctx, "tools", "go", plainTest("./licences")...)), r.lab(ctx, "part", "image")}
	for _, module := range goModules {
		cmd := r.Command(ctx, module, "go", "run", vulnModule, "./...")
		errs = append(errs, r.query("govulncheck "+module, cmd))
	}
	node, err := r.node()
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	audit := node.Npm(ctx, filepath.Join(r.Root, "web"), "audit", "--omit=dev", "--audit-level=high")
	return errors.Join(append(errs, r.query("npm audit", audit))...)
}

// query runs a check that needs a remote database. If the database cannot be reached, query does not fail.
func (r *Runner) query(name string, cmd *exec.Cmd) error {
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	err := stack.Run(cmd)
	if err != nil && unreachable.Match(output.Bytes()) {
		r.Progress.Printf("%s: not run: unreachable", name)
		return nil
	}
	_, _ = io.Copy(r.Out, &output)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	r.Progress.Printf("%s: nothing known", name)
	return nil
}
