package lobby

import (
	"context"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/message"
	"baari.dev/services/lobby/push"
	"baari.dev/services/lobby/seal"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/mail"
	"baari.dev/services/platform/process"
)

// Target describes the service to package process, which runs it.
func Target() process.Target {
	return process.Target{
		Name: contract.SourceLobby, Migrations: Migrations(), Configure: process.Configured(config.start),
	}
}

// config has the settings of lobby. LOBBY_KEY is the key for the codes of links, for the encryption of personal data,
// and for the key pair of web push.
type config struct {
	process.Config
	LobbyKey process.Key `env:"LOBBY_KEY,required"`
	SMTPURL  string      `env:"SMTP_URL"`
	MailFrom string      `env:"MAIL_FROM"`
	Messages string      `env:"MESSAGES"` // MESSAGES_FILE can name a file instead
}

// mailer returns the mailer of SMTP_URL, nil if it is empty.
func (c config) mailer() (mail.Mailer, error) {
	if c.SMTPURL == "" {
		return nil, nil //nolint:nilnil // without a mail server there is no mailer
	}
	return mail.NewSMTP(c.SMTPURL, c.MailFrom)
}

// channels returns the channels that MESSAGES describes, none if it is empty.
func (c config) channels(mailer mail.Mailer) (message.Channels, error) {
	if c.Messages == "" {
		return message.Channels{}, nil
	}
	return message.Read([]byte(c.Messages), mailer)
}

func (c config) start(_ context.Context, p *process.Process) error {
	mailer, err := c.mailer()
	if err != nil {
		return err
	}
	channels, err := c.channels(mailer)
	if err != nil {
		return err
	}
	private, public := seal.PushKeys(c.LobbyKey)
	s := New(p.Pool, p.Outbox, p.Client(contract.SourceVisits, c.VisitsURL), p.Limiter, Options{
		Key: c.LobbyKey, Base: c.BaseURL, Zone: c.Zone.Location(),
		Push: push.NewSender(private, public, c.BaseURL), Messages: channels,
		Mailer: mailer, Directory: p.Client(contract.SourceDirectory, c.DirectoryURL),
	}, p.Log)
	copied := s.FollowDirectory()
	follows := feed.Set{
		contract.SourceVisits:    p.Follow(contract.SourceVisits, c.VisitsURL, s.FollowVisits()),
		contract.SourceDirectory: p.Follow(contract.SourceDirectory, c.DirectoryURL, copied),
	}
	p.Go(func(ctx context.Context) error {
		directory := feed.NewReader(p.Client(contract.SourceDirectory, c.DirectoryURL))
		return copied.RereadTwice(ctx, directory, contract.EntityOffice, p.Log)
	})
	s.Register(p.Registry)
	table, err := endpoint.New(p.Deps(p.Verifier(), follows), s.Routes()...)
	if err != nil {
		return err
	}
	p.Public(table)
	p.Retain(nil)
	p.Go(func(ctx context.Context) error { return s.Forget(ctx, p.Log) })
	p.Go(s.Tidy(time.Duration(c.RetentionDays)*24*time.Hour, p.Log))
	p.Go(func(ctx context.Context) error { return s.Deliver(ctx, p.Log) })
	p.Internal(s.InternalRoutes()...)
	return nil
}
