// Command audit runs the audit trail, the office's figures and the export. `audit verify` checks the trail.
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

// key is the secret that the trail is chained with.
type key chain.Key

// shortestKey is the minimum length of AUDIT_KEY in bytes, against brute force.
const shortestKey = 32

// UnmarshalText takes at least 32 characters.
func (k *key) UnmarshalText(text []byte) error {
	if len(text) < shortestKey {
		return fmt.Errorf("it has fewer than %d characters", shortestKey)
	}
	*k = key(text)
	return nil
}

// phones says how the export shows phone numbers.
type phones string

// UnmarshalText reads full or masked.
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
		a := audit.New(p.Pool, p.Feeds, p.Outbox, audit.Options{
			Key: chain.Key(c.AuditKey), Zone: c.Zone.Name(), MaskPhones: c.ExportPhones == "masked",
			Keep: audit.KeepIn(p.Client(contract.SourceDirectory, c.DirectoryURL))}, p.Log)
		a.Register(p.Registry)
		follows := feed.Set{}
		for source, address := range map[string]string{
			contract.SourceAuth: c.AuthURL, contract.SourceVisits: c.VisitsURL, contract.SourceDirectory: c.DirectoryURL,
			contract.SourceRealtime: c.RealtimeURL, contract.SourceAudit: c.AuditURL,
		} {
			follows[source] = p.Follow(source, address, a.Follow(source))
		}
		table, err := endpoint.New(p.Deps(p.Verifier(), follows), a.Routes()...)
		if err != nil {
			return err
		}
		p.Public(table)
		p.Internal(a.InternalRoutes()...)
		p.Retain(nil)
		p.Go(a.KeepAnchors)
		return nil
	})
}
