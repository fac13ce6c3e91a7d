package privacy

import (
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/visits/row"
)

var (
	requestsOpen    = row.Gauge("baari_privacy_requests_open", "Persons' requests about their data without an answer.")
	requestsOverdue = row.Gauge("baari_privacy_requests_overdue",
		"Persons' requests about their data whose answer is overdue.")
)

// requestCollector counts the privacy requests when metrics are collected. All replicas return the same values.
type requestCollector struct{ store *store }

// Describe implements prometheus.Collector.
func (requestCollector) Describe(out chan<- *prometheus.Desc) {
	out <- requestsOpen
	out <- requestsOverdue
}

// Collect implements prometheus.Collector.
func (c requestCollector) Collect(out chan<- prometheus.Metric) {
	open, overdue, known := c.store.openRequests()
	if !known {
		return
	}
	out <- prometheus.MustNewConstMetric(requestsOpen, prometheus.GaugeValue, float64(open))
	out <- prometheus.MustNewConstMetric(requestsOverdue, prometheus.GaugeValue, float64(overdue))
}
