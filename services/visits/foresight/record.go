package foresight

import (
	"math"
	"slices"
	"time"
)

// Kind is the moment of a promise: entering the line, being first in a consultant's line, or the registration.
type Kind string

// The kinds.
const (
	Join Kind = "join"
	Next Kind = "next"
	New  Kind = "new"
)

// Score is a promise whose visitor was called.
type Score struct {
	Kind          Kind
	ServiceID     string
	MadeAt        time.Time
	Q10, Q90      float64 // minutes, as simulated
	From, To      time.Time
	ActualMinutes float64 // from MadeAt to the first call
}

// The range: conformalised quantiles (Romano, Patterson and Candès, "Conformalized quantile regression", NeurIPS 2019)
// with the adaptive level of Gibbs and Candès, "Adaptive conformal inference under distribution shift", NeurIPS 2021.
const (
	target      = 0.2  // of promises whose visitor is called outside the shown range
	lowShare    = 0.4  // of target that is called before the range: waits are skewed, so this range is the shorter one
	step        = 0.02 // of the level after a promise, times the difference to target
	ownStep     = 0.04 // the same of a service, which has fewer promises
	leastLevel  = 0.02
	mostLevel   = 0.5
	memory      = 500  // promises of a group that decide its margin
	ownFrom     = 100  // promises from which a service has a group of its own
	EarlyUntil  = 30   // promises of the office until which a range is a first estimate
	earlyMargin = 0.15 // of such a range
	leastSpread = 5.0  // minutes between the quantiles, for the score
	atOnce      = 1.0  // minutes below which a forecast says that a desk is free
	grid        = 5 * time.Minute
	narrowest   = 10 * time.Minute
)

// Record is how the promises of an office were kept. It decides how much wider or narrower than the simulated quantiles
// a range is shown.
type Record struct {
	all      int
	kinds    map[Kind]*group
	services map[[2]string]*group
}

// group has the level and the margins of similar promises.
type group struct {
	level        float64
	n            int
	below, above scores // how far waits were below and above the simulated quantiles
}

// scores are those of the last promises.
type scores struct {
	recent []float64 // oldest first
	sorted []float64 // the same by size
}

// NewRecord returns a record without promises.
func NewRecord() *Record {
	return &Record{kinds: map[Kind]*group{}, services: map[[2]string]*group{}}
}

// Resolve adds a promise; promises are added in the order in which their visitors were called. A promise to call the
// visitor at once counts for Early alone: it holds nearly always, and would make the ranges of visitors who wait too
// narrow to hold as often as they say.
//
// The mean share of visitors outside the range differs from target by at most (mostLevel + step) / (step T) over any T
// promises of a group, whatever the days are like, while the level is within its limits (Gibbs and Candès, proposition
// 4.1).
func (r *Record) Resolve(s Score) {
	spread := max(leastSpread, s.Q90-s.Q10)
	below, above := (s.Q10-s.ActualMinutes)/spread, (s.ActualMinutes-s.Q90)/spread
	at := s.MadeAt.Add(duration(s.ActualMinutes))
	missed := at.Before(s.From) || at.After(s.To)
	if r.all++; s.Q90 < atOnce {
		return
	}
	kind := r.kinds[s.Kind]
	if kind == nil {
		kind = &group{level: target}
		r.kinds[s.Kind] = kind
	}
	kind.add(below, above, missed, step)
	own := r.services[serviceOf(s.Kind, s.ServiceID)]
	if own == nil {
		own = &group{}
		r.services[serviceOf(s.Kind, s.ServiceID)] = own
	}
	own.add(below, above, missed, ownStep)
	if own.n <= ownFrom { // until then the ranges were those of the kind
		own.level = kind.level
	}
}

func serviceOf(kind Kind, service string) [2]string { return [2]string{string(kind), service} }

func (g *group) add(below, above float64, missed bool, step float64) {
	g.n++
	g.below.add(below)
	g.above.add(above)
	outside := 0.0
	if missed {
		outside = 1
	}
	g.level = min(max(g.level+step*(target-outside), leastLevel), mostLevel)
}

func (s *scores) add(score float64) {
	if len(s.recent) == memory {
		at, _ := slices.BinarySearch(s.sorted, s.recent[0])
		s.sorted = slices.Delete(s.sorted, at, at+1)
		s.recent = s.recent[1:]
	}
	at, _ := slices.BinarySearch(s.sorted, score)
	s.sorted = slices.Insert(s.sorted, at, score)
	s.recent = append(s.recent, score)
}

// margin is the empirical quantile of the scores at 1 - level, with the correction for a finite sample.
func (s *scores) margin(level float64) float64 {
	at := int(math.Ceil(float64(len(s.sorted)+1)*(1-level))) - 1
	return s.sorted[min(max(at, 0), len(s.sorted)-1)]
}

// Range is the range of times that is shown for an estimate.
type Range struct {
	From, To, Likely time.Time // From and To are whole 5 minutes, at least 10 apart
	Level            float64   // share of promises that this range lets be outside
	Early            bool      // little history
}

// Early reports whether ranges are first estimates, by the number of promises that were resolved.
func (r *Record) Early() bool { return r.all < EarlyUntil }

// Range returns the range that is shown for an estimate that was made at a moment. There is none for NobodyAtDesk.
//
// Whole 5 minutes of UTC are whole 5 minutes of every zone: offsets are multiples of 15 minutes.
func (r *Record) Range(at time.Time, e Estimate) Range {
	level, below, above := target, earlyMargin, earlyMargin
	group := r.services[serviceOf(e.Kind, e.ServiceID)]
	if group == nil || group.n < ownFrom {
		group = r.kinds[e.Kind]
	}
	if group != nil {
		level = group.level
		if !r.Early() && group.n >= EarlyUntil {
			below, above = group.below.margin(lowShare*level), group.above.margin((1-lowShare)*level)
		}
	}
	spread := max(leastSpread, e.Q90-e.Q10)
	low, high := max(0, e.Q10-below*spread), max(0, e.Q90+above*spread)
	shown := Range{
		From: at.Add(duration(low)).Truncate(grid), To: ceil(at.Add(duration(max(low, high)))),
		Likely: at.Add(duration(e.Q50)), Level: level, Early: r.Early(),
	}
	if shown.To.Sub(shown.From) < narrowest {
		shown.To = shown.From.Add(narrowest)
	}
	return shown
}

// ceil returns the first whole 5 minutes that are not before t.
func ceil(t time.Time) time.Time {
	if down := t.Truncate(grid); down.Before(t) {
		return down.Add(grid)
	}
	return t
}
