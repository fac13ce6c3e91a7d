package lobby

import (
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/lobby/mails"
	"baari.dev/services/office"
)

// metrics counts reads of pages, actions of visitors, arrivals and messages.
type metrics struct {
	reads, actions, arrivals, messages, told *prometheus.CounterVec
}

const (
	readOpen    = "open"
	readGone    = "gone"
	readUnknown = "unknown"
	readLimited = "limited"
	readFailed  = "failed"
)

// newMetrics returns the counters. channels are the channels over which messages are sent.
func newMetrics(channels ...string) metrics {
	m := metrics{
		reads: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_lobby_reads_total", Help: "Reads of visitors' pages and of their states.",
		}, []string{"result"}),
		actions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_lobby_actions_total", Help: "Actions of visitors on their pages.",
		}, []string{"action", "outcome"}),
		arrivals: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_lobby_arrivals_total", Help: "Requests for a token by phone, by the state that they entered.",
		}, []string{"state"}),
		messages: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_lobby_messages_total", Help: "Notifications of visitors, by channel and outcome.",
		}, []string{"channel", "outcome"}),
		told: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_appointment_messages_total", Help: "Messages about appointments, by kind, channel and state.",
		}, []string{"kind", "channel", "state"}),
	}
	for _, result := range []string{readOpen, readGone, readUnknown, readLimited, readFailed} {
		m.reads.WithLabelValues(result)
	}
	for _, action := range []string{actionLate, actionLeft, actionHere, actionBack} {
		for _, outcome := range []string{"done", "repeated", "refused", "failed"} {
			m.actions.WithLabelValues(action, outcome)
		}
	}
	for _, state := range []string{arrivalWaiting, arrivalAccepted, arrivalRefused, arrivalGone} {
		m.arrivals.WithLabelValues(state)
	}
	for _, channel := range append([]string{channelPush}, channels...) {
		for _, outcome := range []string{deliverySent, deliveryFailed, deliveryUnknown, deliveryDropped} {
			m.messages.WithLabelValues(channel, outcome)
		}
	}
	for _, kind := range mails.Kinds {
		for _, channel := range append([]string{channelMail}, channels...) {
			for _, state := range []string{deliverySent, deliveryFailed, deliveryUnknown, deliveryDropped} {
				m.told.WithLabelValues(string(kind), channel, state)
			}
		}
	}
	return m
}

// Register adds the metrics to a registry.
func (s *Service) Register(registry prometheus.Registerer) {
	registry.MustRegister(s.metrics.reads, s.metrics.actions, s.metrics.arrivals, s.metrics.messages, s.metrics.told,
		office.VersionCollector(s.store.officeVersion))
}

func (m metrics) read(result string) { m.reads.WithLabelValues(result).Inc() }
func (m metrics) notified(channel, outcome string) {
	m.messages.WithLabelValues(channel, outcome).Inc()
}
func (m metrics) toldBooked(one dueBooked, state string) {
	m.told.WithLabelValues(string(one.Kind), one.Channel, state).Inc()
}
func (m metrics) arrived(state string)         { m.arrivals.WithLabelValues(state).Inc() }
func (m metrics) gone(arrivals int)            { m.arrivals.WithLabelValues(arrivalGone).Add(float64(arrivals)) }
func (m metrics) acted(action, outcome string) { m.actions.WithLabelValues(action, outcome).Inc() }
