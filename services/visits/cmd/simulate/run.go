package main

import (
	"container/heap"
	"slices"
	"time"

	"baari.dev/services/visits/line"
)

type state int

const (
	undecided state = iota
	waiting
	called
	missed
	served
	left
	noShow
)

// visit is the state of a visitor during a run.
type visit struct {
	visitor
	state    state
	waits    line.Waiting
	calls    int
	misses   int
	bypassed int       // the largest number of calls that passed this visitor while waiting
	ended    time.Time // start of the session, or when the visitor left
	called   time.Time // time of the last call
	begun    time.Time // start of the session; zero before it
	desk     *desk     // the session's desk
	session  time.Duration
}

// desk is the state of a consultant during a run.
type desk struct {
	consultant
	shift
	line.Desk
	free    bool
	since   time.Time // free since
	lunched bool
	back    time.Time // time of the return from lunch
	inside  bool      // whether a session runs
	visit   *visit    // called or in a session
	changed time.Time // time at which the current activity began
}

// run simulates one day under a rule, in virtual time.
type run struct {
	rule
	now    time.Time
	events events
	visits []*visit
	desks  []*desk
	pace   float64  // factor of the length of all sessions
	watch  *watcher // forecasts the waits; nil if rules are compared
}

// simulate runs a day under a rule and returns its visits, all of which have ended.
func simulate(o office, d day, by rule) []*visit { return simulateWatched(o, d, by, 1, nil) }

// simulateWatched does the same as simulate, with session lengths multiplied by pace. watch observes the run.
func simulateWatched(o office, d day, by rule, pace float64, watch *watcher) []*visit {
	r := &run{rule: by, pace: pace, watch: watch}
	for i, c := range o.consultants {
		b := &desk{consultant: c, shift: d.shifts[i], Desk: line.Desk{Consultant: c.id, Serves: c.serves}}
		r.desks = append(r.desks, b)
		r.at(b.start, func() { r.open(b) })
		r.at(b.lunchAt, func() { r.lunch(b) })
	}
	for _, person := range d.visitors {
		v := &visit{visitor: person}
		r.visits = append(r.visits, v)
		r.at(v.decided, func() { r.approve(v) })
		r.at(later(v.registered, v.slot).Add(v.patience), func() { r.leave(v) })
	}
	for len(r.events.all) > 0 {
		next := heap.Pop(&r.events).(event)
		r.now = next.at
		next.do()
	}
	return r.visits
}

// approve sends a visitor to the common line or, under the rule named "early", to the line of one consultant.
func (r *run) approve(v *visit) {
	if v.state != undecided {
		return
	}
	rank, class := r.policy.Admit(v.registered, v.class, v.slot)
	v.waits = line.Waiting{
		ID: v.id, Token: v.token, ServiceID: v.service, Class: class, RankAt: rank, AppointmentAt: v.slot,
	}
	if r.early {
		v.waits.PinnedTo = r.choose(v).id
	}
	r.enter(v)
}

// choose returns a consultant who serves the service and has the fewest waiting and called visits. If several have the
// fewest, it prefers one who is not in a session.
func (r *run) choose(v *visit) *desk {
	queue := map[string]int{}
	for _, other := range r.visits {
		if other.state == waiting || other.state == called {
			queue[other.waits.PinnedTo]++
		}
	}
	var best *desk
	for _, b := range r.desks {
		if !b.Takes(v.waits) {
			continue
		}
		better := best == nil || queue[b.id] < queue[best.id] ||
			queue[b.id] == queue[best.id] && best.inside && !b.inside
		if better {
			best = b
		}
	}
	return best
}

// enter puts a visit into the line. Then the free desks call visitors, the desk that has been free the longest first.
func (r *run) enter(v *visit) {
	v.state, v.waits.DueAt = waiting, r.policy.Due(v.waits.RankAt, v.waits.Class)
	r.watch.joined(r, v)
	free := slices.DeleteFunc(slices.Clone(r.desks), func(b *desk) bool { return !b.free })
	slices.SortStableFunc(free, func(a, b *desk) int { return a.since.Compare(b.since) })
	for _, b := range free {
		if v.state == waiting {
			r.next(b)
		}
	}
}

