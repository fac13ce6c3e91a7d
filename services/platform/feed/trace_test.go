package feed_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// stumbling is a listener whose first delivery fails with the error in its field "first".
type stumbling struct {
	listener
	first     error
	delivered atomic.Bool
}

func (s *stumbling) Deliver(ctx context.Context, batch feed.Batch) error {
	if !s.delivered.Swap(true) {
		return s.first
	}
	return s.listener.Deliver(ctx, batch)
}

func TestAnEventAppliedByAnotherReplicaIsNoFailure(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	before := otel.GetTracerProvider()
	otel.SetTracerProvider(sdk.NewTracerProvider(sdk.WithSpanProcessor(recorder)))
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	for first, want := range map[error]codes.Code{feed.ErrMoved: codes.Unset, errors.New("no"): codes.Error} {
		redis := testkit.NewRedis(t)
		s := openShop(t, redis.Bus)
		sink := &stumbling{first: first}
		inBackground(
			t,
			feed.NewFollower(source, s.client, redis.Bus, sink, prometheus.NewRegistry(), slog.New(slog.DiscardHandler)).Run,
		)
		testkit.Eventually(t, "the listener has read the head", func() bool {
			begun, _, _ := sink.state()
			return begun == 1
		})
		recorder.Reset()
		ctx := trace.ContextWithSpanContext(t.Context(), trace.NewSpanContext(trace.SpanContextConfig{
			TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled,
		}))
		if err := s.outbox.InTx(ctx, func(tx pgx.Tx) error {
			return outbox.Append(ctx, tx, outbox.Change{Type: "sold", Entity: "thing", EntityID: "1"})
		}); err != nil {
			t.Fatal(err)
		}
		var taken sdk.ReadOnlySpan
		testkit.Eventually(t, "the event's span has ended", func() bool {
			for _, span := range recorder.Ended() {
				if span.Name() == "process sold" {
					taken = span
					return true
				}
			}
			return false
		})
		if taken.Status().Code != want || taken.SpanContext().TraceID() != (trace.TraceID{1}) {
			t.Errorf("%v: %v in trace %s", first, taken.Status(), taken.SpanContext().TraceID())
		}
	}
}
