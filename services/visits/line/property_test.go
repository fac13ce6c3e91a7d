package line_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"baari.dev/services/visits/line"
)

var (
	classes     = []line.Class{line.Normal, line.Deadline, line.Priority, line.Appointment}
	offered     = []string{"gst", "tds", "audit"}
	consultants = []string{"asha", "ravi", "mina", "john"}
)

// office is a random office in which visitors arrive, are called, moved, pinned and missed, and return. Some calls are
// undone, and some sessions begin without a call.
type office struct {
	*rapid.T
	policy  line.Policy
	now     time.Time
	desks   []line.Desk
	waiting []line.Waiting
	missed  []line.Waiting
	called  []line.Waiting
	misses  map[string]int
	tokens  int
	plain   bool // one class only, and no pins, moves or returns
}

func drawOffice(t *rapid.T, plain bool) *office {
	o := &office{T: t, policy: line.DefaultPolicy(), now: ten, misses: map[string]int{}, plain: plain}
	o.policy.MaxBypass = rapid.IntRange(1, 5).Draw(t, "cap")
	o.policy.Return = rapid.SampledFrom([]string{"keep", "end", "after:1", "after:2", "after:9"}).Draw(t, "return")
	for _, c := range classes {
		o.policy.Allowances[c] = time.Duration(rapid.IntRange(0, 60).Draw(t, string(c))) * time.Minute
	}
	for _, name := range consultants[:rapid.IntRange(1, len(consultants)).Draw(t, "desks")] {
		desk := line.Desk{Consultant: name}
		if !plain {
			desk.Serves = rapid.SliceOfNDistinct(rapid.SampledFrom(offered), 0, 3, rapid.ID).Draw(t, "serves")
			desk.PinsOnly = rapid.IntRange(0, 9).Draw(t, "last") == 0
		}
		o.desks = append(o.desks, desk)
	}
	return o
}

func (o *office) desk() line.Desk { return rapid.SampledFrom(o.desks).Draw(o.T, "desk") }

func (o *office) index() int { return rapid.IntRange(0, len(o.waiting)-1).Draw(o.T, "visitor") }

func (o *office) arrive() {
	o.tokens++
	w := line.Waiting{ID: fmt.Sprintf("v%03d", o.tokens), Token: o.tokens, ServiceID: offered[0], Class: line.Normal}
	rank := o.now
	if !o.plain {
		w.ServiceID = rapid.SampledFrom(offered).Draw(o.T, "service")
		w.Class = rapid.SampledFrom(classes).Draw(o.T, "class")
		if w.Class == line.Appointment {
			slot := o.now.Add(time.Duration(rapid.IntRange(-15, 20).Draw(o.T, "early")) * time.Minute)
			rank, w.Class = o.policy.Admit(o.now, w.Class, &slot)
			w.AppointmentAt = &slot
		}
		o.pin(&w)
	}
	o.rank(&w, rank)
	o.waiting = append(o.waiting, w)
}

func (o *office) pin(w *line.Waiting) {
	w.PinnedTo, w.PinnedName = "", ""
	if rapid.IntRange(0, 2).Draw(o.T, "pin") == 0 {
		w.PinnedTo = o.desk().Consultant
		w.PinnedName = w.PinnedTo
	}
}

func (o *office) rank(w *line.Waiting, rank time.Time) {
	w.RankAt, w.DueAt = rank, o.policy.Due(rank, w.Class)
}

// next calls the next visitor to a random desk and counts the call for the visitors whom it passes, as the service
// does.
func (o *office) next() (called line.Waiting, before []line.Waiting, desk line.Desk, ok bool) {
	desk, before = o.desk(), slices.Clone(o.waiting)
	called, passed, ok := line.Pick(o.waiting, desk, o.policy.MaxBypass)
	for i, w := range o.waiting {
		if slices.Contains(passed, w.ID) && called.MovedDue == nil {
			o.waiting[i].Bypassed++
		}
	}
	o.waiting = slices.DeleteFunc(o.waiting, func(w line.Waiting) bool { return ok && w.ID == called.ID })
	return called, before, desk, ok
}

func (o *office) comeBack() {
	w := o.missed[0]
	o.missed = o.missed[1:]
	o.misses[w.ID]++
	o.rank(&w, line.ReturnRank(o.policy, w, o.waiting, o.misses[w.ID], o.now))
	w.Returned, w.MovedDue, w.Forced = true, nil, false
	o.waiting = append(o.waiting, w)
}

// release undoes a random call: the visitor is back in the line with the same count of passes.
func (o *office) release() {
	i := rapid.IntRange(0, len(o.called)-1).Draw(o.T, "released")
	o.waiting = append(o.waiting, o.called[i])
	o.called = slices.Delete(o.called, i, i+1)
}

