package checker

import (
	"maps"
	"slices"
	"time"
)

// transactionTime is longer than any transaction. Between the time at which a Next reads the line and the time of its
// event, a visit may leave the line, and the Next still counts it as passed. So for two events within transactionTime,
// the order of their times does not decide which transaction came first.
const transactionTime = 10 * time.Second

// fold is the state of the line after the events of the outbox have been applied one by one.
type fold struct {
	evidence *Evidence
	kinds    map[string]string    // kind of the operation, keyed by request
	waiting  map[string]State     // keyed by visit
	called   map[string]State     // the state before the last call, keyed by visit
	passed   map[string]counts    // keyed by visit
	left     map[string]time.Time // time of leaving the line, keyed by visit; gone has the state before
	gone     map[string]State
	desks    map[string]string // state by consultant
	found    findings
}

// counts are bounds on how often a visitor was passed by Next.
type counts struct{ least, most int }

// checkOrder checks I19: each Next called the first visitor of the caller's line. checkPassed checks I18. Both apply
// the events in the order of the outbox. Visitors joined and moved in this order, because transactions that read the
// line exclude those that add or move a visitor. A visitor can leave the line meanwhile (transactionTime).
func checkOrder(e *Evidence) []Violation { return folded(e).found.of("I19") }

func checkPassed(e *Evidence) []Violation { return folded(e).found.of("I18") }

func (f findings) of(invariant string) (some findings) {
	for _, v := range f {
		if v.Invariant == invariant {
			some = append(some, v)
		}
	}
	return some
}

func folded(e *Evidence) *fold {
	r := &fold{
		evidence: e, kinds: map[string]string{}, waiting: map[string]State{}, called: map[string]State{},
		passed: map[string]counts{},
		left:   map[string]time.Time{}, gone: map[string]State{}, desks: map[string]string{},
	}
	for _, op := range e.Ops {
		r.kinds[op.RequestID] = op.Kind
	}
	for _, row := range e.Outbox {
		switch {
		case row.Desk != "":
			r.desks[row.Desk] = row.DeskState
		case row.Visit != "":
			r.apply(row)
		}
	}
	r.compareCounts()
	return r
}

func (r *fold) apply(row Event) {
	if row.Type == "visit_called" && r.kinds[row.RequestID] == Next {
		r.next(row)
	}
	r.checkPlace(row)
	if row.Type == "visit_called" {
		r.called[row.Visit] = row.Before
	}
	delete(r.left, row.Visit)
	if row.After.Stage == stageWaiting {
		r.waiting[row.Visit] = row.After
		return
	}
	if was, waited := r.waiting[row.Visit]; waited {
		r.left[row.Visit], r.gone[row.Visit] = row.At, was
		delete(r.waiting, row.Visit)
	}
}

// next checks that one Next called the right visitor, and counts the visitors whom the call passed.
func (r *fold) next(row Event) {
	caller := row.After.Consultant
	picked, waits := r.waiting[row.Visit]
	if !waits {
		return // I5 reports it
	}
	picked = r.counted(row.Visit, picked)
	if !picked.Pinned {
		r.desks[caller] = "open"
	}
	day, earlier := r.dayOf(row.At), r.dayOf(row.At.Add(-transactionTime))
	var missedBy []string
	for _, id := range slices.Sorted(maps.Keys(r.waiting)) {
		other := r.counted(id, r.waiting[id])
		if id == row.Visit || !r.isOf(earlier, other) || !takes(caller, r.evidence.Serves[caller], false, other) {
			continue
		}
		// Two facts may be unknown: the day of the transaction, and whether a desk that called pinned visitors only was
		// closed. The service closes the desk of an inactive consultant without an event.
		surely := day == earlier && (other.Pinned || r.desks[caller] != "last")
		if surely && surelyBefore(other, picked) {
			missedBy = append(missedBy, id)
		}
		if !row.ByHand && other.Rank.Before(picked.Rank) {
			r.count(id, surely)
		}
	}
	if !takes(caller, r.evidence.Serves[caller], false, picked) {
		r.found.add("I19", nil, "at seq %d %s calls visit %s, which is not in the caller's line", row.Seq, caller, row.Visit)
	}
	if len(missedBy) > 0 {
		r.found.add("I19", nil, "at seq %d %s calls visit %s, but the first of the line was visit %s",
			row.Seq, caller, row.Visit, missedBy[0])
	}
	for id, at := range r.left {
		s := r.gone[id]
		if row.At.Sub(at) < transactionTime && !row.ByHand && s.Rank.Before(picked.Rank) &&
			takes(caller, r.evidence.Serves[caller], false, s) {
			r.count(id, false)
		}
	}
}

