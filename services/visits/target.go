package visits

import (
	"context"

	"baari.dev/services/contract"
	"baari.dev/services/operate"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/process"
)

// Target returns the service as a process runs it.
func Target() process.Target {
	return process.Target{
		Name: contract.SourceVisits, Migrations: Migrations(), Configure: process.Configured(config.start),
	}
}

type config struct {
	process.Config
	Demo bool `env:"DEMO"` // accepts past visits on the internal listener
}

// services returns the clients of the internal listeners of all services, for privacy requests.
func (c config) services() operate.Installation {
	return operate.Installation{Keys: c.Keys(contract.SourceVisits), Addresses: map[string]string{
		contract.SourceAuth: c.AuthURL, contract.SourceVisits: c.VisitsURL, contract.SourceDirectory: c.DirectoryURL,
		contract.SourceAudit: c.AuditURL, contract.SourceRealtime: c.RealtimeURL, contract.SourceLobby: c.LobbyURL,
	}}
}

func (c config) start(_ context.Context, p *process.Process) error {
	service := New(Deps{
		Pool: p.Pool, Background: p.Feeds, Outbox: p.Outbox, Zone: c.Zone.Name(),
		Directory: p.Client(contract.SourceDirectory, c.DirectoryURL), Auth: p.Client(contract.SourceAuth, c.AuthURL),
		Services: c.services(), Registry: p.Registry,
	})
	copied := service.DirectoryCopy()
	follows := feed.Set{contract.SourceDirectory: p.Follow(contract.SourceDirectory, c.DirectoryURL, copied)}
	for _, entity := range []string{contract.EntityOffice, contract.EntityAppointment} {
		p.Go(func(ctx context.Context) error {
			directory := feed.NewReader(p.Client(contract.SourceDirectory, c.DirectoryURL))
			return copied.RereadTwice(ctx, directory, entity, p.Log)
		})
	}
	deps := p.Deps(p.Verifier(), follows)
	deps.Conflicts = Conflicts
	table, err := endpoint.New(deps, service.Routes()...)
	if err != nil {
		return err
	}
	p.Public(table)
	p.Internal(service.InternalRoutes(c.Demo)...)
	p.Retain([]string{contract.EntityVisit, contract.EntityDesk, contract.EntityVisitDocuments}, service.Retention()...)
	p.Go(func(ctx context.Context) error { return service.Run(ctx, p.Log) })
	return nil
}
