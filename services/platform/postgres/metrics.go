package postgres

import (
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
)

var (
	poolConns = prometheus.NewDesc("baari_pg_pool_conns", "Connections of the pool.", []string{"state"}, nil)
	poolWaits = prometheus.NewDesc("baari_pg_pool_waits_total", "Acquisitions that had to wait for a connection.", nil, nil)
)

// poolCollector reads a pool's figures when they are asked for.
type poolCollector struct{ pool *pgxpool.Pool }

// NewPoolCollector exports the figures of pool.
func NewPoolCollector(pool *pgxpool.Pool) prometheus.Collector { return poolCollector{pool} }

// Describe implements prometheus.Collector.
func (c poolCollector) Describe(out chan<- *prometheus.Desc) { out <- poolConns; out <- poolWaits }

// Collect implements prometheus.Collector.
func (c poolCollector) Collect(out chan<- prometheus.Metric) {
	stat := c.pool.Stat()
	for state, count := range map[string]int32{"idle": stat.IdleConns(), "used": stat.AcquiredConns(), "max": stat.MaxConns()} {
		out <- prometheus.MustNewConstMetric(poolConns, prometheus.GaugeValue, float64(count), state)
	}
	out <- prometheus.MustNewConstMetric(poolWaits, prometheus.CounterValue, float64(stat.EmptyAcquireCount()))
}