// take begins the session of a random visitor without a call. It does not count as passing other visitors.
func (o *office) take() {
	i := o.index()
	o.waiting = slices.Delete(o.waiting, i, i+1)
}

// move moves a random visitor before another. If the move needs force, it is random whether force is used.
func (o *office) move() {
	w, before := &o.waiting[o.index()], o.waiting[o.index()]
	due, passes, err := line.MoveBetween(o.waiting, w.ID, before.ID, o.policy.MaxBypass)
	if err != nil || len(passes) > 0 && !rapid.Bool().Draw(o.T, "force") {
		return
	}
	w.MovedDue, w.MovedBy, w.Forced = &due, "pa", w.Forced || len(passes) > 0
	checkPlace(o, w.ID, before.ID)
}

// checkPlace fails unless id is ahead of the other visitor: directly, except in a tie or if the other is at the cap.
func checkPlace(o *office, id, before string) {
	order := line.Order(o.waiting, o.policy.MaxBypass)
	at := slices.IndexFunc(order, func(w line.Waiting) bool { return w.ID == id })
	to := slices.IndexFunc(order, func(w line.Waiting) bool { return w.ID == before })
	if at > to {
		o.Fatalf("%s was moved before %s and stands behind: %v", id, before, ids(order))
	}
	for _, between := range order[at+1 : to] {
		tie := order[to].Due().Sub(between.Due()).Abs() < 2*time.Microsecond
		if !tie && order[to].Bypassed < o.policy.MaxBypass {
			o.Fatalf("%s stands between %s and %s: %v", between.ID, id, before, ids(order))
		}
	}
}

// step changes the office at random and calls check for each Next.
func (o *office) step(check func(called line.Waiting, before []line.Waiting, desk line.Desk, ok bool)) {
	o.now = o.now.Add(time.Duration(rapid.IntRange(0, 240).Draw(o.T, "seconds")) * time.Second)
	kind := rapid.IntRange(0, 13).Draw(o.T, "step")
	switch {
	case kind < 5 || len(o.waiting) == 0:
		o.arrive()
	case kind < 9 || o.plain:
		called, before, desk, ok := o.next()
		check(called, before, desk, ok)
		switch {
		case !ok || o.plain:
		case rapid.IntRange(0, 3).Draw(o.T, "missed") == 0:
			o.missed = append(o.missed, called)
		default:
			o.called = append(o.called, called)
		}
	case kind == 9:
		o.move()
	case kind == 10:
		o.pin(&o.waiting[o.index()])
	case kind == 11 && len(o.called) > 0:
		o.release()
	case kind == 12:
		o.take()
	case len(o.missed) > 0:
		o.comeBack()
	}
}

// forRandomOffices changes random offices in random steps and calls check for each Next.
func forRandomOffices(
	t *testing.T, plain bool, check func(o *office, called line.Waiting, before []line.Waiting, desk line.Desk, ok bool),
) {
	t.Helper()
	rapid.Check(t, func(rt *rapid.T) {
		o := drawOffice(rt, plain)
		for range rapid.IntRange(1, 120).Draw(rt, "steps") {
			o.step(func(called line.Waiting, before []line.Waiting, desk line.Desk, ok bool) {
				check(o, called, before, desk, ok)
			})
		}
	})
}

// B1: without moves, Next passes a visitor only if the called visitor's rank is later by at most the difference of the
// allowances, or the called visitor was at the cap.
func TestOnlyASmallerAllowanceOrTheCapPassesAnEarlierRank(t *testing.T) {
	forRandomOffices(t, false, func(o *office, called line.Waiting, before []line.Waiting, desk line.Desk, ok bool) {
		if !ok || called.MovedDue != nil || called.Bypassed >= o.policy.MaxBypass {
			return
		}
		for _, w := range before {
			window := o.policy.Allowances[w.Class] - o.policy.Allowances[called.Class]
			ahead := called.RankAt.Sub(w.RankAt)
			if desk.Takes(w) && w.MovedDue == nil && ahead > 0 && ahead > window {
				o.Fatalf("%+v passed %+v, whose rank is %v earlier", called, w, ahead)
			}
		}
	})
}

// B1: with one class and no pins, every desk calls the visitors in the order of their registration.
func TestOneClassWithoutPinsIsFirstComeFirstServed(t *testing.T) {
	forRandomOffices(t, true, func(o *office, called line.Waiting, before []line.Waiting, _ line.Desk, _ bool) {
		for _, w := range before {
			if w.Token < called.Token || w.Bypassed > 0 {
				o.Fatalf("token %d was called before %+v", called.Token, w)
			}
		}
	})
}

