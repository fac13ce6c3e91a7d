package realtime

import (
	"context"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/process"
)

// Target returns the service in the form in which a process runs it.
func Target() process.Target {
	return process.Target{
		Name: contract.SourceRealtime, Migrations: Migrations(), Configure: process.Configured(config.start),
	}
}

// config adds the limits of live streams to process.Config. They apply if LIMITS is on.
type config struct {
	process.Config
	PerPerson  uint16 `env:"STREAMS_PER_PERSON" envDefault:"5"`
	PerReplica uint16 `env:"STREAMS_PER_REPLICA" envDefault:"500"`
}

// settleLimit is how long a starting replica waits for the positions of its sources before it is ready without them.
const settleLimit = 5 * time.Second

func (c config) start(_ context.Context, p *process.Process) error {
	verifier := p.Verifier()
	addresses := map[string]string{
		contract.SourceAuth: p.Config.AuthURL, contract.SourceDirectory: p.Config.DirectoryURL,
		contract.SourceRealtime: p.Config.RealtimeURL, contract.SourceVisits: p.Config.VisitsURL,
		contract.SourceLobby: p.Config.LobbyURL,
	}
	pagers := map[string]Pager{}
	for source, address := range addresses {
		pagers[source] = feed.NewReader(p.Client(source, address))
	}
	var limits Limits
	if p.Config.Limits {
		limits = Limits{PerUser: int(c.PerPerson), PerReplica: int(c.PerReplica)}
	}
	hub := NewHub(pagers, limits, verifier.Forget, p.Registry, p.Log)
	for source, address := range addresses {
		p.Follow(source, address, hub.Sink(source))
	}
	service := New(p.Pool, p.Outbox)
	table, err := Table(p.Deps(verifier, nil), hub, service, p.Registry)
	if err != nil {
		return err
	}
	p.Public(table)
	p.Internal(service.InternalRoutes()...)
	p.Retain(nil)
	p.Go(hub.Run)
	p.Go(func(ctx context.Context) error {
		return hub.KeepSessions(ctx, identity.Report(p.Client(contract.SourceAuth, p.Config.AuthURL)))
	})
	p.Go(service.ForgetOld(p.Config.RetentionDays, p.Log))
	p.Go(func(ctx context.Context) error { return idempotency.Lives{}.Forget(ctx, p.Pool, p.Log) })
	p.Go(func(ctx context.Context) error { return hub.WatchBus(ctx, p.Bus) })
	p.OnDrain(hub.Drain)
	p.Ready("settled", settled(hub, time.Now().Add(settleLimit)))
	return nil
}

// settled returns a readiness check. It fails until the hub can resume streams or the time limit has passed.
func settled(hub *Hub, limit time.Time) func(context.Context) error {
	return func(context.Context) error {
		if time.Now().After(limit) {
			return nil
		}
		return hub.Settled()
	}
}
