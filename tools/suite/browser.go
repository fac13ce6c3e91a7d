package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"baari.dev/tools/stack"
)

// visitorsDay is the file of the browser test that follows one visit through the whole system.
const visitorsDay = "visitors-day"

// alone is the tag of tests that need their own system: they change the office for other tests, or measure time.
const alone = "@alone"

// lanes is the number of systems that the tests share, each with one browser. The tests wait for pages, restarts and
// deadlines most of the time: with two lanes, two thirds of two cores were idle. With four, slow pages made tests fail.
const lanes = 3

// quickBrowserPart runs the browser tests of the fast tier: the day of each role once, in one language and look.
func quickBrowserPart(ctx context.Context, r *Runner) error {
	return r.journeys(ctx, stack.Embedded, 2, nil, "--grep="+mainWay)
}

// mainWay is the tag of the browser tests of the fast tier.
const mainWay = "@main"

// browserPart runs all browser tests behind the embedded gateway, and the visitor's day also behind Traefik. The tests
// with the tag @alone have a system of their own.
func browserPart(ctx context.Context, r *Runner) error {
	if _, err := r.browser(ctx); err != nil {
		return err
	}
	return errors.Join(
		r.journeys(ctx, stack.Embedded, lanes, nil, "--grep-invert="+alone),
		r.journeys(ctx, stack.Embedded, 1, nil, "--grep="+alone),
		r.journeys(ctx, stack.Traefik, 1, nil, visitorsDay),
	)
}

// browser returns the path of Chromium. It also installs Redis, which the systems need.
func (r *Runner) browser(ctx context.Context) (string, error) {
	if err := r.ensure(ctx, redisServer); err != nil {
		return "", err
	}
	return FindChromium(ctx, r.Root, r.Out)
}

// everyScreenPart runs the browser tests with everything that a merge leaves out: every state of every screen, also by
// keyboard, and the other tests in all languages and looks (width and theme); a merge has two languages and two looks.
func everyScreenPart(ctx context.Context, r *Runner) error {
	return r.journeys(ctx, stack.Embedded, lanes, []string{"BAARI_NIGHT=1"}, "--grep-invert="+alone)
}

// everyLanguagePart checks every state in every language and in the pseudo-locale, at both widths, and leaves a contact
// sheet of each language and width in .baari/languages.
func everyLanguagePart(ctx context.Context, r *Runner) error {
	pictures := filepath.Join(r.Root, ".baari", "languages")
	if err := os.RemoveAll(pictures); err != nil {
		return err
	}
	settings := []string{"BAARI_EVERY_LANGUAGE=1", "BAARI_PICTURES=" + pictures}
	return r.journeys(ctx, stack.Embedded, lanes, settings, "every-language")
}

// frontDeskPart runs a whole day of every role by keyboard, and measures how a full list scrolls.
func frontDeskPart(ctx context.Context, r *Runner) error {
	settings := []string{"BAARI_WALK_INS=60", "BAARI_MEASURE=1"}
	return r.journeys(ctx, stack.Embedded, 1, settings, "keyboard-day", "smooth")
}

// offlinePart tests desks without network for half an hour, a hundred kills of a desk's browser, and a desk's speed.
func offlinePart(ctx context.Context, r *Runner) error {
	settings := []string{"BAARI_NIGHT=1", "BAARI_REAL_CUT=1", "BAARI_KILLS=100", "BAARI_MEASURE=1"}
	return r.journeys(ctx, stack.Embedded, 1, settings, "offline-morning", "offline-kills", "offline-speed")
}

// lighthousePart measures the landing page and the sign-in screen, and keeps every run in
// .baari/lighthouse.json. The variables of web/scripts/lighthouse.ts choose other languages and another number of runs.
func lighthousePart(ctx context.Context, r *Runner) error {
	browser, err := r.browser(ctx)
	if err != nil {
		return err
	}
	node, err := r.node()
	if err != nil {
		return err
	}
	program, err := stack.FindLighthouse(ctx, r.Progress)
	if err != nil {
		return err
	}
	system, err := r.open(ctx, stack.Embedded, true)
	if err != nil {
		return err
	}
	defer system.Stop()
	measure := node.Command(ctx, filepath.Join(r.Root, "web"), "node", filepath.Join("scripts", "lighthouse.ts"))
	return r.Run(measure, "BAARI_URL="+system.URL(), "BAARI_CHROMIUM="+browser, "BAARI_LIGHTHOUSE="+program,
		"BAARI_LIGHTHOUSE_FILE="+filepath.Join(r.Root, ".baari", "lighthouse.json"))
}

