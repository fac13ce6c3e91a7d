package audit

import "github.com/prometheus/client_golang/prometheus"

// metrics are audit's own signals.
type metrics struct {
	chainOK  prometheus.Gauge
	exported prometheus.Counter
}

func newMetrics() metrics {
	m := metrics{
		chainOK:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "baari_audit_chain_ok", Help: "1 while the records since the last anchor fit the chain, 0 when one does not."}),
		exported: prometheus.NewCounter(prometheus.CounterOpts{Name: "baari_export_rows_total", Help: "Visits that left in exports."}),
	}
	m.chainOK.Set(1)
	return m
}

// Register adds audit's signals to registry.
func (a *Audit) Register(registry prometheus.Registerer) {
	registry.MustRegister(a.metrics.chainOK, a.metrics.exported)
}
