package realtime

import "github.com/prometheus/client_golang/prometheus"

// metrics are the signals of the stream. Their label sets are closed and stand at 0 from the start.
type metrics struct {
	clients  *prometheus.GaugeVec
	cut      *prometheus.CounterVec
	resets   prometheus.Counter
	degraded prometheus.Gauge
}

func newMetrics(registry prometheus.Registerer) *metrics {
	m := &metrics{
		clients:  prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "baari_sse_clients", Help: "Open streams."}, []string{"role"}),
		cut:      prometheus.NewCounterVec(prometheus.CounterOpts{Name: "baari_sse_cut_total", Help: "Streams that this side closed."}, []string{"reason"}),
		resets:   prometheus.NewCounter(prometheus.CounterOpts{Name: "baari_sse_resets_total", Help: "Streams that were told to refetch everything."}),
		degraded: prometheus.NewGauge(prometheus.GaugeOpts{Name: "baari_realtime_degraded", Help: "1 while Redis is away and events come from the feeds alone."}),
	}
	for _, role := range roleNames {
		m.clients.WithLabelValues(role)
	}
	for _, reason := range endings {
		m.cut.WithLabelValues(reason)
	}
	registry.MustRegister(m.clients, m.cut, m.resets, m.degraded)
	return m
}
