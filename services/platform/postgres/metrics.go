package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
)

var (
	poolConns = prometheus.NewDesc("baari_pg_pool_conns",
		"Connections of the pool by state.", []string{"pool", "state"}, nil)
	poolWaits = prometheus.NewDesc("baari_pg_pool_waits_total",
		"Successful acquires that waited because the pool was empty.", []string{"pool"}, nil)
	poolWaiting = prometheus.NewDesc("baari_pg_pool_wait_seconds_total",
		"Time that successful acquires waited because the pool was empty.", []string{"pool"}, nil)
)

// poolCollector collects the statistics of pools.
type poolCollector map[string]*pgxpool.Pool

// NewPoolCollector returns a collector of the pools' statistics, labelled with their names.
func NewPoolCollector(pools map[string]*pgxpool.Pool) prometheus.Collector {
	return poolCollector(pools)
}

// Describe implements prometheus.Collector.
func (c poolCollector) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{poolConns, poolWaits, poolWaiting} {
		out <- desc
	}
}

// Collect implements prometheus.Collector.
func (c poolCollector) Collect(out chan<- prometheus.Metric) {
	gauge, counter := prometheus.GaugeValue, prometheus.CounterValue
	for name, pool := range c {
		stat := pool.Stat()
		conns := map[string]int32{"idle": stat.IdleConns(), "used": stat.AcquiredConns(), "max": stat.MaxConns()}
		for state, count := range conns {
			out <- prometheus.MustNewConstMetric(poolConns, gauge, float64(count), name, state)
		}
		out <- prometheus.MustNewConstMetric(poolWaits, counter, float64(stat.EmptyAcquireCount()), name)
		out <- prometheus.MustNewConstMetric(poolWaiting, counter, stat.EmptyAcquireWaitTime().Seconds(), name)
	}
}

var (
	longestXact = prometheus.NewDesc("baari_pg_longest_xact_seconds",
		"Age of the oldest open transaction in the service's database, of its own role and of the owner's.", nil, nil)
	sessions = prometheus.NewDesc("baari_pg_sessions", "Backends connected to the service's database.", nil, nil)
	commits  = prometheus.NewDesc("baari_pg_commits_total",
		"Transactions in this database that have been committed.", nil, nil)
	rollbacks = prometheus.NewDesc("baari_pg_rollbacks_total",
		"Transactions in this database that have been rolled back.", nil, nil)
	deadlocks = prometheus.NewDesc("baari_pg_deadlocks_total", "Deadlocks detected in this database.", nil, nil)
	blocks    = prometheus.NewDesc("baari_pg_blocks_total",
		"Blocks read in this database: found in the buffer cache, or read from disk.", []string{"from"}, nil)
	bytes = prometheus.NewDesc("baari_pg_database_bytes", "Size of the service's database.", nil, nil)
)

// scrapeLimit is how long a scrape of the metrics waits for the database.
const scrapeLimit = time.Second

// Without pg_read_all_stats a role can read the transaction times of its own sessions only. A function of the owner
// reads those of the owner's sessions.
const readDatabase = `
SELECT
  coalesce(greatest(longest_owner_xact_seconds(), (
    SELECT max(extract(epoch FROM clock_timestamp() - xact_start)) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend')), 0)::float8,
  numbackends::float8, xact_commit::float8, xact_rollback::float8, deadlocks::float8,
  blks_hit::float8, blks_read::float8, pg_database_size(datid)::float8
FROM pg_stat_database WHERE datname = current_database()`

type databaseCollector struct{ pool *pgxpool.Pool }

// NewDatabaseCollector returns a collector of PostgreSQL's statistics of pool's database. It exports nothing while
// PostgreSQL is unavailable.
func NewDatabaseCollector(pool *pgxpool.Pool) prometheus.Collector { return databaseCollector{pool} }

// Describe implements prometheus.Collector.
func (c databaseCollector) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{longestXact, sessions, commits, rollbacks, deadlocks, blocks, bytes} {
		out <- desc
	}
}

// Collect implements prometheus.Collector.
func (c databaseCollector) Collect(out chan<- prometheus.Metric) {
	var v [8]float64
	found := Sample(c.pool, func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, readDatabase).Scan(&v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7])
	})
	if !found {
		return
	}
	gauge, counter := prometheus.GaugeValue, prometheus.CounterValue
	out <- prometheus.MustNewConstMetric(longestXact, gauge, v[0])
	out <- prometheus.MustNewConstMetric(sessions, gauge, v[1])
	out <- prometheus.MustNewConstMetric(commits, counter, v[2])
	out <- prometheus.MustNewConstMetric(rollbacks, counter, v[3])
	out <- prometheus.MustNewConstMetric(deadlocks, counter, v[4])
	out <- prometheus.MustNewConstMetric(blocks, counter, v[5], "cache")
	out <- prometheus.MustNewConstMetric(blocks, counter, v[6], "disk")
	out <- prometheus.MustNewConstMetric(bytes, gauge, v[7])
}

// Sample runs a query for metrics, with a timeout of a second, and reports whether it succeeded. After a failure the
// caller omits the metric, so that no outdated value is exported.
func Sample(pool *pgxpool.Pool, read func(context.Context, *pgx.Conn) error) bool {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeLimit)
	defer cancel()
	return pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error { return read(ctx, conn.Conn()) }) == nil
}
