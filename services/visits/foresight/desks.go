package foresight

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Default times and limits. If the time between two visitors of a desk is over longBreak, fitDesks ignores it.
const (
	turnoverMinutes = 2.0
	walkMinutes     = 1.0
	decisionMinutes = 3.0
	reactionMinutes = 0.3
	lawSpread       = 0.6  // standard deviation of ln(minutes)
	longTurnover    = 12.0 // minutes; a longer turnover is a break
	longBreak       = 120.0
	breakMinutes    = 35.0
	breakSpread     = 0.3
	slots           = 48 // number of half hours in a day
	slotMinutes     = 30
)

// logs collects the weighted sums of the logarithms of times.
type logs struct{ weight, sum, squares float64 }

func (l *logs) add(minutes, weight float64) {
	y := math.Log(max(minutes, 0.05))
	l.weight += weight
	l.sum += weight * y
	l.squares += weight * y * y
}

// law returns the lognormal law with the posterior mean and variance. The prior counts as lawWeight observations.
func (l logs) law(median, spread, most float64) *law {
	prior := math.Log(median)
	mean := (l.sum + lawWeight*prior) / (l.weight + lawWeight)
	around := l.squares - 2*mean*l.sum + mean*mean*l.weight
	variance := (around + lawWeight*spread*spread) / (l.weight + lawWeight)
	return lognormal(mean, math.Sqrt(variance), &normalShape, 0, most, 1)
}

// breaks has the probability of a break after a sitting, and the length of breaks.
type breaks struct {
	share  [slots]float64 // indexed by the half hour of the sitting's end
	length *law
}

// fitDesks learns turnovers, breaks and reaction times. The time from the end of a sitting to the next call is a
// turnover or a break only if the next visitor was already waiting.
func (m *Model) fitDesks(sittings []Sitting, at time.Time) {
	turnover := make([]logs, len(m.setup.Consultants))
	var length logs
	var ends, gone [slots]float64
	idle, times := lawWeight*reactionMinutes, lawWeight
	ofDesk := make([][]Sitting, len(m.setup.Consultants))
	for _, s := range sittings {
		c := m.consultants[s.ConsultantID]
		ofDesk[c] = append(ofDesk[c], s)
	}
	for c, all := range ofDesk {
		slices.SortStableFunc(all, func(a, b Sitting) int { return a.Called.Compare(b.Called) })
		for i := 1; i < len(all); i++ {
			before, next := all[i-1], all[i]
			gap, weight := next.Called.Sub(before.Ended).Minutes(), decay(at.Sub(next.Ended), halfLife)
			switch {
			case gap < 0 || gap > longBreak || before.EndedAs == Missed:
			case next.Joined.After(before.Ended):
				if waited := next.Called.Sub(next.Joined).Minutes(); waited < longTurnover {
					idle, times = idle+weight*waited, times+weight
				}
			case gap > longTurnover:
				length.add(gap, weight)
				ends[m.setup.slot(before.Ended)] += weight
				gone[m.setup.slot(before.Ended)] += weight
			default:
				turnover[c].add(gap, weight)
				ends[m.setup.slot(before.Ended)] += weight
			}
		}
	}
	for c := range turnover {
		m.turnover = append(m.turnover, turnover[c].law(turnoverMinutes, lawSpread, longTurnover))
	}
	m.reaction = idle / times
	m.breaks.length = length.law(breakMinutes, breakSpread, longBreak)
	for i := range ends {
		m.breaks.share[i] = gone[i] / (ends[i] + lawWeight)
	}
}

// fitCalls learns the times from registration to decision, from call to start and from call to miss, and the shares of
// missed calls and of missed visitors who return.
func (m *Model) fitCalls(sittings []Sitting, at time.Time) {
	walk := make([]logs, len(m.setup.Consultants))
	var decision, unanswered logs
	missed, calls, returned, over := missedBefore, missedOf, returnedBefore, returnedOf
	wasMissed, decided := map[string]float64{}, map[string]bool{}
	for _, s := range sittings {
		weight := decay(at.Sub(s.Ended), halfLife)
		calls += weight
		if before := wasMissed[s.VisitID]; before > 0 {
			returned += before
			delete(wasMissed, s.VisitID)
		}
		if s.EndedAs == Missed {
			missed, over = missed+weight, over+weight
			wasMissed[s.VisitID] = weight
			unanswered.add(s.Ended.Sub(s.Called).Minutes(), weight)
		} else if !s.Started.IsZero() {
			walk[m.consultants[s.ConsultantID]].add(s.Started.Sub(s.Called).Minutes(), weight)
		}
		if !decided[s.VisitID] && !s.Joined.IsZero() {
			decided[s.VisitID] = true
			decision.add(s.Joined.Sub(s.Registered).Minutes(), weight)
		}
	}
	m.missed, m.returned = missed/calls, returned/over
	for c := range walk {
		m.walk = append(m.walk, walk[c].law(walkMinutes, lawSpread, longTurnover))
	}
	m.decision = decision.law(decisionMinutes, lawSpread, longBreak)
	m.unanswered = unanswered.law(cmp.Or(m.setup.Policy.MissAfter.Minutes(), 0.05)*1.5, lawSpread, longBreak)
}
