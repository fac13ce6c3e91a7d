package visits

import (
	"strings"

	"github.com/prometheus/client_golang/prometheus"
)

// deskSeries are the series of desks.
const deskSeries = "ABCDEFGH"

func newRefused() *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "baari_offline_refused_total", Help: "Visits that desks have sent and that were refused.",
	}, []string{"code"})
}

func newLate() prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{
		Name: "baari_offline_late_total",
		Help: "Visits that desks have sent over 15 minutes after a contact at which they were unsent.",
	})
}

// initOffline sets the counters of desks without network to 0.
func (m metrics) initOffline() {
	for _, series := range strings.Split(deskSeries, "") {
		m.sent.WithLabelValues(series)
	}
	for _, code := range []string{codeSeriesConflict, codeNumberAhead, codeInvalid} {
		m.refused.WithLabelValues(code)
	}
}

// offline counts the decision about a visit of a desk.
func (m metrics) offline(series string, sent sentVisit) {
	if sent.State == sentRefused {
		m.refused.WithLabelValues(sent.Code).Inc()
		return
	}
	m.sent.WithLabelValues(series).Inc()
}

// heldBack counts a visit that was unsent at a contact longer than lateAfter ago.
func (m metrics) heldBack(late bool) {
	if late {
		m.late.Inc()
	}
}
