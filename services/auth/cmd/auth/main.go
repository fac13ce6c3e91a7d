// Command auth runs the auth service. `auth admin create` creates an administrator.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"

	"baari.dev/services/auth"
	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/process"
	"baari.dev/services/platform/retention"
)

const name = "auth"

// collectorPercent lets the heap grow to five times the live heap, about 50 MB. Each hash allocates 19 MiB, which
// with the default of 100 starts the garbage collector nearly every time. A GOGC other than 100 takes precedence.
const (
	collectorPercent = 400
	usualPercent     = 100
)

const usage = "the only command is: auth admin create --email ADDRESS --name NAME [--password-file FILE]"

func main() {
	if given := debug.SetGCPercent(collectorPercent); given != usualPercent {
		debug.SetGCPercent(given)
	}
	migrations := []postgres.Set{outbox.Migrations(), retention.Migrations(), auth.Migrations()}
	process.MigrateIfAsked(name, migrations)
	var config auth.Config
	if err := process.Load(&config); err != nil {
		process.Fail(name, err)
	}
	if args := os.Args[1:]; len(args) > 0 {
		if len(args) < 2 || !slices.Equal(args[:2], []string{"admin", "create"}) {
			process.Fail(name, errors.New(usage))
		}
		if err := createAdmin(context.Background(), config, args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	process.Main(name, config.Config, migrations,
		func(ctx context.Context, p *process.Process) error { return build(ctx, p, config) })
}

func build(ctx context.Context, p *process.Process, config auth.Config) error {
	mailer, err := config.Mailer()
	if err != nil {
		return err
	}
	if mailer == nil {
		p.Log.Warn("no mail server is configured: password resets, invitations and changes of address are not mailed; " +
			"set SMTP_URL and MAIL_FROM")
	}
	service, err := auth.New(config.Options(), auth.Deps{
		Pool: p.Pool, Outbox: p.Outbox, Limiter: p.Limiter, Registry: p.Registry, Mailer: mailer, Log: p.Log,
	})
	if err != nil {
		return err
	}
	first, named, err := config.First()
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
	p.Public(table)
	p.Internal(service.InternalRoutes()...)
	p.Retain([]string{contract.EntityUser}, service.Retention()...)
	p.Go(service.Sweep)
	p.Go(service.SendMails)
	return nil
}
