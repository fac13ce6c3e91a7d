package outbox

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"baari.dev/services/platform/bus"
)

const (
	relayEvery       = 250 * time.Millisecond // the interval at which the relay polls for committed rows
	fingerprintEvery = time.Minute
	numberTimeout    = 8 * time.Second // limit for a connection that no longer answers
	publishTimeout   = 2 * time.Second
	lastDrainLimit   = 2 * time.Second
	waitingBatches   = 64 // limit of batches that wait to be published; further ones are not published
)

// wakeChannel is the channel that wakes the relays of all replicas.
func wakeChannel(source string) string { return "baari:wake:" + source }

// Relay numbers a source's committed rows and publishes them. Each replica runs one; an advisory lock lets one of them
// number at a time.
type Relay struct {
	outbox *Outbox
	pool   *pgxpool.Pool // one connection; short timeouts soon end the transaction of a stopped process
	bus    bus.Bus
	signer Signer
	log    *slog.Logger

	wakeUps chan struct{} // wake-ups received on the bus
	batches chan []Event  // numbered and not yet published; made by Run
	shared  sharing

	head       prometheus.Gauge
	unnumbered prometheus.Gauge
	oldest     prometheus.Gauge
	unsent     prometheus.Counter
}

// NewRelay returns the relay of o and registers its metrics. pool comes from postgres.OpenRelay.
func NewRelay(
	o *Outbox,
	pool *pgxpool.Pool,
	messages bus.Bus,
	signer Signer,
	registry prometheus.Registerer,
	log *slog.Logger,
) *Relay {
	labels := prometheus.Labels{"source": o.source}
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: labels})
	}
	r := &Relay{
		outbox: o, pool: pool, bus: messages, signer: signer, log: log,
		wakeUps:    make(chan struct{}, 1),
		shared:     newSharing(),
		head:       gauge("baari_feed_head", "Number of the newest event."),
		unnumbered: gauge("baari_outbox_unnumbered", "Committed outbox rows without a sequence number."),
		oldest: gauge("baari_outbox_oldest_age_seconds",
			"Age of the oldest committed outbox row without a sequence number."),
		unsent: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "baari_outbox_unpublished_total",
			Help: "Events that could not be published to Redis; followers read them from the feed.", ConstLabels: labels,
		}),
	}
	registry.MustRegister(r.head, r.unnumbered, r.oldest, r.unsent)
	return r
}

// Run numbers and publishes committed rows until ctx ends, and the remaining rows for at most two seconds after it.
func (r *Relay) Run(ctx context.Context) error {
	publishing, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	defer giveUp()
	r.batches = make(chan []Event, waitingBatches)
	var helpers sync.WaitGroup
	helpers.Go(func() {
		r.bus.Subscribe(ctx, r.hear, wakeChannel(r.outbox.source), StateChannel(r.outbox.source))
	})
	helpers.Go(func() { r.publishAll(publishing) })
	r.work(ctx)

	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastDrainLimit)
	defer cancel()
	defer context.AfterFunc(last, giveUp)()
	r.drain(last)
	close(r.batches)
	helpers.Wait()
	return nil
}

func (r *Relay) work(ctx context.Context) {
	ticker := time.NewTicker(relayEvery)
	defer ticker.Stop()
	var checked time.Time
	for committed, pending := false, true; ; {
		if time.Since(checked) > fingerprintEvery && r.checkEpoch(ctx) {
			checked = time.Now()
		}
		if pending {
			if mine := r.drain(ctx); committed && !mine {
				r.wakeOthers(ctx)
			}
		}
		committed, pending = false, true
		select {
		case <-ctx.Done():
			return
		case <-r.outbox.wake:
			committed = true
		case <-r.wakeUps:
		case <-ticker.C:
			pending = !r.shared.known() && r.measure(ctx) // usually false; then the lock is not needed
		}
	}
}

func (r *Relay) wakeUp() {
	select {
	case r.wakeUps <- struct{}{}:
	default:
	}
}

// wakeOthers wakes the relays of the other replicas, since the holder of the lock may have read before the commit.
func (r *Relay) wakeOthers(ctx context.Context) {
	bounded, cancel := context.WithTimeout(ctx, relayEvery)
	defer cancel()
	_ = r.bus.Publish(bounded, wakeChannel(r.outbox.source), nil) // relays poll every relayEvery if the bus fails
}

func (r *Relay) checkEpoch(ctx context.Context) bool {
	if err := EnsureStream(ctx, r.pool, r.outbox.source); err != nil {
		r.report(ctx, "check the stream's epoch", err)
		return false
	}
	return true
}

