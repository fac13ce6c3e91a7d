package telemetry

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// run starts the tracing of a program with an exporter in memory, runs work, and returns the names of the exported
// spans.
func run(t *testing.T, config TracingConfig, work func(trace.Tracer)) []string {
	t.Helper()
	exporter := &holding{}
	tracing, err := newTracing(resource.Empty(), exporter, config)
	if err != nil {
		t.Fatal(err)
	}
	work(tracing.Provider().Tracer("test"))
	tracing.Shutdown(t.Context())
	var names []string
	for _, span := range exporter.all {
		names = append(names, span.Name)
		if !span.SpanContext.IsSampled() {
			t.Errorf("%s was exported without the sampled flag", span.Name)
		}
	}
	slices.Sort(names)
	return names
}

// holding is an exporter that keeps the exported spans even after its shutdown.
type holding struct {
	tracetest.InMemoryExporter
	all tracetest.SpanStubs
}

func (h *holding) Shutdown(ctx context.Context) error {
	h.all = h.GetSpans()
	return h.InMemoryExporter.Shutdown(ctx)
}

// requested makes the spans of one request: its own, that of a statement, and that of work after the response.
func requested(tracer trace.Tracer, name string, fails bool) {
	ctx, span := tracer.Start(context.Background(), name)
	_, statement := tracer.Start(ctx, name+" statement")
	_, later := tracer.Start(ctx, name+" later")
	if fails {
		statement.SetStatus(codes.Error, "")
	}
	statement.End()
	span.End()
	later.End()
}

// An unsampled request that fails is exported with all its spans. An unsampled request that succeeds is not exported.
func TestAFailedRequestIsExportedWithoutBeingSampled(t *testing.T) {
	got := run(t, TracingConfig{Sampler: "always_off"}, func(tracer trace.Tracer) {
		requested(tracer, "good", false)
		requested(tracer, "bad", true)
	})
	if want := []string{"bad", "bad later", "bad statement"}; !slices.Equal(got, want) {
		t.Errorf("exported %q, want %q", got, want)
	}
}

func TestASpanOfAFailedTraceIsComplete(t *testing.T) {
	exporter := &holding{}
	tracing, err := newTracing(resource.Empty(), exporter, TracingConfig{Sampler: "always_off"})
	if err != nil {
		t.Fatal(err)
	}
	tracer := tracing.Provider().Tracer("test")
	caller := trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, Remote: true,
	})
	began := time.Now().Add(-time.Hour)
	parent := trace.ContextWithRemoteSpanContext(context.Background(), caller)
	ctx, span := tracer.Start(parent, "request", trace.WithSpanKind(trace.SpanKindServer),
		trace.WithTimestamp(began), trace.WithAttributes(attribute.String("at", "start")))
	_, statement := tracer.Start(ctx, "statement")
	if !statement.IsRecording() || statement.SpanContext().IsSampled() {
		t.Errorf("recording %v, sampled %v", statement.IsRecording(), statement.SpanContext().IsSampled())
	}
	statement.AddLink(trace.Link{SpanContext: caller})
	statement.End()
	span.SetAttributes(attribute.Int("status", 500))
	span.SetStatus(codes.Error, "why")
	span.End(trace.WithTimestamp(began.Add(time.Minute)))
	span.SetAttributes(attribute.Int("too", 1)) // late
	tracing.Shutdown(t.Context())
	if len(exporter.all) != 2 {
		t.Fatalf("%d spans were exported", len(exporter.all))
	}
	below, above := exporter.all[0], exporter.all[1]
	if above.SpanContext.TraceID() != caller.TraceID() || above.Parent.SpanID() != caller.SpanID() ||
		above.SpanContext.SpanID() != span.SpanContext().SpanID() ||
		below.Parent.SpanID() != span.SpanContext().SpanID() ||
		below.SpanContext.SpanID() != statement.SpanContext().SpanID() {
		t.Errorf("the tree is %+v above %+v", above, below)
	}
	if got := fmt.Sprint(
		above.SpanKind, above.Attributes, above.Status, above.EndTime.Sub(above.StartTime),
	); got != `server [{"at":"start"} {"status":500}] {Error why} 1m0s` {
		t.Error(got)
	}
	if len(below.Links) != 1 || below.EndTime.Before(below.StartTime) || below.StartTime.Before(began) {
		t.Errorf("the statement is %+v", below)
	}
}

