package spans

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// batcher counts what it is handed.
type batcher struct {
	sdk.SpanProcessor
	spans atomic.Int64
	over  bool
}

func (b *batcher) OnStart(context.Context, sdk.ReadWriteSpan) {}
func (b *batcher) OnEnd(sdk.ReadOnlySpan)                     { b.spans.Add(1) }
func (b *batcher) ForceFlush(context.Context) error           { return nil }
func (b *batcher) Shutdown(context.Context) error             { b.over = true; return nil }

func TestSpansAreHandedOnByTheHandfulOrAfterASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		last := &batcher{}
		made := sdk.NewTracerProvider(sdk.WithSpanProcessor(newHandfuls(last)))
		end := func(count int) {
			for range count {
				_, span := made.Tracer("test").Start(context.Background(), "x")
				span.End()
			}
			synctest.Wait()
		}
		has := func(want int64, when string) {
			t.Helper()
			if got := last.spans.Load(); got != want {
				t.Errorf("%s %d were handed on, not %d", when, got, want)
			}
		}
		end(handful - 1)
		has(0, "of less than a handful")
		end(1)
		has(handful, "of a handful")
		end(1)
		time.Sleep(handAfter - time.Millisecond)
		has(handful, "before the second")
		time.Sleep(2 * time.Millisecond)
		synctest.Wait()
		has(handful+1, "after the second")
		end(2)
		if err := made.ForceFlush(t.Context()); err != nil {
			t.Error(err)
		}
		has(handful+3, "when asked for all")
		end(1)
		if err := made.Shutdown(t.Context()); err != nil || !last.over {
			t.Error(err)
		}
		has(handful+4, "at the end")
	})
}
