package embedded

import (
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// exchange is one request and its response, for the log, the metrics and the trace. These contain the route, but not
// the client's address, and not the path and the query, which may contain ids and tokens.
type exchange struct {
	http.ResponseWriter
	gateway *Gateway
	request *http.Request
	span    trace.Span
	control *http.ResponseController
	match   match
	id      string
	start   time.Time
	status  int
}

// traceResponse is the response header that says that the trace is sampled (W3C Trace Context Level 2). The gateway
// ignores the browser's own sampled flag.
const traceResponse = "Traceresponse"

type spanStart struct {
	name    string
	options []trace.SpanStartOption
}

// methods lists the values that the function method can return.
var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	http.MethodOptions, http.MethodConnect, http.MethodTrace, otherMethod,
}

// spanStarts returns a spanStart for each method, made in advance: making one for each request would cost more than the
// span itself, and most spans are not recorded.
func spanStarts(route string) map[string]spanStart {
	all := make(map[string]spanStart, len(methods))
	for _, method := range methods {
		all[method] = spanStart{method + " " + route, []trace.SpanStartOption{
			trace.WithSpanKind(trace.SpanKindServer),
			trace.WithAttributes(
				attribute.String("http.request.method", method),
				attribute.String("http.route", route),
			),
		}}
	}
	return all
}

func (g *Gateway) begin(w http.ResponseWriter, r *http.Request, m match, id string) *exchange {
	ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	start := m.starts[method(r)]
	ctx, span := g.config.Tracer.Start(ctx, start.name, start.options...)
	if own := span.SpanContext(); own.IsSampled() { // the browser reports its own span only if it gets this header
		w.Header().Set(traceResponse, "00-"+own.TraceID().String()+"-"+own.SpanID().String()+"-01")
	}
	if !g.config.Uncounted {
		g.metrics.active[m.upstream].Inc()
	}
	return &exchange{ResponseWriter: w, gateway: g, request: r.WithContext(ctx), span: span,
		control: http.NewResponseController(w), match: m, id: id, start: time.Now()}
}

// Unwrap returns the connection's own writer, for http.ResponseController.
func (e *exchange) Unwrap() http.ResponseWriter { return e.ResponseWriter }

// WriteHeader records the status and, unless it is clientGone, sends it.
func (e *exchange) WriteHeader(status int) {
	if e.status == 0 && status >= http.StatusOK {
		e.status = status
	}
	if status != clientGone {
		e.ResponseWriter.WriteHeader(status)
	}
}

// Write writes one piece, which the client must read within the route's stall limit.
func (e *exchange) Write(piece []byte) (int, error) {
	if e.status == 0 {
		e.status = http.StatusOK
	}
	e.renewDeadline()
	return e.ResponseWriter.Write(piece)
}

// renewDeadline sets the deadline of the next piece. It ignores writers without deadlines, which tests use.
func (e *exchange) renewDeadline() { _ = e.control.SetWriteDeadline(time.Now().Add(e.match.stall)) }

// end logs one line for the request and counts it, also when the response was aborted.
func (e *exchange) end() {
	e.renewDeadline()
	if e.status == 0 {
		e.status = http.StatusOK
	}
	took := time.Since(e.start)
	g := e.gateway
	if !g.config.Uncounted {
		g.metrics.active[e.match.upstream].Dec()
		g.metrics.observe(e, took)
	}
	e.span.SetAttributes(attribute.Int("http.response.status_code", e.status))
	if e.status >= http.StatusInternalServerError {
		e.span.SetAttributes(attribute.String("error.type", strconv.Itoa(e.status)))
		e.span.SetStatus(codes.Error, "")
	}
	e.span.End()
	g.config.Logger.Log(e.request.Context(), levelOf(e.status), "request", "request_id", e.id,
		"trace_id", e.span.SpanContext().TraceID().String(), "method", method(e.request), "route", e.match.name,
		"upstream", e.match.upstream, "status", e.status, "duration_ms", float64(took.Microseconds())/1000)
}

func levelOf(status int) slog.Level {
	if status >= http.StatusInternalServerError {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

const otherMethod = "_OTHER"

// method returns the request's method, or _OTHER for an unknown one, so that clients cannot add label values.
func method(r *http.Request) string {
	if slices.Contains(methods, r.Method) {
		return r.Method
	}
	return otherMethod
}
