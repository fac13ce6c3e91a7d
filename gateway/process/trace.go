package process

import (
	"context"

	"go.opentelemetry.io/otel/trace"

	"baari.dev/services/platform/spans"
)

// Traces starts the traces of the program by the OTEL_* variables and TRACE_RECENT. Without any of them every request still
// has a trace id. The error names the variable that is wrong.
func (c Config) Traces(ctx context.Context, program string) (*spans.Kept, error) {
	return spans.Start(ctx, spans.Config{
		Program: program, Version: version(), Disabled: c.TracesDisabled, Exporter: c.TracesExporter,
		Sampler: c.TracesSampler, Arg: c.TracesSamplerArg, Recent: int(c.TraceRecent), Edge: true,
	})
}

// Tracer makes the spans of the gateway.
func Tracer(kept *spans.Kept) trace.Tracer { return kept.Provider().Tracer("baari.dev/gateway") }
