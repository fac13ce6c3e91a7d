package row

import "github.com/prometheus/client_golang/prometheus"

// Gauge returns the description of a gauge that is read from the database when metrics are collected.
func Gauge(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}
