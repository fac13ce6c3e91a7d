// Command directory runs the directory of services, consultants, the office and appointment requests.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"baari.dev/services/contract"
	"baari.dev/services/directory"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/process"
)

type config struct {
	process.Config
	OfficeFile string `env:"OFFICE_FILE"` // empty: the default office
}

func main() {
	var c config
	if err := process.Load(&c); err != nil {
		process.Fail(contract.SourceDirectory, err)
	}
	document, err := directory.ReadOffice(c.OfficeFile)
	if err != nil {
		process.Fail(contract.SourceDirectory, fmt.Errorf("OFFICE_FILE: %w", err))
	}
	process.Main(contract.SourceDirectory, c.Config, directory.Migrations(), func(ctx context.Context, p *process.Process) error {
		d := directory.New(p.Pool, p.Outbox, document)
		if err := d.Start(ctx); err != nil {
			return err
		}
		follows := feed.Set{
			contract.SourceAuth:   p.Follow(contract.SourceAuth, c.AuthURL, d.FollowAuth()),
			contract.SourceVisits: p.Follow(contract.SourceVisits, c.VisitsURL, d.FollowVisits()),
		}
		table, err := endpoint.New(p.Deps(p.Verifier(), follows), d.Routes()...)
		if err != nil {
			return err
		}
		p.Public(table)
		p.Internal(d.InternalRoutes()...)
		p.Go(func(ctx context.Context) error { return reload(ctx, p, d, c.OfficeFile) })
		return nil
	})
}

// reload reads the office file again at each SIGHUP. A file that is not good changes nothing.
func reload(ctx context.Context, p *process.Process, d *directory.Directory, path string) error {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-hangups:
		}
		document, err := directory.ReadOffice(path)
		if err == nil {
			err = d.Reload(ctx, document)
		}
		if err != nil {
			p.Log.ErrorContext(ctx, "the office file was not taken over", "cause", err)
			continue
		}
		p.Log.InfoContext(ctx, "the office file was taken over")
	}
}
