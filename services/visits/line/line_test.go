package line_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"baari.dev/services/visits/line"
)

var ten = time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)

func at(minute float64) time.Time { return ten.Add(time.Duration(minute * float64(time.Minute))) }

// waits returns a visitor with the default policy's due time. options change the visitor.
func waits(id string, token int, c line.Class, rank float64, options ...func(*line.Waiting)) line.Waiting {
	w := line.Waiting{ID: id, Token: token, ServiceID: "gst", Class: c, RankAt: at(rank)}
	w.DueAt = line.DefaultPolicy().Due(w.RankAt, c)
	for _, option := range options {
		option(&w)
	}
	return w
}

func bypassed(n int) func(*line.Waiting) { return func(w *line.Waiting) { w.Bypassed = n } }

func pinned(to string) func(*line.Waiting) {
	return func(w *line.Waiting) { w.PinnedTo, w.PinnedName = to, "Name of "+to }
}

func moved(minute float64) func(*line.Waiting) {
	due := at(minute)
	return func(w *line.Waiting) { w.MovedDue, w.MovedBy, w.MovedReason = &due, "Asha", "flight" }
}

func forced(w *line.Waiting) { w.Forced = true }

func ids(all []line.Waiting) []string {
	var found []string
	for _, w := range all {
		found = append(found, w.ID)
	}
	return found
}

func wantOrder(t *testing.T, waiting []line.Waiting, want ...string) {
	t.Helper()
	if got := ids(line.Order(waiting, 3)); !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
}

