package visit

import (
	"errors"
	"testing"
	"time"
)

var byVisitor = Actor{ID: Visitor, Name: "Visitor", Role: Visitor}

func TestAVisitorTakesBackOnlyTheOwnLeaveAndOnlyForTenMinutes(t *testing.T) {
	desk := "reception-1"
	for _, c := range []struct {
		name string
		by   string
		ago  time.Duration
		want Outcome
	}{
		{"at once", Visitor, 0, Apply},
		{"after ten minutes", Visitor, VisitorReopensFor, Apply},
		{"later", Visitor, VisitorReopensFor + time.Second, Rejected},
		{"what the desk has recorded", desk, 0, Rejected},
	} {
		v := visitIn(StageLeft, true, noon)
		at := noon.Add(-c.ago)
		v.EndedAt, v.EndedBy = &at, &c.by
		if got, err := v.Decide(byVisitor, Request{Action: Reopen}, today()); got != c.want {
			t.Errorf("%s: %v %v, want %v", c.name, got, err, c.want)
		}
	}
}

func TestAVisitorsHoldIsBecauseOfBeingLate(t *testing.T) {
	var wrong *ActionError
	waiting := visitIn(StageWaiting, true, noon)
	if _, err := waiting.Decide(byVisitor, Request{Action: Hold, Reason: "papers"}, today()); !errors.As(err, &wrong) {
		t.Errorf("a hold for papers: %v", err)
	}
	held := visitIn(StageHeld, true, noon)
	held.HeldReason = "papers"
	if _, err := held.Decide(byVisitor, Request{Action: Resume}, today()); !errors.As(err, &wrong) {
		t.Errorf("the end of a hold for papers: %v", err)
	}
}

// A second "I will be late" asks for a later time than the first, but is a repetition.
func TestASecondTapOnLateIsARepetition(t *testing.T) {
	v := visitIn(StageWaiting, true, noon)
	facts, until, later := today(), noon.Add(10*time.Minute), noon.Add(10*time.Minute+time.Second)
	v, outcome, err := v.Change(byVisitor, Request{Action: Hold, Reason: "late", Until: &until}, facts)
	if outcome != Apply || v.Stage != StageHeld {
		t.Fatalf("%v %v", outcome, err)
	}
	facts.Last = &Last{Event: "visit_held", ActorID: Visitor, At: noon}
	if got, err := v.Decide(byVisitor, Request{Action: Hold, Reason: "late", Until: &later}, facts); got != Repeated {
		t.Errorf("the second tap: %v %v", got, err)
	}
}
