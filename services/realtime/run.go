package realtime

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/process"
)

// settleLimit is how long a starting replica waits for its sources before it accepts streams without them.
const settleLimit = 5 * time.Second

// Build puts the service together: followers, hub, routes and their orderly end.
func Build(_ context.Context, p *process.Process) error {
	verifier := p.Verifier()
	addresses := map[string]string{
		contract.SourceAuth: p.Config.AuthURL, contract.SourceDirectory: p.Config.DirectoryURL,
		contract.SourceRealtime: p.Config.RealtimeURL, contract.SourceVisits: p.Config.VisitsURL,
	}
	pagers := map[string]Pager{}
	for source, address := range addresses {
		pagers[source] = feed.NewReader(p.Client(source, address))
	}
	var limits Limits
	if p.Config.Limits {
		limits = DefaultLimits
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
	p.Go(func(ctx context.Context) error { return idempotency.Forget(ctx, p.Pool, p.Log) })
	p.Go(func(ctx context.Context) error { return hub.metrics.watch(ctx, p.Redis) })
	p.OnDrain(hub.Drain)
	p.Ready(settled(hub, time.Now().Add(settleLimit)))
	return nil
}

// settled holds readiness back until the hub can resume streams, but not for sources that stay away.
func settled(hub *Hub, limit time.Time) func(context.Context) error {
	return func(context.Context) error {
		if time.Now().After(limit) {
			return nil
		}
		return hub.Settled()
	}
}

const (
	watchEvery = time.Second
	watchLimit = 500 * time.Millisecond
)

// watch says whether Redis is there, until ctx ends.
func (m *metrics) watch(ctx context.Context, client redis.UniversalClient) error {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		bounded, cancel := context.WithTimeout(ctx, watchLimit)
		err := client.Ping(bounded).Err()
		cancel()
		m.degraded.Set(0)
		if err != nil {
			m.degraded.Set(1)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
