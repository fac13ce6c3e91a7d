package bus

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
)

var (
	poolConns = prometheus.NewDesc("baari_redis_pool_conns",
		"Connections of the pool by state.", []string{"state"}, nil)
	poolTimeouts = prometheus.NewDesc("baari_redis_pool_timeouts_total",
		"Number of times a wait for a connection timed out.", nil, nil)
	poolMisses = prometheus.NewDesc("baari_redis_pool_misses_total",
		"Number of times no free connection was found in the pool.", nil, nil)
	up = prometheus.NewDesc("baari_redis_up",
		"1 while Redis answers this service, 0 while it does not.", nil, nil)
	roundTrip = prometheus.NewDesc("baari_redis_round_trip_seconds",
		"Round-trip time of a PING at the time of the scrape.", nil, nil)
)

// pingLimit is how long a scrape of the metrics waits for Redis.
const pingLimit = 500 * time.Millisecond

type collector struct{ client redis.UniversalClient }

// NewCollector returns a collector of the statistics of r's pool and of the availability of Redis.
func NewCollector(r *Redis) prometheus.Collector { return collector{r.Client} }

// Describe implements prometheus.Collector.
func (c collector) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{poolConns, poolTimeouts, poolMisses, up, roundTrip} {
		out <- desc
	}
}

// Collect implements prometheus.Collector.
func (c collector) Collect(out chan<- prometheus.Metric) {
	stats := c.client.PoolStats()
	gauge, counter := prometheus.GaugeValue, prometheus.CounterValue
	out <- prometheus.MustNewConstMetric(poolConns, gauge, float64(stats.IdleConns), "idle")
	out <- prometheus.MustNewConstMetric(poolConns, gauge, float64(stats.TotalConns-stats.IdleConns), "used")
	out <- prometheus.MustNewConstMetric(poolTimeouts, counter, float64(stats.Timeouts))
	out <- prometheus.MustNewConstMetric(poolMisses, counter, float64(stats.Misses))
	ctx, cancel := context.WithTimeout(context.Background(), pingLimit)
	defer cancel()
	began := time.Now()
	if c.client.Ping(ctx).Err() != nil {
		out <- prometheus.MustNewConstMetric(up, gauge, 0)
		return
	}
	out <- prometheus.MustNewConstMetric(up, gauge, 1)
	out <- prometheus.MustNewConstMetric(roundTrip, gauge, time.Since(began).Seconds())
}
