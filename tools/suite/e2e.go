package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"baari.dev/tools/canary"
	"baari.dev/tools/stack"
)

// visitorsDay is the journey that crosses the whole system.
const visitorsDay = "visitors-day"

// alone is what journeys are tagged with that leave no office as others expect it, or hold the system to a time and want the machine for that.
const alone = "@alone"

// lanes are how many systems share the journeys among them, each with a browser: one leaves half of a small machine idle, and
// offices do not get in each other's way.
const lanes = 2

// e2ePart runs every journey behind the embedded gateway, those that need it on a system of their own, and the visitor's day behind Traefik too.
func e2ePart(ctx context.Context, r *Runner) error {
	if err := r.ensure(ctx, redisServer); err != nil {
		return err
	}
	browser, err := FindChromium(ctx, r.root, r.out)
	if err != nil {
		return err
	}
	return errors.Join(
		r.journeys(ctx, browser, stack.Embedded, lanes, nil, "--grep-invert="+alone),
		r.journeys(ctx, browser, stack.Embedded, 1, nil, "--grep="+alone),
		r.journeys(ctx, browser, stack.Traefik, 1, nil, visitorsDay),
	)
}

// everyScreenPart judges every state in each of its four looks, of which a merge takes one for most, and walks through every screen by keyboard.
func everyScreenPart(ctx context.Context, r *Runner) error {
	return r.nightlyJourneys(ctx, []string{"BAARI_EVERY_LOOK=1"}, "every-screen", "keyboard-walk")
}

// frontDeskPart is what a night has the time for: a whole day by keyboard through every role, and how smooth a full list is.
func frontDeskPart(ctx context.Context, r *Runner) error {
	return r.nightlyJourneys(ctx, []string{"BAARI_WALK_INS=60", "BAARI_MEASURE=1"}, "keyboard-day", "smooth")
}

// nightlyJourneys runs some journeys as a night does.
func (r *Runner) nightlyJourneys(ctx context.Context, settings []string, names ...string) error {
	if err := r.ensure(ctx, redisServer); err != nil {
		return err
	}
	browser, err := FindChromium(ctx, r.root, r.out)
	if err != nil {
		return err
	}
	return r.journeys(ctx, browser, stack.Embedded, 1, settings, names...)
}

// journeys runs the browser tests that are chosen against some systems, each test on the next that is free, and then looks at what the
// systems have written; settings are the tests'.
func (r *Runner) journeys(ctx context.Context, browser string, gateway stack.Gateway, lanes int, settings []string, chosen ...string) error {
	node, err := r.node()
	if err != nil {
		return err
	}
	var stages []stage
	var told []map[string]string
	for range lanes {
		started, err := r.open(ctx, gateway)
		if err != nil {
			return err
		}
		defer started.system.Stop()
		stages, told = append(stages, started), append(told, started.told())
	}
	systems, err := json.Marshal(told)
	if err != nil {
		return err
	}
	results := "--output=" + filepath.Join("test-results", resultsOf(gateway, chosen[0]))
	test := node.Command(ctx, filepath.Join(r.root, "web"), "playwright", append([]string{"test", results}, chosen...)...)
	errs := []error{r.run(test, append(settings, "BAARI_SYSTEMS="+string(systems), "BAARI_GATEWAY="+string(gateway), "BAARI_CHROMIUM="+browser)...)}
	for _, played := range stages {
		errs = append(errs, r.lookBack(ctx, node, played))
	}
	return errors.Join(errs...)
}

// resultsOf names the folder for the traces of what fails, which the next run of the same choice empties.
func resultsOf(gateway stack.Gateway, chosen string) string {
	return string(gateway) + "-" + strings.NewReplacer("--", "", "=", "-", "@", "").Replace(chosen)
}

// stage is a system that journeys are played on.
type stage struct {
	options stack.Options
	system  *stack.Stack
}

// open starts a system on an empty data folder.
func (r *Runner) open(ctx context.Context, gateway stack.Gateway) (stage, error) {
	ports, err := stack.FreePorts(1)
	if err != nil {
		return stage{}, err
	}
	data, err := os.MkdirTemp(r.scratch, fmt.Sprintf("e2e-%s-", gateway))
	if err != nil {
		return stage{}, err
	}
	r.progress.Printf("--- behind the %s gateway", gateway)
	options := stack.Options{Root: r.root, Data: data, Port: ports[0], Gateway: gateway, NoLimits: true, Spans: true, Progress: r.progress}
	system, err := stack.Start(ctx, options)
	if err != nil {
		return stage{}, err
	}
	if err := r.checkHolder(ports[0], gateway); err != nil {
		system.Stop()
		return stage{}, err
	}
	return stage{options, system}, nil
}

// told is what the journeys must know of their system.
func (s stage) told() map[string]string {
	return map[string]string{
		"BAARI_URL": s.system.URL(), "BAARI_ACCOUNTS": s.system.Folder().Accounts(), "BAARI_PROCESSES": s.system.Folder().Processes(),
		"BAARI_MAIL": s.system.Mail(), "BAARI_SERVICE_SECRET": s.system.ServiceSecret(),
	}
}

// lookBack asks the official clients, and then looks at what was written: nobody stands in it, who asks for it stands in nothing that is
// stored, and whatever the journeys killed and whoever was erased, the audit trail of their day is whole.
func (r *Runner) lookBack(ctx context.Context, node *stack.Node, played stage) error {
	places := written(played.system)
	return errors.Join(
		r.officialClients(ctx, node, played.system),
		places.Check(ctx), forget(ctx, played.system, places),
		stack.RunService(ctx, played.options, nil, r.out, "audit", "verify"),
	)
}

// written is what the processes of a system have written, and the databases that know what must not stand there.
func written(system *stack.Stack) canary.Places {
	places := canary.Places{Databases: map[string]string{}, Logs: system.Folder().Logs()}
	for _, service := range stack.Services {
		places.Databases[service] = system.Roles(service).Owner
	}
	for _, process := range system.Processes() {
		if process.AdminPort != 0 {
			places.Metrics = append(places.Metrics, fmt.Sprintf("http://127.0.0.1:%d/metrics", process.AdminPort))
		}
	}
	return places
}

// officialClients drives better-auth's own clients against the running system.
func (r *Runner) officialClients(ctx context.Context, node *stack.Node, system *stack.Stack) error {
	dir := filepath.Join(r.root, "services", "auth", "conformance")
	if err := stack.InstallPackages(ctx, dir, "the official clients", node, r.progress); err != nil {
		return err
	}
	return r.run(node.Npm(ctx, dir, "test"), "BAARI_URL="+system.URL(), "MAIL_URL="+system.Mail(), "BAARI_ACCOUNTS="+system.Folder().Accounts())
}

// checkHolder fails when another gateway than the chosen one holds the port.
func (r *Runner) checkHolder(port int, gateway stack.Gateway) error {
	program, err := holderOf(port)
	if err != nil {
		return err
	}
	want := map[stack.Gateway]string{stack.Embedded: "gateway", stack.Traefik: "traefik"}[gateway]
	if !strings.HasPrefix(program, want) { // a Traefik of the cache carries a hash in its name
		return fmt.Errorf("port %d is held by %s, not by %s", port, program, want)
	}
	r.progress.Printf("port %d is held by %s", port, program)
	return nil
}
