// Command visits runs the queue.
package main

import (
	"context"

	"baari.dev/services/contract"
	"baari.dev/services/operate"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/office"
	"baari.dev/services/platform/process"
	"baari.dev/services/visits"
)

type config struct {
	process.Config
	OfficeFile string `env:"OFFICE_FILE"` // empty: drafts after a breach name no office
	Demo       bool   `env:"DEMO"`        // takes past visits and replays forecasts on the internal listener
}

// services is how this service reaches the internal listeners of all services, for the persons' requests.
func (c config) services() operate.Office {
	return operate.Office{Keys: c.Keys(contract.SourceVisits), Addresses: map[string]string{
		contract.SourceAuth: c.AuthURL, contract.SourceVisits: c.VisitsURL, contract.SourceDirectory: c.DirectoryURL,
		contract.SourceAudit: c.AuditURL, contract.SourceRealtime: c.RealtimeURL, contract.SourceLobby: c.LobbyURL,
	}}
}

func (c config) office() (office.Document, error) {
	if c.OfficeFile == "" {
		return office.Document{}, nil
	}
	return office.ReadFile(c.OfficeFile)
}

func main() {
	process.MigrateIfAsked(contract.SourceVisits, visits.Migrations())
	var c config
	if err := process.Load(&c); err != nil {
		process.Fail(contract.SourceVisits, err)
	}
	document, err := c.office()
	if err != nil {
		process.Fail(contract.SourceVisits, err)
	}
	process.Main(contract.SourceVisits, c.Config, visits.Migrations(), func(_ context.Context, p *process.Process) error {
		service := visits.New(p.Pool, p.Outbox, p.Client(contract.SourceDirectory, c.DirectoryURL), c.Zone.Name())
		service.Operate(c.services(), document)
		service.OfflineDesks(p.Client(contract.SourceAuth, c.AuthURL))
		follows := feed.Set{
			contract.SourceDirectory: p.Follow(contract.SourceDirectory, c.DirectoryURL, service.DirectoryCopy()),
		}
		service.Register(p.Registry)
		deps := p.Deps(p.Verifier(), follows)
		deps.Conflicts = visits.Conflicts
		table, err := endpoint.New(deps, service.Routes()...)
		if err != nil {
			return err
		}
		p.Public(table)
		p.Internal(service.InternalRoutes(c.Demo)...)
		p.Retain([]string{contract.EntityVisit, contract.EntityDesk, contract.EntityVisitDocuments}, service.Retention()...)
		p.Go(func(ctx context.Context) error { return visits.KeyLives.Forget(ctx, p.Pool, p.Log) })
		p.Go(func(ctx context.Context) error { return service.Sweep(ctx, p.Log) })
		p.Go(func(ctx context.Context) error { return service.Forecast(ctx, p.Feeds, p.Log) })
		return nil
	})
}