// B2: at no time has Next passed a visitor more than MaxBypass times.
func TestNobodyIsPassedMoreOftenThanTheCap(t *testing.T) {
	forRandomOffices(t, false, func(o *office, called line.Waiting, _ []line.Waiting, _ line.Desk, _ bool) {
		for _, w := range append(slices.Clone(o.waiting), called) {
			if w.Bypassed > o.policy.MaxBypass {
				o.Fatalf("passed %d times with a cap of %d: %+v", w.Bypassed, o.policy.MaxBypass, w)
			}
		}
	})
}

// B3: Next calls the first visitor in the order who is in the desk's line. It calls none only if that line is empty.
func TestNextCallsTheFirstWhomTheDeskTakes(t *testing.T) {
	forRandomOffices(t, false, func(o *office, called line.Waiting, before []line.Waiting, desk line.Desk, ok bool) {
		order := line.Order(before, o.policy.MaxBypass)
		first := slices.IndexFunc(order, desk.Takes)
		if ok != (first >= 0) || ok && order[first].ID != called.ID {
			o.Fatalf("%v called %q, %v; order %v, first %d", desk, called.ID, ok, ids(order), first)
		}
	})
}

// B4: a pin changes who may call a visitor, not the place in the order.
func TestAPinGivesNoPriority(t *testing.T) {
	forRandomOffices(t, false, func(o *office, _ line.Waiting, before []line.Waiting, desk line.Desk, _ bool) {
		order, unpinned := line.Order(before, o.policy.MaxBypass), slices.Clone(before)
		for i := range unpinned {
			unpinned[i].PinnedTo = ""
		}
		if got := line.Order(unpinned, o.policy.MaxBypass); !slices.Equal(ids(got), ids(order)) {
			o.Fatalf("order with pins %v, without %v", ids(order), ids(got))
		}
		everyone := line.Desk{Consultant: desk.Consultant}
		own := slices.Clone(unpinned)
		for i := range own {
			if before[i].PinnedTo != "" {
				own[i].PinnedTo = desk.Consultant
			}
		}
		free, _, _ := line.Pick(unpinned, everyone, o.policy.MaxBypass)
		if picked, _, _ := line.Pick(own, everyone, o.policy.MaxBypass); picked.ID != free.ID {
			o.Fatalf("%s is picked with pins to the desk, %s without", picked.ID, free.ID)
		}
	})
}

// explained has what a response with the line says about a visitor.
type explained struct {
	id         string
	token      int
	rank, move time.Time
	reasons    []line.Reason
}

// orderOf computes the order from the explanations and the allowance of the class normal.
func orderOf(places []explained, policy line.Policy) []string {
	place := func(e explained) (group int, at time.Time) {
		group, at = 1, e.rank.Add(policy.Allowances[line.Normal])
		values := map[string]map[string]any{}
		for _, reason := range e.reasons {
			values[reason.Code] = reason.Values
		}
		if class := values["class"]; class != nil {
			at = e.rank.Add(time.Duration(class["minutes"].(int)) * time.Minute)
		}
		if values["moved"] != nil {
			at = e.move
		}
		if values["must_go"] != nil {
			group, at = 0, e.rank
		}
		return group, at
	}
	slices.SortFunc(places, func(a, b explained) int {
		groupA, atA := place(a)
		groupB, atB := place(b)
		return cmp.Or(cmp.Compare(groupA, groupB), atA.Compare(atB), cmp.Compare(a.token, b.token), cmp.Compare(a.id, b.id))
	})
	var order []string
	for _, e := range places {
		order = append(order, e.id)
	}
	return order
}

// B5: without forced moves, the reasons, the ranks and the times of moves are enough to compute the order again. The
// policy's allowances may change after visitors have entered the line.
func TestTheExplanationGivesTheOrder(t *testing.T) {
	forRandomOffices(t, false, func(o *office, _ line.Waiting, before []line.Waiting, _ line.Desk, _ bool) {
		changed := o.policy
		changed.Allowances = map[line.Class]time.Duration{line.Normal: 20 * time.Minute}
		for _, policy := range []line.Policy{o.policy, changed} {
			var places []explained
			for _, w := range before {
				if w.Forced { // the reasons say that w was moved, not that w is in the first group
					return
				}
				places = append(places, explained{w.ID, w.Token, w.RankAt, w.Due(), line.Explain(w, policy)})
			}
			if got, want := orderOf(places, policy), ids(line.Order(before, policy.MaxBypass)); !slices.Equal(got, want) {
				o.Fatalf("the explanations give %v, the order is %v", got, want)
			}
		}
	})
}
