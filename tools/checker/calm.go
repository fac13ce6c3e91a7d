package checker

import (
	"slices"
	"time"
)

const (
	longest = 10 * time.Second       // no call may take longer
	calmP99 = 300 * time.Millisecond // outside faults
	// Aftermath is the time after a fault that still counts as the fault.
	Aftermath = 3 * time.Second
	enough    = 200 // calls that a percentile needs
)

// checkCalm: I16.
func checkCalm(e *Evidence) []Violation {
	var found []Violation
	for _, op := range e.Ops {
		took := time.Duration(op.Return - op.Call)
		if took > longest {
			found = append(found, violation("I16", []string{op.Line()}, "a call took %s", took.Round(time.Millisecond)))
		}
		if e.disturbed(op) {
			continue
		}
		if op.Outcome == Unknown {
			found = append(found, violation("I16", []string{op.Line()}, "a call failed though no fault was in force"))
		}
	}
	if p99, measured := Percentile(CalmTimes(e), 99); measured && p99 > time.Duration(float64(calmP99)*max(1, e.Slowness)) {
		found = append(found, violation("I16", nil, "outside faults the 99th percentile is %s", p99.Round(time.Millisecond)))
	}
	return found
}

// CalmTimes are how long the calls outside faults took.
func CalmTimes(e *Evidence) []time.Duration {
	var calm []time.Duration
	for _, op := range e.Ops {
		if !e.disturbed(op) {
			calm = append(calm, time.Duration(op.Return-op.Call))
		}
	}
	return calm
}

// disturbed tells whether a fault was in force, or hardly over, while the call ran.
func (e *Evidence) disturbed(op Op) bool {
	return slices.ContainsFunc(e.Faults, func(w Window) bool {
		return op.Return >= w.Start && op.Call <= w.End+int64(Aftermath)
	})
}

// Percentile is the time that p of 100 calls did not exceed; measured is false when there are too few calls to tell.
func Percentile(times []time.Duration, p int) (at time.Duration, measured bool) {
	if len(times) < enough {
		return 0, false
	}
	sorted := slices.Sorted(slices.Values(times))
	return sorted[(len(sorted)*p-1)/100], true
}
