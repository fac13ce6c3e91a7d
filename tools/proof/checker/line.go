package checker

import (
	"cmp"
	"slices"
	"time"
)

// The rule of the line a second time, by the defaults of an office whose document has no policy of its own.

// maxBypass is how often a visitor may be passed by Next.
const maxBypass = 3

// allowances are added to the rank of a visitor, by class.
var allowances = map[string]time.Duration{
	"normal": 30 * time.Minute, "deadline": 15 * time.Minute, "priority": 10 * time.Minute, "appointment": 5 * time.Minute,
}

// takes reports whether a consultant may call a waiting visitor by the rule: a pin counts alone, then the services that
// the consultant serves.
func takes(consultant string, serves []string, pinsOnly bool, s State) bool {
	if s.Pinned {
		return s.Consultant == consultant
	}
	return !pinsOnly && (len(serves) == 0 || slices.Contains(serves, s.Service))
}

// precedes reports whether one visitor stands before another when they were passed a and b times. Events have the time
// of a move in milliseconds and the table in microseconds, so two visitors of whom one was moved, with times less than
// a millisecond apart, may stand either way: then precedes returns false for both.
func precedes(p, q State, a, b int) bool {
	first, other := mustGo(p, a), mustGo(q, b)
	if first != other {
		return first
	}
	x, movedX := orderedBy(p, a)
	y, movedY := orderedBy(q, b)
	if (movedX || movedY) && x.Sub(y).Abs() <= time.Millisecond {
		return false
	}
	return cmp.Or(x.Compare(y), cmp.Compare(p.Series, q.Series), cmp.Compare(p.Token, q.Token)) < 0
}

// compare orders two visitors of the final database as the product does: by ranks in milliseconds, and by the
// microseconds of a move, which may stand between two of them.
func compare(p, q State) int {
	first, other := mustGo(p, p.Bypassed), mustGo(q, q.Bypassed)
	switch {
	case first && !other:
		return -1
	case other && !first:
		return 1
	}
	x, _ := orderedBy(p, p.Bypassed)
	y, _ := orderedBy(q, q.Bypassed)
	return cmp.Or(x.Compare(y), cmp.Compare(p.Series, q.Series), cmp.Compare(p.Token, q.Token))
}

// mustGo reports whether a visitor stands in the first group: at the cap, or moved there by force.
func mustGo(s State, passed int) bool { return passed >= maxBypass || s.Forced && !s.Moved.IsZero() }

// orderedBy returns the time that orders a visitor in its group: the due time, or the rank in the first group; or that
// of a move. A forced move never takes a visitor at the cap back.
func orderedBy(s State, passed int) (at time.Time, moved bool) {
	wasMoved := !s.Moved.IsZero()
	switch {
	case !mustGo(s, passed) && wasMoved:
		return s.Moved, true
	case !mustGo(s, passed):
		return s.Rank.Add(allowances[s.Class]), false
	case !s.Forced || !wasMoved:
		return s.Rank, false
	case passed >= maxBypass && s.Rank.Before(s.Moved):
		return s.Rank, false
	}
	return s.Moved, true
}

// surelyBefore reports whether one visitor stands before another however often both were passed.
func surelyBefore(p, q State) bool {
	for _, a := range []int{p.Bypassed, p.bypassedAtMost} {
		for _, b := range []int{q.Bypassed, q.bypassedAtMost} {
			if !precedes(p, q, a, b) {
				return false
			}
		}
	}
	return true
}