func (r *run) leave(v *visit) {
	if v.state == waiting {
		r.watch.leaves(r, v)
	}
	if v.state == undecided || v.state == waiting || v.state == missed {
		v.state, v.ended = left, r.now
	}
}

// release makes a desk free. Then the consultant goes to lunch if lunch is due, or calls the next visitor.
func (r *run) release(b *desk) {
	b.free, b.since = true, r.now
	if !b.lunched && !r.now.Before(b.lunchAt) {
		r.lunch(b)
		return
	}
	r.next(b)
}

func (r *run) lunch(b *desk) {
	if b.free && !b.lunched {
		b.free, b.lunched, b.changed, b.back = false, true, r.now, r.now.Add(b.lunchFor)
		r.after(b.lunchFor, func() { r.open(b) })
	}
}

// open makes a desk free when its shift begins and after lunch.
func (r *run) open(b *desk) {
	b.changed = r.now
	r.release(b)
}

// next calls the next visitor to a free desk, and counts the call for the visitors whom it passes.
func (r *run) next(b *desk) {
	all := r.line()
	picked, passed, ok := line.Pick(all, b.Desk, r.policy.MaxBypass)
	if !ok {
		return
	}
	var v *visit
	for _, other := range r.visits {
		switch {
		case other.id == picked.ID:
			v = other
		case slices.Contains(passed, other.id):
			other.waits.Bypassed++
			other.bypassed = max(other.bypassed, other.waits.Bypassed)
		}
	}
	v.state, b.free = called, false
	r.watch.calls(r, v)
	v.called, b.visit, b.changed = r.now, v, r.now
	answered := v.answers[min(v.calls, len(v.answers)-1)]
	v.calls++
	if answered {
		r.after(v.walk, func() { r.start(v, b) })
	} else {
		r.after(r.policy.MissAfter, func() { r.miss(v, b) })
	}
}

func (r *run) line() (all []line.Waiting) {
	for _, v := range r.visits {
		if v.state == waiting {
			all = append(all, v.waits)
		}
	}
	return all
}

func (r *run) start(v *visit, b *desk) {
	v.state, v.ended, v.begun, b.inside, b.changed = served, r.now, r.now, true, r.now
	v.desk, v.session = b, minutes(v.work.Minutes()*b.speed*r.pace)
	r.after(v.session, func() {
		b.inside, b.visit, b.changed = false, nil, r.now
		r.watch.sat(r, v, b)
		r.after(v.notes, func() { r.release(b) })
	})
}

func (r *run) miss(v *visit, b *desk) {
	b.visit, b.changed = nil, r.now
	r.watch.sat(r, v, b)
	v.misses++
	if v.away == 0 || v.misses == len(v.answers) {
		v.state = noShow
	} else {
		v.state = missed
		r.after(v.away, func() { r.comeBack(v) })
	}
	r.release(b)
}

// comeBack puts a missed visitor back into the line, in the place that the policy's return rule gives.
func (r *run) comeBack(v *visit) {
	if v.state != missed {
		return
	}
	var rivals []line.Waiting
	for _, other := range r.line() {
		if slices.ContainsFunc(r.desks, func(b *desk) bool { return b.Takes(other) && b.Takes(v.waits) }) {
			rivals = append(rivals, other)
		}
	}
	v.waits.RankAt = line.ReturnRank(r.policy, v.waits, rivals, v.misses, r.now)
	v.waits.Returned = true
	r.enter(v)
}

func (r *run) at(when time.Time, do func()) { r.events.push(when, do) }

func (r *run) after(wait time.Duration, do func()) { r.events.push(r.now.Add(wait), do) }

// later returns the later of registration and slot: before the slot, a visitor with an appointment does not wait.
func later(registered time.Time, slot *time.Time) time.Time {
	if slot != nil && slot.After(registered) {
		return *slot
	}
	return registered
}
