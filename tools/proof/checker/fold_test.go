package checker

import (
	"slices"
	"testing"
	"time"
)

// The stage after each of these actions from each stage is written by hand, independently of product and checker.
func TestEachActionLeadsFromItsStagesAlone(t *testing.T) {
	for action, want := range map[string]map[string]string{
		"approved":    {"new": "waiting"},
		"denied":      {"new": "denied"},
		"called":      {"waiting": "called", "held": "called", "missed": "called"},
		"recalled":    {"called": "called"},
		"released":    {"called": "waiting"},
		"missed":      {"called": "missed"},
		"returned":    {"missed": "waiting"},
		"held":        {"waiting": "held", "called": "held", "in-session": "held"},
		"pinned":      {"waiting": "waiting"},
		"moved":       {"waiting": "waiting"},
		"prioritised": {"new": "new", "waiting": "waiting"},
		"completed":   {"in-session": "completed"},
		"no_show":     {"called": "no-show", "missed": "no-show"},
	} {
		for _, from := range []string{
			"", "new", "waiting", "called", "held", "missed", "in-session", "completed", "denied", "left", "no-show",
			"cancelled",
		} {
			for _, to := range append(slices.Clone(open), "completed", "denied", "left", "no-show", "cancelled") {
				if _, legal := edgeBetween(action, from, to, false); legal != (want[from] == to) {
					t.Errorf("%s from %q to %q is legal: %v", action, from, to, legal)
				}
			}
		}
	}
}

// A session that starts by hand has the edge Take, which leads from the line only. Others have the edge Start.
func TestASessionByHandBeginsInTheLineAlone(t *testing.T) {
	for _, c := range []struct {
		byHand bool
		kind   string
		from   []string
	}{
		{true, Take, in("waiting")},
		{false, Start, in("waiting", "called", "held", "missed")},
	} {
		for _, from := range append(anyStage, "") {
			for _, to := range anyStage {
				got, legal := edgeBetween("started", from, to, c.byHand)
				want := slices.Contains(c.from, from) && to == "in-session"
				if legal != want || legal && got.kind != c.kind {
					t.Errorf("by hand %v, from %q to %q is legal: %v, as %q", c.byHand, from, to, legal, got.kind)
				}
			}
		}
	}
}

// A Next whose event comes after a visitor left the line may have read the line before: both counts are accepted.
func TestAVisitorWhoHasJustLeftTheLineMayHaveBeenPassed(t *testing.T) {
	for _, passed := range []int{0, 1} {
		e := sound()
		held := *e.eventOf("visit-8", "visit_approved")
		held.Seq, held.Type, held.Version = int64(len(e.Outbox)), "visit_held", 3
		held.After.Stage = "held"
		i := slices.IndexFunc(e.Outbox, func(row Event) bool { return row.Visit == "visit-9" && row.Type == "visit_called" })
		held.At = e.Outbox[i].At.Add(-time.Second)
		e.Outbox = slices.Insert(e.Outbox, i, held)
		Link(e.Outbox)
		e.Visits[7].Place.Bypassed = passed
		for _, v := range CheckLine(e) {
			t.Errorf("passed %d times: %s", passed, v)
		}
		e.Outbox[i].At = held.At.Add(-time.Hour)
		if found := CheckLine(e); (len(found) > 0) != (passed == 1) {
			t.Errorf("passed %d times, long after it left: %v", passed, found)
		}
	}
}

// A desk that called pinned visitors only may have been closed without an event, and opened again by the call.
func TestADeskAtItsEndMayHaveBeenClosed(t *testing.T) {
	for _, passed := range []int{0, 1} {
		e := sound()
		last := Event{Desk: "c1", Type: "desk_changed", DeskState: "last", At: begins}
		pinned := e.eventOf("visit-9", "visit_approved")
		pinned.After.Pinned, pinned.After.Consultant = true, "c1"
		i := slices.IndexFunc(e.Outbox, func(row Event) bool { return row.Visit == "visit-9" && row.Type == "visit_called" })
		e.Outbox = slices.Insert(e.Outbox, i, last)
		e.Visits[7].Place.Bypassed = passed
		for _, v := range CheckLine(e) {
			t.Errorf("passed %d times: %s", passed, v)
		}
	}
}

func TestTheServiceItselfEndsAHoldUntilATime(t *testing.T) {
	for reason, fine := range map[string]bool{"late": true, "papers": false} {
		e := sound()
		r := e.record("visit-6", "resumed")
		r.Old["heldReason"], e.record("visit-6", "held").New["heldReason"] = reason, reason
		r.New["heldReason"] = ""
		e.Ops = slices.DeleteFunc(e.Ops, func(op Op) bool { return op.RequestID == r.RequestID })
		e.eventOf("visit-6", "visit_resumed").RequestID = ""
		r.RequestID = ""
		if found := Check(e); (len(found) == 0) != fine {
			t.Errorf("a hold because of %s: %v", reason, found)
		}
	}
}

func TestTheOrderOfTheLine(t *testing.T) {
	at := func(minute int) time.Time { return begins.Add(time.Duration(minute) * time.Minute) }
	visitor := func(token, rank int, class string, passed int) State {
		return State{Place: Place{Token: token, Rank: at(rank), Class: class, Bypassed: passed, bypassedAtMost: passed}}
	}
	moved := visitor(1, 50, "normal", 0)
	moved.Moved = at(20)
	forced := moved
	forced.Forced = true
	for name, pair := range map[string][2]State{
		"the earlier of one class":                 {visitor(2, 1, "normal", 0), visitor(1, 2, "normal", 0)},
		"the lower token at one time":              {visitor(1, 1, "normal", 0), visitor(2, 1, "normal", 0)},
		"priority within 20 minutes":               {visitor(2, 19, "priority", 0), visitor(1, 0, "normal", 0)},
		"normal after more than 20 minutes":        {visitor(1, 0, "normal", 2), visitor(2, 21, "priority", 0)},
		"who was passed three times":               {visitor(1, 0, "normal", 3), visitor(2, 1, "appointment", 0)},
		"the earlier of those passed three times":  {visitor(1, 0, "normal", 3), visitor(2, 1, "priority", 3)},
		"who was moved before":                     {moved, visitor(2, 0, "normal", 0)},
		"who must be next before one who is moved": {visitor(2, 40, "normal", 3), moved},
		"who was moved by force":                   {forced, visitor(2, 40, "normal", 3)},
	} {
		if !surelyBefore(pair[0], pair[1]) || surelyBefore(pair[1], pair[0]) {
			t.Errorf("%s does not come first", name)
		}
	}
	perhaps := visitor(1, 0, "normal", 2)
	perhaps.bypassedAtMost = 3
	if early := visitor(2, 15, "priority", 0); surelyBefore(perhaps, early) || surelyBefore(early, perhaps) {
		t.Error("the order of a visitor who was passed two or three times is known")
	}
}
