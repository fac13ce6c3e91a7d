package outbox

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
)

// What the tests look at from inside.
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

func (r *Relay) Head() prometheus.Collector       { return r.head }
func (r *Relay) Unsent() prometheus.Collector     { return r.unsent }
func (r *Relay) Unnumbered() prometheus.Collector { return r.unnumbered }
func (r *Relay) Oldest() prometheus.Collector     { return r.oldest }
