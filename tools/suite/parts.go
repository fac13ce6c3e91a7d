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

// goModules lists the folders of the modules of go.work.
var goModules = []string{"services", "gateway", "tools"}

// Run runs a command, and writes what it prints to the output of the run. The error contains the command line.
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

// Command returns a command with cgo disabled, as stack.GoCommand does, because linters compile code as well.
func (r *Runner) Command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = filepath.Join(r.Root, dir), append(os.Environ(), "CGO_ENABLED=0")
	return cmd
}

// buildPart builds the programs that the other parts start.
func buildPart(ctx context.Context, r *Runner) error {
	return stack.Build(ctx, stack.Options{Root: r.Root, Gateway: stack.Embedded, Progress: r.Progress})
}

// staticPart runs the checks that need no servers, among them the given scripts of the web. The scripts run before go
// vet, because meanwhile the part build compiles what go vet needs. Test results are not cached: the tests read files
// of other modules, whose changes Go's cache does not notice.
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
		plain = append(plain, "NO_COLOR=1") // otherwise vitest would colour file names on a build server
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
		// Tests of services mostly wait, so four packages run at once. The nightly run has no -short, so it tests more.
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

// eachModule calls f for each module, with the packages that belong to the part go. It returns all errors.
func (r *Runner) eachModule(ctx context.Context, f func(module string, packages []string) error) error {
	var errs []error
	for _, module := range goModules {
		packages, err := r.packages(ctx, module)
		if err == nil {
			err = f(module, packages)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// raceTest returns the arguments of go for tests with the race detector, whose results are not cached. Compilation
// takes an eighth less time without DWARF, which stack traces do not need. With trimmed paths, another clone can use
// the same build cache. go vet does not run here, because the part lint has its analyzers.
func raceTest(args ...string) []string {
	test := []string{"test", "-race", "-trimpath", "-vet=off", "-count=1", "-timeout=25m", "-gcflags=all=-dwarf=false"}
	return append(test, args...)
}

// plainTest returns the arguments of go for uncached tests that run other programs. The race detector would cover only
// the tests, not these programs. Without it, the tests use the same compiled packages as the programs.
func plainTest(args ...string) []string {
	return append([]string{"test", "-vet=off", "-count=1", "-timeout=25m"}, args...)
}

// packagePart returns a part that runs all tests of a package of tools, including the long ones.
func packagePart(name string) func(context.Context, *Runner) error {
	return func(ctx context.Context, r *Runner) error {
		return r.Run(r.Command(ctx, "tools", "go", plainTest(name)...))
	}
}

// Packages whose tests do not run in the part go, but in other parts.
const (
	sourceRules  = "baari.dev/services" // part static
	gatewaySuite = "baari.dev/gateway/test"
	systemSuite  = "baari.dev/tools/proof/verify/system"
)

// packages returns those packages of the given modules that belong to the part go. Those with the most test files come
// first, because they take longest and go test starts packages in this order.
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

// goEnvironment returns the environment of Go tests with the race detector: serverEnvironment and a C compiler.
func (r *Runner) goEnvironment(ctx context.Context) ([]string, error) {
	race, err := r.race(ctx)
	if err != nil {
		return nil, err
	}
	servers, err := r.serverEnvironment(ctx)
	return append(race, servers...), err
}

// serverEnvironment returns the environment of Go tests: the addresses of PostgreSQL and Redis, and the path of
// Chromium. It also makes PgBouncer available.
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

// systemPart runs the tests that start and test a whole system.
func systemPart(ctx context.Context, r *Runner) error { return r.systemTests(ctx) }

// quickSystemPart runs the tests of systemPart with each system in one process, and without Traefik.
func quickSystemPart(ctx context.Context, r *Runner) error { return r.systemTests(ctx, "-short") }

func (r *Runner) systemTests(ctx context.Context, args ...string) error {
	if err := r.ensure(ctx, redisServer); err != nil {
		return err
	}
	if _, err := r.node(); err != nil { // the system includes the web, whose build needs Node.js
		return err
	}
	return r.Run(r.Command(ctx, "tools", "go", plainTest(append([]string{systemSuite}, args...)...)...))
}
