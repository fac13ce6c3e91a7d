package visit

import (
	"errors"
	"reflect"
	"testing"
	"time"
)

// A call by mistake is taken back: the visitor has the same place as before, with the move and the pin.
func TestAReleasedVisitorKeepsThePlace(t *testing.T) {
	moved, due := noon.Add(-20*time.Minute), noon.Add(-30*time.Minute)
	for _, pinned := range []bool{true, false} {
		v := visitIn(StageWaiting, true, noon)
		v.MovedDue, v.MovedBy, v.MovedReason, v.MovedForced, v.DueAt = &moved, "Meena", "frail", true, &due
		v.CallCount = 0
		if !pinned {
			v = v.assigned(nil)
		}
		caller := Actor{ID: theirConsultant, Role: consultant}
		rao := &Consultant{ID: theirConsultant, Name: "CA Rao"}
		after := steps(t, v, caller, Request{Action: Next, Consultant: rao, Counter: "3"}, Request{Action: Recall},
			Request{Action: Release})
		after.CalledAt, after.CalledBy, after.Version, after.UpdatedAt = v.CalledAt, v.CalledBy, v.Version, v.UpdatedAt
		if v.ConsultantID != nil {
			after.ConsultantName = v.ConsultantName
		}
		if !reflect.DeepEqual(after, v) {
			t.Errorf("pinned %v: the visit is %+v, was %+v", pinned, after, v)
		}
	}
}

func TestAReleasedVisitorWaitsForTheConsultantOfBefore(t *testing.T) {
	kavita := &Consultant{ID: "consultant-2", Name: "CA Kavita"}
	for _, c := range []struct {
		what     string
		stage    Stage
		pinned   bool
		sittings int
		waits    *Consultant
	}{
		{"assigned to another", StageWaiting, true, 0, kavita}, {"of the line", StageWaiting, false, 0, nil},
		{"held in the line", StageHeld, false, 0, nil}, {"held out of a session", StageHeld, false, 1, kavita},
		{"held and assigned", StageHeld, true, 0, kavita}, {"missed by another", StageMissed, false, 1, nil},
	} {
		before := visitIn(c.stage, false, noon).assigned(kavita)
		before.Pinned, before.Sittings = c.pinned, c.sittings
		if c.stage == StageWaiting && !c.pinned {
			before = before.assigned(nil)
		}
		call := Request{Action: Call, Consultant: &Consultant{ID: theirConsultant, Name: "CA Rao"}, Counter: "3"}
		called := steps(t, before, actorOf(pa), call)
		facts := today()
		facts.BeforeCall = &before
		after, outcome, err := called.Change(actorOf(pa), Request{Action: Release}, facts)
		if outcome != Apply || after.Pinned != (c.waits != nil) || (after.ConsultantID == nil) != (c.waits == nil) ||
			c.waits != nil && (*after.ConsultantID != c.waits.ID || *after.ConsultantName != c.waits.Name) {
			t.Errorf("%s: %v, %v: pinned %v to %v", c.what, outcome, err, after.Pinned, after.ConsultantID)
		}
	}
}

func TestAReleasedVisitorOfAnEarlierDayRanksFromNowOn(t *testing.T) {
	v := visitIn(StageCalled, true, noon)
	moved := noon.Add(-30 * time.Hour)
	v.RankAt, v.DueAt, v.MovedDue = noon.Add(-26*time.Hour), &moved, &moved
	after, outcome, err := v.Change(actorOf(pa), Request{Action: Release}, today())
	if outcome != Apply || !after.RankAt.Equal(noon) || after.MovedDue != nil ||
		!after.DueAt.Equal(noon.Add(30*time.Minute)) {
		t.Errorf("%v, %v: %+v", outcome, err, after)
	}
}

// The second release by the same consultant is a repetition, not a rejection, although the visit is not the
// consultant's any more.
func TestAReleaseIsRepeatedByWhoeverMadeIt(t *testing.T) {
	v := visitIn(StageWaiting, true, noon).assigned(nil)
	facts := today()
	facts.Last = &Last{Event: "visit_released", ActorID: theirConsultant, At: noon}
	for _, c := range []struct {
		by      Actor
		outcome Outcome
		err     error
	}{
		{Actor{ID: theirConsultant, Role: consultant}, Repeated, nil},
		{Actor{ID: "consultant-2", Role: consultant}, Rejected, ErrNotAssigned},
	} {
		if outcome, err := v.Decide(c.by, Request{Action: Release}, facts); outcome != c.outcome || !errors.Is(err, c.err) {
			t.Errorf("%s: %v, %v", c.by.ID, outcome, err)
		}
	}
}

// The undo of a release restores the call, unless the consultant has another visitor by now.
func TestAReleaseIsUndone(t *testing.T) {
	caller := Actor{ID: theirConsultant, Role: consultant}
	called := visitIn(StageCalled, true, noon)
	called.Counter = "3"
	waits, last := changed(t, called, caller, Request{Action: Release})
	v, outcome, err := undo(waits, caller, last, Facts{})
	if outcome != Apply || v.Stage != StageCalled || v.CallCount != 1 || v.Counter != "3" {
		t.Errorf("%v, %v: %+v", outcome, err, v)
	}
	busy := Facts{Engaged: []Engagement{{
		ID: "w", ConsultantID: theirConsultant, ConsultantName: "CA Rao", Token: "T-002", Stage: StageCalled,
	}}}
	var open *CallOpenError
	if _, _, err := undo(waits, actorOf(admin), last, busy); !errors.As(err, &open) || open.Consultant != "CA Rao" {
		t.Errorf("beside another call: %v", err)
	}
}

