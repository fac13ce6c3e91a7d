package visits

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/postgres"
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

func newMetrics() metrics {
	m := metrics{
		changes: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "baari_visits_total", Help: "Changes of visits to this status by this replica."}, []string{"status"}),
		waits: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "baari_visit_wait_seconds", Help: "Time from a visitor's token to the beginning of the session.",
			Buckets: []float64{60, 300, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200}, NativeHistogramBucketFactor: telemetry.NativeFactor,
		}),
		sessions: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "baari_visit_session_seconds", Help: "Length of a session.",
			Buckets: []float64{60, 300, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200}, NativeHistogramBucketFactor: telemetry.NativeFactor,
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
	today    = prometheus.NewDesc("baari_visits_today", "Visits of the office's day by the status they have now.", []string{"status"}, nil)
	waiting  = prometheus.NewDesc("baari_queue_waiting", "Visitors of today who are waiting for a decision or for their session.", nil, nil)
	oldest   = prometheus.NewDesc("baari_queue_oldest_wait_seconds", "Longest wait of the visitors of today who are waiting; 0 when there are none.", nil, nil)
	leftOver = prometheus.NewDesc("baari_queue_left_over", "Visits of earlier days that are still open.", nil, nil)
	busy     = prometheus.NewDesc("baari_consultants_busy", "Consultants who have a session running.", nil, nil)
	active   = prometheus.NewDesc("baari_consultants_active", "Consultants to whom visitors can be assigned.", nil, nil)
)

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
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	for _, status := range statuses {
		gauge(today, float64(q.today[status]), string(status))
	}
	gauge(waiting, float64(q.today[visit.New]+q.today[visit.Approved]))
	gauge(oldest, q.oldest.Seconds())
	gauge(leftOver, float64(q.leftOver))
	gauge(busy, float64(q.busy))
	gauge(active, float64(q.active))
}

// queue is the state of the queue.
type queue struct {
	today        map[visit.Status]int64
	leftOver     int64
	oldest       time.Duration // longest wait of today's visitors
	busy, active int64
}

// Each term of the WHERE clause has its own index.
const selectQueue = `
SELECT status, office_day = (now() AT TIME ZONE $1)::date, count(*), extract(epoch FROM now() - min(created_at))::float8
FROM visits
WHERE office_day = (now() AT TIME ZONE $1)::date OR status = 'new' OR status IN ('approved', 'in-session')
GROUP BY 1, 2`

const selectActive = `SELECT count(*) FROM consultants WHERE is_active`

func (s *store) queue() (q queue, known bool) {
	q.today = map[visit.Status]int64{}
	known = postgres.Sample(s.pool, func(ctx context.Context, conn *pgx.Conn) error {
		rows, err := conn.Query(ctx, selectQueue, s.zone)
		if err != nil {
			return err
		}
		var status visit.Status
		var ofToday bool
		var count int64
		var age float64
		_, err = pgx.ForEachRow(rows, []any{&status, &ofToday, &count, &age}, func() error {
			q.add(status, ofToday, count, time.Duration(age*float64(time.Second)))
			return nil
		})
		if err != nil {
			return err
		}
		return conn.QueryRow(ctx, selectActive).Scan(&q.active)
	})
	return q, known
}

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