// Two concurrent requests of one trace in one program are exported or dropped together, when both have ended.
func TestConcurrentRequestsOfOneTraceAreKeptTogether(t *testing.T) {
	caller := trace.ContextWithRemoteSpanContext(context.Background(), trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}, Remote: true}))
	got := run(t, TracingConfig{}, func(tracer trace.Tracer) {
		_, good := tracer.Start(caller, "good")
		_, bad := tracer.Start(caller, "bad")
		bad.SetStatus(codes.Error, "")
		bad.End()
		good.End()
		_, later := tracer.Start(caller, "later")
		later.End()
	})
	if want := []string{"bad", "good"}; !slices.Equal(got, want) {
		t.Errorf("exported %q, want %q", got, want)
	}
}

func TestEndedTracesAreReleased(t *testing.T) {
	p := &keepFailed{SpanProcessor: tracetest.NewSpanRecorder(), traces: map[trace.TraceID]*local{}}
	made := sdk.NewTracerProvider(sdk.WithSampler(recording{sdk.NeverSample()}), sdk.WithSpanProcessor(p))
	for i := range 100 {
		requested(made.Tracer("test"), "x", i%2 == 0)
	}
	if len(p.traces) != 0 {
		t.Errorf("%d traces are still held", len(p.traces))
	}
}

func TestTheSamplerSamplesItsRatio(t *testing.T) {
	for _, c := range []struct {
		sampler, arg string
		least, most  int
	}{
		{"traceidratio", "0.1", 60, 140},
		{"parentbased_traceidratio", "0.1", 60, 140},
		{"", "", 1000, 1000},
		{"always_on", "", 1000, 1000},
		{"always_off", "", 0, 0},
	} {
		got := run(t, TracingConfig{Sampler: c.sampler, Arg: c.arg}, func(tracer trace.Tracer) {
			for range 1000 {
				_, span := tracer.Start(context.Background(), "x")
				span.End()
			}
		})
		if len(got) < c.least || len(got) > c.most {
			t.Errorf("%s %s kept %d of 1000", c.sampler, c.arg, len(got))
		}
	}
}

// A program behind the edge follows the sampling decision of its caller; the edge ignores the decisions of its clients.
func TestTheEdgeIgnoresTheSampledFlagOfAClient(t *testing.T) {
	client := trace.ContextWithRemoteSpanContext(context.Background(), trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}, TraceFlags: trace.FlagsSampled, Remote: true}))
	for edge, want := range map[bool]int{false: 1, true: 0} {
		got := run(t, TracingConfig{Sampler: "parentbased_always_off", Edge: edge}, func(tracer trace.Tracer) {
			_, span := tracer.Start(client, "x")
			span.End()
		})
		if len(got) != want {
			t.Errorf("edge %v kept %d", edge, len(got))
		}
	}
}

func TestTheChildrenOfASampledSpanAreSampled(t *testing.T) {
	for _, edge := range []bool{false, true} {
		roots := 0
		got := run(t, TracingConfig{Sampler: "parentbased_traceidratio", Arg: "0.1", Edge: edge}, func(tracer trace.Tracer) {
			for range 500 {
				ctx, root := tracer.Start(context.Background(), "x")
				_, within := tracer.Start(ctx, "x")
				within.End()
				root.End()
				if root.SpanContext().IsSampled() {
					roots++
				}
			}
		})
		if roots == 0 || len(got) != 2*roots {
			t.Errorf("edge %v: %d spans of %d kept traces", edge, len(got), roots)
		}
	}
}

// A client cannot choose trace ids that make the edge sample more of its requests than the ratio allows.
func TestTheEdgeIgnoresTheTraceIDOfAClient(t *testing.T) {
	got := run(t, TracingConfig{Sampler: "parentbased_traceidratio", Arg: "0.1", Edge: true}, func(tracer trace.Tracer) {
		for i := range 1000 {
			id := trace.TraceID{0: 1, 6: byte(i >> 8), 7: byte(i)} // the ratio sampler reads the last eight bytes
			parent := trace.NewSpanContext(trace.SpanContextConfig{
				TraceID: id, SpanID: trace.SpanID{1}, TraceFlags: trace.FlagsSampled, Remote: true,
			})
			_, span := tracer.Start(trace.ContextWithRemoteSpanContext(context.Background(), parent), "x")
			span.End()
		}
	})
	if len(got) < 60 || len(got) > 140 {
		t.Errorf("kept %d of 1000", len(got))
	}
}

