package realtime

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/singleflight"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
)

// Limits are the largest numbers of open streams per user and per replica. 0 means no limit.
type Limits struct {
	PerUser    int
	PerReplica int
}

// DefaultLimits are the limits that apply unless an installation sets others.
var DefaultLimits = Limits{PerUser: 5, PerReplica: 500}

// newcomers returns the largest number of streams that all newcomers (identity.Caller) of a replica can have together,
// so that accounts that anyone can register do not use up the streams of staff.
func (l Limits) newcomers() int { return max(1, l.PerReplica/5) }

// heartbeatEvery is the interval of heartbeats. A client reconnects if a heartbeat is three seconds late.
const heartbeatEvery = 5 * time.Second

// Pager reads a page of a source's events. feed.Reader implements it.
type Pager interface {
	Read(ctx context.Context, after feed.Position, limit int) (outbox.Page, error)
}

// source is one service whose events are delivered.
type source struct {
	name  string
	pager Pager // reads events that the history lacks
	past  history
}

// Hub holds the open streams of this replica. For each stream it queues the frames of the stream's topics.
type Hub struct {
	limits  Limits
	log     *slog.Logger
	metrics *metrics
	forget  func(userID string)
	fills   singleflight.Group

	fillLimit time.Duration // timeout for reading missed events, after which the stream is reset

	turn    sync.Mutex // held during a delivery
	unpaced int        // events delivered since pace last waited

	pumps   []*pump
	emptied chan struct{} // closed when a draining hub has no stream left

	mu        sync.Mutex
	sources   []*source // ordered by name
	at        position  // position of the newest delivered event of each source
	streams   []*subscriber
	byUser    map[string][]*subscriber
	newcomers int // open streams of newcomers
	opened    int // streams opened since this replica started
	draining  bool
}

// NewHub returns a hub that delivers the events of the sources. For each event of auth, it calls forget with the id of
// the event's subject before it closes streams. When the feed of auth begins anew, it calls forget with "": every user.
func NewHub(
	pagers map[string]Pager, limits Limits, forget func(userID string), registry prometheus.Registerer, log *slog.Logger,
) *Hub {
	h := &Hub{limits: limits, log: log, metrics: newMetrics(registry), forget: forget, fillLimit: fillLimit,
		emptied: make(chan struct{}), byUser: map[string][]*subscriber{}}
	for range runtime.GOMAXPROCS(0) {
		h.pumps = append(h.pumps, newPump(h))
	}
	for name, pager := range pagers {
		h.sources = append(h.sources, &source{name: name, pager: pager})
	}
	slices.SortFunc(h.sources, func(a, b *source) int { return strings.Compare(a.name, b.name) })
	h.at = make(position, len(h.sources))
	registry.MustRegister(places{h})
	return h
}

// Run writes to the streams and sends heartbeats to all of them, until ctx ends. Then it closes the streams and waits,
// for at most writeLimit, until each has received its last frame.
func (h *Hub) Run(ctx context.Context) error {
	pumping, stop := context.WithCancel(context.WithoutCancel(ctx))
	var pumps sync.WaitGroup
	for _, p := range h.pumps {
		pumps.Go(func() { p.run(pumping) })
	}
	h.beatUntil(ctx)
	h.Drain()
	h.awaitEmpty()
	stop()
	pumps.Wait()
	return nil
}

func (h *Hub) beatUntil(ctx context.Context) {
	ticker := time.NewTicker(heartbeatEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			h.beat(now)
		}
	}
}

// awaitEmpty waits until every stream has left, but at most writeLimit; then it closes the remaining connections.
func (h *Hub) awaitEmpty() {
	limit := time.NewTimer(writeLimit)
	defer limit.Stop()
	select {
	case <-h.emptied:
		return
	case <-limit.C:
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.streams {
		s.cut()
	}
}

// Settled returns an error until the position in every source is known. Until then no stream can be resumed.
func (h *Hub) Settled() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.at.known() {
		return errors.New("the position of a source is not known yet")
	}
	return nil
}