func TestTheDefaultPolicyIsThatOfTheDocumentation(t *testing.T) {
	want := line.Policy{
		Allowances: map[line.Class]time.Duration{
			"normal": 30 * time.Minute, "deadline": 15 * time.Minute, "priority": 10 * time.Minute,
			"appointment": 5 * time.Minute,
		},
		MaxBypass: 3, Return: "after:2", MissAfter: time.Minute, LateAppointment: 15 * time.Minute,
		SweepAfterClosing: time.Hour, HandPick: true, NudgeAfter: 2 * time.Minute, AutoRecall: 1,
	}
	if got := line.DefaultPolicy(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if due := want.Due(ten, "unknown"); !due.Equal(at(30)) {
		t.Errorf("an unknown class is due at %v", due)
	}
}

func TestTheOrderIsByDueTimeAfterThoseAtTheCap(t *testing.T) {
	wantOrder(t, []line.Waiting{
		waits("normal", 1, line.Normal, 0),
		waits("late normal at the cap", 2, line.Normal, 9, bypassed(4)),
		waits("at the cap", 3, line.Normal, 8, bypassed(3)),
		waits("nearly at the cap", 4, line.Normal, 1, bypassed(2)),
		waits("priority", 5, line.Priority, 19),
		waits("moved", 6, line.Normal, 25, moved(29.5)),
	}, "at the cap", "late normal at the cap", "priority", "moved", "normal", "nearly at the cap")
}

func TestTiesAreDecidedByTokenThenID(t *testing.T) {
	wantOrder(t, []line.Waiting{
		waits("b", 7, line.Normal, 0), waits("a", 7, line.Normal, 0), waits("z", 2, line.Priority, 20),
	}, "z", "a", "b")
}

func TestOrderLeavesItsArgumentUnchanged(t *testing.T) {
	waiting := []line.Waiting{waits("second", 2, line.Normal, 1), waits("first", 1, line.Normal, 0)}
	line.Order(waiting, 3)
	if got := ids(waiting); !slices.Equal(got, []string{"second", "first"}) {
		t.Errorf("the argument is now %v", got)
	}
}

func TestAnAppointmentHasTheRankOfItsSlotAndALateOneIsAWalkIn(t *testing.T) {
	slot := at(60)
	for _, c := range []struct {
		registered float64
		slot       *time.Time
		rank       float64
		class      line.Class
	}{
		{0, nil, 0, line.Priority},
		{40, &slot, 60, line.Appointment},
		{70, &slot, 70, line.Appointment},
		{75, &slot, 75, line.Appointment},
		{76, &slot, 76, line.Normal},
	} {
		rank, class := line.DefaultPolicy().Admit(at(c.registered), line.Priority, c.slot)
		if !rank.Equal(at(c.rank)) || class != c.class {
			t.Errorf("registered in minute %v: rank %v, class %s", c.registered, rank, class)
		}
	}
}

func TestADeskTakesItsPinsAndWhatItServes(t *testing.T) {
	gst := line.Desk{Consultant: "asha", Serves: []string{"gst"}}
	audit := line.Desk{Consultant: "ravi", Serves: []string{"audit"}}
	all := line.Desk{Consultant: "mina"}
	last := line.Desk{Consultant: "ravi", PinsOnly: true}
	free, ravis := waits("free", 1, line.Normal, 0), waits("pinned", 2, line.Normal, 0, pinned("ravi"))
	for _, c := range []struct {
		name string
		desk line.Desk
		w    line.Waiting
		want bool
	}{
		{"served", gst, free, true}, {"not served", audit, free, false}, {"all services", all, free, true},
		{"own pin, not served", audit, ravis, true}, {"another's pin", gst, ravis, false},
		{"another's pin, all services", all, ravis, false},
		{"pins only: a pin", last, ravis, true}, {"pins only: unpinned", last, free, false},
	} {
		if got := c.desk.Takes(c.w); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestPickReportsThoseOfTheOwnLineWithAnEarlierRank(t *testing.T) {
	waiting := []line.Waiting{
		waits("normal", 1, line.Normal, 0), waits("another's pin", 2, line.Normal, 1, pinned("ravi")),
		waits("later normal", 3, line.Normal, 12), waits("priority", 4, line.Priority, 10),
	}
	picked, passed, ok := line.Pick(waiting, line.Desk{Consultant: "asha"}, 3)
	if !ok || picked.ID != "priority" || !slices.Equal(passed, []string{"normal"}) {
		t.Errorf("picked %s, passed %v, %v", picked.ID, passed, ok)
	}
	if _, passed, ok := line.Pick(waiting, line.Desk{Consultant: "x", PinsOnly: true}, 3); ok || passed != nil {
		t.Errorf("an empty line: passed %v, %v", passed, ok)
	}
}

func TestEveryReasonIsExplained(t *testing.T) {
	slot := at(5)
	w := waits("a", 1, line.Appointment, 5, bypassed(3), moved(1), pinned("ravi"), func(w *line.Waiting) {
		w.AppointmentAt, w.Returned = &slot, true
	})
	want := []line.Reason{
		{"must_go", map[string]any{"bypassed": 3}},
		{"moved", map[string]any{"by": "Asha", "reason": "flight"}},
		{"pinned", map[string]any{"consultant": "Name of ravi"}},
		{"class", map[string]any{"class": "appointment", "minutes": 5}},
		{"appointment", map[string]any{"slot": "2026-11-24T10:05:00Z"}},
		{"returned", map[string]any{}},
	}
	if got := line.Explain(w, line.DefaultPolicy()); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	got := line.Explain(waits("b", 2, line.Normal, 0), line.DefaultPolicy())
	if want := []line.Reason{{"first_by_due", map[string]any{}}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestAVisitorWhoWasMissedComesBackByThePolicy(t *testing.T) {
	back := waits("back", 1, line.Normal, 0)
	rivals := []line.Waiting{
		waits("first", 2, line.Normal, 5), waits("second", 3, line.Priority, 27), waits("third", 4, line.Normal, 9),
	}
	movedDue := line.DefaultPolicy().Due(at(12), line.Normal)
	movedBack := waits("moved", 2, line.Normal, 5, func(w *line.Waiting) { w.MovedDue = &movedDue })
	now := at(40)
	for _, c := range []struct {
		name, policy string
		misses       int
		rivals       []line.Waiting
		want         time.Time
	}{
		{"after two", "after:2", 1, rivals, at(7).Add(time.Millisecond)},
		{"after the last of fewer", "after:9", 1, rivals, at(9).Add(time.Millisecond)},
		{"no rival", "after:2", 1, nil, at(0)},
		{"rivals with earlier due times", "after:1", 1, []line.Waiting{waits("early", 0, line.Normal, -9)}, at(0)},
		{"after a rival moved by hand", "after:1", 1, []line.Waiting{movedBack}, at(12).Add(time.Millisecond)},
		{"keep", "keep", 1, rivals, at(0)},
		{"end", "end", 1, rivals, now},
		{"a second miss", "after:2", 2, rivals, now},
		{"a second miss, keep", "keep", 2, rivals, now},
	} {
		p := line.DefaultPolicy()
		p.Return = c.policy
		if got := line.ReturnRank(p, back, c.rivals, c.misses, now); !got.Equal(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	atCap := append(slices.Clone(rivals), waits("at the cap", 9, line.Normal, 30, bypassed(3)))
	p := line.DefaultPolicy()
	back.RankAt = line.ReturnRank(p, back, atCap, 1, now)
	back.DueAt = p.Due(back.RankAt, back.Class)
	wantOrder(t, append(atCap, back), "at the cap", "first", "back", "second", "third")
}

func TestAMoveStandsHalfwayBetweenItsNeighbours(t *testing.T) {
	order := []line.Waiting{
		waits("a", 1, line.Normal, 0), waits("b", 2, line.Normal, 4), waits("c", 3, line.Normal, 9),
	}
	for _, c := range []struct {
		id, before string
		want       time.Time
	}{
		{"c", "b", at(32)}, {"c", "a", at(30).Add(-time.Second)}, {"a", "c", at(36.5)},
	} {
		got, passes, err := line.MoveBetween(order, c.id, c.before, 3)
		if err != nil || !got.Equal(c.want) || len(passes) > 0 {
			t.Errorf("%s before %s: %v, passes %v, %v", c.id, c.before, got, ids(passes), err)
		}
	}
	for _, pair := range [][2]string{{"a", "a"}, {"a", ""}, {"x", "a"}, {"a", "x"}} {
		if _, _, err := line.MoveBetween(order, pair[0], pair[1], 3); !errors.Is(err, line.ErrNotInLine) {
			t.Errorf("%v: %v", pair, err)
		}
	}
}

func TestAMoveThatPassesTheCapReportsThemAndTakesEffectByForce(t *testing.T) {
	order := []line.Waiting{
		waits("must go", 1, line.Normal, 0, bypassed(3)), waits("too", 2, line.Normal, 4, bypassed(3)),
		waits("c", 3, line.Normal, 9), waits("d", 4, line.Normal, 10),
	}
	due, passes, err := line.MoveBetween(order, "d", "too", 3)
	if err != nil || !slices.Equal(ids(passes), []string{"too"}) {
		t.Fatalf("passes %v, %v", ids(passes), err)
	}
	order[3].MovedDue = &due
	wantOrder(t, order, "must go", "too", "d", "c")
	forced(&order[3])
	wantOrder(t, order, "must go", "d", "too", "c")

	if _, passes, err := line.MoveBetween(order, "c", "d", 3); err != nil || len(passes) != 2 {
		t.Errorf("a visitor placed by force is passed by force only: passes %v, %v", ids(passes), err)
	}
	if _, _, err := line.MoveBetween(order, "must go", "c", 3); !errors.Is(err, line.ErrMustGo) {
		t.Errorf("moving back a visitor at the cap: %v", err)
	}
}

func TestAVisitorPlacedByForceKeepsThePlaceAtTheCap(t *testing.T) {
	order := []line.Waiting{
		waits("early", 1, line.Normal, 0, moved(19), forced), waits("ten", 2, line.Normal, 10, bypassed(3)),
		waits("twenty", 3, line.Normal, 20, bypassed(3)),
	}
	wantOrder(t, order, "ten", "early", "twenty")
	// A visitor at the cap is ordered by the rank if the time of the move is later, because no visitor with a later
	// rank may be placed before a visitor at the cap.
	order[0].Bypassed = 3
	wantOrder(t, order, "early", "ten", "twenty")
}

func TestAMoveBetweenEqualDueTimesStandsBeforeBoth(t *testing.T) {
	order := []line.Waiting{
		waits("a", 1, line.Normal, 0), waits("b", 2, line.Normal, 0), waits("c", 3, line.Normal, 9),
	}
	due, _, err := line.MoveBetween(order, "c", "b", 3)
	if want := at(30).Add(-time.Microsecond); err != nil || !due.Equal(want) {
		t.Fatalf("%v, %v", due, err)
	}
	order[2].MovedDue = &due
	wantOrder(t, order, "c", "a", "b")
}

// Times in events have whole milliseconds. An undo that reads the time of a move from an event must restore the
// visitor's place.
func TestAMoveIsAWholeMillisecondWhereOneIsBetweenTheNeighbours(t *testing.T) {
	for gap, whole := range map[time.Duration]bool{
		3 * time.Second: true, 3 * time.Millisecond: true, 200 * time.Microsecond: false,
	} {
		order := []line.Waiting{
			waits("a", 1, line.Normal, 0), waits("b", 2, line.Normal, 0), waits("c", 3, line.Normal, 9),
		}
		first := order[0].DueAt.Add(300 * time.Microsecond)
		second := first.Add(gap)
		order[0].MovedDue, order[1].MovedDue = &first, &second
		due, _, err := line.MoveBetween(order, "c", "b", 3)
		if err != nil || due.Equal(due.Truncate(time.Millisecond)) != whole || !due.After(first) || !due.Before(second) {
			t.Errorf("between two %s apart it is due at %s: %v", gap, due, err)
		}
		due, _, err = line.MoveBetween(order, "c", "a", 3)
		if err != nil || !due.Equal(due.Truncate(time.Millisecond)) || !due.Before(first) {
			t.Errorf("before the first it is due at %s: %v", due, err)
		}
	}
}
