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

// Sink returns the sink for the follower of one of the hub's sources. The position is only in memory: after a restart
// of the replica, the follower begins at the source's head.
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

// Restart implements feed.Sink. Events of the old epoch cannot be replayed, so all clients receive a reset. Lost events
// of auth may have been revocations, so for auth all streams are closed and the clients authenticate again.
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

// Deliver implements feed.Sink. It publishes in bursts and waits, with a timeout, for slow streams between bursts.
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
	// An unsampled trace is exported only if a span failed. Publishing cannot fail, so it needs no span here.
	if len(next.frames) == 0 || !event.Sampled() {
		h.publishAll(next.frames, "")
		return
	}
	ctx, span := event.Trace(ctx, "send", trace.SpanKindProducer)
	defer span.End()
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	recipients := h.publishAll(next.frames, carrier["traceparent"])
	span.SetAttributes(attribute.String("messaging.destination.name", "/api/stream"),
		attribute.Int("baari.sse.streams", recipients))
}

// publishAll publishes the frames of one event and returns the number of their recipients; the caller holds mu. The
// frames have trace as their traceparent, so that a browser can report when it has shown the change. Frames in the
// history have no traceparent.
func (h *Hub) publishAll(frames []frame, trace string) (recipients int) {
	for _, f := range frames {
		f.trace = trace
		recipients += h.publish(f)
	}
	return recipients
}

// erasesPerson reports whether the event erases personal data from earlier events. The earlier events must then be
// replayed from the source's redacted feed, not from the history.
func erasesPerson(event outbox.Event) bool {
	return event.Type == contract.VisitErased || event.Type == contract.NotificationErased
}

// changeOf translates an event to frames. An event that cannot be translated becomes a reset for all streams.
func (h *Hub) changeOf(ctx context.Context, event outbox.Event) change {
	frames, err := framesOf(event)
	if err != nil {
		h.log.ErrorContext(ctx, "an event cannot be translated to frames",
			"source", event.Source, "type", event.Type, "cause", err)
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

// After each burst of events the hub waits until no queue is longer than a burst, so that the next burst fits;
// otherwise a page of the feed would overflow all queues. A stalled client delays the others by at most stalledAfter,
// an overloaded machine by at most paceTimeout.
const (
	paceEvents   = 100
	stalledAfter = 100 * time.Millisecond
	paceTimeout  = 2 * time.Second
	pacePoll     = 2 * time.Millisecond
)

// pace waits, with a timeout, until no stream is behind. It does not wait while unpaced + next is at most paceEvents.
func (h *Hub) pace(ctx context.Context, next int) {
	if h.unpaced += next; h.unpaced <= paceEvents {
		return
	}
	h.unpaced = next
	limit := time.NewTimer(paceTimeout)
	defer limit.Stop()
	poll := time.NewTicker(pacePoll)
	defer poll.Stop()
	for h.behind() {
		select {
		case <-poll.C:
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

func (h *Hub) behind() bool {
	now := time.Now()
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.streams, func(s *subscriber) bool { return s.behind(now) })
}
