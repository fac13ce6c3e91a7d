package catalog

import (
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/office"
)

// Metric returns the collector of the version of the office document in the copy.
func (d *Directory) Metric() prometheus.Collector { return office.VersionCollector(d.officeVersion) }
