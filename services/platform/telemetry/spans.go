package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// TracingConfig is the tracing configuration of a program.
type TracingConfig struct {
	Program, Version string
	Disabled         bool   // OTEL_SDK_DISABLED: no spans and no trace ids
	Exporter         string // OTEL_TRACES_EXPORTER: otlp or console; no exporter if "" or none
	Sampler, Arg     string // OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG
	// Edge is true for a program that receives requests from untrusted clients: their sampling decision is ignored.
	Edge bool
}

// Tracing is the tracing of a running program.
type Tracing struct {
	provider trace.TracerProvider
	shutdown func(context.Context) error
}

// NewTracing creates the tracer provider. It exports the spans of sampled traces, and the spans of an unsampled trace
// if one of them failed (failed.go). Without an exporter no span is recorded, but each request has a trace id. The
// error names the variable that is wrong.
func NewTracing(ctx context.Context, config TracingConfig) (*Tracing, error) {
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
	return newTracing(about, exporter, config)
}

// newTracing does the same as NewTracing, with a given exporter, which may be nil.
func newTracing(about *resource.Resource, exporter sdk.SpanExporter, config TracingConfig) (*Tracing, error) {
	head, err := headSampler(config.Sampler, config.Arg, config.Edge)
	if err != nil {
		return nil, err
	}
	t := &Tracing{}
	if exporter == nil { // only the ids of spans are needed
		made := sdk.NewTracerProvider(sdk.WithSampler(sdk.NeverSample()))
		t.provider, t.shutdown = made, made.Shutdown
		return t, nil
	}
	made := sdk.NewTracerProvider(sdk.WithResource(about), sdk.WithSampler(recording{head}), sdk.WithIDGenerator(ids{}),
		sdk.WithSpanProcessor(&keepFailed{
			SpanProcessor: sdk.NewBatchSpanProcessor(exporter), traces: map[trace.TraceID]*local{},
		}))
	t.provider, t.shutdown = made, made.Shutdown
	return t, nil
}

// Provider returns the tracer provider of the program.
func (t *Tracing) Provider() trace.TracerProvider { return t.provider }

// Shutdown exports the remaining spans. It stops after two seconds, so that it does not delay the end of a program.
func (t *Tracing) Shutdown(ctx context.Context) {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	_ = t.shutdown(last)
}
