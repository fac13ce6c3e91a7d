package audit

import "github.com/prometheus/client_golang/prometheus"

type metrics struct {
	chainOK  prometheus.Gauge
	exported prometheus.Counter
}

func newMetrics() metrics {
	m := metrics{
		chainOK: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "baari_audit_chain_ok",
			Help: "1 while the records since the last anchor fit the chain, 0 when one does not.",
		}),
		exported: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "baari_export_rows_total", Help: "Visits written to exports.",
		}),
	}
	m.chainOK.Set(1)
	return m
}

// Register adds audit's metrics to registry.
func (s *Service) Register(registry prometheus.Registerer) {
	registry.MustRegister(s.metrics.chainOK, s.metrics.exported, operations{s.store})
}

var (
	records   = prometheus.NewDesc("baari_audit_records", "Records in the trail.", nil, nil)
	backupAge = prometheus.NewDesc("baari_backup_age_seconds",
		"Time since the last backup, or since the installation began.", nil, nil)
	restoreDrill = prometheus.NewDesc("baari_restore_drill_age_seconds",
		"Time since the last test restore of a backup, or since the installation began.", nil, nil)
)

// operations collects the number of records and the ages of the last backup and restore drill from the database. It
// exports nothing while the database is unavailable.
type operations struct{ store *store }

// Describe implements prometheus.Collector.
func (o operations) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{records, backupAge, restoreDrill} {
		out <- desc
	}
}

// Collect implements prometheus.Collector.
func (o operations) Collect(out chan<- prometheus.Metric) {
	n, backup, drill, ok := o.store.operations()
	if !ok {
		return
	}
	out <- prometheus.MustNewConstMetric(records, prometheus.GaugeValue, n)
	out <- prometheus.MustNewConstMetric(backupAge, prometheus.GaugeValue, backup)
	out <- prometheus.MustNewConstMetric(restoreDrill, prometheus.GaugeValue, drill)
}
