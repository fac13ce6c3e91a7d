package telemetry

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// headSampler returns the sampler that OTEL_TRACES_SAMPLER (name) and OTEL_TRACES_SAMPLER_ARG (arg) select;
// parentbased_always_on if name is "". At the edge the decision of a remote parent is ignored.
func headSampler(name, arg string, edge bool) (sdk.Sampler, error) {
	ratio := 1.0
	if arg != "" && strings.HasSuffix(name, "traceidratio") {
		var err error
		if ratio, err = strconv.ParseFloat(arg, 64); err != nil || ratio < 0 || ratio > 1 {
			return nil, errors.New("OTEL_TRACES_SAMPLER_ARG: a share is a number from 0 to 1")
		}
	}
	name, byParent := strings.CutPrefix(name, "parentbased_")
	root := map[string]sdk.Sampler{
		"": sdk.AlwaysSample(), "always_on": sdk.AlwaysSample(), "always_off": sdk.NeverSample(),
		"traceidratio": sdk.TraceIDRatioBased(ratio),
	}[name]
	switch {
	case root == nil:
		return nil, errors.New("OTEL_TRACES_SAMPLER: it may be always_on, always_off, traceidratio, " +
			"or one of them after parentbased_")
	case edge:
		if ratio < 1 && name == "traceidratio" {
			root = random(ratio) // otherwise, a client could choose trace ids that the ratio samples
		}
		return sdk.ParentBased(root, sdk.WithRemoteParentSampled(root), sdk.WithRemoteParentNotSampled(root)), nil
	case byParent || name == "":
		return sdk.ParentBased(root), nil
	}
	return root, nil
}

// random samples traces with this probability, independently of their ids.
type random float64

// ShouldSample implements sdk.Sampler.
func (r random) ShouldSample(p sdk.SamplingParameters) sdk.SamplingResult {
	parent := trace.SpanContextFromContext(p.ParentContext)
	result := sdk.SamplingResult{Decision: sdk.Drop, Tracestate: parent.TraceState()}
	if rand.Float64() < float64(r) {
		result.Decision = sdk.RecordAndSample
	}
	return result
}

// Description implements sdk.Sampler.
func (random) Description() string { return "Random" }

// recording records all spans for keepFailed. Reported spans are sampled; for others, the embedded sampler decides.
type recording struct{ sdk.Sampler }

// ShouldSample implements sdk.Sampler.
func (s recording) ShouldSample(p sdk.SamplingParameters) sdk.SamplingResult {
	if _, ok := reported(p.ParentContext); ok {
		return sdk.SamplingResult{Decision: sdk.RecordAndSample}
	}
	result := s.Sampler.ShouldSample(p)
	if result.Decision == sdk.Drop {
		result.Decision = sdk.RecordOnly
	}
	return result
}

type reportedKey struct{}

// Reported returns a context in which the next span is a root span with the ids of own. It serves clients such as
// browsers, which do not export their spans but report them to the program.
func Reported(ctx context.Context, own trace.SpanContext) context.Context {
	return context.WithValue(trace.ContextWithSpanContext(ctx, trace.SpanContext{}), reportedKey{}, own)
}

func reported(ctx context.Context) (own trace.SpanContext, ok bool) {
	own, ok = ctx.Value(reportedKey{}).(trace.SpanContext)
	return own, ok && !trace.SpanContextFromContext(ctx).IsValid()
}

// ids generates random ids for spans, except for a reported span, which gets the ids that the client reported.
type ids struct{}

// NewIDs implements sdk.IDGenerator.
func (ids) NewIDs(ctx context.Context) (traceID trace.TraceID, spanID trace.SpanID) {
	if own, ok := reported(ctx); ok {
		return own.TraceID(), own.SpanID()
	}
	for !traceID.IsValid() {
		binary.NativeEndian.PutUint64(traceID[:8], rand.Uint64())
		binary.NativeEndian.PutUint64(traceID[8:], rand.Uint64())
	}
	return traceID, ids{}.NewSpanID(ctx, traceID)
}

// NewSpanID implements sdk.IDGenerator.
func (ids) NewSpanID(context.Context, trace.TraceID) (id trace.SpanID) {
	for !id.IsValid() {
		binary.NativeEndian.PutUint64(id[:], rand.Uint64())
	}
	return id
}
