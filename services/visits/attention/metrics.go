package attention

import (
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/visits/visit"
)

// metrics counts the calls that this replica has repeated or marked as missed.
type metrics struct{ followed *prometheus.CounterVec }

func newMetrics(registry prometheus.Registerer) metrics {
	m := metrics{followed: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "baari_calls_followed_total",
		Help: "Calls without an answer that this replica has repeated or recorded as missed.",
	}, []string{"action"})}
	for _, action := range []visit.Action{visit.Recall, visit.Miss} {
		m.followed.WithLabelValues(string(action))
	}
	registry.MustRegister(m.followed)
	return m
}
