package suite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"baari.dev/tools/canary"
	"baari.dev/tools/stack"
)

// visitorsDay is the journey that crosses the whole system.
const visitorsDay = "visitors-day"

// e2ePart runs every journey behind the embedded gateway, and the visitor's day behind Traefik too.
func e2ePart(ctx context.Context, r *Runner) error {
	if err := r.ensure(ctx, redisServer); err != nil {
		return err
	}
	browser, err := FindChromium(ctx, r.root, r.out)
	if err != nil {
		return err
	}
	return errors.Join(
		r.journeys(ctx, browser, stack.Embedded, nil),
		r.journeys(ctx, browser, stack.Traefik, nil, visitorsDay),
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
	return r.journeys(ctx, browser, stack.Embedded, settings, names...)
}

// journeys starts the system on an empty data folder and runs the browser tests against it; settings are theirs.
func (r *Runner) journeys(ctx context.Context, browser string, gateway stack.Gateway, settings []string, args ...string) error {
	node, err := r.node()
	if err != nil {
		return err
	}
	ports, err := stack.FreePorts(1)
	if err != nil {
		return err
	}
	data := filepath.Join(r.scratch, "e2e-"+string(gateway))
	r.progress.Printf("--- behind the %s gateway", gateway)
	options := stack.Options{Root: r.root, Data: data, Port: ports[0], Gateway: gateway, NoLimits: true, Spans: true, Progress: r.progress}
	system, err := stack.Start(ctx, options)
	if err != nil {
		return err
	}
	defer system.Stop()
	if err := r.checkHolder(ports[0], gateway); err != nil {
		return err
	}
	settings = append(settings, "BAARI_URL="+system.URL(), "BAARI_ACCOUNTS="+system.Folder().Accounts(), "BAARI_PROCESSES="+system.Folder().Processes(),
		"BAARI_MAIL="+system.Mail(), "BAARI_SERVICE_SECRET="+system.ServiceSecret(), "BAARI_GATEWAY="+string(gateway), "BAARI_CHROMIUM="+browser)
	err = r.run(node.Command(ctx, filepath.Join(r.root, "web"), "playwright", append([]string{"test"}, args...)...), settings...)
	places := written(system)
	return errors.Join(err, r.officialClients(ctx, node, system),
		// nobody stands in what was written, and who asks for it in nothing that is stored
		places.Check(ctx), forget(ctx, system, places),
		// whatever the journeys killed and whoever was erased, the audit trail of their day is whole
		stack.RunService(ctx, options, nil, r.out, "audit", "verify"))
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
