package visits

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/postgres"
)

var lookupsMax = gauge("baari_lookups_day_max", "Most lookups of phone numbers by one person in the last 24 hours.")

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

const countLookups = `
SELECT coalesce(max(lookups), 0) FROM (
  SELECT count(*) AS lookups FROM access_log WHERE call = 'lookup' AND at > now() - interval '24 hours' GROUP BY user_id
) of_person`

// mostLookups returns the largest number of lookups that one person has made in 24 hours.
func (s *store) mostLookups() (most int64, known bool) {
	known = postgres.Sample(s.pool, func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, countLookups).Scan(&most)
	})
	return most, known
}
