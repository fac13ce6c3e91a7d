package endpoint

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/telemetry"
)

// metrics has the metrics of a table: rate, errors and duration by route, and rejected requests by reason.
type metrics struct {
	duration  *prometheus.HistogramVec
	active    prometheus.Gauge
	authn     *prometheus.CounterVec
	authz     *prometheus.CounterVec
	conflicts *prometheus.CounterVec
	replays   prometheus.Counter
	unknown   prometheus.Counter
	roles     map[string]bool // bounds the role label
	codes     []string        // bounds the code label
	uncounted bool            // no request metrics
}

// other is the label for roles that no route of the table has, and for codes that are not in Conflicts.
const other = "other"

// The reasons of baari_authn_failures_total that the table counts.
const (
	reasonNoSession       = "no_session"
	reasonAuthUnavailable = "auth_unavailable"
	reasonUntrustedOrigin = "untrusted_origin"
)

// AuthnFailures returns registry's counter of requests without a valid session, and registers it if needed. Checks of
// credentials other than sessions use a reason of their own.
func AuthnFailures(registry prometheus.Registerer) *prometheus.CounterVec {
	failures := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "baari_authn_failures_total",
		Help: "Requests that could not be authenticated: no valid session, wrong password.",
	}, []string{"reason"})
	if registry == nil {
		return failures
	}
	var there prometheus.AlreadyRegisteredError
	if err := registry.Register(failures); errors.As(err, &there) {
		return there.ExistingCollector.(*prometheus.CounterVec)
	} else if err != nil {
		panic(err) // MustRegister panics, too
	}
	return failures
}

func newMetrics(registry prometheus.Registerer, routes []Route, codes []string) *metrics {
	m := unlabelled()
	m.authn = AuthnFailures(registry)
	for _, reason := range []string{reasonNoSession, reasonAuthUnavailable, reasonUntrustedOrigin} {
		m.authn.WithLabelValues(reason)
	}
	m.uncounted = registry == nil
	m.codes = append(slices.Clone(codes), other)
	for _, code := range m.codes {
		m.conflicts.WithLabelValues(code)
	}
	m.roles = map[string]bool{other: true}
	for _, route := range routes {
		for _, role := range route.Access.roles {
			m.roles[role] = true
		}
	}
	for _, route := range routes {
		if len(route.Access.roles) == 0 {
			continue
		}
		for role := range m.roles {
			m.authz.WithLabelValues(route.Method+" "+route.Pattern, role)
		}
	}
	if registry != nil {
		registry.MustRegister(m.duration, m.active, m.authz, m.conflicts, m.replays, m.unknown)
	}
	return m
}

// unlabelled returns the metrics before any series with labels is created.
func unlabelled() *metrics {
	return &metrics{
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "http_server_request_duration_seconds", Help: "Duration of HTTP server requests.",
			Buckets:                     []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
			NativeHistogramBucketFactor: telemetry.NativeFactor,
		}, []string{"http_request_method", "http_route", "http_response_status_code"}),
		active: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "http_server_active_requests", Help: "Number of active HTTP server requests.",
		}),
		authz: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_authz_denied_total", Help: "Requests rejected for the caller's role or account.",
		}, []string{"route", "role"}),
		conflicts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_conflicts_total", Help: "Requests rejected because of a concurrent or earlier change.",
		}, []string{"code"}),
		replays: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "baari_idempotent_replays_total",
			Help: "Requests answered with the stored response of their Idempotency-Key.",
		}),
		unknown: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "baari_unknown_outcome_total", Help: "Transactions whose COMMIT was sent and not acknowledged.",
		}),
	}
}

// timed has a route's series of durations by status, because a lookup by labels takes longer than recording a value.
type timed struct {
	metrics  *metrics
	route    Route
	byStatus sync.Map // int to *telemetry.Series
}

func (t *timed) series(status int) *telemetry.Series {
	if known, ok := t.byStatus.Load(status); ok {
		return known.(*telemetry.Series)
	}
	observer := t.metrics.duration.WithLabelValues(t.route.Method, t.route.Pattern, strconv.Itoa(status))
	made := telemetry.NewSeries(observer)
	known, _ := t.byStatus.LoadOrStore(status, made)
	return known.(*telemetry.Series)
}

// begin counts a request as in flight until end is called, and returns the start time.
func (t *timed) begin() time.Time {
	if !t.metrics.uncounted {
		t.metrics.active.Inc()
	}
	return time.Now()
}

func (t *timed) end(w *statusWriter, started time.Time) {
	m := t.metrics
	if m.uncounted {
		return
	}
	m.active.Dec()
	status := w.status
	if status == 0 {
		status = http.StatusOK
	}
	now := time.Now()
	t.series(status).Observe(w.span, now, now.Sub(started).Seconds())
	if w.Header().Get(idempotency.HeaderReplayed) != "" {
		m.replays.Inc()
	}
}

func (m *metrics) unauthenticated(err error) {
	reason := reasonAuthUnavailable
	switch fault.Of(err).Kind {
	case fault.Unauthenticated:
		reason = reasonNoSession
	case fault.Forbidden:
		reason = reasonUntrustedOrigin
	}
	m.authn.WithLabelValues(reason).Inc()
}

func (m *metrics) denied(route Route, role string) {
	if !m.roles[role] {
		role = other
	}
	m.authz.WithLabelValues(route.Method+" "+route.Pattern, role).Inc()
}

func (m *metrics) rejected(f *fault.Fault) {
	switch {
	case f.Kind == fault.Conflict, f.Kind == fault.Stale:
		code := f.Code
		if !slices.Contains(m.codes, code) {
			code = other
		}
		m.conflicts.WithLabelValues(code).Inc()
	case errors.Is(f, fault.ErrUnknownOutcome):
		m.unknown.Inc()
	}
}

type statusWriter struct {
	http.ResponseWriter
	span   trace.Span // the request's span
	status int
}

// WriteHeader implements http.ResponseWriter.
func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *statusWriter) Write(data []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(data)
}

// Unwrap returns the connection's own writer, for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
