package feed

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/telemetry"
)

// Sink applies events in order and stores its position.
type Sink interface {
	// Position returns the sink's position; the zero Position is the beginning.
	Position(ctx context.Context) (Position, error)
	// Deliver applies a batch that follows the sink's position. It returns ErrMoved if another replica moved the position.
	Deliver(ctx context.Context, batch Batch) error
	// Restart is called with the source's head when the source has begun a new epoch or lost its newest events. The
	// sink deletes what it has derived from the source and returns the position to continue from: head.Beginning() to
	// apply all events, head to skip them.
	Restart(ctx context.Context, head Position) (Position, error)
}

// Batch is events that follow a position, in order. The batch has no gap, except where the source has pruned old
// events.
type Batch struct {
	After, UpTo Position // the sink's position before and after the batch
	Events      []outbox.Event
}

// Following returns the batch of one or more events without gaps.
func Following(events ...outbox.Event) Batch {
	first, last := events[0], events[len(events)-1]
	return Batch{
		After:  Position{Epoch: first.Epoch, Seq: first.Seq - 1},
		UpTo:   Position{Epoch: last.Epoch, Seq: last.Seq},
		Events: events,
	}
}

// ErrMoved is returned by a Sink if its position is not the one before the events.
var ErrMoved = errors.New("the position has moved")

const (
	reasonGap       = "gap"
	reasonHead      = "head"
	reasonReconnect = "reconnect"
	reasonHint      = "hint" // a message whose content is not used; the read is not counted as a repair
)

// headEvery is the interval at which the position is compared with the source's head, because the loss of the newest
// message leaves no gap. The source announces its head; without an announcement, the follower reads the feed.
const headEvery = 500 * time.Millisecond

// Follower delivers a source's events to a sink.
type Follower struct {
	source string
	client *identity.Client
	reader Reader
	bus    bus.Bus
	sink   Sink
	log    *slog.Logger

	feedAlone bool
	incoming  chan outbox.Event
	repairs   chan string
	announced announced

	failing   bool     // the last attempt failed; the next failure is logged at debug level
	pruned    bool     // events that the sink lacks were pruned, and this was logged
	restarted bool     // the sink has no position or has moved back; the next read sets rebuiltTo
	rebuiltTo Position // events up to this position are applied again, so their age is not counted as lag

	mu    sync.Mutex
	pos   Position
	moved chan struct{} // closed and replaced at each move

	position prometheus.Gauge
	repaired *prometheus.CounterVec
	lag      *telemetry.Series
	prunings prometheus.Counter
}

// NewFollower returns a follower of source and registers its metrics. client calls the source's internal address.
func NewFollower(
	source string,
	client *identity.Client,
	messages bus.Bus,
	sink Sink,
	registry prometheus.Registerer,
	log *slog.Logger,
) *Follower {
	f := &Follower{
		source: source, client: client, reader: NewReader(client), bus: messages, sink: sink, log: log,
		incoming: make(chan outbox.Event, outbox.MaxPage), repairs: make(chan string, 1),
		moved: make(chan struct{}),
	}
	f.register(registry)
	return f
}

func (f *Follower) register(registry prometheus.Registerer) {
	labels := prometheus.Labels{"source": f.source}
	f.position = prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "baari_feed_position", Help: "Sequence number of the newest event applied.", ConstLabels: labels,
	})
	f.repaired = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "baari_feed_repairs_total", Help: "Reads of the feed that found events Redis had not delivered.",
		ConstLabels: labels,
	}, []string{"reason"})
	for _, reason := range []string{reasonGap, reasonHead, reasonReconnect} {
		f.repaired.WithLabelValues(reason)
	}
	lag := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "baari_event_lag_seconds", Help: "Time from a change to the first time its event is applied.",
		ConstLabels: labels, Buckets: prometheus.ExponentialBuckets(0.002, 2, 14),
		NativeHistogramBucketFactor: telemetry.NativeFactor,
	})
	f.lag = telemetry.NewSeries(lag)
	f.prunings = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "baari_feed_pruned_total", Help: "Times that the source deleted events before they were applied.",
		ConstLabels: labels,
	})
	registry.MustRegister(f.position, f.repaired, lag, f.prunings)
}

