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
	"time"

	"baari.dev/tools/proof/chaos"
	"baari.dev/tools/stack"
)

// QuietNight is the time in which no alert may fire in a nightly run.
const QuietNight = time.Hour

// Nightly lists the checks that take too long for every merge.
var Nightly = []Part{
	{"night", "tests with build tag nightly, and realtime's tests twenty times", nightPart},
	{"flakes", "the Go, web and browser tests of `baari test` three times, beside busy loops", flakesPart},
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
	{"lighthouse", "the landing page and the sign-in screen, in English, Hindi and Tamil", lighthousePart},
	{"fuzz", "each fuzz target for ten minutes", fuzzPart},
	Alerts(QuietNight, nil),
	{"mutants", "bugs planted in the product, each of which the checker must detect", mutantsPart},
	{"rolling", "every service restarted five times under load without a failed request", rollingPart},
	{"drill", "a million visits backed up under load, restored on another port, and checked", drillPart},
	{"load", "k6: up to sixty visitors a second, then ten a second for two hours", loadPart(2 * time.Hour)},
	{"chaos", "twenty minutes of faults, then the checks of the history", chaosPart(chaos.Options{
		Lasting: 20 * time.Minute,
	})},
}

// Release lists the checks before a release: the nightly ones with a longer soak and longer faults, and the supply
// chain.
var Release = slices.Concat(Nightly[:len(Nightly)-2], []Part{
	{"load", "k6: up to sixty visitors a second, then ten a second for twelve hours", loadPart(12 * time.Hour)},
	{"chaos", "two hours of faults, then the checks of the history", chaosPart(chaos.Options{Lasting: 2 * time.Hour})},
	{"supply", "the image, known vulnerabilities and licences of the dependencies", supplyPart},
})

func lighthousePart(ctx context.Context, r *Runner) error {
	return r.run(r.command(ctx, ".", "go", "run", "./tools/baari", "verify", "lighthouse"))
}

// fuzzTime is the run time of each fuzz target.
const fuzzTime = "10m"

func nightPart(ctx context.Context, r *Runner) error {
	env, err := r.goEnvironment(ctx)
	if err != nil {
		return err
	}
	err = r.eachModule(ctx, func(module string, packages []string) error {
		test := append([]string{"test", "-tags", "nightly", "-count=1", "-p=1"}, packages...)
		return r.run(r.command(ctx, module, "go", test...), env...)
	})
	repeated := []string{"test", "-race", "-shuffle=on", "-count=20", "-timeout=60m", "./realtime/..."}
	return errors.Join(err, r.run(r.command(ctx, "services", "go", repeated...), env...))
}

// nightlySystemPart draws a new sample of requests each night; the printed seed reproduces it.
func nightlySystemPart(ctx context.Context, r *Runner) error {
	seed := rand.Uint64N(1_000_000)
	r.progress.Printf("seed %d", seed)
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
			listed, err := stack.Output(r.command(ctx, module, "go", "test", "-list", "^Fuzz", name))
			if err != nil {
				errs = append(errs, fmt.Errorf("list the fuzz targets of %s: %w", name, err))
			}
			for _, target := range fuzzName.FindAllString(listed, -1) {
				targets++
				fuzz := []string{"test", "-run", "^$", "-fuzz", "^" + target + "$", "-fuzztime", fuzzTime, name}
				errs = append(errs, r.run(r.command(ctx, module, "go", fuzz...), env...))
			}
		}
		return errors.Join(errs...)
	})
	if targets == 0 {
		err = errors.Join(err, errors.New("there is no fuzz target"))
	}
	return err
}

// experiment returns a part that runs an experiment of package chaos on a folder of this name and prints the outcome.
func experiment[O chaos.Outcome](
	name string, options chaos.Options, run func(context.Context, chaos.Options) (O, error),
) func(context.Context, *Runner) error {
	return func(ctx context.Context, r *Runner) error {
		if err := r.ensure(ctx, redisServer); err != nil {
			return err
		}
		options.Root, options.Data, options.Progress = r.root, filepath.Join(r.scratch, name), r.progress
		options.Seed, options.Rate = rand.Uint64N(1_000_000), 30
		return r.keeping(name, func() error {
			outcome, err := run(ctx, options)
			return chaos.Conclude(r.out, outcome, err)
		})
	}
}

// keeping runs an experiment whose data folder has its name. If it fails, its logs and histories are kept until the
// next one.
func (r *Runner) keeping(name string, run func() error) error {
	kept := filepath.Join(r.root, ".baari", "test", name+"-logs")
	if err := os.RemoveAll(kept); err != nil {
		return err
	}
	failed := run()
	if failed == nil {
		return nil
	}
	r.progress.Printf("the logs and the history of the run are in %s", kept)
	return errors.Join(failed, keepLogs(filepath.Join(r.scratch, name), kept))
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
		files, _ := fs.Glob(os.DirFS(data), pattern) // the patterns are well formed
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

func chaosPart(options chaos.Options) func(context.Context, *Runner) error {
	return experiment("chaos", options, chaos.Run)
}

var (
	// smokePart is the short chaos run of every merge.
	smokePart   = chaosPart(chaos.Options{Lasting: 90 * time.Second, Smoke: true})
	rollingPart = experiment("rolling", chaos.Options{}, chaos.Rolling)
	mutantsPart = experiment("mutants", chaos.Options{},
		func(ctx context.Context, o chaos.Options) (*chaos.Trials, error) { return chaos.Mutants(ctx, o) })
	drillPart = experiment("drill", chaos.Options{},
		func(ctx context.Context, o chaos.Options) (*chaos.DrillReport, error) { return chaos.Drill(ctx, o, 0) })
)

const vulnModule = "golang.org/x/vuln/cmd/govulncheck@v1.9.0"

// unreachable matches the output of the checks if the vulnerability database cannot be reached.
var unreachable = regexp.MustCompile(`(?i)no such host|connection refused|i/o timeout|ENOTFOUND|ECONNREFUSED` +
	`|EAI_AGAIN|ETIMEDOUT|audit endpoint returned|endpoint is being retired|fetching vulnerabilities` +
	`|40[345] |Forbidden`)

// supplyPart checks the licences and the image, and queries the databases of known vulnerabilities. A database that cannot be
// reached is reported and is no failure. There is no list of exceptions: a vulnerable module is updated or removed.
func supplyPart(ctx context.Context, r *Runner) error {
	errs := []error{checkLicences(ctx, r), checkImage(ctx, r)}
	for _, module := range goModules {
		cmd := r.command(ctx, module, "go", "run", vulnModule, "./...")
		errs = append(errs, r.query("govulncheck "+module, cmd))
	}
	node, err := r.node()
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	audit := node.Npm(ctx, filepath.Join(r.root, "web"), "audit", "--omit=dev", "--audit-level=high")
	return errors.Join(append(errs, r.query("npm audit", audit))...)
}

// query runs a check that needs a remote database.
func (r *Runner) query(name string, cmd *exec.Cmd) error {
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	err := stack.Run(cmd)
	if err != nil && unreachable.Match(output.Bytes()) {
		r.progress.Printf("%s: not run: unreachable", name)
		return nil
	}
	_, _ = io.Copy(r.out, &output)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	r.progress.Printf("%s: nothing known", name)
	return nil
}
