package office

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// versionLimit is the timeout of a read of the version, so that a scrape does not wait for a database.
const versionLimit = time.Second

var version = prometheus.NewDesc(
	"baari_office_version", "Version of the office document that this program uses; 0 before the first.", nil, nil,
)

// VersionCollector returns the collector of baari_office_version. read is called when metrics are collected; after an
// error the metric is missing.
func VersionCollector(read func(context.Context) (int64, error)) prometheus.Collector {
	return collector(read)
}

type collector func(context.Context) (int64, error)

// Describe implements prometheus.Collector.
func (collector) Describe(out chan<- *prometheus.Desc) { out <- version }

// Collect implements prometheus.Collector.
func (read collector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), versionLimit)
	defer cancel()
	if number, err := read(ctx); err == nil {
		out <- prometheus.MustNewConstMetric(version, prometheus.GaugeValue, float64(number))
	}
}
