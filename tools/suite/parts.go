package suite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"baari.dev/tools/stack"
)

// goModules lists the modules of go.work by folder.
var goModules = []string{"services", "gateway", "tools"}

// Run runs a command with its output written to the output of the run. The error contains the command line.
func (r *Runner) Run(cmd *exec.Cmd, env ...string) error {
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdout, cmd.Stderr = r.Out, r.Out
	if err := stack.Run(cmd); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return nil
}

// Command returns a command with cgo off, as stack.GoCommand does: linters compile code, too.
func (r *Runner) Command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = filepath.Join(r.Root, dir), append(os.Environ(), "CGO_ENABLED=0")
	return cmd
}

// buildPart builds what the other parts start.
func buildPart(ctx context.Context, r *Runner) error {
	return stack.Build(ctx, stack.Options{Root: r.Root, Gateway: stack.Embedded, Progress: r.Progress})
}

// staticPart runs the checks that need no servers, among them the given scripts of the web. The scripts run before go
// vet, because the build part compiles meanwhile what go vet needs. The tests are uncached: they read files of other
// modules, and Go's cache does not notice when those change.
func staticPart(scripts ...string) func(context.Context, *Runner) error {
	return func(ctx context.Context, r *Runner) error {
		errs := []error{checkFormat(ctx, r), checkGenerated(ctx, r), r.Scripts(ctx, scripts...)}
		for _, module := range goModules {
			errs = append(errs, r.Run(r.Command(ctx, module, "go", "vet", "./...")))
		}
		test := r.Command(ctx, "tools", "go", plainTest("./budget", "./spec", sourceRules)...)
		return errors.Join(append(errs, r.Run(test))...)
	}
}

// quickGoPart runs the Go tests that have not passed yet with the current sources; Go's cache has the results of the
// others. It leaves out the race detector, for which every package would be compiled a second time, and the tests of
// the tools: `test all` has both.
func quickGoPart(args ...string) func(context.Context, *Runner) error {
	return func(ctx context.Context, r *Runner) error {
		env, errEnv := r.serverEnvironment(ctx)
		packages, err := r.packages(ctx, product...)
		if err = errors.Join(errEnv, err); err != nil {
			return err
		}
		test := append([]string{"test", "-short", "-vet=off", "-p=4", "-timeout=25m"}, args...)
		return r.Run(r.Command(ctx, "", "go", append(test, packages...)...), env...)
	}
}

func lintPart(ctx context.Context, r *Runner) error {
	linter, err := r.GoProgram(ctx, "golangci-lint", lintModule)
	if err != nil {
		return err
	}
	var errs []error
	for _, module := range goModules {
		cmd := r.Command(
			ctx, module, linter, "run", "--allow-parallel-runners", "--config", filepath.Join(r.Root, ".golangci.yml"),
			"./...",
		)
		errs = append(errs, r.Run(cmd))
	}
	return errors.Join(errs...)
}

// checkFormat returns an error that lists the files that gofmt would change.
func checkFormat(ctx context.Context, r *Runner) error {
	listed, err := stack.Output(r.Command(ctx, "", "gofmt", append([]string{"-l"}, goModules...)...))
	if err != nil {
		return fmt.Errorf("gofmt: %w", err)
	}
	if listed != "" {
		return fmt.Errorf("gofmt would change:\n%s", listed)
	}
	return nil
}

func webPart(ctx context.Context, r *Runner) error { return r.Scripts(ctx, "test") }

// Scripts runs scripts of the web's package.json.
func (r *Runner) Scripts(ctx context.Context, names ...string) error {
	node, err := r.node()
	if err != nil {
		return err
	}
	var plain []string
	var errs []error
	if !r.colours {
		plain = append(plain, "NO_COLOR=1") // vitest would colour file names on a build server
	}
	for _, name := range names {
		errs = append(errs, r.Run(node.Npm(ctx, filepath.Join(r.Root, "web"), "run", "--silent", name), plain...))
	}
	return errors.Join(errs...)
}

func goPart(ctx context.Context, r *Runner) error {
	env, err := r.goEnvironment(ctx)
	if err != nil {
		return err
	}
	var reached coverage
	err = r.eachModule(ctx, func(module string, packages []string) error {
		// Tests of services wait most of the time, for Redis, relays and locks. The nightly run has the full volumes.
		test := raceTest("-short", "-shuffle=on", "-p=4")
		if !slices.Contains(product, module) {
			return r.Run(r.Command(ctx, module, "go", append(test, packages...)...), env...)
		}
		var errs []error
		profile := "-coverprofile=" + filepath.Join(r.Scratch, "coverage-"+module)
		for _, group := range testedTogether(packages) {
			args := append(append(slices.Clone(test), profile), group...)
			err := r.Run(r.Command(ctx, module, "go", args...), env...)
			if err == nil {
				err = reached.add(filepath.Join(r.Scratch, "coverage-"+module))
			}
			errs = append(errs, err)
		}
		return errors.Join(errs...)
	})
	if err != nil {
		return err
	}
	return reached.judge(r.Out)
}

