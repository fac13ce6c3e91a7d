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

// Sink returns the sink for the follower of one of the hub's sources. Its position is in memory only: after a restart
// it begins at the source's head.
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

// Restart implements feed.Sink. Events of the old epoch cannot be replayed, so clients are sent a reset. Lost events of
// auth may have been revocations, so all streams are closed and the clients authenticate again.
func (s *sink) Restart(_ context.Context, head feed.Position) (feed.Position, error) {
	h := s.hub
	if s.source.isAuth() {
		h.forget("")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s.source.past = history{after: head.Seq}
	h.at[s.index] = head
	h.publishReset()
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

// take publishes the frames of one event and stores them for replay.
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
	if len(next.frames) == 0 || !event.Sampled() { // publishing cannot fail, so an unsampled trace, kept for failures only, needs no span
		h.publishAll(next.frames, "")
		return
	}
	ctx, span := event.Trace(ctx, "send", trace.SpanKindProducer)
	defer span.End()
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	span.SetAttributes(attribute.String("messaging.destination.name", "/api/stream"),
		attribute.Int("baari.sse.streams", h.publishAll(next.frames, carrier["traceparent"])))
}

// publishAll publishes the frames of one event and returns how many were queued. They carry the trace of the request
// that made the event, so that a browser can report when it has shown the change. Frames kept for replay do not.
func (h *Hub) publishAll(frames []frame, trace string) (recipients int) {
	for _, f := range frames {
		f.trace = trace
		recipients += h.publish(f)
	}
	return recipients
}

// erasesPerson reports whether the event erases personal data from earlier events: those are then replayed from the
// source's redacted feed, not from the history.
func erasesPerson(event outbox.Event) bool {
	return event.Type == contract.VisitErased || event.Type == contract.NotificationErased
}

// changeOf translates an event to frames. An event that cannot be translated becomes a reset for all streams.
func (h *Hub) changeOf(ctx context.Context, event outbox.Event) change {
	frames, err := framesOf(event)
	if err != nil {
		h.log.ErrorContext(ctx, "an event is not understood", "source", event.Source, "type", event.Type, "cause", err)
		frames = []frame{resetFrame()}
	}
	return change{seq: event.Seq, at: time.Time(event.Time), frames: frames}
}

func resetFrame() frame {
	return frame{broadcast: true, data: encode(typeStatusUpdate, reset{Reset: true})}
}

// publishReset makes every client refetch; the caller holds mu.
func (h *Hub) publishReset() {
	h.metrics.resets.Add(float64(h.publish(resetFrame())))
}

// After each burst of events the hub waits until no queue is longer than a burst, so that the next burst fits: a page
// of the feed would overflow all queues. A stalled client delays the rest by the first timeout once; an overloaded
// machine gets the longer one.
const (
	paceEvents     = 100
	readerPatience = 100 * time.Millisecond
	pacePatience   = 2 * time.Second
	paceLook       = 2 * time.Millisecond
)

// pace is called before events are published. It waits, with a timeout, until no stream is behind.
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
	return slices.ContainsFunc(h.streams, func(s *subscriber) bool { return s.behind(now) })
}
