package process

import (
	"context"

	"go.opentelemetry.io/otel/trace"

	"baari.dev/services/platform/spans"
)

// Traces starts the tracing that the OTEL_* variables and TRACE_RECENT configure. Without any of them each request
// still has a trace id. The error names the variable that is wrong.
func (c Config) Traces(ctx context.Context, program string) (*spans.Tracing, error) {
	return spans.Start(ctx, spans.Config{
		Program: program, Version: version(), Disabled: c.TracesDisabled, Exporter: c.TracesExporter,
		Sampler: c.TracesSampler, Arg: c.TracesSamplerArg, Recent: int(c.TraceRecent), Edge: true,
	})
}

// Tracer returns the tracer of the gateway's spans.
func Tracer(tracing *spans.Tracing) trace.Tracer {
	return tracing.Provider().Tracer("baari.dev/gateway")
}
