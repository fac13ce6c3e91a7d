package audit

import (
	"context"
	"fmt"

	"baari.dev/services/audit/chain"
	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/process"
)

// Target returns the process target of the service.
func Target() process.Target {
	return process.Target{
		Name: contract.SourceAudit, Migrations: Migrations(), Configure: process.Configured(config.start),
	}
}

type config struct {
	process.Config
	AuditKey     process.Key `env:"AUDIT_KEY,required"`
	ExportPhones phones      `env:"EXPORT_PHONES" envDefault:"full"`
}

// phones is how the export shows phone numbers: full or masked.
type phones string

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *phones) UnmarshalText(text []byte) error {
	if *p = phones(text); *p != "full" && *p != "masked" {
		return fmt.Errorf("%q is neither full nor masked", text)
	}
	return nil
}

func (c config) start(_ context.Context, p *process.Process) error {
	s := New(p.Pool, p.Feeds, p.Outbox, Options{
		Key: chain.Key(c.AuditKey), Zone: c.Zone.Name(), MaskPhones: c.ExportPhones == "masked",
		Keep: KeepIn(p.Client(contract.SourceDirectory, c.DirectoryURL)),
	}, p.Log)
	s.Register(p.Registry)
	follows := feed.Set{}
	for source, address := range map[string]string{
		contract.SourceAuth: c.AuthURL, contract.SourceVisits: c.VisitsURL, contract.SourceDirectory: c.DirectoryURL,
		contract.SourceRealtime: c.RealtimeURL, contract.SourceAudit: c.AuditURL, contract.SourceLobby: c.LobbyURL,
	} {
		follows[source] = p.FollowFeed(source, address, s.Follow(source))
	}
	table, err := endpoint.New(p.Deps(p.Verifier(), follows), s.Routes()...)
	if err != nil {
		return err
	}
	p.Public(table)
	p.Internal(s.InternalRoutes()...)
	p.Retain(nil)
	p.Go(s.KeepAnchors)
	return nil
}
