package embedded

import (
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
}

func newMetrics(registry prometheus.Registerer) *metrics {
	factory := promauto.With(registry)
	m := &metrics{
		duration: factory.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "http_server_request_duration_seconds",
			Help:    "Time from a request to the end of its answer, by route.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"http_request_method", "http_route", "upstream", "http_response_status_code"}),
		active: factory.NewGaugeVec(prometheus.GaugeOpts{
			Name: "http_server_active_requests",
			Help: "Requests under way, open streams among them.",
		}, []string{"upstream"}),
		limited: factory.NewCounter(prometheus.CounterOpts{
			Name: "baari_gateway_rate_limited_total",
			Help: "Requests refused by the coarse limit of an address.",
		}),
	}
	for _, name := range gateway.Upstreams {
		m.active.WithLabelValues(name)
	}
	return m
}

func (m *metrics) observe(e *exchange, took time.Duration) {
	m.duration.WithLabelValues(method(e.request), e.match.name, e.match.upstream, strconv.Itoa(e.status)).Observe(took.Seconds())
}