// journeys starts as many systems as there are lanes and runs the chosen browser tests, each on the next free system.
// Then the official clients use the first system, and what all systems have stored and logged is checked. settings are
// environment variables of the tests.
func (r *Runner) journeys(
	ctx context.Context, gateway stack.Gateway, lanes int, settings []string, chosen ...string,
) error {
	browser, err := r.browser(ctx)
	if err != nil {
		return err
	}
	node, err := r.node()
	if err != nil {
		return err
	}
	var started []*stack.Stack
	var reached []map[string]string
	for range lanes {
		system, err := r.open(ctx, gateway, slices.Contains(chosen, "--grep="+mainWay))
		if err != nil {
			return err
		}
		defer system.Stop()
		started, reached = append(started, system), append(reached, settingsOf(system))
	}
	systems, err := json.Marshal(reached)
	if err != nil {
		return err
	}
	results := "--output=" + filepath.Join("test-results", resultsOf(gateway, chosen[0]))
	test := node.Command(ctx, filepath.Join(r.Root, "web"), "playwright", append([]string{"test", results}, chosen...)...)
	settings = append(settings,
		"BAARI_SYSTEMS="+string(systems), "BAARI_GATEWAY="+string(gateway), "BAARI_CHROMIUM="+browser)
	errs := []error{r.Run(test, settings...), r.officialClients(ctx, node, started[0])}
	for _, system := range started {
		errs = append(errs, r.checkAfterwards(ctx, system))
	}
	return errors.Join(errs...)
}

// resultsOf returns the folder name for traces of failed tests. The next run with the same choice empties it.
func resultsOf(gateway stack.Gateway, chosen string) string {
	return string(gateway) + "-" + strings.NewReplacer("--", "", "=", "-", "@", "").Replace(chosen)
}

// open starts a system on an empty data folder: in one process, as `baari up` does, if whole is set, otherwise in
// separate processes, for tests that end a service.
func (r *Runner) open(ctx context.Context, gateway stack.Gateway, whole bool) (*stack.Stack, error) {
	data, err := os.MkdirTemp(r.Scratch, fmt.Sprintf("browser-%s-", gateway))
	if err != nil {
		return nil, err
	}
	r.Progress.Printf("--- behind the %s gateway", gateway)
	system, err := stack.Start(ctx, stack.Options{
		Root: r.Root, Data: data, Gateway: gateway, NoLimits: true, Spans: true, Separate: !whole,
		Progress: r.Progress,
	})
	if err != nil {
		return nil, err
	}
	if err := r.checkHolder(system.Process("gateway").Port, gateway); err != nil {
		system.Stop()
		return nil, err
	}
	return system, nil
}

// settingsOf returns the variables that the browser tests need to reach a system.
func settingsOf(system *stack.Stack) map[string]string {
	return map[string]string{
		"BAARI_URL": system.URL(), "BAARI_ACCOUNTS": system.Folder().Accounts(),
		"BAARI_PROCESSES": system.Folder().Processes(),
		"BAARI_MAIL":      system.Mail(), "BAARI_OPERATOR_KEY": system.OperatorKey(),
	}
}

// checkAfterwards checks that an erased visitor is in no table, that logs and metrics hold no personal data, and that
// the audit trail verifies, although processes were killed and people erased.
func (r *Runner) checkAfterwards(ctx context.Context, system *stack.Stack) error {
	searched, err := searchedIn(system)
	if err != nil {
		return err
	}
	search := r.Command(ctx, "tools", "go", plainTest("-run=^TestASystemKeeps", "./proof/canary")...)
	return errors.Join(
		r.Run(search, "BAARI_SEARCHED="+searched), stack.VerifyAudit(ctx, system.Options(), r.Out),
	)
}

// searchedIn describes a system for the test that searches it for personal data: its databases, logs and metrics.
func searchedIn(system *stack.Stack) (string, error) {
	databases, metrics := map[string]string{}, []string{}
	for _, service := range stack.Services {
		databases[service] = system.Roles(service).Owner
	}
	for _, admin := range system.Admin() {
		metrics = append(metrics, admin+"/metrics")
	}
	text, err := json.Marshal(map[string]any{
		"URL": system.URL(), "Accounts": system.Accounts(),
		"Places": map[string]any{"Databases": databases, "Logs": system.Folder().Logs(), "Metrics": metrics},
	})
	return string(text), err
}

// officialClients runs better-auth's own clients against the running system.
func (r *Runner) officialClients(ctx context.Context, node *stack.Node, system *stack.Stack) error {
	dir := filepath.Join(r.Root, "services", "auth", "conformance")
	if err := stack.InstallPackages(ctx, dir, "the official clients", node, r.Progress); err != nil {
		return err
	}
	return r.Run(
		node.Npm(ctx, dir, "test"), "BAARI_URL="+system.URL(), "MAIL_URL="+system.Mail(),
		"BAARI_ACCOUNTS="+system.Folder().Accounts(),
	)
}

// checkHolder returns an error if a program other than the chosen gateway listens on the port.
func (r *Runner) checkHolder(port int, gateway stack.Gateway) error {
	program, err := holderOf(port)
	if err != nil {
		return err
	}
	want := map[stack.Gateway]string{stack.Embedded: "baarid", stack.Traefik: "traefik"}[gateway]
	if !strings.HasPrefix(program, want) { // a cached Traefik has a hash in its name
		return fmt.Errorf("port %d is served by %s, not by %s", port, program, want)
	}
	r.Progress.Printf("port %d is served by %s", port, program)
	return nil
}