// eachModule calls do with each module and the packages of it that the part go tests. It returns all errors.
func (r *Runner) eachModule(ctx context.Context, do func(module string, packages []string) error) error {
	var errs []error
	for _, module := range goModules {
		packages, err := r.packages(ctx, module)
		if err == nil {
			err = do(module, packages)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// raceTest returns the arguments of go for tests with the race detector, uncached. Without DWARF, compilation takes an
// eighth less; stack traces do not need it. With trimmed paths, another clone uses the same build cache. The analyzers
// of go vet run in the part lint.
func raceTest(args ...string) []string {
	test := []string{"test", "-race", "-trimpath", "-vet=off", "-count=1", "-timeout=25m", "-gcflags=all=-dwarf=false"}
	return append(test, args...)
}

// plainTest returns the arguments of go for tests that call programs in other processes, uncached. The race detector
// would see only the tests themselves; without it they share the compiled packages of the programs and of this one.
func plainTest(args ...string) []string {
	return append([]string{"test", "-vet=off", "-count=1", "-timeout=25m"}, args...)
}

// packagePart returns a part that runs all tests of a package of tools, also the long ones.
func packagePart(name string) func(context.Context, *Runner) error {
	return func(ctx context.Context, r *Runner) error {
		return r.Run(r.Command(ctx, "tools", "go", plainTest(name)...))
	}
}

// Packages whose tests other parts run.
const (
	sourceRules  = "baari.dev/services" // part static
	gatewaySuite = "baari.dev/gateway/test"
	systemSuite  = "baari.dev/tools/proof/verify/system"
)

// packages returns the packages of modules that the part go tests, those with the most files of tests first: go test
// starts them in this order, and they take longest.
func (r *Runner) packages(ctx context.Context, modules ...string) ([]string, error) {
	const nameAndFiles = "{{.ImportPath}}{{range .TestGoFiles}} .{{end}}{{range .XTestGoFiles}} .{{end}}"
	list := []string{"list", "-f", nameAndFiles}
	for _, module := range modules {
		list = append(list, "./"+module+"/...")
	}
	listed, err := stack.Output(r.Command(ctx, "", "go", list...))
	if err != nil {
		return nil, fmt.Errorf("list the packages of %v: %w", modules, err)
	}
	names := strings.Split(strings.TrimSpace(listed), "\n")
	slices.SortStableFunc(names, func(a, b string) int { return strings.Count(b, " ") - strings.Count(a, " ") })
	for i, line := range names {
		names[i], _, _ = strings.Cut(line, " ")
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return name == sourceRules || name == gatewaySuite || name == systemSuite
	}), nil
}

// The variables with which tests find their PostgreSQL and Redis.
const (
	databaseVariable = "TEST_DATABASE_URL"
	redisVariable    = "TEST_REDIS_URL"
)

// goEnvironment returns the environment of Go tests with the race detector, which needs a C compiler.
func (r *Runner) goEnvironment(ctx context.Context) ([]string, error) {
	race, err := r.race(ctx)
	if err != nil {
		return nil, err
	}
	servers, err := r.serverEnvironment(ctx)
	return append(race, servers...), err
}

// serverEnvironment returns the environment of Go tests: PostgreSQL, PgBouncer, Redis and Chromium.
func (r *Runner) serverEnvironment(ctx context.Context) ([]string, error) {
	if err := errors.Join(r.ensure(ctx, redisServer), r.ensure(ctx, pgBouncer)); err != nil {
		return nil, err
	}
	browser, err := FindChromium(ctx, r.Root, r.Out)
	if err != nil {
		return nil, err
	}
	servers, err := r.servers()
	if err != nil {
		return nil, err
	}
	return []string{
		databaseVariable + "=" + servers.Postgres, redisVariable + "=" + servers.Redis, "BAARI_CHROMIUM=" + browser,
	}, nil
}

func gatewayPart(ctx context.Context, r *Runner) error {
	traefik, err := stack.FindTraefik(ctx, r.Root, r.Progress)
	if err != nil {
		return err
	}
	return r.Run(r.Command(ctx, "gateway", "go", plainTest("-shuffle=on", "./test/...")...), "TRAEFIK="+traefik)
}

// systemPart runs the tests of a whole system, which they start.
func systemPart(ctx context.Context, r *Runner) error { return r.systemTests(ctx) }

// quickSystemPart leaves out what needs Traefik or a second system.
func quickSystemPart(ctx context.Context, r *Runner) error { return r.systemTests(ctx, "-short") }

func (r *Runner) systemTests(ctx context.Context, args ...string) error {
	if err := r.ensure(ctx, redisServer); err != nil {
		return err
	}
	if _, err := r.node(); err != nil { // the system includes the web
		return err
	}
	return r.Run(r.Command(ctx, "tools", "go", plainTest(append([]string{systemSuite}, args...)...)...))
}
