package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/telemetry"
	"baari.dev/services/platform/wire"
)

const (
	keptTrace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	lostTrace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"
)

func soldEvent(id, traceparent string, age time.Duration) outbox.Event {
	return outbox.Event{
		ID: id, Source: "shop", Type: "thing_sold", Time: wire.Time(time.Now().Add(-age)), Traceparent: traceparent,
	}
}

func TestSpansOfAnEventBelongToTheTraceOfItsRequest(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	before := otel.GetTracerProvider()
	otel.SetTracerProvider(sdk.NewTracerProvider(sdk.WithSpanProcessor(recorder)))
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	for _, event := range []outbox.Event{
		soldEvent("e1", keptTrace, 0), soldEvent("e2", keptTrace, 0), soldEvent("e3", keptTrace, 2*time.Minute),
		soldEvent("e4", "", 0),
	} {
		ctx, span := event.Trace(t.Context(), "process", trace.SpanKindConsumer)
		_, within := event.Trace(ctx, "send", trace.SpanKindProducer)
		within.End()
		span.End()
	}
	spans := recorder.Ended()
	if len(spans) != 4 {
		t.Fatalf("%d spans of two young events and two others", len(spans))
	}
	for i, span := range spans {
		id, what, kind := []string{"e1", "e2"}[i/2], "send", trace.SpanKindProducer
		parent := spans[i/2*2+1].SpanContext().SpanID().String()
		if i%2 == 1 {
			what, kind, parent = "process", trace.SpanKindConsumer, "b7ad6b7169203331"
		}
		got := map[attribute.Key]string{}
		for _, a := range span.Attributes() {
			got[a.Key] = a.Value.String()
		}
		want := map[attribute.Key]string{
			"messaging.system": "redis", "messaging.operation.name": what, "messaging.destination.name": "baari:events:shop",
			"messaging.message.id": id, "baari.event.type": "thing_sold",
		}
		if span.Name() != what+" thing_sold" || span.SpanKind() != kind || span.Parent().SpanID().String() != parent ||
			span.SpanContext().TraceID().String() != "0af7651916cd43dd8448eb211c80319c" || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s, %v, under %s: %v, not %v", span.Name(), span.SpanKind(), span.Parent().SpanID(), got, want)
		}
	}
}

func TestSampledEventsOfABatchHaveSpans(t *testing.T) {
	const other = "00-1af7651916cd43dd8448eb211c80319c-c7ad6b7169203331-01"
	events := []outbox.Event{
		soldEvent("first", keptTrace, 0), soldEvent("second", other, 0), soldEvent("third", lostTrace, 0),
		soldEvent("old", keptTrace, time.Hour),
	}
	for _, failed := range []error{nil, errors.New("no")} {
		recorder := tracetest.NewSpanRecorder()
		before := otel.GetTracerProvider()
		otel.SetTracerProvider(sdk.NewTracerProvider(sdk.WithSpanProcessor(recorder), sdk.WithSampler(sdk.AlwaysSample())))
		t.Cleanup(func() { otel.SetTracerProvider(before) })
		within, ended := outbox.TraceAll(t.Context(), events, "process", trace.SpanKindConsumer)
		opened := time.Now()
		time.Sleep(time.Millisecond)
		if got := trace.SpanContextFromContext(within); got.TraceID().String() != other[3:35] {
			t.Errorf("the batch belongs to %s", got.TraceID())
		}
		ended(failed)
		spans := recorder.Ended()
		want := 2
		if failed != nil {
			want = 3
		}
		if len(spans) != want {
			t.Fatalf("%v: %d spans, want %d", failed, len(spans), want)
		}
		for _, span := range spans {
			if published := span.Status().Code == codes.Error; published != (failed != nil) || span.StartTime().After(opened) {
				t.Errorf("%v: %v, begun at %v", failed, span.Status(), span.StartTime())
			}
		}
		for _, span := range spans[1:] {
			if links := span.Links(); len(links) != 1 || links[0].SpanContext.SpanID() != spans[0].SpanContext().SpanID() ||
				len(spans[0].Links()) != 0 {
				t.Errorf("linked %v", links)
			}
		}
	}
}

func TestWorkOutsideTracesThatAreKeptStillKnowsItsRequest(t *testing.T) {
	within, ended := outbox.TraceAll(
		t.Context(), []outbox.Event{soldEvent("e", lostTrace, 0)}, "process", trace.SpanKindConsumer,
	)
	ended(nil)
	if got := trace.SpanContextFromContext(within); got.TraceID().String() != lostTrace[3:35] || got.IsSampled() {
		t.Errorf("within %+v", got)
	}
	for name, events := range map[string][]outbox.Event{"none": nil, "old": {soldEvent("e", lostTrace, time.Hour)}} {
		within, ended := outbox.TraceAll(t.Context(), events, "process", trace.SpanKindConsumer)
		ended(errors.New("no"))
		if within != t.Context() {
			t.Errorf("%s: %v", name, within)
		}
	}
}

func TestSampledReadsTheFlagOfTheEvent(t *testing.T) {
	for traceparent, want := range map[string]bool{
		keptTrace: true, lostTrace: false, keptTrace + "-more": false,
		lostTrace[:len(lostTrace)-2] + "03": true, lostTrace[:len(lostTrace)-2] + "02": false,
		lostTrace[:len(lostTrace)-2] + "zz": false, keptTrace[:len(keptTrace)-1]: false, "": false, "1": false,
	} {
		if got := soldEvent("e", traceparent, 0).Sampled(); got != want {
			t.Errorf("%q: %v", traceparent, got)
		}
	}
	if soldEvent("e", keptTrace, 2*time.Minute).Sampled() {
		t.Error("an old event is traced")
	}
}

// At a sampling ratio of 0.1, the cost of tracing is mostly that of spans that are not kept. The collector discards
// what it receives.
func BenchmarkBatchOfOne(b *testing.B) {
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
	}))
	b.Cleanup(collector.Close)
	before := otel.GetTracerProvider()
	b.Cleanup(func() { otel.SetTracerProvider(before) })
	for name, traceparent := range map[string]string{"kept": keptTrace, "not kept": lostTrace} {
		b.Run(name, func(b *testing.B) {
			b.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
			kept, err := telemetry.NewTracing(b.Context(), telemetry.TracingConfig{
				Program: "shop", Sampler: "parentbased_always_off", Exporter: "otlp",
			})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { kept.Shutdown(context.Background()) })
			otel.SetTracerProvider(kept.Provider())
			b.ReportAllocs()
			event := soldEvent("e", traceparent, 0)
			for b.Loop() {
				_, ended := outbox.TraceAll(b.Context(), []outbox.Event{event}, "process", trace.SpanKindConsumer)
				ended(nil)
			}
		})
	}
}
