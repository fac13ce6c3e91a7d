// Package spans configures the OpenTelemetry SDK of a program: which spans it exports, and which it keeps in memory for
// `baari trace`. Spans of sampled traces are exported; of other traces, those of a request that failed (failed.go).
// Start reading at Start.
package spans

import (
	"context"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Config is the tracing configuration of a program.
type Config struct {
	Program, Version string
	Disabled         bool   // OTEL_SDK_DISABLED: no spans and no trace ids
	Exporter         string // OTEL_TRACES_EXPORTER: otlp, console; "" and none: no exporter
	Sampler, Arg     string // OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG
	Recent           int    // TRACE_RECENT: number of spans kept in memory; 0: none
	// Edge is set for a program that receives requests from untrusted clients: it ignores their sampling decision.
	Edge bool
}

// Tracing is the tracing of a running program.
type Tracing struct {
	provider trace.TracerProvider
	shutdown func(context.Context) error
	recent   *recent
}

// Start creates the tracer provider. Without an exporter and without memory no span is recorded, but each request has a
// trace id. The error names the variable that is wrong.
func Start(ctx context.Context, config Config) (*Tracing, error) {
	if config.Disabled {
		return &Tracing{provider: noop.NewTracerProvider(), shutdown: func(context.Context) error { return nil }}, nil
	}
	about, err := resource.New(ctx, resource.WithFromEnv(), resource.WithTelemetrySDK(), resource.WithAttributes(
		attribute.String("service.name", config.Program), attribute.String("service.version", config.Version)))
	if err != nil {
		return nil, err
	}
	exporter, err := newExporter(ctx, config.Exporter)
	if err != nil {
		return nil, err
	}
	return start(about, exporter, config)
}

// start is Start with an exporter that may be nil.
func start(about *resource.Resource, exporter sdk.SpanExporter, config Config) (*Tracing, error) {
	head, err := headSampler(config.Sampler, config.Arg, config.Edge)
	if err != nil {
		return nil, err
	}
	t := &Tracing{}
	if exporter == nil && config.Recent == 0 { // only the ids of spans are needed
		made := sdk.NewTracerProvider(sdk.WithSampler(sdk.NeverSample()))
		t.provider, t.shutdown = made, made.Shutdown
		return t, nil
	}
	var sinks []sdk.SpanProcessor
	if exporter != nil {
		sinks = append(sinks, sdk.NewBatchSpanProcessor(exporter))
	}
	if config.Recent > 0 {
		t.recent = newRecent(config.Program, config.Recent)
		sinks = append(sinks, t.recent)
	}
	made := sdk.NewTracerProvider(sdk.WithResource(about), sdk.WithSampler(recording{head}), sdk.WithIDGenerator(ids{}),
		sdk.WithSpanProcessor(&keepFailed{sinks: sinks, traces: map[trace.TraceID]*local{}}))
	t.provider, t.shutdown = made, made.Shutdown
	return t, nil
}

// Provider returns the tracer provider of the program.
func (t *Tracing) Provider() trace.TracerProvider { return t.provider }

// Shutdown exports what is left, within two seconds: spans do not delay the end of a program.
func (t *Tracing) Shutdown(ctx context.Context) {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	_ = t.shutdown(last)
}

// Handler answers the spans that tracings keep in memory as JSON, of each tracing the oldest first; 404 when none are
// kept.
func Handler(tracings ...*Tracing) http.Handler {
	var kept memory
	for _, t := range tracings {
		if t.recent != nil {
			kept = append(kept, t.recent)
		}
	}
	if len(kept) == 0 {
		return http.NotFoundHandler()
	}
	return kept
}
