package endpoint

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

var traceContext propagation.TraceContext

// polled is read all the time by every follower and tells nothing.
const polled = "/internal/events"

// startSpan begins the span of a request, in its caller's trace. It tells the route and never the path, the query, the
// address or the agent: a link of a mail carries its token in the path, a search a name in the query. (otelhttp tells
// the address and the agent, and cannot be told not to.)
func startSpan(r *http.Request, pattern string) (context.Context, trace.Span) {
	if r.URL.Path == polled {
		return r.Context(), trace.SpanFromContext(context.Background())
	}
	ctx := traceContext.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	method, route, _ := strings.Cut(pattern, " ")
	if pattern == "" {
		method, route = methodOf(r), "unknown"
	}
	return otel.Tracer("baari.dev/services/platform/endpoint").Start(ctx, method+" "+route, trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.request.method", method), attribute.String("http.route", route),
			attribute.String("url.scheme", "http")))
}

// endSpan tells how the request was answered. A client's mistake is no failure of the service.
func endSpan(span trace.Span, w *statusWriter) {
	if !span.IsRecording() {
		span.End()
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
	span.End()
}

// methodOf is the request's method, or _OTHER: a client must not make up names.
func methodOf(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return r.Method
	}
	return "_OTHER"
}