// drain numbers batches until no row is left. It returns false if another replica holds the lock.
func (r *Relay) drain(ctx context.Context) (mine bool) {
	for ctx.Err() == nil {
		events, mine, err := r.number(ctx)
		if err != nil {
			r.report(ctx, "number events", err)
			return true
		}
		if len(events) == 0 {
			return mine
		}
		r.enqueue(events)
	}
	return true
}

// enqueue passes events to publishAll without waiting, so that a Redis that does not respond cannot delay the
// numbering.
func (r *Relay) enqueue(events []Event) {
	select {
	case r.batches <- events:
	default:
		r.unsent.Add(float64(len(events)))
	}
}

func (r *Relay) publishAll(ctx context.Context) {
	for {
		select {
		case events, open := <-r.batches:
			if !open {
				return
			}
			r.publish(ctx, events)
		case state := <-r.shared.announce:
			r.publishState(ctx, state)
		}
	}
}

// lockRelay lets one relay of a source number rows at a time. Its second column reports whether the server is still on
// the timeline of the epoch, because after a failover the same numbers can belong to other events.
const lockRelay = `
SELECT pg_try_advisory_xact_lock(hashtextextended('outbox:' || current_database() || ':' || $1, 0)),
  coalesce((SELECT timeline_id = ` + timeline + ` FROM stream_head WHERE stream = $1), false)`

// The statement numbers committed rows without a number, whatever their ids: ids are not in commit order. lockRelay is
// an earlier statement of the transaction, so that the snapshot of numberRows is newer than the last holder's commit;
// with an older snapshot it would number rows twice. o.seq IS NULL is a second guard.
const numberRows = `
WITH h AS (
  SELECT head, epoch FROM stream_head WHERE stream = $1 FOR UPDATE
), b AS (
  SELECT id, row_number() OVER (ORDER BY id) AS rn
  FROM (SELECT id FROM outbox WHERE seq IS NULL ORDER BY id LIMIT 500) q
), u AS (
  UPDATE outbox o SET seq = h.head + b.rn FROM b, h
  WHERE o.id = b.id AND o.seq IS NULL
  RETURNING o.*, h.epoch
)
SELECT event_id::text, epoch::text, ` + eventColumns + `
FROM u ORDER BY seq`

const moveHead = `UPDATE stream_head SET head = $2 WHERE stream = $1`

func (r *Relay) number(ctx context.Context) (events []Event, mine bool, err error) {
	ctx, cancel := finishing(ctx)
	defer cancel()
	tx, err := r.pool.Begin(ctx)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // no-op after the commit
	if events, mine, err = r.numberIn(ctx, tx); err == nil {
		err = tx.Commit(ctx)
	}
	if err != nil {
		return nil, mine, err
	}
	if len(events) > 0 {
		r.head.Set(float64(events[len(events)-1].Seq))
	}
	return events, mine, nil
}

// finishing returns a context that ends lastDrainLimit after ctx, or after numberTimeout, so that a stop does not
// interrupt a commit: if an interrupted commit succeeded, its events would be numbered but never published.
func finishing(ctx context.Context) (context.Context, context.CancelFunc) {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), numberTimeout)
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(lastDrainLimit, cancel) })
	return bounded, func() { stop(); cancel() }
}

func (r *Relay) numberIn(ctx context.Context, tx pgx.Tx) (events []Event, mine bool, err error) {
	var same bool
	if err := tx.QueryRow(ctx, lockRelay, r.outbox.source).Scan(&mine, &same); err != nil || !mine {
		return nil, mine, err
	}
	if !same {
		if _, err := tx.Exec(ctx, ensureStream, r.outbox.source); err != nil {
			return nil, mine, err
		}
	}
	rows, err := tx.Query(ctx, numberRows, r.outbox.source)
	if err != nil {
		return nil, mine, err
	}
	if events, err = pgx.CollectRows(rows, r.outbox.scan); err != nil || len(events) == 0 {
		return nil, mine, err
	}
	_, err = tx.Exec(ctx, moveHead, r.outbox.source, events[len(events)-1].Seq)
	return events, mine, err
}

// publish publishes committed events. Consumers read from the feed the events that the bus did not accept.
func (r *Relay) publish(ctx context.Context, events []Event) {
	bounded, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	channel := Channel(r.outbox.source)
	messages := make([][]byte, len(events))
	for i, event := range events {
		data, err := json.Marshal(event)
		if err != nil {
			r.report(ctx, "encode event", err)
			return
		}
		messages[i] = Signed(r.signer, channel, data)
	}
	_, ended := TraceAll(ctx, events, "publish", trace.SpanKindProducer)
	err := r.bus.Publish(bounded, channel, messages...)
	ended(err)
	if err != nil {
		r.unsent.Add(float64(len(events)))
		r.report(ctx, "publish events", err)
	}
}

func (r *Relay) report(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		r.log.WarnContext(ctx, "relay: "+what, "cause", err)
	}
}
