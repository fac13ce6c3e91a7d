package realtime

import (
	"slices"
	"testing"
	"testing/synctest"

	"go.opentelemetry.io/otel"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"baari.dev/services/contract"
)

// A browser tells when it has shown a change whose trace is kept; of the others nobody would look at it.
func TestAFrameNamesATraceThatIsKept(t *testing.T) {
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
		kept, lost, none := visitEvent(contract.VisitCreated, 1), visitEvent(contract.VisitCreated, 2), visitEvent(contract.VisitCreated, 3)
		kept.Traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
		lost.Traceparent = "00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"
		r.deliver("visits", kept, lost, none)
		synctest.Wait()
		var named []string
		for _, span := range recorder.Ended() { // one for each group of people who are told the same
			if span.Name() == "GET /api/stream" {
				continue
			}
			named = append(named, "00-0af7651916cd43dd8448eb211c80319c-"+span.SpanContext().SpanID().String()+"-01")
			if span.Name() != "send visit_created" || span.Parent().SpanID().String() != "b7ad6b7169203331" {
				t.Errorf("%s, under %s", span.Name(), span.Parent().SpanID())
			}
		}
		heard := d.heard()
		if len(heard) != 4 || !slices.Contains(named, heard[1].Trace) || heard[0].Trace+heard[2].Trace+heard[3].Trace != "" {
			t.Errorf("heard %+v, of %q", heard, named)
		}
	})
}
