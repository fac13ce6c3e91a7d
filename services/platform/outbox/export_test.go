package outbox

import (
	"context"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/bus"
)

// Internals that the tests use.
const (
	ReadHead   = readHead
	RelayEvery = relayEvery
)

var (
	LockRelay   = lockRelay
	WakeChannel = wakeChannel
)

func (r *Relay) Outbox() *Outbox { return r.outbox }

func (r *Relay) Number(ctx context.Context) ([]Event, error) {
	events, _, err := r.number(ctx)
	return events, err
}

func (r *Relay) Publish(ctx context.Context, events []Event) { r.publish(ctx, events) }
func (r *Relay) Drain(ctx context.Context)                   { r.drain(ctx) }
func (r *Relay) Measure(ctx context.Context)                 { _ = r.measure(ctx) }

// Hear makes the relay receive a state that another replica of its source has published.
func (r *Relay) Hear(t *testing.T, state State) {
	t.Helper()
	data, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	channel := StateChannel(r.outbox.source)
	r.hear(bus.Notice{Channel: channel, Payload: string(Signed(r.signer, channel, data))})
}

// HearForged makes the relay receive a state that a client of Redis without the source's key has published.
func (r *Relay) HearForged(t *testing.T, state State) {
	t.Helper()
	data, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	r.hear(bus.Notice{Channel: StateChannel(r.outbox.source), Payload: string(data)})
}

func (r *Relay) Knows() bool { return r.shared.known() }

func (r *Relay) Head() prometheus.Collector       { return r.head }
func (r *Relay) Unsent() prometheus.Collector     { return r.unsent }
func (r *Relay) Unnumbered() prometheus.Collector { return r.unnumbered }
func (r *Relay) Oldest() prometheus.Collector     { return r.oldest }
