package foresight

import (
	"math"
	"time"
)

// Departure is a visitor who left the line before the first call.
type Departure struct{ Joined, Left time.Time }

// The hazard of leaving is a step function of the time in the line.
const (
	patienceStep   = 15.0  // minutes
	patienceSteps  = 24    // the last step has no end
	patienceWeight = 600.0 // weight, in minutes, of the prior: the previous step's hazard, or 0 in the first step
)

// learnPatience returns the law of the minutes after which a visitor leaves the line. The law is nil if no visitor is
// known to have left.
//
// The hazard in a step is the number of visitors who left in it, divided by the minutes that all visitors have waited
// in it. This is the estimate of the piecewise exponential model for right-censored times. It is shrunk towards the
// hazard of the previous step; the result is the posterior mean of the gamma-Poisson model.
func learnPatience(sittings []Sitting, left []Departure, at time.Time) *law {
	var minutes, leavers [patienceSteps]float64
	stay := func(from, to time.Time, weight float64) int {
		total := max(0, to.Sub(from).Minutes())
		last := min(int(total/patienceStep), patienceSteps-1)
		for step := range last {
			minutes[step] += weight * patienceStep
		}
		minutes[last] += weight * (total - float64(last)*patienceStep)
		return last
	}
	known := false
	for _, d := range left {
		if age := at.Sub(d.Left); age <= maxAge {
			weight := decay(age, halfLife)
			leavers[stay(d.Joined, d.Left, weight)] += weight
			known = true
		}
	}
	if !known {
		return nil
	}
	called := map[string]bool{}
	for _, s := range sittings {
		if !called[s.VisitID] && !s.Joined.IsZero() {
			called[s.VisitID] = true
			stay(s.Joined, s.Called, decay(at.Sub(s.Ended), halfLife))
		}
	}
	return patienceLaw(minutes, leavers)
}

// patienceLaw returns the law of the minutes until leaving, from the waited minutes and the leavers of each step.
func patienceLaw(minutes, leavers [patienceSteps]float64) *law {
	l, i, stays, hazard := &law{tail: math.Inf(1)}, 0, 1.0, 0.0 // stays: probability of still being in the line
	for step := range minutes {
		hazard = (leavers[step] + patienceWeight*hazard) / (minutes[step] + patienceWeight)
		end := stays * math.Exp(-hazard*patienceStep)
		if step == patienceSteps-1 {
			end = 0
		}
		for ; i < quantiles; i++ {
			target := 1 - (float64(i)+0.5)/quantiles
			if target < end || hazard == 0 {
				break
			}
			l.values[i] = float64(step)*patienceStep + math.Log(stays/target)/hazard
		}
		stays = end
	}
	for ; i < quantiles; i++ {
		l.values[i] = math.Inf(1)
	}
	return l
}
