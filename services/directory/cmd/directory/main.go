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
	"baari.dev/services/platform/office"
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
	build := func(ctx context.Context, p *process.Process) error { return build(ctx, p, c, document) }
	process.Main(contract.SourceDirectory, c.Config, directory.Migrations(), build)
}

// build connects the service to its database, feeds and listeners.
func build(ctx context.Context, p *process.Process, c config, document office.Document) error {
	s := directory.New(p.Pool, p.Outbox, p.Limiter, document)
	if err := postgres.AtStart(ctx, s.Start); err != nil {
		return err
	}
	if err := post(p, s, c); err != nil {
		return err
	}
	follows := feed.Set{
		contract.SourceAuth:   p.Follow(contract.SourceAuth, c.AuthURL, s.FollowAuth()),
		contract.SourceVisits: p.Follow(contract.SourceVisits, c.VisitsURL, s.FollowVisits()),
	}
	deps := p.Deps(p.Verifier(), follows)
	deps.Conflicts = directory.Conflicts
	table, err := endpoint.New(deps, s.Routes()...)
	if err != nil {
		return err
	}
	p.Public(table)
	p.Internal(s.InternalRoutes()...)
	kept := []string{
		contract.EntityService, contract.EntityConsultant, contract.EntityDueDate, contract.EntityOffice,
		contract.EntityVoicePack,
	}
	p.Retain(kept, s.Retention()...)
	p.Go(func(ctx context.Context) error { return reload(ctx, p, s, c.OfficeFile) })
	return nil
}

// post starts mailing appointment requests to the office, if a mail server is configured.
func post(p *process.Process, s *directory.Service, c config) error {
	if c.SMTPURL == "" {
		p.Log.Warn("no mail server is configured: appointment requests are not mailed; set SMTP_URL and MAIL_FROM")
		return nil
	}
	mailer, err := mail.NewSMTP(c.SMTPURL, c.MailFrom)
	if err != nil {
		return err
	}
	p.Go(directory.NewPost(s, mailer, c.BaseURL, p.Log).Run)
	return nil
}

// reload reads the office file again at each SIGHUP. An invalid file is logged and changes nothing.
func reload(ctx context.Context, p *process.Process, s *directory.Service, path string) error {
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
			err = s.Reload(ctx, document)
		}
		if err != nil {
			p.Log.ErrorContext(ctx, "the office file was not loaded", "cause", err)
			continue
		}
		p.Log.InfoContext(ctx, "the office file was loaded")
	}
}