// Position returns the follower's position.
func (f *Follower) Position() Position {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pos
}

// Run follows the source until ctx ends, and then returns nil.
func (f *Follower) Run(ctx context.Context) error {
	var subscription sync.WaitGroup
	defer subscription.Wait()
	subscription.Go(func() {
		f.bus.Subscribe(ctx, f.hear, outbox.Channel(f.source), outbox.StateChannel(f.source))
	})
	f.reload(ctx)
	f.repair(ctx, reasonReconnect)
	ticker := time.NewTicker(headEvery)
	defer ticker.Stop()
	var hints pacer
	for {
		select {
		case <-ctx.Done():
			return nil
		case event := <-f.incoming:
			f.receive(ctx, event)
		case reason := <-f.repairs:
			if reason != reasonHint || hints.now() {
				f.repair(ctx, reason)
			}
		case <-hints.later:
			hints.read()
			f.repair(ctx, reasonHint)
		case <-ticker.C:
			if !f.announced.at(f.Position()) {
				f.repair(ctx, reasonHead)
			}
		}
	}
}

// FeedAlone makes the follower read every event from the feed: a message only triggers a read. Call it before Run.
func (f *Follower) FeedAlone() *Follower {
	f.feedAlone = true
	return f
}

// hear handles the messages of the source's channels. Any client of Redis can publish on them, so the content of a
// message is used only if the source has signed it. An event without a valid signature, such as one of the previous
// release, only triggers a read of the feed.
func (f *Follower) hear(notice bus.Notice) {
	if notice.Joined {
		f.requestRepair(reasonReconnect)
		return
	}
	isEvent := notice.Channel == outbox.Channel(f.source)
	if isEvent && f.feedAlone {
		f.requestRepair(reasonHint)
		return
	}
	object, signed := outbox.Verified(f.client.Verifies, notice.Channel, notice.Payload)
	switch {
	case signed && isEvent:
		f.enqueue(object)
	case signed:
		f.announced.set(object)
	case isEvent:
		f.requestRepair(reasonHint)
	}
}

// enqueue does not block the subscription. Events that do not fit are dropped and later read from the feed.
func (f *Follower) enqueue(object []byte) {
	var event outbox.Event
	if err := json.Unmarshal(object, &event); err != nil {
		f.log.Warn("an event could not be read", "source", f.source, "cause", err)
		f.requestRepair(reasonGap)
		return
	}
	select {
	case f.incoming <- event:
	default:
		f.requestRepair(reasonGap)
	}
}

func (f *Follower) requestRepair(reason string) {
	select {
	case f.repairs <- reason:
	default:
	}
}

// receive handles one event from the bus. The next event in order is delivered together with the events queued behind
// it, and an old event is dropped. A later event means that events were lost.
func (f *Follower) receive(ctx context.Context, event outbox.Event) {
	pos := f.Position()
	if event.Epoch == pos.Epoch && event.Seq <= pos.Seq {
		return
	}
	if !follows(pos, event) {
		f.repair(ctx, reasonGap)
		return
	}
	batch := []outbox.Event{event}
	for len(batch) < outbox.MaxPage {
		select {
		case next := <-f.incoming:
			if follows(Position{Epoch: event.Epoch, Seq: batch[len(batch)-1].Seq}, next) {
				batch = append(batch, next)
				continue
			}
			f.requestRepair(reasonGap)
		default:
		}
		break
	}
	f.deliver(ctx, Following(batch...))
}

func follows(at Position, event outbox.Event) bool {
	return event.Epoch == at.Epoch && event.Seq == at.Seq+1
}

