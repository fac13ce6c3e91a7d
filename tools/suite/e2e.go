package suite

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"baari.dev/tools/stack"
)

// e2ePart runs every journey behind the embedded gateway, and those marked @gateway behind Traefik too.
func e2ePart(ctx context.Context, r *Runner) error {
	for _, need := range []debianPackage{redisServer, chromium} {
		if err := r.ensure(ctx, need); err != nil {
			return err
		}
	}
	return errors.Join(
		r.journeys(ctx, stack.Embedded),
		r.journeys(ctx, stack.Traefik, "--grep", "@gateway"),
	)
}

// journeys starts the system on an empty data folder and runs the browser tests against it.
func (r *Runner) journeys(ctx context.Context, gateway stack.Gateway, args ...string) error {
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
	system, err := stack.Start(ctx, stack.Options{
		Root: r.root, Data: data, Port: ports[0], Gateway: gateway, NoLimits: true, Progress: r.progress,
	})
	if err != nil {
		return err
	}
	defer system.Stop()
	browser := os.Getenv("BAARI_CHROMIUM")
	if browser == "" {
		browser = chromium.find()
	}
	return r.run(node.Command(ctx, filepath.Join(r.root, "web"), "playwright", append([]string{"test"}, args...)...),
		"BAARI_URL="+system.URL(), "BAARI_ACCOUNTS="+system.Folder().Accounts(), "BAARI_PROCESSES="+system.Folder().Processes(),
		"BAARI_MAIL="+system.Mail(), "BAARI_GATEWAY="+string(gateway), "BAARI_CHROMIUM="+browser)
}
