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
	"baari.dev/services/platform/mail"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/process"
)

type config struct {
	process.Config
	OfficeFile string `env:"OFFICE_FILE"` // empty: the default office
	SMTPURL    string `env:"SMTP_URL"`    // empty: appointment requests are not mailed
	MailFrom   string `env:"MAIL_FROM"`
}

func main() {
	process.MigrateIfAsked(contract.SourceDirectory, directory.Migrations())
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
		if err := postgres.AtStart(ctx, d.Start); err != nil {
			return err
		}
		if err := post(p, d, c); err != nil {
			return err
		}
		follows := feed.Set{
			contract.SourceAuth:   p.Follow(contract.SourceAuth, c.AuthURL, d.FollowAuth()),
			contract.SourceVisits: p.Follow(contract.SourceVisits, c.VisitsURL, d.FollowVisits()),
		}
		deps := p.Deps(p.Verifier(), follows)
		deps.Conflicts = directory.Conflicts
		table, err := endpoint.New(deps, d.Routes()...)
		if err != nil {
			return err
		}
		p.Public(table)
		p.Internal(d.InternalRoutes()...)
		p.Retain([]string{contract.EntityService, contract.EntityConsultant, contract.EntityOffice}, d.Retention()...)
		p.Go(func(ctx context.Context) error { return reload(ctx, p, d, c.OfficeFile) })
		return nil
	})
}

// post has appointment requests mailed to the office, where a mail server is set up.
func post(p *process.Process, d *directory.Directory, c config) error {
	if c.SMTPURL == "" {
		p.Log.Warn("no mail server is set up: appointment requests are not mailed to the office; set SMTP_URL and MAIL_FROM")
		return nil
	}
	mailer, err := mail.NewSMTP(c.SMTPURL, c.MailFrom)
	if err != nil {
		return err
	}
	p.Go(directory.NewPost(d, mailer, c.BaseURL, p.Log).Run)
	return nil
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