func TestAReportedSpanKeepsItsIDs(t *testing.T) {
	exporter := &holding{}
	tracing, err := newTracing(resource.Empty(), exporter, TracingConfig{Sampler: "always_off"})
	if err != nil {
		t.Fatal(err)
	}
	own := trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled,
	})
	ctx, under := tracing.Provider().Tracer("test").Start(context.Background(), "the report")
	_, span := tracing.Provider().Tracer("test").Start(Reported(ctx, own), "ask")
	span.End()
	under.End()
	tracing.Shutdown(t.Context())
	if len(exporter.all) != 1 || !exporter.all[0].SpanContext.Equal(own) || exporter.all[0].Parent.IsValid() {
		t.Errorf("exported %+v", exporter.all)
	}
}

func TestTheSpansOfAnUnsampledTraceAreBounded(t *testing.T) {
	got := run(t, TracingConfig{Sampler: "always_off"}, func(tracer trace.Tracer) {
		ctx, span := tracer.Start(context.Background(), "long")
		for range 2 * mostSpans {
			_, step := tracer.Start(ctx, "step")
			step.End()
		}
		span.SetStatus(codes.Error, "")
		span.End()
	})
	if len(got) != mostSpans {
		t.Errorf("%d spans of one trace were held", len(got))
	}
}

func TestEachInvalidSettingIsNamed(t *testing.T) {
	for name, config := range map[string]TracingConfig{
		"OTEL_TRACES_SAMPLER:":     {Sampler: "sometimes"},
		"OTEL_TRACES_SAMPLER_ARG:": {Sampler: "traceidratio", Arg: "10%"},
		"OTEL_TRACES_EXPORTER:":    {Exporter: "pigeon"},
	} {
		t.Setenv("OTEL_TRACES_EXPORTER", config.Exporter)
		if _, err := NewTracing(t.Context(), config); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%+v: %v", config, err)
		}
	}
}

func TestWithoutExporterNoSpanIsRecorded(t *testing.T) {
	tracing, err := NewTracing(t.Context(), TracingConfig{})
	if err != nil {
		t.Fatal(err)
	}
	_, span := tracing.Provider().Tracer("test").Start(context.Background(), "x")
	if span.IsRecording() || !span.SpanContext().IsValid() {
		t.Errorf("recording %v, valid %v", span.IsRecording(), span.SpanContext().IsValid())
	}
}

func TestAShutdownExportsPendingSpans(t *testing.T) {
	exporter := &holding{}
	tracing, err := newTracing(resource.Empty(), exporter, TracingConfig{})
	if err != nil {
		t.Fatal(err)
	}
	var working sync.WaitGroup
	for range 4 {
		working.Go(func() {
			for range 256 {
				_, span := tracing.Provider().Tracer("test").Start(context.Background(), "x")
				span.End()
			}
		})
	}
	working.Wait()
	tracing.Shutdown(t.Context())
	if len(exporter.all) != 4*256 {
		t.Errorf("%d of %d spans were exported", len(exporter.all), 4*256)
	}
}

// The random flag of the caller's traceparent is passed on:
// https://www.w3.org/TR/trace-context-2/#random-trace-id-flag.
func TestTheRandomFlagOfTheParentIsKept(t *testing.T) {
	for sampler, want := range map[string]trace.TraceFlags{
		"always_on": trace.FlagsSampled | trace.FlagsRandom, "always_off": trace.FlagsRandom,
	} {
		tracing, err := newTracing(resource.Empty(), &holding{}, TracingConfig{Sampler: sampler})
		if err != nil {
			t.Fatal(err)
		}
		caller := trace.NewSpanContext(trace.SpanContextConfig{
			TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsRandom, Remote: true,
		})
		ctx, span := tracing.Provider().Tracer("test").Start(
			trace.ContextWithRemoteSpanContext(context.Background(), caller), "x",
		)
		_, within := tracing.Provider().Tracer("test").Start(ctx, "y")
		if span.SpanContext().TraceFlags() != want || within.SpanContext().TraceFlags() != want {
			t.Errorf("%s: flags %v and %v", sampler, span.SpanContext().TraceFlags(), within.SpanContext().TraceFlags())
		}
	}
}
