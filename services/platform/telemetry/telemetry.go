// Package telemetry sets up logs, traces and metrics the same way in every service and in the gateway. It decides which
// spans are exported and which values have a trace id as exemplar. Start with NewLogger, StartTracing and NewRegistry.
package telemetry

import (
	"context"
	"io"
	"log/slog"
	"os"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	oteltrace "go.opentelemetry.io/otel/trace"

	"baari.dev/services/platform/request"
)

// NewLogger returns a logger that writes JSON lines, or text if format is "text". Each line has the trace id and the
// request id of its context.
func NewLogger(out io.Writer, service, format string, level slog.Level) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	var handler slog.Handler = slog.NewJSONHandler(out, options)
	if format == "text" {
		handler = slog.NewTextHandler(out, options)
	}
	return slog.New(correlated{handler}).With("service", service)
}

// correlated adds the ids of the trace, the span and the request to each record.
type correlated struct{ slog.Handler }

func (c correlated) Handle(ctx context.Context, record slog.Record) error {
	if span := oteltrace.SpanContextFromContext(ctx); span.IsValid() {
		record.AddAttrs(slog.String("trace_id", span.TraceID().String()), slog.String("span_id", span.SpanID().String()))
	}
	if id := request.From(ctx).ID; id != "" {
		record.AddAttrs(slog.String("request_id", id))
	}
	return c.Handler.Handle(ctx, record)
}

func (c correlated) WithAttrs(attrs []slog.Attr) slog.Handler {
	return correlated{c.Handler.WithAttrs(attrs)}
}

func (c correlated) WithGroup(name string) slog.Handler { return correlated{c.Handler.WithGroup(name)} }

// StartTracing installs the process's tracer provider from the standard OTEL_* variables. If none is set, each request
// still has a trace id, which logs and events carry. The error names the variable that is wrong.
func StartTracing(ctx context.Context, service string) (*Tracing, error) {
	tracing, err := start(ctx, TracingConfig{Program: service})
	if err != nil {
		return nil, err
	}
	otel.SetTracerProvider(tracing.Provider())
	return tracing, nil
}

// StartEdge returns the tracing of a gateway, which ignores the sampling decisions of its clients. Unlike StartTracing,
// it does not install the tracer provider for the process.
func StartEdge(ctx context.Context, service string) (*Tracing, error) {
	return start(ctx, TracingConfig{Program: service, Edge: true})
}

func start(ctx context.Context, config TracingConfig) (*Tracing, error) {
	otel.SetTextMapPropagator(propagation.TraceContext{})
	config.Version = Version()
	config.Disabled = os.Getenv("OTEL_SDK_DISABLED") == "true"
	config.Exporter = os.Getenv("OTEL_TRACES_EXPORTER")
	config.Sampler = os.Getenv("OTEL_TRACES_SAMPLER")
	config.Arg = os.Getenv("OTEL_TRACES_SAMPLER_ARG")
	return NewTracing(ctx, config)
}
