package endpoint

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/fault"
)

// metrics are the signals every table gives: rate, errors and duration by route, and refusals.
type metrics struct {
	duration  *prometheus.HistogramVec
	authn     *prometheus.CounterVec
	authz     *prometheus.CounterVec
	conflicts *prometheus.CounterVec
	unknown   prometheus.Counter
	roles     map[string]bool // bounds the role label
}

// otherRole is the label of a role that no route of the table names.
const otherRole = "other"

func newMetrics(registry prometheus.Registerer, routes []Route) *metrics {
	m := &metrics{
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "http_server_request_duration_seconds", Help: "Time to answer a request.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}, NativeHistogramBucketFactor: 1.1,
		}, []string{"http_request_method", "http_route", "http_response_status_code"}),
		authn:     prometheus.NewCounterVec(prometheus.CounterOpts{Name: "baari_authn_failures_total", Help: "Requests without a valid session."}, []string{"reason"}),
		authz:     prometheus.NewCounterVec(prometheus.CounterOpts{Name: "baari_authz_denied_total", Help: "Requests refused for the caller's role or account."}, []string{"route", "role"}),
		conflicts: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "baari_conflicts_total", Help: "Requests that lost against another change."}, []string{"code"}),
		unknown:   prometheus.NewCounter(prometheus.CounterOpts{Name: "baari_unknown_outcome_total", Help: "Commits whose answer was lost."}),
	}
	for _, reason := range []string{"no_session", "auth_unavailable", "untrusted_origin"} {
		m.authn.WithLabelValues(reason)
	}
	m.roles = map[string]bool{otherRole: true}
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
		registry.MustRegister(m.duration, m.authn, m.authz, m.conflicts, m.unknown)
	}
	return m
}

// observe measures one request; the returned function ends it.
func (m *metrics) observe(route Route, w *statusWriter) func() {
	started := time.Now()
	return func() {
		status := w.status
		if status == 0 {
			status = http.StatusOK
		}
		m.duration.WithLabelValues(route.Method, route.Pattern, strconv.Itoa(status)).Observe(time.Since(started).Seconds())
	}
}

func (m *metrics) unauthenticated(err error) {
	reason := "auth_unavailable"
	switch fault.Of(err).Kind {
	case fault.Unauthenticated:
		reason = "no_session"
	case fault.Forbidden:
		reason = "untrusted_origin"
	}
	m.authn.WithLabelValues(reason).Inc()
}

func (m *metrics) denied(route Route, role string) {
	if !m.roles[role] {
		role = otherRole
	}
	m.authz.WithLabelValues(route.Method+" "+route.Pattern, role).Inc()
}

func (m *metrics) refused(f *fault.Fault) {
	switch {
	case f.Kind == fault.Conflict:
		m.conflicts.WithLabelValues(f.Code).Inc()
	case errors.Is(f, fault.ErrUnknownOutcome):
		m.unknown.Inc()
	}
}

// statusWriter remembers the status for the metrics. Unwrap lets http.ResponseController reach the connection.
type statusWriter struct {
	http.ResponseWriter
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

// Unwrap gives http.ResponseController the connection's own writer.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
