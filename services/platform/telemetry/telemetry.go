// Package telemetry sets up logs, traces and metrics the same way in every service.
package telemetry

import (
	"context"
	"io"
	"log/slog"
	"os"

	"go.opentelemetry.io/contrib/exporters/autoexport"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	oteltrace "go.opentelemetry.io/otel/trace"

	"baari.dev/services/platform/request"
)

// NewLogger writes JSON lines (or text for people) that carry the trace and request id of their context.
func NewLogger(out io.Writer, service, format string, level slog.Level) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	var handler slog.Handler = slog.NewJSONHandler(out, options)
	if format == "text" {
		handler = slog.NewTextHandler(out, options)
	}
	return slog.New(correlated{handler}).With("service", service)
}

// correlated adds the ids that join a log line to its trace and its request.
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

// StartTracing installs the tracer of the standard OTEL_* variables. Without OTEL_TRACES_EXPORTER spans are
// made, so that logs and events carry trace ids, but exported nowhere. The returned function flushes.
func StartTracing(ctx context.Context, service string) (flush func(context.Context) error, err error) {
	otel.SetTextMapPropagator(propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{}))
	about, err := resource.New(ctx, resource.WithFromEnv(), resource.WithTelemetrySDK(),
		resource.WithAttributes(semconv.ServiceName(service), semconv.ServiceVersion(Version())))
	if err != nil {
		return nil, err
	}
	options := []trace.TracerProviderOption{trace.WithResource(about)}
	if exporter := os.Getenv("OTEL_TRACES_EXPORTER"); exporter == "" || exporter == "none" {
		options = append(options, trace.WithSampler(trace.NeverSample())) // the ids are all that is needed of a span
	} else {
		spans, err := autoexport.NewSpanExporter(ctx)
		if err != nil {
			return nil, err
		}
		options = append(options, trace.WithBatcher(spans))
	}
	provider := trace.NewTracerProvider(options...)
	otel.SetTracerProvider(provider)
	return provider.Shutdown, nil
}
