package spans

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/embedded"
)

// mostSpans bounds what waits for the end of its part of a trace.
const mostSpans = 256

// provider makes light spans, which only remember what is said of them, at a fraction of the cost. Most are forgotten: whether a
// request fails is known at its end. Those that are kept become spans of the SDK afterwards, many at a time.
type provider struct {
	embedded.TracerProvider
	sdk      *sdk.TracerProvider // keeps whatever reaches it
	head     sdk.Sampler
	byParent bool // the head is asked only where a trace begins
	edge     bool // and where a stranger has begun it
	waiting  waiting
}

// Tracer implements trace.TracerProvider.
func (p *provider) Tracer(name string, options ...trace.TracerOption) trace.Tracer {
	return &tracer{provider: p, sdk: p.sdk.Tracer(name, options...)}
}

type tracer struct {
	embedded.Tracer
	provider *provider
	sdk      trace.Tracer
}

// Start implements trace.Tracer.
func (t *tracer) Start(ctx context.Context, name string, options ...trace.SpanStartOption) (context.Context, trace.Span) {
	above := trace.SpanFromContext(ctx)
	parent := above.SpanContext()
	own := trace.SpanContextConfig{
		TraceID: parent.TraceID(), SpanID: newSpanID(), TraceState: parent.TraceState(), TraceFlags: parent.TraceFlags() &^ trace.FlagsSampled,
	}
	switch above := above.(type) {
	case told:
		return t.begin(ctx, &light{own: above.own.WithTraceFlags(trace.FlagsSampled)}, name, options)
	case *light:
		own.TraceFlags = parent.TraceFlags()
		return t.begin(ctx, &light{part: above.part, parent: parent, own: trace.NewSpanContext(own)}, name, options)
	}
	if !parent.IsValid() {
		own.TraceID = newTraceID()
	}
	if t.provider.keeps(ctx, parent, own.TraceID, name) {
		own.TraceFlags |= trace.FlagsSampled
		return t.begin(ctx, &light{parent: parent, own: trace.NewSpanContext(own)}, name, options)
	}
	first := &struct {
		light
		part part
	}{light: light{parent: parent, own: trace.NewSpanContext(own)}}
	first.light.part = &first.part
	return t.begin(ctx, &first.light, name, options)
}

// keeps asks the head, unless whoever called has been answered already and that counts.
func (p *provider) keeps(ctx context.Context, parent trace.SpanContext, traceID trace.TraceID, name string) bool {
	if p.byParent && parent.IsValid() && (!p.edge || !parent.IsRemote()) {
		return parent.IsSampled()
	}
	return p.head.ShouldSample(sdk.SamplingParameters{ParentContext: ctx, TraceID: traceID, Name: name}).Decision == sdk.RecordAndSample
}

func (t *tracer) begin(ctx context.Context, span *light, name string, options []trace.SpanStartOption) (context.Context, trace.Span) {
	span.tracer, span.name, span.options, span.begun = t, name, options, time.Now()
	if span.part != nil {
		span.part.begin()
	}
	return trace.ContextWithSpan(ctx, span), span
}

// part is what this program does for one request that is not sampled: a span and all within it. Each program decides for
// its own part; a failure that its caller sees is kept there, too.
type part struct {
	mu     sync.Mutex
	open   int
	failed bool
	ended  []*light
	few    [4]*light // most requests have no more spans
}

func (p *part) begin() {
	p.mu.Lock()
	p.open++
	p.mu.Unlock()
}

// end notes that a span has ended and answers what is to be kept: all of them once nothing is under way, if one has failed.
func (p *part) end(span *light, failed bool) (kept []*light) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended == nil {
		p.ended = p.few[:0]
	}
	if len(p.ended) < mostSpans {
		p.ended = append(p.ended, span)
	}
	p.failed = p.failed || failed
	if p.open--; p.open > 0 {
		return nil
	}
	if p.failed {
		kept = slices.Clone(p.ended) // what begins after all has ended is written where they stand
	}
	p.ended = nil
	return kept
}

// light is a span. It becomes one of the SDK when it has ended and is kept.
type light struct {
	embedded.Span
	tracer  *tracer
	part    *part // nil: it is sampled, and kept whatever comes
	parent  trace.SpanContext
	own     trace.SpanContext
	name    string
	options []trace.SpanStartOption
	begun   time.Time

	mu         sync.Mutex
	attributes []attribute.KeyValue
	seldom     []func(trace.Span) // what few spans are told
	failed     bool
	over       bool
	ended      time.Time
	ending     []trace.SpanEndOption
}

