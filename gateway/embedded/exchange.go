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

// exchange is one request and its answer, as the log, the metrics and the trace see it: by route, never by raw path,
// query or address, which may hold ids and tokens.
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

// traceResponse says that a trace is kept (W3C Trace Context Level 2). A browser cannot know: its own flag counts for nothing.
const traceResponse = "Traceresponse"

// opening is how the span of an exchange begins.
type opening struct {
	name    string
	options []trace.SpanStartOption
}

// methods are those of which a request may be, as method tells them.
var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	http.MethodOptions, http.MethodConnect, http.MethodTrace, otherMethod}

// openings are made once, by method: most spans are not kept, and must cost little.
func openings(route string) map[string]opening {
	all := make(map[string]opening, len(methods))
	for _, method := range methods {
		all[method] = opening{method + " " + route, []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer),
			trace.WithAttributes(attribute.String("http.request.method", method), attribute.String("http.route", route))}}
	}
	return all
}

func (g *Gateway) begin(w http.ResponseWriter, r *http.Request, m match, id string) *exchange {
	ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	opens := m.openings[method(r)]
	ctx, span := g.config.Tracer.Start(ctx, opens.name, opens.options...)
	if own := span.SpanContext(); own.IsSampled() { // whoever began the trace may tell of its part now
		w.Header().Set(traceResponse, "00-"+own.TraceID().String()+"-"+own.SpanID().String()+"-01")
	}
	if !g.config.Uncounted {
		g.metrics.active[m.upstream].Inc()
	}
	return &exchange{ResponseWriter: w, gateway: g, request: r.WithContext(ctx), span: span,
		control: http.NewResponseController(w), match: m, id: id, start: time.Now()}
}

// Unwrap lets http.ResponseController reach the connection.
func (e *exchange) Unwrap() http.ResponseWriter { return e.ResponseWriter }

// WriteHeader notes the status. That of a client that has gone is not sent.
func (e *exchange) WriteHeader(status int) {
	if e.status == 0 && status >= http.StatusOK {
		e.status = status
	}
	if status != clientGone {
		e.ResponseWriter.WriteHeader(status)
	}
}

// Write writes one piece, which the client must take within the route's stall limit.
func (e *exchange) Write(piece []byte) (int, error) {
	if e.status == 0 {
		e.status = http.StatusOK
	}
	e.renewDeadline()
	return e.ResponseWriter.Write(piece)
}

// renewDeadline gives the client its time for the next piece. A writer without deadlines is one of a test.
func (e *exchange) renewDeadline() { _ = e.control.SetWriteDeadline(time.Now().Add(e.match.stall)) }

// end writes the one log line of the request and counts it. It runs also when the answer broke off in the middle.
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

// levelOf is warning for what the system owes its client, information for all else.
func levelOf(status int) slog.Level {
	if status >= http.StatusInternalServerError {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// otherMethod stands for all that are not known.
const otherMethod = "_OTHER"

// method is the request's method, or _OTHER: a client must not make up new label values.
func method(r *http.Request) string {
	if slices.Contains(methods, r.Method) {
		return r.Method
	}
	return otherMethod
}
