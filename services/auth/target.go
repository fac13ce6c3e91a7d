package auth

import (
	"context"
	"fmt"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/process"
)

// collectorPercent lets the heap grow to about 50 MB, five times the live heap. Each hash allocates 19 MiB, which with
// the default of 100 starts the garbage collector nearly every time.
const collectorPercent = 400

// Target returns the process target of the service.
func Target() process.Target {
	return process.Target{
		Name: contract.SourceAuth, Migrations: Migrations(), Configure: process.Configured(Config.start),
		GCPercent: collectorPercent,
	}
}

func (c Config) start(ctx context.Context, p *process.Process) error {
	mailer, err := c.Mailer()
	if err != nil {
		return err
	}
	if mailer == nil {
		p.Log.Warn("no mail server is configured: password resets, invitations and changes of address are not mailed; " +
			"set SMTP_URL and MAIL_FROM")
	}
	service, err := New(c.Options(), Deps{
		Pool: p.Pool, Outbox: p.Outbox, Limiter: p.Limiter, Registry: p.Registry, Mailer: mailer, Log: p.Log,
	})
	if err != nil {
		return err
	}
	if err := postgres.AtStart(ctx, service.Settings().Load); err != nil {
		return err
	}
	first, named, err := c.First()
	if err != nil {
		return err
	}
	if named {
		err := postgres.AtStart(ctx, func(ctx context.Context) error { return service.Bootstrap(ctx, first) })
		if err != nil {
			return fmt.Errorf("create the administrator of BOOTSTRAP_ADMIN_EMAIL: %w", err)
		}
	}
	table, err := endpoint.New(service.Deps(p.Deps(service, feed.Set{})), service.Routes()...)
	if err != nil {
		return err
	}
	p.Follow(contract.SourceDirectory, c.DirectoryURL, service.Settings().Follow())
	p.Public(table)
	p.Internal(service.InternalRoutes()...)
	p.Retain([]string{contract.EntityUser}, service.Retention()...)
	p.Go(service.Sweep)
	p.Go(service.SendMails)
	return nil
}
