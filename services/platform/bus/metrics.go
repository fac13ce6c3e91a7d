package bus

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
)

var (
	poolConns    = prometheus.NewDesc("baari_redis_pool_conns", "Connections of the pool.", []string{"state"}, nil)
	poolTimeouts = prometheus.NewDesc("baari_redis_pool_timeouts_total", "Waits for a connection that ran out of time.", nil, nil)
)

// poolCollector reads a client's pool when it is asked for.
type poolCollector struct{ client redis.UniversalClient }

// NewPoolCollector exports the figures of client's pool.
func NewPoolCollector(client redis.UniversalClient) prometheus.Collector {
	return poolCollector{client}
}

// Describe implements prometheus.Collector.
func (c poolCollector) Describe(out chan<- *prometheus.Desc) { out <- poolConns; out <- poolTimeouts }

// Collect implements prometheus.Collector.
func (c poolCollector) Collect(out chan<- prometheus.Metric) {
	stats := c.client.PoolStats()
	out <- prometheus.MustNewConstMetric(poolConns, prometheus.GaugeValue, float64(stats.IdleConns), "idle")
	out <- prometheus.MustNewConstMetric(poolConns, prometheus.GaugeValue, float64(stats.TotalConns), "total")
	out <- prometheus.MustNewConstMetric(poolTimeouts, prometheus.CounterValue, float64(stats.Timeouts))
}
