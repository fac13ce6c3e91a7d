package visits

import "strings"

// deskSeries are the series of desks.
const deskSeries = "ABCDEFGH"

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
