package embedded

import (
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"baari.dev/gateway"
)

// metrics are rate, errors and duration of each route, and what is open now.
type metrics struct {
	duration *prometheus.HistogramVec
	active   map[string]prometheus.Gauge // by upstream, "" for none
	limited  prometheus.Counter
	failed   *prometheus.CounterVec

	mu     sync.RWMutex
	series map[place]*series
}

func newMetrics(registry prometheus.Registerer) *metrics {
	factory := promauto.With(registry)
	m := &metrics{
		duration: factory.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "http_server_request_duration_seconds",
			Help:    "Time from a request to the end of its answer, by route.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}, NativeHistogramBucketFactor: 1.1,
		}, []string{"http_request_method", "http_route", "upstream", "http_response_status_code"}),
		active: map[string]prometheus.Gauge{},
		series: map[place]*series{},
		limited: factory.NewCounter(prometheus.CounterOpts{
			Name: "baari_gateway_rate_limited_total",
			Help: "Requests refused by the coarse limit of an address.",
		}),
		failed: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_gateway_upstream_errors_total",
			Help: "Requests that the gateway answered itself because their upstream gave no answer.",
		}, []string{"upstream", "reason"}),
	}
	active := factory.NewGaugeVec(prometheus.GaugeOpts{
		Name: "http_server_active_requests",
		Help: "Requests under way, open streams among them.",
	}, []string{"upstream"})
	m.active[unknown.upstream] = active.WithLabelValues(unknown.upstream)
	for _, name := range gateway.Upstreams {
		for _, reason := range reasons {
			m.failed.WithLabelValues(name, reason)
		}
		m.active[name] = active.WithLabelValues(name)
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

// place is which series of durations an exchange belongs to.
type place struct {
	method, route, upstream string
	status                  int
}

// series is one series of durations.
type series struct {
	into  prometheus.Observer
	named atomic.Int64 // when one that was quick last named its trace, in nanoseconds
}

// at finds a series once: finding one by its labels takes longer than recording in it.
func (m *metrics) at(p place) *series {
	m.mu.RLock()
	known, ok := m.series[p]
	m.mu.RUnlock()
	if ok {
		return known
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.series[p] == nil {
		m.series[p] = &series{into: m.duration.WithLabelValues(p.method, p.route, p.upstream, strconv.Itoa(p.status))}
	}
	return m.series[p]
}

// An exchange that was slow always names its trace; of the quick ones, one a second: between two scrapes nobody sees more.
const (
	slow  = 100 * time.Millisecond
	quick = int64(time.Second)
)

// observe counts one exchange; a trace that is kept is named, so that a slow bucket leads to one of its requests.
func (m *metrics) observe(e *exchange, took time.Duration) {
	in := m.at(place{method(e.request), e.match.name, e.match.upstream, e.status})
	exemplars, able := in.into.(prometheus.ExemplarObserver)
	span := e.span.SpanContext()
	if !able || !span.IsSampled() || !in.mayName(e.start.Add(took), took) {
		in.into.Observe(took.Seconds())
		return
	}
	exemplars.ObserveWithExemplar(took.Seconds(), prometheus.Labels{"trace_id": span.TraceID().String()})
}

func (s *series) mayName(now time.Time, took time.Duration) bool {
	last := s.named.Load()
	return took >= slow || now.UnixNano()-last >= quick && s.named.CompareAndSwap(last, now.UnixNano())
}
