package visits

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/telemetry"
	"baari.dev/services/visits/visit"
)

// statuses is the closed set of values of the status label.
var statuses = []visit.Status{visit.New, visit.Approved, visit.InSession, visit.Completed, visit.Denied}

// metrics counts the changes made by this replica.
type metrics struct {
	changes  *prometheus.CounterVec
	waits    prometheus.Histogram
	sessions prometheus.Histogram
}

// durations are the buckets of waits and sessions, in seconds.
var durations = []float64{60, 300, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200}

func newMetrics() metrics {
	m := metrics{
		changes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_visits_total", Help: "Changes of visits to this status by this replica.",
		}, []string{"status"}),
		waits: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "baari_visit_wait_seconds", Help: "Time from a visitor's token to the beginning of the session.",
			Buckets: durations, NativeHistogramBucketFactor: telemetry.NativeFactor,
		}),
		sessions: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "baari_visit_session_seconds", Help: "Length of a session.",
			Buckets: durations, NativeHistogramBucketFactor: telemetry.NativeFactor,
		}),
	}
	for _, status := range statuses {
		m.changes.WithLabelValues(string(status))
	}
	return m
}

// changed counts a committed change.
func (m metrics) changed(ctx context.Context, v visit.Visit) {
	m.changes.WithLabelValues(string(v.Status)).Inc()
	switch {
	case v.Status == visit.InSession && v.StartedAt != nil:
		telemetry.Observe(ctx, m.waits, v.StartedAt.Sub(v.CreatedAt).Seconds())
	case v.Status == visit.Completed && v.StartedAt != nil && v.CompletedAt != nil:
		telemetry.Observe(ctx, m.sessions, v.CompletedAt.Sub(*v.StartedAt).Seconds())
	}
}

// Register registers the metrics of the service.
func (s *Service) Register(registry prometheus.Registerer) {
	registry.MustRegister(s.metrics.changes, s.metrics.waits, s.metrics.sessions, queueCollector{s.store})
}

var (
	today    = gauge("baari_visits_today", "Visits of the office's day by the status they have now.", "status")
	waiting  = gauge("baari_queue_waiting", "Visitors of today who are waiting for a decision or for their session.")
	oldest   = gauge("baari_queue_oldest_wait_seconds", oldestHelp)
	leftOver = gauge("baari_queue_left_over", "Visits of earlier days that are still open.")
	busy     = gauge("baari_consultants_busy", "Consultants who have a session running.")
	active   = gauge("baari_consultants_active", "Consultants to whom visitors can be assigned.")
)

const oldestHelp = "Longest wait of the visitors of today who are waiting; 0 when there are none."

func gauge(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

// queueCollector reads the state of the queue from the database when metrics are collected. All replicas return the
// same values.
type queueCollector struct{ store *store }

// Describe implements prometheus.Collector.
func (c queueCollector) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{today, waiting, oldest, leftOver, busy, active} {
		out <- desc
	}
}

// Collect implements prometheus.Collector.
func (c queueCollector) Collect(out chan<- prometheus.Metric) {
	q, known := c.store.queue()
	if !known {
		return
	}
	send := func(desc *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	for _, status := range statuses {
		send(today, float64(q.today[status]), string(status))
	}
	send(waiting, float64(q.today[visit.New]+q.today[visit.Approved]))
	send(oldest, q.oldest.Seconds())
	send(leftOver, float64(q.leftOver))
	send(busy, float64(q.busy))
	send(active, float64(q.active))
}

// queue is the state of the queue.
type queue struct {
	today        map[visit.Status]int64
	leftOver     int64
	oldest       time.Duration // longest wait of today's visitors
	busy, active int64
}

// add adds the count of visits of a status, on today or on earlier days; age is the age of the oldest.
func (q *queue) add(status visit.Status, ofToday bool, count int64, age time.Duration) {
	if status == visit.InSession {
		q.busy += count
	}
	if !ofToday {
		q.leftOver += count
		return
	}
	q.today[status] += count
	if status == visit.New || status == visit.Approved {
		q.oldest = max(q.oldest, age)
	}
}
