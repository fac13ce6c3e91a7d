// Command audit runs the service of the audit trail, the statistics and the export. `audit verify` checks the trail.
package main

import (
	"context"
	"fmt"
	"os"

	"baari.dev/services/audit"
	"baari.dev/services/audit/chain"
	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/process"
)

type config struct {
	process.Config
	AuditKey     key    `env:"AUDIT_KEY,required"`
	ExportPhones phones `env:"EXPORT_PHONES" envDefault:"full"`
}

// key is the key of the chain's digests.
type key chain.Key

// shortestKey is the minimum length of AUDIT_KEY in bytes, against brute force.
const shortestKey = 32

// UnmarshalText implements encoding.TextUnmarshaler. It rejects a key of fewer than 32 bytes.
func (k *key) UnmarshalText(text []byte) error {
	if len(text) < shortestKey {
		return fmt.Errorf("it has fewer than %d characters", shortestKey)
	}
	*k = key(text)
	return nil
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

func main() {
	process.MigrateIfAsked(contract.SourceAudit, audit.Migrations())
	if len(os.Args) > 1 && os.Args[1] == "verify" {
		os.Exit(verify(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	var c config
	if err := process.Load(&c); err != nil {
		process.Fail(contract.SourceAudit, err)
	}
	process.Main(contract.SourceAudit, c.Config, audit.Migrations(), func(_ context.Context, p *process.Process) error {
		return build(p, c)
	})
}

// build connects the service to its database, feeds and listeners.
func build(p *process.Process, c config) error {
	s := audit.New(p.Pool, p.Feeds, p.Outbox, audit.Options{
		Key: chain.Key(c.AuditKey), Zone: c.Zone.Name(), MaskPhones: c.ExportPhones == "masked",
		Keep: audit.KeepIn(p.Client(contract.SourceDirectory, c.DirectoryURL)),
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
