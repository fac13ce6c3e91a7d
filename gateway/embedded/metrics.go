package embedded

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"baari.dev/gateway"
)

// metrics are rate, errors and duration of each route, and what is open now.
type metrics struct {
	duration *prometheus.HistogramVec
	active   *prometheus.GaugeVec
	limited  prometheus.Counter
	failed   *prometheus.CounterVec
}

func newMetrics(registry prometheus.Registerer) *metrics {
	factory := promauto.With(registry)
	m := &metrics{
		duration: factory.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "http_server_request_duration_seconds",
			Help:    "Time from a request to the end of its answer, by route.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}, NativeHistogramBucketFactor: 1.1,
		}, []string{"http_request_method", "http_route", "upstream", "http_response_status_code"}),
		active: factory.NewGaugeVec(prometheus.GaugeOpts{
			Name: "http_server_active_requests",
			Help: "Requests under way, open streams among them.",
		}, []string{"upstream"}),
		limited: factory.NewCounter(prometheus.CounterOpts{
			Name: "baari_gateway_rate_limited_total",
			Help: "Requests refused by the coarse limit of an address.",
		}),
		failed: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_gateway_upstream_errors_total",
			Help: "Requests that the gateway answered itself because their upstream gave no answer.",
		}, []string{"upstream", "reason"}),
	}
	for _, name := range gateway.Upstreams {
		for _, reason := range reasons {
			m.failed.WithLabelValues(name, reason)
		}
		m.active.WithLabelValues(name)
	}
	return m
}

// reasons why an upstream gave no answer, by the status that the client got instead.
var reasons = map[int]string{
	http.StatusServiceUnavailable: "unreachable", http.StatusGatewayTimeout: "timeout", http.StatusBadGateway: "broken",
}

// failure counts an answer that the gateway gave in place of an upstream's.
func (m *metrics) failure(upstream string, status int) {
	if reason, ok := reasons[status]; ok {
		m.failed.WithLabelValues(upstream, reason).Inc()
	}
}

// observe counts one exchange; a trace that is kept is named, so that a slow bucket leads to one of its requests.
func (m *metrics) observe(e *exchange, took time.Duration) {
	into := m.duration.WithLabelValues(method(e.request), e.match.name, e.match.upstream, strconv.Itoa(e.status))
	exemplars, able := into.(prometheus.ExemplarObserver)
	if span := e.span.SpanContext(); able && span.IsSampled() {
		exemplars.ObserveWithExemplar(took.Seconds(), prometheus.Labels{"trace_id": span.TraceID().String()})
		return
	}
	into.Observe(took.Seconds())
}
