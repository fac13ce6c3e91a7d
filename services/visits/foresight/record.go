package foresight

import (
	"math"
	"slices"
	"time"
)

// Kind is the occasion of a promise: joining the line, becoming first in a consultant's line (Next), or registration.
type Kind string

// The kinds.
const (
	Join Kind = "join"
	Next Kind = "next"
	New  Kind = "new"
)

// Score has a promise and the actual wait until the visitor was called.
type Score struct {
	Kind          Kind
	ServiceID     string
	MadeAt        time.Time
	Q10, Q50, Q90 float64 // minutes, as simulated
	From, To      time.Time
	ActualMinutes float64 // time between MadeAt and the first call
}

// Ranges are conformalised quantiles (Romano, Patterson and Candès, "Conformalized quantile regression", NeurIPS 2019)
// with the adaptive level of Gibbs and Candès, "Adaptive conformal inference under distribution shift", NeurIPS 2021.
const (
	target      = 0.2  // wanted share of promises whose visitor is called outside the range
	step        = 0.02 // a promise changes the level by step times the difference to target
	leastLevel  = 0.02
	mostLevel   = 0.5
	memory      = 500  // number of the last promises of a group that determine its margin
	ownFrom     = 100  // a service with this number of promises has its own ranges
	EarlyUntil  = 30   // ranges are first estimates if the office has fewer promises
	earlyMargin = 0.15 // margin while the office or the group has fewer than EarlyUntil promises
	leastSpread = 5.0  // minutes; for scores and margins, a range counts as at least this wide
	fromEarlier = 0.1  // a range begins before Q10 by this share of the distance from Q10 to Q50
	toEarlier   = 0.07 // a range ends before Q90 by this share of the distance from Q50 to Q90
	atOnce      = 1.0  // minutes; a promise with a smaller Q90 is a call at once
	grid        = 5 * time.Minute
	narrowest   = 10 * time.Minute
)

// Record has the accuracy of an office's promises. It determines how much wider or narrower than the simulated
// quantiles a range is.
type Record struct {
	all      int
	kinds    map[Kind]*group
	services map[[2]string]*group
}

// group has the level and the scores of similar promises, from which their margin is computed.
type group struct {
	level  float64
	n      int
	recent []float64 // scores of the last promises, oldest first
	sorted []float64 // the same scores, ascending
}

// NewRecord returns a record without promises.
func NewRecord() *Record {
	return &Record{kinds: map[Kind]*group{}, services: map[[2]string]*group{}}
}

// Resolve adds a promise whose visitor was called. Promises must be added in the order of the calls. A promise with
// Q90 < atOnce is counted for Early but joins no group: such promises nearly always hold, so they would make the ranges
// of other visitors too narrow.
//
// Over any T promises of a group, the share of visitors outside the range differs from target by at most (mostLevel +
// step) / (step T). This is true for any waits, as long as the level does not reach leastLevel or mostLevel (Gibbs and
// Candès, proposition 4.1).
func (r *Record) Resolve(s Score) {
	low, high := ends(s.Q10, s.Q50, s.Q90)
	score := max(low-s.ActualMinutes, s.ActualMinutes-high) / max(leastSpread, high-low)
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
	kind.add(score, missed)
	own := r.services[serviceOf(s.Kind, s.ServiceID)]
	if own == nil {
		own = &group{}
		r.services[serviceOf(s.Kind, s.ServiceID)] = own
	}
	own.add(score, missed)
	if own.n <= ownFrom { // the service had the ranges of its kind until now
		own.level = kind.level
	}
}

// ends returns the ends of a range without its margin, both below the quantiles. Waits are skewed to the right. So of
// two ranges that hold equally often, the lower range is shorter, and fewer visitors are called before it begins.
func ends(q10, q50, q90 float64) (low, high float64) {
	return q10 - fromEarlier*(q50-q10), q90 - toEarlier*(q90-q50)
}

func serviceOf(kind Kind, service string) [2]string { return [2]string{string(kind), service} }

func (g *group) add(score float64, missed bool) {
	g.n++
	if len(g.recent) == memory {
		at, _ := slices.BinarySearch(g.sorted, g.recent[0])
		g.sorted = slices.Delete(g.sorted, at, at+1)
		g.recent = g.recent[1:]
	}
	at, _ := slices.BinarySearch(g.sorted, score)
	g.sorted = slices.Insert(g.sorted, at, score)
	g.recent = append(g.recent, score)
	outside := 0.0
	if missed {
		outside = 1
	}
	g.level = min(max(g.level+step*(target-outside), leastLevel), mostLevel)
}

// margin returns the quantile of the scores at 1 - g.level, with the correction for a finite sample.
func (g *group) margin() float64 {
	at := int(math.Ceil(float64(len(g.sorted)+1)*(1-g.level))) - 1
	return g.sorted[min(max(at, 0), len(g.sorted)-1)]
}

// Range is the range of times that is shown to a visitor.
type Range struct {
	From, To, Likely time.Time // From and To are multiples of 5 minutes, at least 10 minutes apart
	Level            float64   // share of promises that may be outside this range
	Early            bool      // little history
}

// Early reports whether ranges are first estimates, because too few promises have been resolved.
func (r *Record) Early() bool { return r.all < EarlyUntil }

// Range returns the range to show for an estimate of the given time. The estimate's note must not be NobodyAtDesk.
//
// Multiples of 5 minutes in UTC are multiples of 5 minutes in every zone, because offsets are multiples of 15 minutes.
func (r *Record) Range(at time.Time, e Estimate) Range {
	level, margin := target, earlyMargin
	group := r.services[serviceOf(e.Kind, e.ServiceID)]
	if group == nil || group.n < ownFrom {
		group = r.kinds[e.Kind]
	}
	if group != nil {
		level = group.level
		if !r.Early() && group.n >= EarlyUntil {
			margin = group.margin()
		}
	}
	low, high := ends(e.Q10, e.Q50, e.Q90)
	spread := max(leastSpread, high-low)
	low, high = max(0, low-margin*spread), max(0, high+margin*spread)
	shown := Range{
		From: at.Add(duration(low)).Truncate(grid), To: ceil(at.Add(duration(max(low, high)))),
		Likely: at.Add(duration(e.Q50)), Level: level, Early: r.Early(),
	}
	if shown.To.Sub(shown.From) < narrowest {
		shown.To = shown.From.Add(narrowest)
	}
	return shown
}

func ceil(t time.Time) time.Time {
	if down := t.Truncate(grid); down.Before(t) {
		return down.Add(grid)
	}
	return t
}