func (l *light) say(what func(trace.Span)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.over {
		l.seldom = append(l.seldom, what)
	}
}

// End implements trace.Span.
func (l *light) End(options ...trace.SpanEndOption) {
	now := time.Now()
	l.mu.Lock()
	if l.over {
		l.mu.Unlock()
		return
	}
	l.over, l.ended, l.ending = true, l.begun.Add(now.Sub(l.begun)), options // a clock that is set back meanwhile changes nothing
	failed := l.failed
	l.mu.Unlock()
	kept := []*light{l}
	if l.part != nil {
		kept = l.part.end(l, failed)
	}
	l.tracer.provider.waiting.add(kept)
}

// keep says to a span of the SDK what was said to this one.
func (l *light) keep() {
	options := append([]trace.SpanStartOption{trace.WithTimestamp(l.begun)}, l.options...)
	ctx := trace.ContextWithSpanContext(context.WithValue(context.Background(), idsKey{}, l.own), l.parent)
	_, span := l.tracer.sdk.Start(ctx, l.name, options...)
	span.SetAttributes(l.attributes...)
	for _, what := range l.seldom {
		what(span)
	}
	span.End(append([]trace.SpanEndOption{trace.WithTimestamp(l.ended)}, l.ending...)...)
}

// AddEvent implements trace.Span.
func (l *light) AddEvent(name string, options ...trace.EventOption) {
	now := time.Now()
	l.say(func(s trace.Span) {
		s.AddEvent(name, append([]trace.EventOption{trace.WithTimestamp(now)}, options...)...)
	})
}

// AddLink implements trace.Span.
func (l *light) AddLink(link trace.Link) { l.say(func(s trace.Span) { s.AddLink(link) }) }

// IsRecording implements trace.Span.
func (l *light) IsRecording() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.over
}

// RecordError implements trace.Span.
func (l *light) RecordError(err error, options ...trace.EventOption) {
	now := time.Now()
	l.say(func(s trace.Span) {
		s.RecordError(err, append([]trace.EventOption{trace.WithTimestamp(now)}, options...)...)
	})
}

// SpanContext implements trace.Span.
func (l *light) SpanContext() trace.SpanContext { return l.own }

// SetStatus implements trace.Span.
func (l *light) SetStatus(code codes.Code, description string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return
	}
	l.seldom = append(l.seldom, func(s trace.Span) { s.SetStatus(code, description) })
	l.failed = l.failed || code == codes.Error
}

// SetName implements trace.Span.
func (l *light) SetName(name string) { l.say(func(s trace.Span) { s.SetName(name) }) }

// SetAttributes implements trace.Span. It keeps the slice that it is given first: nobody here uses one twice.
func (l *light) SetAttributes(attributes ...attribute.KeyValue) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.over:
	case l.attributes == nil:
		l.attributes = slices.Clip(attributes)
	default:
		l.attributes = append(l.attributes, attributes...)
	}
}

// TracerProvider implements trace.Span.
func (l *light) TracerProvider() trace.TracerProvider { return l.tracer.provider }

// told is a span that another program has begun, above the one that tells of it.
type told struct {
	trace.Span // none
	own        trace.SpanContext
}

// Told returns a context in which the next span is the one that own names, the first of its trace: somebody who cannot send
// spans by themselves has begun it and tells of it now.
func Told(ctx context.Context, own trace.SpanContext) context.Context {
	return trace.ContextWithSpan(ctx, told{trace.SpanFromContext(context.Background()), own})
}

type idsKey struct{}

// given is the SDK's generator: every span that reaches the SDK brings its ids along.
type given struct{}

// NewIDs implements sdk.IDGenerator.
func (given) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	own := ctx.Value(idsKey{}).(trace.SpanContext)
	return own.TraceID(), own.SpanID()
}

// NewSpanID implements sdk.IDGenerator.
func (given) NewSpanID(ctx context.Context, _ trace.TraceID) trace.SpanID {
	return ctx.Value(idsKey{}).(trace.SpanContext).SpanID()
}

func newTraceID() (id trace.TraceID) {
	for !id.IsValid() {
		for i := range 2 {
			putRandom(id[8*i:])
		}
	}
	return id
}

func newSpanID() (id trace.SpanID) {
	for !id.IsValid() {
		putRandom(id[:])
	}
	return id
}

// putRandom fills the first eight bytes. An id has to be unlike others, not secret.
func putRandom(into []byte) { binary.BigEndian.PutUint64(into, rand.Uint64()) }