// A session can begin from the line without a call, if the caller may call the visitor and has no other visitor.
func TestASessionOutOfTheLine(t *testing.T) {
	rao := &Consultant{ID: theirConsultant, Name: "CA Rao"}
	caller, facts := Actor{ID: theirConsultant, Role: consultant}, today()
	facts.Eligible = true
	want := Request{Action: Take, Consultant: rao, Counter: "3"}
	v := visitIn(StageWaiting, true, noon).assigned(nil)
	v.CallCount = 0 // an earlier call was taken back
	after, outcome, err := v.Change(caller, want, facts)
	if outcome != Apply || after.Stage != StageInSession || *after.ConsultantID != theirConsultant || after.Pinned ||
		after.Counter != "3" || after.CalledAt != nil || after.Sittings != 1 || *after.StartedBy != theirConsultant {
		t.Errorf("%v, %v: %+v", outcome, err, after)
	}
	facts.Last = &Last{Event: "visit_in_session", ActorID: theirConsultant, At: noon}
	if outcome, err := after.Decide(caller, want, facts); outcome != Repeated {
		t.Errorf("again: %v, %v", outcome, err)
	}
	var assigned *ActionError
	pinned := visitIn(StageWaiting, true, noon)
	if _, err := pinned.Decide(caller, want, today()); !errors.As(err, &assigned) {
		t.Errorf("an assigned visitor: %v", err)
	}
	facts = today()
	if _, err := v.Decide(caller, want, facts); !errors.Is(err, ErrNotAssigned) {
		t.Errorf("not in the caller's line: %v", err)
	}
	facts.Eligible = true
	for stage, refusal := range map[Stage]string{
		StageInSession: "You already have an active session", StageCalled: "You have called T-002.",
	} {
		facts.Engaged = []Engagement{{
			ID: "w", ConsultantID: theirConsultant, ConsultantName: "CA Rao", Token: "T-002", Stage: stage,
		}}
		if _, err := v.Decide(caller, want, facts); err == nil || err.Error() != refusal {
			t.Errorf("beside a visitor who is %s: %v", stage, err)
		}
	}
}

// The service repeats a call as often as the office allows, but not after a person has repeated it.
func TestACallRepeatsItself(t *testing.T) {
	person, system := theirConsultant, ""
	for _, c := range []struct {
		by           *string
		calls, times int
		want         bool
	}{
		{&person, 1, 0, false}, {&person, 1, 1, true}, {&system, 2, 1, false}, {&system, 2, 2, true},
		{&person, 2, 2, false}, {&person, 1, 3, true}, {&system, 4, 3, false},
	} {
		v := visitIn(StageCalled, true, noon)
		v.CalledBy, v.CallCount = c.by, c.calls
		if got := v.RepeatsItself(c.times); got != c.want {
			t.Errorf("call %d by %q of %d: %v", c.calls, *c.by, c.times, got)
		}
		if v.Stage = StageWaiting; v.RepeatsItself(c.times) {
			t.Error("a visitor who waits is called again")
		}
	}
}

// The times of the repeated call and of the miss count from the last change, or from the argument if that is later. The
// service does not mark a visitor as not here before a person could do so.
func TestWhatFollowsACall(t *testing.T) {
	person := theirConsultant
	for _, c := range []struct {
		calls, changed, from int // number of calls; last change and argument, in seconds after the last call
		rules                Following
		recall, miss         int // seconds from the last call; 0: never
	}{
		{1, 0, 0, Following{120, 1, 60, 0}, 120, 0}, {1, 0, 0, Following{120, 0, 60, 300}, 0, 300},
		{1, 110, 0, Following{120, 1, 60, 300}, 230, 410}, {1, 0, 0, Following{120, 1, 600, 60}, 120, 600},
		{2, 0, 0, Following{120, 2, 600, 60}, 0, 60}, {1, 580, 0, Following{120, 1, 600, 60}, 700, 640},
		{1, 110, 3600, Following{120, 1, 60, 300}, 3720, 3900}, {1, 110, -60, Following{120, 1, 60, 300}, 230, 410},
	} {
		v := visitIn(StageCalled, true, noon)
		v.CalledAt, v.CalledBy, v.CallCount = &noon, &person, c.calls
		after := func(seconds int) time.Time { return noon.Add(time.Duration(seconds) * time.Second) }
		v.UpdatedAt = after(c.changed)
		c.rules.NudgeAfter *= time.Second
		c.rules.MissAfter *= time.Second
		c.rules.AutoMissAfter *= time.Second
		seconds := func(at *time.Time) int {
			if at == nil {
				return 0
			}
			return int(at.Sub(noon) / time.Second)
		}
		if recall, miss := v.Follows(after(c.from), c.rules); seconds(recall) != c.recall || seconds(miss) != c.miss {
			t.Errorf("%+v: repeated after %d s, missed after %d s", c, seconds(recall), seconds(miss))
		}
	}
}
