package audit

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/postgres"
)

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
	registry.MustRegister(a.metrics.chainOK, a.metrics.exported, operations{a.pool})
}

var (
	records      = prometheus.NewDesc("baari_audit_records", "Records in the trail.", nil, nil)
	backupAge    = prometheus.NewDesc("baari_backup_age_seconds", "Time since the last backup, or since the installation began.", nil, nil)
	restoreDrill = prometheus.NewDesc("baari_restore_drill_age_seconds", "Time since a backup was last restored to see that it can be, or since the installation began.", nil, nil)
)

// operations collects the times of operators' actions (backup, restore, verification) from the database.
type operations struct{ pool *pgxpool.Pool }

// Describe implements prometheus.Collector.
func (o operations) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{records, backupAge, restoreDrill} {
		out <- desc
	}
}

const selectOperations = `
SELECT coalesce((SELECT n FROM chain_head), 0)::float8,
  (SELECT extract(epoch FROM now() - done_at) FROM operations WHERE name = 'backup')::float8,
  (SELECT extract(epoch FROM now() - done_at) FROM operations WHERE name = 'restore_drill')::float8`

// Collect implements prometheus.Collector.
func (o operations) Collect(out chan<- prometheus.Metric) {
	var n, backup, drill float64
	found := postgres.Sample(o.pool, func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, selectOperations).Scan(&n, &backup, &drill)
	})
	if !found {
		return
	}
	out <- prometheus.MustNewConstMetric(records, prometheus.GaugeValue, n)
	out <- prometheus.MustNewConstMetric(backupAge, prometheus.GaugeValue, backup)
	out <- prometheus.MustNewConstMetric(restoreDrill, prometheus.GaugeValue, drill)
}
