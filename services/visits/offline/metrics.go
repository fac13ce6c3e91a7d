package offline

import (
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/telemetry"
)

// deskSeries are the series of paired desks.
const deskSeries = "ABCDEFGH"

// metrics counts what paired desks have sent to this replica.
type metrics struct {
	sent    *prometheus.CounterVec
	refused *prometheus.CounterVec
	late    prometheus.Counter
	replays prometheus.Histogram
}

// requestDurations are the buckets of the duration of one request of a paired desk, in seconds.
var requestDurations = []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 8}

// newMetrics registers the metrics and returns them. All counters begin with 0.
func newMetrics(registry prometheus.Registerer) metrics {
	m := metrics{
		sent: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_offline_visits_total", Help: "Visits that desks have sent after a time without network, accepted.",
		}, []string{"series"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_offline_refused_total", Help: "Visits that desks have sent and that were refused.",
		}, []string{"code"}),
		late: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "baari_offline_late_total",
			Help: "Visits that desks have sent over 15 minutes after a contact at which they were unsent.",
		}),
		replays: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "baari_offline_replay_seconds", Help: "Time to decide one request of a desk with what it has noted.",
			Buckets: requestDurations, NativeHistogramBucketFactor: telemetry.NativeFactor,
		}),
	}
	for _, series := range strings.Split(deskSeries, "") {
		m.sent.WithLabelValues(series)
	}
	for _, code := range []string{codeSeriesConflict, codeNumberAhead, codeInvalid} {
		m.refused.WithLabelValues(code)
	}
	registry.MustRegister(m.sent, m.refused, m.late, m.replays)
	return m
}

func (m metrics) decided(series string, sent sentVisit) {
	if sent.State == sentRefused {
		m.refused.WithLabelValues(sent.Code).Inc()
		return
	}
	m.sent.WithLabelValues(series).Inc()
}

// heldBack counts a visit if it is late: unsent at a contact more than lateAfter ago.
func (m metrics) heldBack(late bool) {
	if late {
		m.late.Inc()
	}
}