func (r *fold) counted(id string, s State) State {
	s.Bypassed, s.bypassedAtMost = r.passed[id].least, r.passed[id].most
	return s
}

// count adds a passing of a visitor: to both bounds if it is certain, otherwise only to the upper bound.
func (r *fold) count(id string, surely bool) {
	n := r.passed[id]
	n.most++
	if surely {
		n.least++
	}
	if n.least == maxBypass+1 && surely {
		r.found.add("I18", nil, "visit %s was passed more than %d times by Next", id, maxBypass)
	}
	r.passed[id] = n
}

// isOf reports whether a waiting visitor belongs to a day's line: was registered, or put back into the line, that day.
func (r *fold) isOf(day string, s State) bool { return s.Day == day || r.dayOf(s.Rank) >= day }

func (r *fold) dayOf(at time.Time) string {
	if r.evidence.Zone == nil {
		return at.UTC().Format(time.DateOnly)
	}
	return at.In(r.evidence.Zone).Format(time.DateOnly)
}

// keepsPin reports whether a released visitor is pinned as before the call: to the same consultant, or to none. A
// visitor who was called while on hold may be pinned to one consultant from then on.
func (r *fold) keepsPin(row Event) bool {
	from, known := r.called[row.Visit]
	after := row.After
	switch {
	case !known, from.Stage == stageHeld && !from.Pinned:
		return true
	case from.Pinned:
		return after.Pinned && after.Consultant == from.Consultant
	}
	return !after.Pinned
}

// checkPlace checks a visitor's place in the line after an event. The rank may change only where the rule says so, and
// the due time is the rank plus the allowance of the class. A release keeps an earlier move and an earlier pin.
func (r *fold) checkPlace(row Event) {
	before, after := row.Before, row.After
	if after.Stage == stageWaiting && !after.Due.Equal(after.Rank.Add(allowances[after.Class])) {
		r.found.add("I19", nil, "at seq %d visit %s of class %s ranks %s and is due %s",
			row.Seq, row.Visit, after.Class, after.Rank.Format(time.TimeOnly), after.Due.Format(time.TimeOnly))
	}
	kept := after.Moved.Equal(before.Moved) && after.Forced == before.Forced && r.keepsPin(row)
	if row.Type == "visit_released" && r.dayOf(before.Rank) == r.dayOf(row.At) && !kept {
		r.found.add("I19", nil, "at seq %d visit %s is released to another place than it was called from", row.Seq, row.Visit)
	}
	if before.Stage == "" || after.Rank.Equal(before.Rank) || row.Type == "visit_undone" { // I5 checks an undo
		return
	}
	back := row.Type == "visit_returned" && after.Rank.After(before.Rank)
	ofEarlierDay := after.Stage == stageWaiting && r.dayOf(before.Rank) < r.dayOf(row.At)
	if !back && !ofEarlierDay {
		r.found.add("I19", nil, "at seq %d %s changes the rank of visit %s from %s to %s", row.Seq, row.Type, row.Visit,
			before.Rank.Format(time.TimeOnly), after.Rank.Format(time.TimeOnly))
	}
}

// compareCounts checks that each visit was passed at most maxBypass times, and that the number is within the bounds.
func (r *fold) compareCounts() {
	for _, v := range r.evidence.Visits {
		n := r.passed[v.ID]
		switch b := v.Place.Bypassed; {
		case b > maxBypass:
			r.found.add("I18", nil, "visit %s was passed %d times by Next", v.ID, b)
		case b < n.least || b > n.most:
			r.found.add("I18", nil, "visit %s has been passed %d times, by its events %d to %d times", v.ID, b, n.least, n.most)
		}
	}
}
