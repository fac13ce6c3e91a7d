package checker

import (
	"cmp"
	"slices"
	"time"
)

// This file is a second implementation of the rule of the line, with the default policy of an office.

// maxBypass is the number of times that Next may pass a visitor.
const maxBypass = 3

// allowances are what is added to a visitor's rank to get the due time, keyed by class.
var allowances = map[string]time.Duration{
	"normal": 30 * time.Minute, "deadline": 15 * time.Minute, "priority": 10 * time.Minute, "appointment": 5 * time.Minute,
}

// takes reports whether the rule allows a consultant to call a waiting visitor. A pinned visitor may be called only by
// the consultant of the pin, any other visitor by each consultant who serves the service, unless pinsOnly is set.
func takes(consultant string, serves []string, pinsOnly bool, s State) bool {
	if s.Pinned {
		return s.Consultant == consultant
	}
	return !pinsOnly && (len(serves) == 0 || slices.Contains(serves, s.Service))
}

// precedes reports whether p is before q in the line if p was passed a times and q b times. Events have the time of a
// move in milliseconds, the table has it in microseconds. So if one of the two was moved and their times differ by at
// most a millisecond, their order is unknown, and precedes returns false for both orders.
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

// compare orders two visitors of the final database as the product does. Ranks have milliseconds; the time of a move
// has microseconds, so it may lie between two ranks.
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

// mustGo reports whether a visitor is in the first group: passed maxBypass times, or forced there.
func mustGo(s State, passed int) bool { return passed >= maxBypass || s.Forced && !s.Moved.IsZero() }

// orderedBy returns the time that orders a visitor in its group. First group: the time of a forced move, else the rank,
// but the earlier of the two after maxBypass passes. Second group: the time of a move, else the due time.
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

// surelyBefore reports whether p is before q in the line for every number of times that each may have been passed.
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
