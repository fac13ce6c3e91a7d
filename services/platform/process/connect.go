package process

import (
	"context"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/retention"
)

// authSource is the service that owns sessions.
const authSource = "auth"

// Client returns a client that signs calls to another service's internal address.
func (p *Process) Client(service, address string) *identity.Client {
	return identity.NewClient(address, p.Config.Keys(p.Name), service)
}

// Verifier returns the verifier of all services except auth: it introspects tokens at auth, and drops the cached
// results of a user when auth publishes a change of the user.
func (p *Process) Verifier() *identity.Remote {
	verifier := identity.NewRemote(identity.Introspect(p.Client(authSource, p.Config.AuthURL)))
	p.Go(func(ctx context.Context) error {
		p.Bus.Subscribe(ctx, func(notice bus.Notice) { forget(verifier, notice) }, outbox.Channel(authSource))
		return nil
	})
	return verifier
}

func forget(verifier *identity.Remote, notice bus.Notice) {
	var event outbox.Event
	if notice.Joined || json.Unmarshal([]byte(notice.Payload), &event) != nil {
		verifier.Forget("")
		return
	}
	verifier.Forget(event.Subject.ID)
}

// Deps returns the dependencies of the service's public routes. It also starts the recording of denials.
func (p *Process) Deps(verifier identity.Verifier, follows feed.Set) endpoint.Deps {
	denials := newDenials(p.Outbox, p.Log)
	p.Go(denials.run)
	deps := endpoint.Deps{
		Service: p.Name, Verifier: verifier, Limiter: p.Limiter, Proxies: p.Config.Proxies(),
		Log: p.Log, Denied: denials.note, Await: follows.Await,
	}
	if p.Config.Metrics {
		deps.Registry = p.Registry
	}
	return deps
}

// Follow returns a follower of a source. The follower runs with the service.
func (p *Process) Follow(source, address string, sink feed.Sink) *feed.Follower {
	follower := p.follower(source, address, sink)
	p.Go(follower.Run)
	return follower
}

// FollowFeed is Follow for a service that reads every event from the feed, as an audit trail must.
func (p *Process) FollowFeed(source, address string, sink feed.Sink) *feed.Follower {
	follower := p.follower(source, address, sink).FeedAlone()
	p.Go(follower.Run)
	return follower
}

func (p *Process) follower(source, address string, sink feed.Sink) *feed.Follower {
	return feed.NewFollower(source, p.Client(source, address), p.Bus, sink, p.Registry, p.Log)
}

// Retain runs the service's retention: first the tasks, then the pruning of events. For the entities in keep, the
// newest event of each subject is kept. Days begin at midnight in the office document's zone.
func (p *Process) Retain(keep []string, tasks ...retention.Task) {
	events := retention.Task{Name: "events", Erase: func(ctx context.Context, before time.Time) (int64, error) {
		return p.Outbox.Prune(ctx, before, keep...)
	}}
	job := retention.New(p.Feeds, p.Config.Zone.Name(), p.Config.RetentionDays, p.Registry, p.Log,
		append(tasks, events)...)
	p.Go(job.Run)
	p.Internal(retention.Route(p.Pool))
}
