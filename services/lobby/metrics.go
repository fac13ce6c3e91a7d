package lobby

import "github.com/prometheus/client_golang/prometheus"

// metrics are the counters of the pages.
type metrics struct {
	reads, actions *prometheus.CounterVec
}

// The results of a read of a page.
const (
	readOpen    = "open"
	readGone    = "gone"
	readUnknown = "unknown"
	readLimited = "limited"
	readFailed  = "failed"
)

func newMetrics() metrics {
	m := metrics{
		reads: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_lobby_reads_total", Help: "Reads of visitors' pages and of their states.",
		}, []string{"result"}),
		actions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_lobby_actions_total", Help: "Actions of visitors on their pages.",
		}, []string{"action", "outcome"}),
	}
	for _, result := range []string{readOpen, readGone, readUnknown, readLimited, readFailed} {
		m.reads.WithLabelValues(result)
	}
	for _, action := range []string{actionLate, actionLeft, actionHere} {
		for _, outcome := range []string{"done", "repeated", "refused", "failed"} {
			m.actions.WithLabelValues(action, outcome)
		}
	}
	return m
}

// Register adds the metrics to a registry.
func (s *Service) Register(registry prometheus.Registerer) {
	registry.MustRegister(s.metrics.reads, s.metrics.actions)
}

func (m metrics) read(result string)           { m.reads.WithLabelValues(result).Inc() }
func (m metrics) acted(action, outcome string) { m.actions.WithLabelValues(action, outcome).Inc() }
