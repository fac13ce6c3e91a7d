package telemetry

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
)

// Observe records a value. If the trace of ctx is sampled, its id is recorded as an exemplar: a link from a bucket to
// one of its requests.
func Observe(ctx context.Context, into prometheus.Observer, value float64) {
	observe(trace.SpanContextFromContext(ctx), into, value)
}

func observe(span trace.SpanContext, into prometheus.Observer, value float64) {
	exemplars, able := into.(prometheus.ExemplarObserver)
	if !able || !span.IsSampled() {
		into.Observe(value)
		return
	}
	exemplars.ObserveWithExemplar(value, prometheus.Labels{"trace_id": span.TraceID().String()})
}

// Slow durations of sampled spans have an exemplar each, quick ones one per second: a scrape reads only the last.
const (
	slow  = .1 // seconds
	quick = int64(time.Second)
)

// Series is one series of a histogram of durations in seconds.
type Series struct {
	into  prometheus.Observer
	named atomic.Int64 // time of the last exemplar of a quick request, in Unix nanoseconds
}

// NewSeries returns the Series of a histogram.
func NewSeries(into prometheus.Observer) *Series { return &Series{into: into} }

// Observe records a duration, in seconds, that ended at now. If span is sampled, the trace id is recorded as an
// exemplar; for durations under a tenth of a second only once a second.
func (s *Series) Observe(span trace.Span, now time.Time, seconds float64) {
	if own := span.SpanContext(); own.IsSampled() && s.mayName(now, seconds) {
		observe(own, s.into, seconds)
		return
	}
	s.into.Observe(seconds)
}

func (s *Series) mayName(now time.Time, seconds float64) bool {
	last := s.named.Load()
	return seconds >= slow || now.UnixNano()-last >= quick && s.named.CompareAndSwap(last, now.UnixNano())
}
