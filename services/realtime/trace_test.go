package realtime

import (
	"slices"
	"testing"
	"testing/synctest"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"baari.dev/services/contract"
)

// Only frames of sampled traces carry a traceparent. With it, a browser reports that it has shown the change.
func TestFrameCarriesASampledTrace(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	before := otel.GetTracerProvider()
	otel.SetTracerProvider(sdk.NewTracerProvider(sdk.WithSpanProcessor(recorder)))
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 0)
		r.start()
		d := r.open("admin", contract.RoleAdmin, "")
		synctest.Wait()
		created := visitsFrom(1, 3)
		kept, lost, none := created[0], created[1], created[2]
		kept.Traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
		lost.Traceparent = "00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"
		r.deliver("visits", kept, lost, none)
		synctest.Wait()
		unlisted := eventOf(contract.SourceAuth, contract.SessionSignedIn, contract.EntitySession, "s1", 1,
			contract.Session{})
		unlisted.Traceparent = kept.Traceparent
		r.deliver("auth", unlisted)
		synctest.Wait()
		var sent []sdk.ReadOnlySpan
		for _, span := range recorder.Ended() {
			if span.Name() != "GET /api/stream" {
				sent = append(sent, span)
			}
		}
		if len(sent) != 1 || sent[0].Name() != "send visit_created" ||
			sent[0].Parent().SpanID().String() != "b7ad6b7169203331" ||
			!slices.Contains(sent[0].Attributes(), attribute.Int("baari.sse.streams", 1)) {
			t.Fatalf("sent %+v", sent)
		}
		named := "00-0af7651916cd43dd8448eb211c80319c-" + sent[0].SpanContext().SpanID().String() + "-01"
		frames := d.received()
		if len(frames) != 4 || frames[1].Trace != named || frames[0].Trace+frames[2].Trace+frames[3].Trace != "" {
			t.Errorf("received %+v, not %q", frames, named)
		}
	})
}
