package embedded

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"baari.dev/gateway"
	"baari.dev/services/platform/telemetry"
)

// metrics has the rate, errors and duration of each route, and the number of in-flight requests.
type metrics struct {
	duration *prometheus.HistogramVec
	active   map[string]prometheus.Gauge // keyed by upstream, "" for none
	limited  prometheus.Counter
	failed   *prometheus.CounterVec

	mu     sync.RWMutex
	series map[labels]*telemetry.Series
}

func newMetrics(registry prometheus.Registerer) *metrics {
	factory := promauto.With(registry)
	m := &metrics{
		duration: factory.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "http_server_request_duration_seconds",
			Help:    "Duration of HTTP server requests.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}, NativeHistogramBucketFactor: 1.1,
		}, []string{"http_request_method", "http_route", "upstream", "http_response_status_code"}),
		active: map[string]prometheus.Gauge{},
		series: map[labels]*telemetry.Series{},
		limited: factory.NewCounter(prometheus.CounterOpts{
			Name: "baari_gateway_rate_limited_total",
			Help: "Requests rejected by the coarse limit of an address.",
		}),
		failed: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_gateway_upstream_errors_total",
			Help: "Requests that got no response from their upstream; the gateway answered with an error.",
		}, []string{"upstream", "reason", "http_request_method"}),
	}
	active := factory.NewGaugeVec(prometheus.GaugeOpts{
		Name: "http_server_active_requests",
		Help: "Number of active HTTP server requests.",
	}, []string{"upstream"})
	m.active[unknown.upstream] = active.WithLabelValues(unknown.upstream)
	for _, name := range gateway.Upstreams {
		for _, reason := range reasons {
			for _, method := range methods {
				m.failed.WithLabelValues(name, reason, method)
			}
		}
		m.active[name] = active.WithLabelValues(name)
	}
	return m
}

// reasons are the reasons why an upstream did not respond, keyed by the status that the client got.
var reasons = map[int]string{
	http.StatusServiceUnavailable: "unreachable", http.StatusGatewayTimeout: "timeout", http.StatusBadGateway: "broken",
}

// failure counts a missing response of an upstream. Statuses that the client caused are not in reasons.
func (m *metrics) failure(r *http.Request, upstream string, status int) {
	if reason, ok := reasons[status]; ok {
		m.failed.WithLabelValues(upstream, reason, method(r)).Inc()
	}
}

type labels struct {
	method, route, upstream string
	status                  int
}

// at returns the series of the labels from a cache, because Prometheus's lookup takes longer than recording a value.
func (m *metrics) at(p labels) *telemetry.Series {
	m.mu.RLock()
	known, ok := m.series[p]
	m.mu.RUnlock()
	if ok {
		return known
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.series[p] == nil {
		observer := m.duration.WithLabelValues(p.method, p.route, p.upstream, strconv.Itoa(p.status))
		m.series[p] = telemetry.NewSeries(observer)
	}
	return m.series[p]
}

// observe counts one exchange. If the trace of the exchange is sampled, the trace id is an exemplar, which links a
// bucket to one request.
func (m *metrics) observe(e *exchange, took time.Duration) {
	in := m.at(labels{method(e.request), e.match.name, e.match.upstream, e.status})
	in.Observe(e.span, e.start.Add(took), took.Seconds())
}
