package endpoint

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"baari.dev/services/platform/telemetry"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

var (
	tracer       = telemetry.NewTracer("baari.dev/services/platform/endpoint")
	traceContext propagation.TraceContext
)

// polled is the route that every follower polls; it has no spans.
const polled = "/internal/events"

// spanStart has the name and the options of the spans of one route. New makes them once: most spans are not recorded,
// and making the options for each request would cost more than handling the span.
type spanStart struct {
	route   string // such as "GET /api/services"
	options []trace.SpanStartOption
}

func spanStartOf(route string) spanStart {
	method, path, _ := strings.Cut(route, " ")
	return spanStart{route, []trace.SpanStartOption{
		trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(
			attribute.String("http.request.method", method),
			attribute.String("http.route", path),
			attribute.String("url.scheme", "http"),
		),
	}}
}

// startSpan starts the span of a request in the client's trace. The span has the name of the route.
func startSpan(r *http.Request, start spanStart) (context.Context, trace.Span) {
	if r.URL.Path == polled {
		return r.Context(), trace.SpanFromContext(context.Background())
	}
	ctx := traceContext.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	return tracer.Start(ctx, start.route, start.options...)
}

// endSpan ends a request's span with the status. The span has the route, but never the path, the query, the address or
// the agent: a mailed link has a token in the path, and a search has a name in the query. (otelhttp records address and
// agent, and no option turns that off.) Client errors are not errors of the span.
func endSpan(w *statusWriter) {
	span := w.span
	defer span.End()
	if !span.IsRecording() {
		return
	}
	status := w.status
	if status == 0 {
		status = http.StatusOK
	}
	span.SetAttributes(attribute.Int("http.response.status_code", status))
	if status >= http.StatusInternalServerError {
		span.SetAttributes(attribute.String("error.type", strconv.Itoa(status)))
		span.SetStatus(codes.Error, "")
	}
}

// methodOf returns the request's method, or _OTHER for an unknown one, so that clients cannot add names of spans.
func methodOf(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodOptions:
		return r.Method
	}
	return "_OTHER"
}