// join opens a stream for the caller and begins to queue its frames. It returns the position at which the stream begins
// and the number of open streams. Errors: ErrRateLimited over a limit, ErrUnavailable while the hub drains.
func (h *Hub) join(caller identity.Caller) (s *subscriber, at position, active int, err error) {
	s = newSubscriber(caller)
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.draining:
		return nil, nil, 0, fault.ErrUnavailable.Because(errors.New("draining"))
	case h.limits.PerUser > 0 && len(h.byUser[caller.ID]) >= h.limits.PerUser,
		h.limits.PerReplica > 0 && len(h.streams) >= h.limits.PerReplica,
		h.limits.PerReplica > 0 && s.newcomer && h.newcomers >= h.limits.newcomers():
		return nil, nil, 0, fault.ErrRateLimited.After(heartbeatEvery)
	}
	s.slot = len(h.streams)
	h.streams = append(h.streams, s)
	h.byUser[s.userID] = append(h.byUser[s.userID], s)
	if s.newcomer {
		h.newcomers++
	}
	s.pump = h.pumps[h.opened%len(h.pumps)]
	h.opened++
	h.metrics.clients.WithLabelValues(s.role).Inc()
	return s, h.at.clone(), len(h.streams), nil
}

// leave removes a stream whose connection is closed or was never hijacked.
func (h *Hub) leave(s *subscriber) {
	h.mu.Lock()
	defer h.mu.Unlock()
	end := len(h.streams) - 1
	last := h.streams[end]
	h.streams[s.slot], last.slot = last, s.slot
	h.streams[end] = nil
	h.streams = h.streams[:end]

	own := slices.DeleteFunc(h.byUser[s.userID], func(other *subscriber) bool { return other == s })
	h.byUser[s.userID] = own
	if len(own) == 0 {
		delete(h.byUser, s.userID)
	}
	if s.newcomer {
		h.newcomers--
	}
	h.metrics.clients.WithLabelValues(s.role).Dec()
	h.noteEmpty()
}

// noteEmpty unblocks Run once a draining hub has no stream left; the caller holds mu.
func (h *Hub) noteEmpty() {
	if !h.draining || len(h.streams) > 0 {
		return
	}
	select {
	case <-h.emptied:
	default:
		close(h.emptied)
	}
}

// publish renders a frame once, queues it for the streams that it reaches, and returns their number; mu is held.
func (h *Hub) publish(f frame) (recipients int) {
	var text []byte
	for _, s := range h.streams {
		if !f.reaches(s.topics) {
			continue
		}
		recipients++
		if text == nil {
			text = render(h.at, h.sources, f.data, f.trace)
		}
		if !s.push(text) {
			h.end(s, endedSlow)
		}
	}
	h.metrics.frames.Add(float64(recipients))
	return recipients
}

func (h *Hub) end(s *subscriber, why ending) {
	if s.end(why) {
		h.metrics.cut.WithLabelValues(endings[why]).Inc()
	}
}

// endAll closes every stream; the caller holds mu.
func (h *Hub) endAll(why ending) {
	for _, s := range h.streams {
		h.end(s, why)
	}
}

// beat sends a heartbeat to every stream. It closes streams whose session has expired; their clients authenticate again
// when they reconnect.
func (h *Hub) beat(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.streams {
		if !s.expires.IsZero() && !now.Before(s.expires) {
			h.end(s, endedRevoked)
		}
	}
	for _, source := range h.sources {
		source.past.expire(now)
	}
	h.publish(frame{broadcast: true, data: encode(typeHeartbeat, struct{}{})})
}

// Drain closes all streams and accepts no new ones.
func (h *Hub) Drain() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.draining = true
	h.endAll(endedDrain)
	h.noteEmpty()
}

// revoke closes the streams of the sessions that an event of auth ends.
func (h *Hub) revoke(event outbox.Event) {
	ends, sessions := revocation(event)
	if event.Subject.ID != "" {
		h.forget(event.Subject.ID)
	}
	if !ends {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.byUser[event.Subject.ID] {
		if sessions == nil || slices.Contains(sessions, s.sessionID) {
			h.end(s, endedRevoked)
		}
	}
}

// isAuth reports whether the source is auth, whose events end sessions.
func (s *source) isAuth() bool { return s.name == contract.SourceAuth }
