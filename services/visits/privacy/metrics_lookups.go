package privacy

import (
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/visits/row"
)

var lookupsMax = row.Gauge("baari_lookups_day_max", "Most lookups of phone numbers by one person in the last 24 hours.")

// lookupCollector counts lookups when metrics are collected. All replicas return the same value.
type lookupCollector struct{ store *store }

// Describe implements prometheus.Collector.
func (lookupCollector) Describe(out chan<- *prometheus.Desc) { out <- lookupsMax }

// Collect implements prometheus.Collector.
func (c lookupCollector) Collect(out chan<- prometheus.Metric) {
	if most, known := c.store.mostLookups(); known {
		out <- prometheus.MustNewConstMetric(lookupsMax, prometheus.GaugeValue, float64(most))
	}
}
