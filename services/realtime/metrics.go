package realtime

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/bus"
)

// metrics are the metrics of the streams. Each label has a fixed set of values.
type metrics struct {
	clients  *prometheus.GaugeVec
	cut      *prometheus.CounterVec
	resets   prometheus.Counter
	opened   *prometheus.CounterVec
	frames   prometheus.Counter
	degraded prometheus.Gauge
}

// Values of the label "began", which says how a stream begins.
const (
	beganNew     = "new"
	beganResumed = "resumed"
)

var realtimePos = prometheus.NewDesc(
	"baari_realtime_pos", "Number of the newest event published to the streams.", []string{"source"}, nil)

// places is a prometheus.Collector of the hub's position in each source.
type places struct{ hub *Hub }

// Describe implements prometheus.Collector.
func (p places) Describe(out chan<- *prometheus.Desc) { out <- realtimePos }

// Collect implements prometheus.Collector.
func (p places) Collect(out chan<- prometheus.Metric) {
	p.hub.mu.Lock()
	at := p.hub.at.clone()
	p.hub.mu.Unlock()
	for i, source := range p.hub.sources {
		out <- prometheus.MustNewConstMetric(realtimePos, prometheus.GaugeValue, float64(at[i].Seq), source.name)
	}
}

func newMetrics(registry prometheus.Registerer) *metrics {
	m := &metrics{
		clients: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "baari_sse_clients", Help: "Open streams.",
		}, []string{"role"}),
		cut: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_sse_cut_total", Help: "Streams that the server closed.",
		}, []string{"reason"}),
		resets: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "baari_sse_resets_total", Help: "Resets sent to streams: their clients refetch everything.",
		}),
		opened: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_sse_opened_total", Help: "Streams that were opened, new or resumed.",
		}, []string{"began"}),
		frames: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "baari_sse_frames_total", Help: "Frames added to the queues of streams, including heartbeats.",
		}),
		degraded: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "baari_realtime_degraded",
			Help: "1 while Redis is unavailable and events come from the feeds alone.",
		}),
	}
	for _, role := range roleNames {
		m.clients.WithLabelValues(role)
	}
	for _, reason := range endings {
		m.cut.WithLabelValues(reason)
	}
	for _, began := range []string{beganNew, beganResumed} {
		m.opened.WithLabelValues(began)
	}
	registry.MustRegister(m.clients, m.cut, m.resets, m.opened, m.frames, m.degraded)
	return m
}

const (
	watchEvery = time.Second
	watchLimit = 500 * time.Millisecond
)

// WatchBus checks the bus every second and sets the metric baari_realtime_degraded, until ctx ends.
func (h *Hub) WatchBus(ctx context.Context, messages bus.Bus) error {
	return h.metrics.watch(ctx, messages)
}

func (m *metrics) watch(ctx context.Context, messages bus.Bus) error {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		bounded, cancel := context.WithTimeout(ctx, watchLimit)
		err := messages.Available(bounded)
		cancel()
		m.degraded.Set(0)
		if err != nil {
			m.degraded.Set(1)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
