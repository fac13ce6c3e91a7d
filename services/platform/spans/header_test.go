package spans

import (
	"net/http"
	"slices"
	"testing"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

func TestATraceGoesFromHeadersToHeadersAsNetHTTPSpellsThem(t *testing.T) {
	state, err := trace.ParseTraceState("vendor=1")
	if err != nil {
		t.Fatal(err)
	}
	sent := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled, TraceState: state})
	header := http.Header{}
	propagation.TraceContext{}.Inject(trace.ContextWithSpanContext(t.Context(), sent), Header(header))
	if got, want := header.Get("Traceparent"), "00-01000000000000000000000000000000-0200000000000000-01"; got != want {
		t.Errorf("the header is %q, not %q", got, want)
	}
	got := trace.SpanContextFromContext(propagation.TraceContext{}.Extract(t.Context(), Header(header)))
	if !got.Equal(sent.WithRemote(true)) {
		t.Errorf("%+v arrived of %+v", got, sent)
	}
	names := Header(header).Keys()
	slices.Sort(names)
	if !slices.Equal(names, []string{"Traceparent", "Tracestate"}) {
		t.Errorf("the headers are %q", names)
	}
	if Header(http.Header{"X-Request-Id": {"7"}}).Get("x-request-id") != "7" {
		t.Error("another header is not found")
	}
}
