package queue

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/telemetry"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// statuses is the closed set of values of the status label.
var statuses = []visit.Status{visit.New, visit.Approved, visit.InSession, visit.Completed, visit.Denied}

var stages = []visit.Stage{
	visit.StageNew, visit.StageWaiting, visit.StageCalled, visit.StageHeld, visit.StageMissed, visit.StageInSession,
	visit.StageCompleted, visit.StageDenied, visit.StageLeft, visit.StageNoShow, visit.StageCancelled,
}

// metrics counts the changes made by this replica.
type metrics struct {
	changes  *prometheus.CounterVec
	actions  *prometheus.CounterVec
	undos    *prometheus.CounterVec
	calls    *prometheus.CounterVec
	waits    prometheus.Histogram
	sessions prometheus.Histogram
	toCommit prometheus.Histogram
	toStart  prometheus.Histogram
}

// durations are the buckets of waits and sessions, in seconds.
var durations = []float64{60, 300, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200}

func newMetrics(registry prometheus.Registerer) metrics {
	m := metrics{
		changes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_visits_total", Help: "Changes of visits to this status by this replica.",
		}, []string{"status"}),
		actions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_visit_actions_total", Help: "Changes of visits by this replica, by their action.",
		}, []string{"action"}),
		undos: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_visit_undos_total", Help: "Undone changes of visits, by the action that was undone.",
		}, []string{"action"}),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "baari_calls_total", Help: "Called visitors, by the rule of the line or chosen by a person.",
		}, []string{"kind"}),
		toCommit: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "baari_call_seconds", Help: "Time from the request for the next visitor to the commit of the call.",
			Buckets:                     []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5},
			NativeHistogramBucketFactor: telemetry.NativeFactor,
		}),
		toStart: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "baari_call_to_start_seconds", Help: "Time from the last call of a visitor to the start of the session.",
			Buckets: durations, NativeHistogramBucketFactor: telemetry.NativeFactor,
		}),
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
	m.actions.WithLabelValues(string(visit.Create))
	for _, rule := range visit.Actions {
		m.actions.WithLabelValues(string(rule.Action))
		if rule.Action != visit.Undo {
			m.undos.WithLabelValues(string(visit.ActionOf(rule.Event)))
		}
	}
	m.calls.WithLabelValues(callNextKind)
	m.calls.WithLabelValues(callHandKind)
	registry.MustRegister(m.changes, m.actions, m.undos, m.calls, m.waits, m.sessions, m.toCommit, m.toStart)
	return m
}

// The values of the label kind of baari_calls_total.
const (
	callNextKind = "next"
	callHandKind = "hand"
)

// changed counts a committed change.
func (m metrics) changed(ctx context.Context, res Outcome, action visit.Action) {
	v := res.Snapshot.Visit
	m.actions.WithLabelValues(string(action)).Inc()
	switch action {
	case visit.Create, visit.Approve, visit.Deny, visit.Start, visit.Take, visit.Complete:
		m.changes.WithLabelValues(string(v.Status)).Inc()
	case visit.Undo:
		m.undos.WithLabelValues(string(res.undone)).Inc()
	case visit.Next:
		m.calls.WithLabelValues(callNextKind).Inc()
	case visit.Call:
		m.calls.WithLabelValues(callHandKind).Inc()
	}
	if action == visit.Take {
		m.calls.WithLabelValues(callHandKind).Inc()
	}
	switch {
	case (action == visit.Start || action == visit.Take) && v.Sittings == 1:
		telemetry.Observe(ctx, m.waits, v.StartedAt.Sub(v.Arrival()).Seconds())
		if action == visit.Start && v.CalledAt != nil && v.CallCount > 0 {
			telemetry.Observe(ctx, m.toStart, v.StartedAt.Sub(*v.CalledAt).Seconds())
		}
	case action == visit.Complete:
		telemetry.Observe(ctx, m.sessions, v.SessionLength().Seconds())
	}
}

var (
	today    = row.Gauge("baari_visits_today", "Visits of the office's day by the status they have now.", "status")
	waiting  = row.Gauge("baari_queue_waiting", "Visitors of today who are waiting for a decision or for their session.")
	oldest   = row.Gauge("baari_queue_oldest_wait_seconds", oldestHelp)
	leftOver = row.Gauge("baari_queue_left_over", "Visits of earlier days that are still open.")
	busy     = row.Gauge("baari_consultants_busy", "Consultants who have a session running.")
	active   = row.Gauge("baari_consultants_active", "Consultants to whom visitors can be assigned.")
	atStage  = row.Gauge("baari_line_stage", "Visits of the office's day by the stage they have now.", "stage")
	atDesks  = row.Gauge("baari_desks", "Desks of active consultants by their state.", "state")
	bypassed = row.Gauge("baari_bypassed_max", "Largest number of times that a waiting visitor was passed by the rule.")
	limitOf  = row.Gauge("baari_bypassed_limit", "Largest number of times that the rule may pass a visitor.")
	byHand   = row.Gauge("baari_passed_by_hand", "How often people have passed the visitors of today, in total.")
)

const oldestHelp = "Longest wait of the visitors of today who are waiting; 0 when there are none."

// queueCollector reads the queue from the database when metrics are collected. All replicas return the same values.
type queueCollector struct{ store *store }

// Describe implements prometheus.Collector.
func (c queueCollector) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{
		today, waiting, oldest, leftOver, busy, active, atStage, atDesks, bypassed, limitOf, byHand,
	} {
		out <- desc
	}
}

// Collect implements prometheus.Collector.
func (c queueCollector) Collect(out chan<- prometheus.Metric) {
	q, known := c.store.figures()
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
	for _, stage := range stages {
		send(atStage, float64(q.stages[stage]), string(stage))
	}
	for _, state := range []string{deskOpen, deskBreak, deskLast, deskOff} {
		send(atDesks, float64(q.desks[state]), state)
	}
	send(bypassed, float64(q.bypassed))
	send(limitOf, float64(q.maxBypass))
	send(byHand, float64(q.byHand))
}

type figures struct {
	today        map[visit.Status]int64
	leftOver     int64
	oldest       time.Duration // longest wait of today's visitors
	busy, active int64

	stages              map[visit.Stage]int64 // counts of today
	desks               map[string]int64
	bypassed, maxBypass int64
	byHand              int64
}

// add adds the number of visits in a stage, of today or of earlier days; age is the age of the oldest.
func (q *figures) add(stage visit.Stage, ofToday bool, count int64, age time.Duration) {
	status := stage.Status()
	if status == visit.InSession {
		q.busy += count
	}
	if !ofToday {
		q.leftOver += count
		return
	}
	q.today[status] += count
	q.stages[stage] += count
	if status == visit.New || status == visit.Approved {
		q.oldest = max(q.oldest, age)
	}
}
