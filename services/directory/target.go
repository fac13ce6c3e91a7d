package directory

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"baari.dev/services/contract"
	"baari.dev/services/directory/settings"
	"baari.dev/services/office"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/mail"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/process"
)

// Target describes the service to package process, which runs it.
func Target() process.Target {
	return process.Target{Name: contract.SourceDirectory, Migrations: Migrations(), Configure: configure}
}

type config struct {
	process.Config
	OfficeFile string `env:"OFFICE_FILE"` // empty: the default office
	OfficeMode string `env:"OFFICE_MODE" envDefault:"product"`

	// Registration replaces the value of the file; empty: none.
	Registration string `env:"REGISTRATION"`

	SMTPURL  string `env:"SMTP_URL"` // empty: appointment requests are not mailed
	MailFrom string `env:"MAIL_FROM"`
}

func configure(env process.Environment) (process.Start, error) {
	var c config
	if err := env.Read(&c); err != nil {
		return nil, err
	}
	if c.OfficeMode != settings.ModeProduct && c.OfficeMode != settings.ModeFile {
		return nil, fmt.Errorf("OFFICE_MODE is %q; it may be %s or %s", c.OfficeMode, settings.ModeProduct, settings.ModeFile)
	}
	if !slices.Contains([]string{"", "open", "approval", "closed"}, c.Registration) {
		return nil, fmt.Errorf("REGISTRATION is %q; it may be open, approval or closed", c.Registration)
	}
	document, err := office.ReadFile(c.OfficeFile)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, p *process.Process) error { return c.start(ctx, p, document) }, nil
}

func (c config) start(ctx context.Context, p *process.Process, document office.Document) error {
	s := New(p.Pool, p.Outbox, p.Limiter, settings.Options{
		File: document, Mode: c.OfficeMode, Registration: c.Registration, Log: p.Log,
	})
	s.baseURL = strings.TrimSuffix(c.BaseURL, "/")
	if err := postgres.AtStart(ctx, s.Start); err != nil {
		return err
	}
	if err := c.post(p, s); err != nil {
		return err
	}
	follows := feed.Set{
		contract.SourceAuth:   p.Follow(contract.SourceAuth, c.AuthURL, s.FollowAuth()),
		contract.SourceVisits: p.Follow(contract.SourceVisits, c.VisitsURL, s.FollowVisits()),
	}
	deps := p.Deps(p.Verifier(), follows)
	deps.Conflicts = Conflicts
	table, err := endpoint.New(deps, s.Routes()...)
	if err != nil {
		return err
	}
	p.Registry.MustRegister(s.Collectors()...)
	p.Go(s.office.Follow)
	p.Go(func(ctx context.Context) error { return s.Sweep(ctx, p.Log) })
	p.Public(table)
	p.Internal(s.InternalRoutes()...)
	kept := []string{
		contract.EntityService, contract.EntityConsultant, contract.EntityDueDate, contract.EntityOffice,
		contract.EntityVoicePack,
	}
	p.Retain(kept, s.Retention()...)
	p.Go(func(ctx context.Context) error { return reloadAtHangup(ctx, p, s, c.OfficeFile) })
	return nil
}

func (c config) post(p *process.Process, s *Service) error {
	if c.SMTPURL == "" {
		p.Log.Warn("no mail server is configured: appointment requests are not mailed; set SMTP_URL and MAIL_FROM")
		return nil
	}
	mailer, err := mail.NewSMTP(c.SMTPURL, c.MailFrom)
	if err != nil {
		return err
	}
	p.Go(NewPost(s, mailer, c.BaseURL, p.Log).Run)
	return nil
}

// reloadAtHangup reads the office file again at each SIGHUP. An invalid file is logged and ignored.
func reloadAtHangup(ctx context.Context, p *process.Process, s *Service, path string) error {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-hangups:
		}
		document, err := office.ReadFile(path)
		if err == nil {
			err = s.office.Reload(ctx, document)
		}
		if err != nil {
			p.Log.ErrorContext(ctx, "the office file was not loaded", "cause", err)
			continue
		}
		p.Log.InfoContext(ctx, "the office file was read", "version", s.office.Load().Version)
	}
}
