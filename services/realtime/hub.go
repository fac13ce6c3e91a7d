// Package realtime brings every committed change to the dashboards that show it: it follows the sources' events,
// says of each who hears what, and keeps one bounded queue for each open stream.
package realtime

import (
	"context"
	"errors"
	"log/slog"
	"math/bits"
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

// Limits are how many streams may be open; 0 is no limit.
type Limits struct {
	PerUser    int
	PerReplica int
}

// DefaultLimits are those of an office.
var DefaultLimits = Limits{PerUser: 5, PerReplica: 500}

// heartbeatEvery is how often every stream hears something.
const heartbeatEvery = 15 * time.Second

// Pager reads a page of a source's events; feed.Reader is one.
type Pager interface {
	Read(ctx context.Context, after feed.Position, limit int) (outbox.Page, error)
}

// source is one service whose events are carried.
type source struct {
	name  string
	pager Pager // reads what the history does not have
	past  history
}

// Hub knows the open streams and hands each the frames that its role and user hear.
type Hub struct {
	limits  Limits
	log     *slog.Logger
	metrics *metrics
	forget  func(userID string)
	fills   singleflight.Group

	turn    sync.Mutex // one delivery at a time
	unpaced int        // events since the readers were last waited for

	pumps   []*pump
	emptied chan struct{} // closed when the last stream has left a hub that drains

	mu       sync.Mutex
	sources  []*source // by name
	at       position  // of the newest event handed out, by source
	byRole   [len(roleNames)][]*subscriber
	byUser   map[string][]*subscriber
	count    int
	opened   int // ever
	draining bool
}

// NewHub makes a hub that carries the events of the sources. forget is told whose cached identity is no longer
// true, before that person's streams are closed.
func NewHub(pagers map[string]Pager, limits Limits, forget func(userID string), registry prometheus.Registerer, log *slog.Logger) *Hub {
	h := &Hub{limits: limits, log: log, metrics: newMetrics(registry), forget: forget,
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

// Run writes to the streams and beats, one shared clock for all, until ctx ends; then it closes them and waits until
// each has been told, no longer than a write may take.
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

// awaitEmpty waits until every stream has left, and closes those that do not.
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
	for _, list := range h.byRole {
		for _, s := range list {
			s.cut()
		}
	}
}

// Settled answers an error until every source was heard of: before that a stream could not be resumed.
func (h *Hub) Settled() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.at.known() {
		return errors.New("not every source has told where it stands")
	}
	return nil
}

// join opens a stream for the caller and answers where it begins and how many are open, or ErrRateLimited
// over a limit and ErrUnavailable while the hub drains. From now on frames wait in the subscriber's queue.
func (h *Hub) join(caller identity.Caller) (s *subscriber, at position, active int, err error) {
	s = newSubscriber(rolesOf(caller.Role), caller.ID, caller.SessionID, caller.ExpiresAt)
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.draining:
		return nil, nil, 0, fault.ErrUnavailable.Because(errors.New("draining"))
	case h.limits.PerUser > 0 && len(h.byUser[caller.ID]) >= h.limits.PerUser,
		h.limits.PerReplica > 0 && h.count >= h.limits.PerReplica:
		return nil, nil, 0, fault.ErrRateLimited.After(heartbeatEvery)
	}
	list := &h.byRole[slotOf(s.role)]
	s.slot = len(*list)
	*list = append(*list, s)
	h.byUser[s.userID] = append(h.byUser[s.userID], s)
	h.count++
	s.pump = h.pumps[h.opened%len(h.pumps)]
	h.opened++
	h.metrics.clients.WithLabelValues(caller.Role).Inc()
	return s, h.at.clone(), h.count, nil
}

// leave forgets a stream whose connection is closed or was never taken over.
func (h *Hub) leave(s *subscriber) {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := &h.byRole[slotOf(s.role)]
	last := (*list)[len(*list)-1]
	(*list)[s.slot], last.slot = last, s.slot
	(*list)[len(*list)-1] = nil
	*list = (*list)[:len(*list)-1]

	own := slices.DeleteFunc(h.byUser[s.userID], func(other *subscriber) bool { return other == s })
	h.byUser[s.userID] = own
	if len(own) == 0 {
		delete(h.byUser, s.userID)
	}
	h.count--
	h.metrics.clients.WithLabelValues(roleNames[slotOf(s.role)]).Dec()
	h.noteEmpty()
}

// noteEmpty tells Run that a hub that drains has no stream left; the caller holds mu.
func (h *Hub) noteEmpty() {
	if !h.draining || h.count > 0 {
		return
	}
	select {
	case <-h.emptied:
	default:
		close(h.emptied)
	}
}

func slotOf(role roles) int { return bits.TrailingZeros8(uint8(role)) }

// tell hands a frame to all who hear it, written out once, and answers how many they are; the caller holds mu.
func (h *Hub) tell(f frame) (told int) {
	var text []byte
	defer func() { h.metrics.frames.Add(float64(told)) }()
	hand := func(s *subscriber) {
		told++
		if text == nil {
			text = render(h.at, h.sources, f.data, f.trace)
		}
		if !s.push(text) {
			h.end(s, endedSlow)
		}
	}
	for slot, list := range h.byRole {
		if f.roles&(1<<slot) != 0 {
			for _, s := range list {
				hand(s)
			}
		}
	}
	if f.consultant == "" {
		return told
	}
	for _, s := range h.byUser[f.consultant] {
		if s.role&f.roles == 0 && f.reaches(s.role, s.userID) {
			hand(s)
		}
	}
	return told
}

// end closes one stream and counts why.
func (h *Hub) end(s *subscriber, why ending) {
	if s.end(why) {
		h.metrics.cut.WithLabelValues(endings[why]).Inc()
	}
}

// endAll closes every stream; the caller holds mu.
func (h *Hub) endAll(why ending) {
	for _, list := range h.byRole {
		for _, s := range list {
			h.end(s, why)
		}
	}
}

// beat tells every stream that it lives, and closes those whose session's time has come: they are asked
// again who they are when they come back.
func (h *Hub) beat(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, list := range h.byRole {
		for _, s := range list {
			if !s.expires.IsZero() && !now.Before(s.expires) {
				h.end(s, endedRevoked)
			}
		}
	}
	for _, source := range h.sources {
		source.past.expire(now)
	}
	h.tell(frame{roles: everybody, data: encode(typeHeartbeat, struct{}{})})
}

// Drain closes all streams and opens no more: this replica stops.
func (h *Hub) Drain() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.draining = true
	h.endAll(endedDrain)
	h.noteEmpty()
}

// revoke closes the streams that an event of auth ends.
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
			h.endRevoked(s)
		}
	}
}

// isAuth reports whether the source decides who may listen.
func (s *source) isAuth() bool { return s.name == contract.SourceAuth }