// repair reads the feed from the follower's position to the feed's end.
func (f *Follower) repair(ctx context.Context, reason string) {
	for found := false; ctx.Err() == nil; {
		pos := f.Position()
		page, err := f.reader.Read(ctx, pos, outbox.MaxPage)
		if errors.Is(err, ErrEpoch) || err == nil && page.Head < pos.Seq {
			if !f.restart(ctx, Position{Epoch: page.Epoch, Seq: page.Head}) {
				return
			}
			continue
		}
		if err != nil {
			f.report(ctx, "read the feed", err)
			return
		}
		batch, err := batchOf(pos, page)
		if err != nil {
			f.report(ctx, "read the feed", err)
			return
		}
		f.notePruned(ctx, pos, page)
		if batch.UpTo.Seq == pos.Seq {
			if pos.Epoch == "" {
				f.setPosition(batch.UpTo)
			}
			f.recovered(ctx)
			return
		}
		if f.restarted {
			f.restarted, f.rebuiltTo = false, Position{Epoch: page.Epoch, Seq: page.Head}
		}
		if !found && len(batch.Events) > 0 && reason != reasonHint {
			found = true
			f.repaired.WithLabelValues(reason).Inc()
		}
		if !f.deliver(ctx, batch) {
			return
		}
		if batch.UpTo.Seq >= page.Head && f.Position() == batch.UpTo {
			f.recovered(ctx)
			return
		}
	}
}

func (f *Follower) restart(ctx context.Context, head Position) bool {
	pos, err := f.sink.Restart(ctx, head)
	if err != nil {
		f.report(ctx, "begin the new epoch", err)
		return false
	}
	f.rebuiltTo = head
	f.setPosition(pos)
	return true
}

func (f *Follower) deliver(ctx context.Context, batch Batch) bool {
	traced, ended := outbox.TraceAll(ctx, batch.Events, "process", trace.SpanKindConsumer)
	err := f.sink.Deliver(traced, batch)
	if errors.Is(err, ErrMoved) {
		ended(nil) // another replica has applied the events
		return f.reload(ctx)
	}
	ended(err)
	if err != nil {
		f.report(ctx, "apply events", err)
		return false
	}
	now := time.Now()
	for _, event := range batch.Events { // one value for each event, because events of a delayed batch differ in age
		if event.Epoch != f.rebuiltTo.Epoch || event.Seq > f.rebuiltTo.Seq {
			f.lag.Observe(trace.SpanFromContext(traced), now, now.Sub(time.Time(event.Time)).Seconds())
		}
	}
	f.setPosition(batch.UpTo)
	return true
}

func (f *Follower) reload(ctx context.Context) bool {
	pos, err := f.sink.Position(ctx)
	if err != nil {
		f.report(ctx, "read the position", err)
		return false
	}
	before := f.Position()
	if pos.Epoch == "" || before.Epoch != "" && (pos.Epoch != before.Epoch || pos.Seq < before.Seq) {
		f.restarted = true
	}
	f.setPosition(pos)
	return true
}

func (f *Follower) setPosition(pos Position) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pos = pos
	close(f.moved)
	f.moved = make(chan struct{})
	f.position.Set(float64(pos.Seq))
}

// wait returns when the position is reached or ctx ends.
func (f *Follower) wait(ctx context.Context, min Position) {
	for {
		f.mu.Lock()
		pos, moved := f.pos, f.moved
		f.mu.Unlock()
		if pos.Reached(min) {
			return
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return
		}
	}
}

// report logs the first failure as a warning. Until the follower has recovered, it logs others at debug level.
func (f *Follower) report(ctx context.Context, what string, err error) {
	if ctx.Err() != nil {
		return
	}
	level := slog.LevelWarn
	if f.failing {
		level = slog.LevelDebug
	}
	f.failing = true
	f.log.Log(ctx, level, "follow "+f.source+": "+what, "cause", err)
}

func (f *Follower) recovered(ctx context.Context) {
	if f.failing {
		f.failing = false
		f.log.InfoContext(ctx, "follow "+f.source+": recovered")
	}
}
