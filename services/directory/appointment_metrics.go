package directory

import (
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/directory/appointment"
)

// metrics counts what this replica has changed.
type metrics struct {
	statuses *prometheus.CounterVec
	full     prometheus.Counter
}

func newMetrics() *metrics {
	m := &metrics{
		statuses: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_appointments_total", Help: "Changes of appointments, by the status after the change.",
		}, []string{"status"}),
		full: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "baari_slot_full_total", Help: "Requests for a slot without a free place.",
		}),
	}
	for _, status := range appointment.Statuses {
		m.statuses.WithLabelValues(string(status))
	}
	return m
}

func (m *metrics) changed(status string) { m.statuses.WithLabelValues(status).Inc() }

// Collectors returns the metrics of the service.
func (s *Service) Collectors() []prometheus.Collector {
	return []prometheus.Collector{s.office.Collector(), s.metrics.statuses, s.metrics.full}
}
