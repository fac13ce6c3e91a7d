package process

import (
	"context"
	"time"

	"go.opentelemetry.io/contrib/exporters/autoexport"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Tracer starts the traces of the program. Spans leave by the exporter that the OTEL_* variables describe; without one
// every request still has a trace id. The returned function sends what is left, for at most two seconds. The error is
// that of a bad exporter.
func (c Config) Tracer(ctx context.Context, program string) (trace.Tracer, func(), error) {
	described, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", program)), resource.WithFromEnv())
	if err != nil {
		return nil, nil, err
	}
	options := []sdk.TracerProviderOption{sdk.WithResource(described)}
	if c.TracesExporter != "none" {
		exporter, err := autoexport.NewSpanExporter(ctx)
		if err != nil {
			return nil, nil, err
		}
		options = append(options, sdk.WithBatcher(exporter))
	}
	provider := sdk.NewTracerProvider(options...)
	flush := func() {
		last, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		_ = provider.Shutdown(last) // spans are no reason to fail
	}
	return provider.Tracer("baari.dev/gateway"), flush, nil
}
