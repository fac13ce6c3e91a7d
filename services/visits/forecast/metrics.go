package forecast

import (
	"cmp"
	"maps"
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/telemetry"
	"baari.dev/services/visits/foresight"
	"baari.dev/services/visits/row"
)

var (
	forecastMAE = row.Gauge("baari_forecast_mae_seconds",
		"Mean absolute error of the promises of the last 30 days.", "kind", "service_name")
	forecastCoverage = row.Gauge("baari_forecast_coverage_ratio",
		"Share of the promises of the last 30 days whose visitor was called within the shown range.", "kind", "service_name")
	forecastLate = row.Gauge("baari_forecast_late_ratio",
		"Share of the promises of the last 30 days whose visitor was called over 5 minutes after the range.", "kind")
	forecastWidth = row.Gauge("baari_forecast_width_seconds",
		"Mean width of the ranges of the last 30 days.", "kind")
	forecastRival = row.Gauge("baari_forecast_rival_mae_seconds",
		"Mean absolute error of a simpler forecast for the visitors who entered the line in the last 30 days.", "rival")
	forecastPromises = row.Gauge("baari_forecast_promises",
		"Promises of the last 30 days by how they ended: called, at_once (a desk was free) or censored.", "kind", "outcome")
	forecastWeek = row.Gauge("baari_forecast_week_coverage_ratio",
		"Share of the promises of the last 7 days whose visitor was called within the shown range.", "kind")
	forecastWeekCount = row.Gauge("baari_forecast_week_promises",
		"Promises of the last 7 days whose visitor was called and had to wait.", "kind")
	forecastAge = row.Gauge("baari_forecast_age_seconds", forecastAgeHelp)
)

const forecastAgeHelp = "Age of the ranges that are shown; 0 while no visitor waits for a decision or in the line."

func newDuration() prometheus.Histogram {
	return prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "baari_forecast_seconds", Help: "Time to simulate the line, by the replica that forecasts.",
		Buckets:                     []float64{.001, .0025, .005, .01, .02, .05, .1, .25, .5, 1},
		NativeHistogramBucketFactor: telemetry.NativeFactor,
	})
}

// mostLabels is the largest number of services with a label of their own. The others share the label otherService.
// allServices is the label of the sum.
const (
	mostLabels   = 40
	otherService = "other"
	allServices  = "all"
)

// forecastCollector is a prometheus.Collector that reads the accuracy of promises from the database. All replicas
// return the same values.
type forecastCollector struct{ store *store }

// Describe implements prometheus.Collector.
func (forecastCollector) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{
		forecastMAE, forecastCoverage, forecastLate, forecastWidth, forecastRival, forecastPromises, forecastWeek,
		forecastWeekCount, forecastAge,
	} {
		out <- desc
	}
}

// Collect implements prometheus.Collector.
func (c forecastCollector) Collect(out chan<- prometheus.Metric) {
	k, known := c.store.kept()
	if !known {
		return
	}
	send := func(desc *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	kindOf := func(t tally) foresight.Kind { return t.kind }
	labels, month, week := k.labels(), sumBy(k.month, kindOf), sumBy(k.week, kindOf)
	for _, kind := range []foresight.Kind{foresight.New, foresight.Join} {
		sum, of := month[kind], string(kind)
		send(forecastPromises, float64(sum.n), of, "called")
		send(forecastPromises, float64(sum.atOnce), of, "at_once")
		send(forecastPromises, float64(sum.censored), of, "censored")
		send(forecastLate, sum.per(float64(sum.late)), of)
		send(forecastWidth, 60*sum.per(sum.width), of)
		send(forecastWeekCount, float64(week[kind].n), of)
		send(forecastWeek, week[kind].per(float64(week[kind].covered)), of)
		own := slices.DeleteFunc(slices.Clone(k.month), func(t tally) bool { return t.kind != kind })
		scores := sumBy(own, func(t tally) string { return cmp.Or(labels[t.service], otherService) })
		scores[allServices] = sum
		for service, one := range scores {
			send(forecastMAE, 60*one.per(one.abs), of, service)
			send(forecastCoverage, one.per(float64(one.covered)), of, service)
		}
	}
	joined := month[foresight.Join]
	send(forecastRival, 60*joined.per(joined.absFixed), "fixed")
	send(forecastRival, 60*joined.per(joined.absPlace), "place")
	send(forecastAge, k.age)
}

// labels returns, by service id, the labels of the first mostLabels active services in the order of their names.
func (k kept) labels() map[string]string {
	ids := slices.SortedFunc(maps.Keys(k.names), func(a, b string) int {
		return cmp.Or(cmp.Compare(k.names[a], k.names[b]), cmp.Compare(a, b))
	})
	labels := map[string]string{}
	for _, id := range ids[:min(mostLabels, len(ids))] {
		labels[id] = k.names[id]
	}
	return labels
}
