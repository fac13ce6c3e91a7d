package realtime

import (
	"context"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
)

// Sources are the services whose events reach the dashboards.
var Sources = []string{contract.SourceAuth, contract.SourceDirectory, contract.SourceRealtime, contract.SourceVisits}

// Sink is where the follower of one of the hub's sources delivers. It has no memory over a restart: it begins
// at the source's head.
func (h *Hub) Sink(name string) feed.Sink {
	index := slices.IndexFunc(h.sources, func(s *source) bool { return s.name == name })
	return &sink{hub: h, source: h.sources[index], index: index}
}

type sink struct {
	hub    *Hub
	source *source
	index  int
}

// Position implements feed.Sink.
func (s *sink) Position(context.Context) (feed.Position, error) {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	if at := s.hub.at[s.index]; at.Epoch != "" {
		return at, nil
	}
	return feed.Nowhere, nil
}

// Restart implements feed.Sink. What streams missed of the source cannot be told: they refetch. What was
// missed of auth may have been a revocation: they come back and are asked who they are.
func (s *sink) Restart(_ context.Context, head feed.Position) (feed.Position, error) {
	h := s.hub
	if s.source.isAuth() {
		h.forget("")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s.source.past = history{after: head.Seq}
	h.at[s.index] = head
	h.tellReset()
	if s.source.isAuth() {
		h.endAll(endedDrain)
	}
	return head, nil
}

// Deliver implements feed.Sink: no stream makes it wait longer than its patience.
func (s *sink) Deliver(ctx context.Context, batch feed.Batch) error {
	s.hub.turn.Lock()
	defer s.hub.turn.Unlock()
	for burst := range slices.Chunk(batch.Events, paceEvents) {
		s.hub.pace(ctx, len(burst))
		for _, event := range burst {
			s.take(ctx, event)
		}
	}
	return nil
}

// take hands one event out and keeps it for streams that come back.
func (s *sink) take(ctx context.Context, event outbox.Event) {
	h := s.hub
	if s.source.isAuth() {
		h.revoke(event)
	}
	next := h.changeOf(ctx, event)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at[s.index] = feed.Position{Epoch: event.Epoch, Seq: event.Seq}
	if erasesPerson(event) {
		s.source.past = history{after: event.Seq - 1}
	}
	s.source.past.add(next)
	if len(next.frames) == 0 || !event.Sampled() { // handing out cannot fail: nothing is told of a trace that is kept for failures only
		h.tellAll(next.frames, "")
		return
	}
	ctx, span := event.Trace(ctx, "send", trace.SpanKindProducer)
	defer span.End()
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	span.SetAttributes(attribute.String("messaging.destination.name", "/api/stream"),
		attribute.Int("baari.sse.streams", h.tellAll(next.frames, carrier["traceparent"])))
}

// tellAll hands out the frames of one event and answers to how many streams. They name the trace of the request that made the event: a
// browser that shows it can be told from there. What is kept for streams that come back does not name it.
func (h *Hub) tellAll(frames []frame, trace string) (told int) {
	for _, f := range frames {
		f.trace = trace
		told += h.tell(f)
	}
	return told
}

// erasesPerson reports whether the event takes back what earlier ones told: a stream that comes back hears those as
// the source's feed tells them now.
func erasesPerson(event outbox.Event) bool {
	return event.Type == contract.VisitErased || event.Type == contract.NotificationErased
}

// changeOf translates an event. One that cannot be understood makes everybody refetch rather than miss it.
func (h *Hub) changeOf(ctx context.Context, event outbox.Event) change {
	frames, err := framesOf(event)
	if err != nil {
		h.log.ErrorContext(ctx, "an event is not understood", "source", event.Source, "type", event.Type, "cause", err)
		frames = []frame{resetFrame()}
	}
	return change{seq: event.Seq, at: time.Time(event.Time), frames: frames}
}

func resetFrame() frame {
	return frame{roles: everybody, data: encode(typeStatusUpdate, reset{Reset: true})}
}

// tellReset makes every stream refetch; the caller holds mu.
func (h *Hub) tellReset() {
	h.metrics.resets.Add(float64(h.count))
	h.tell(resetFrame())
}

// Between so many events the hub waits until no stream has more than as many waiting, so that the next ones fit:
// a page of the feed would overflow all queues at once. A reader that does not read delays the others
// by its patience once; a machine that is too busy to write gets the longer one.
const (
	paceEvents     = 100
	readerPatience = 100 * time.Millisecond
	pacePatience   = 2 * time.Second
	paceLook       = 2 * time.Millisecond
)

// pace is called before events are told. It waits until no stream is behind, at most its patience.
func (h *Hub) pace(ctx context.Context, next int) {
	if h.unpaced += next; h.unpaced <= paceEvents {
		return
	}
	h.unpaced = next
	limit := time.NewTimer(pacePatience)
	defer limit.Stop()
	look := time.NewTicker(paceLook)
	defer look.Stop()
	for h.behind() {
		select {
		case <-look.C:
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// behind reports whether any stream is.
func (h *Hub) behind() bool {
	now := time.Now()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, list := range h.byRole {
		for _, s := range list {
			if s.behind(now) {
				return true
			}
		}
	}
	return false
}
