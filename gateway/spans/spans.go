// Package spans decides which spans of a program are kept: those that are sampled and those of requests that failed go to
// the exporter, and the last of all stay in memory, where `baari trace` reads them. The gateway and the services have the
// same package each: their modules share nothing.
package spans

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/contrib/exporters/autoexport"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Config is what an installation says of its traces.
type Config struct {
	Program, Version string
	Disabled         bool   // OTEL_SDK_DISABLED: no spans and no trace ids
	Exporter         string // OTEL_TRACES_EXPORTER; "" and none: no exporter
	Sampler, Arg     string // OTEL_TRACES_SAMPLER and its argument
	Recent           int    // TRACE_RECENT: how many spans stay in memory; 0: none
	// Edge is a program that strangers call: whether a trace is kept is not for them to say.
	Edge bool
}

// Kept are the spans of a running program.
type Kept struct {
	provider trace.TracerProvider
	shutdown func(context.Context) error
	recent   *recent
}

// Start makes the tracer provider. Without exporter and memory no span is recorded, but each request has a trace id.
// The error names the variable that is wrong.
func Start(ctx context.Context, config Config) (*Kept, error) {
	if config.Disabled {
		return &Kept{provider: noop.NewTracerProvider(), shutdown: func(context.Context) error { return nil }}, nil
	}
	about, err := resource.New(ctx, resource.WithFromEnv(), resource.WithTelemetrySDK(), resource.WithAttributes(
		attribute.String("service.name", config.Program), attribute.String("service.version", config.Version)))
	if err != nil {
		return nil, err
	}
	var exporter sdk.SpanExporter
	if config.Exporter != "" && config.Exporter != "none" {
		if exporter, err = autoexport.NewSpanExporter(ctx); err != nil {
			return nil, fmt.Errorf("OTEL_TRACES_EXPORTER: %w", err)
		}
	}
	return start(about, exporter, config)
}

// start is Start with an exporter that may be nil.
func start(about *resource.Resource, exporter sdk.SpanExporter, config Config) (*Kept, error) {
	head, byParent, err := headSampler(config.Sampler, config.Arg, config.Edge)
	if err != nil {
		return nil, err
	}
	k := &Kept{}
	if exporter == nil && config.Recent == 0 { // the ids are all that is needed of a span
		made := sdk.NewTracerProvider(sdk.WithSampler(sdk.NeverSample()))
		k.provider, k.shutdown = made, made.Shutdown
		return k, nil
	}
	options := []sdk.TracerProviderOption{sdk.WithResource(about), sdk.WithSampler(sdk.AlwaysSample()), sdk.WithIDGenerator(given{})}
	if exporter != nil {
		options = append(options, sdk.WithBatcher(exporter))
	}
	if config.Recent > 0 {
		k.recent = newRecent(config.Program, config.Recent)
		options = append(options, sdk.WithSpanProcessor(k.recent))
	}
	made := sdk.NewTracerProvider(options...)
	ours := &provider{sdk: made, head: head, byParent: byParent, edge: config.Edge}
	if k.recent != nil {
		k.recent.flush = ours.waiting.flush
	}
	k.provider, k.shutdown = ours, func(ctx context.Context) error {
		ours.waiting.flush()
		return made.Shutdown(ctx)
	}
	return k, nil
}

// Provider makes the program's tracers.
func (k *Kept) Provider() trace.TracerProvider { return k.provider }

// Shutdown sends what is left, for at most two seconds: spans are no reason to stay.
func (k *Kept) Shutdown(ctx context.Context) {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	_ = k.shutdown(last)
}

// Handler answers the spans in memory as JSON, oldest first; 404 when none are kept.
func (k *Kept) Handler() http.Handler {
	if k == nil || k.recent == nil { // in tests there may be no traces at all
		return http.NotFoundHandler()
	}
	return k.recent
}

// headSampler is the sampler of the standard variables, parentbased_always_on when they are not set, and whether it is asked only where
// a trace begins.
func headSampler(name, arg string, edge bool) (root sdk.Sampler, byParent bool, err error) {
	ratio := 1.0
	if arg != "" && strings.HasSuffix(name, "traceidratio") {
		if ratio, err = strconv.ParseFloat(arg, 64); err != nil || ratio < 0 || ratio > 1 {
			return nil, false, errors.New("OTEL_TRACES_SAMPLER_ARG: a share is a number from 0 to 1")
		}
	}
	name, byParent = strings.CutPrefix(name, "parentbased_")
	root = map[string]sdk.Sampler{
		"": sdk.AlwaysSample(), "always_on": sdk.AlwaysSample(), "always_off": sdk.NeverSample(), "traceidratio": sdk.TraceIDRatioBased(ratio),
	}[name]
	if edge && ratio < 1 && strings.HasSuffix(name, "traceidratio") {
		root = coin(ratio) // a stranger can choose trace ids so that the others would keep each of them
	}
	if root == nil {
		return nil, false, errors.New("OTEL_TRACES_SAMPLER: it may be always_on, always_off, traceidratio, or one of them after parentbased_")
	}
	return root, edge || byParent || name == "", nil
}

// coin samples this share by chance.
type coin float64

// ShouldSample implements sdk.Sampler.
func (c coin) ShouldSample(sdk.SamplingParameters) sdk.SamplingResult {
	if rand.Float64() < float64(c) {
		return sdk.SamplingResult{Decision: sdk.RecordAndSample}
	}
	return sdk.SamplingResult{Decision: sdk.Drop}
}

// Description implements sdk.Sampler.
func (c coin) Description() string { return "coin" }
