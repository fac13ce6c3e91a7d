package checker

import (
	"slices"
	"time"
)

const (
	longest = 10 * time.Second       // maximum duration of any request
	calmP99 = 300 * time.Millisecond // limit outside faults
	// Aftermath is the time after a fault in which a request may still fail because of it.
	Aftermath = 3 * time.Second
	enough    = 200 // a percentile needs at least this number of requests
)

// checkCalm checks I16.
func checkCalm(e *Evidence) []Violation {
	var found findings
	for _, op := range e.Ops {
		took := time.Duration(op.Return - op.Call)
		if took > longest {
			found.add("I16", []string{op.Line()}, "a call took %s", took.Round(time.Millisecond))
		}
	}
	for _, op := range Unexcused(e) {
		found.add("I16", []string{op.Line()}, "a request failed although no fault was active")
	}
	if p99, measured := Percentile(CalmTimes(e), 99); measured &&
		p99 > time.Duration(float64(calmP99)*max(1, e.Slowness)) {
		found.add("I16", nil, "outside faults the 99th percentile is %s", p99.Round(time.Millisecond))
	}
	return found
}

// Unexcused returns the requests whose outcome is unknown although no fault was active.
func Unexcused(e *Evidence) []Op {
	return slices.DeleteFunc(slices.Clone(e.Ops), func(op Op) bool { return op.Outcome != Unknown || e.disturbed(op) })
}

// CalmTimes returns the durations of the requests outside faults.
func CalmTimes(e *Evidence) []time.Duration {
	var calm []time.Duration
	for _, op := range e.Ops {
		if !e.disturbed(op) {
			calm = append(calm, time.Duration(op.Return-op.Call))
		}
	}
	return calm
}

// disturbed reports whether a fault that is not Aside was active, or had just ended, during the request.
func (e *Evidence) disturbed(op Op) bool {
	return slices.ContainsFunc(e.Faults, func(w Window) bool {
		return !w.Aside && op.Return >= w.Start && op.Call <= w.End+int64(Aftermath)
	})
}

// Percentile returns the duration that p percent of times do not exceed. measured is false if there are too few times.
func Percentile(times []time.Duration, p int) (at time.Duration, measured bool) {
	if len(times) < enough {
		return 0, false
	}
	sorted := slices.Sorted(slices.Values(times))
	return sorted[(len(sorted)*p-1)/100], true
}
