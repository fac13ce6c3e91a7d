package visit

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// steps applies actions one after another, two minutes apart, and returns the visit after them.
func steps(t *testing.T, v Visit, by Actor, wants ...Request) Visit {
	t.Helper()
	for i, want := range wants {
		facts := today()
		facts.At = noon.Add(time.Duration(i+1) * 2 * time.Minute)
		after, outcome, err := v.Change(by, want, facts)
		if outcome != Apply {
			t.Fatalf("%s: %v, %v", want.Action, outcome, err)
		}
		v = after
	}
	return v
}

func TestNotesStayWhenTheNextStepHasNone(t *testing.T) {
	v := visitIn(StageWaiting, true, noon)
	v.SessionNotes = "Form 16 is missing"
	by := Actor{ID: theirConsultant, Role: consultant}
	v = steps(t, v, by, Request{Action: Start}, Request{Action: Complete})
	if v.SessionNotes != "Form 16 is missing" {
		t.Errorf("after a session without notes there is %q", v.SessionNotes)
	}
}

func TestASecondDecisionKeepsWhatThePAHasNoted(t *testing.T) {
	v := steps(t, visitIn(StageNew, false, noon), actorOf(pa),
		Request{Action: Deny, Notes: "no papers"}, Request{Action: Reopen, Notes: "came back with them"},
		Request{Action: Approve, ToLine: true})
	if !strings.Contains(v.PANotes, "no papers") || !strings.Contains(v.PANotes, "came back with them") {
		t.Errorf("after the second decision the PA's notes are %q", v.PANotes)
	}
}

func TestAnotherNoteIsNoRepetition(t *testing.T) {
	rao := &Consultant{ID: theirConsultant, Name: "CA Rao"}
	for stage, c := range map[Stage]struct {
		by    Actor
		want  Request
		event string
	}{
		StageNew:       {actorOf(pa), Request{Action: Approve, Consultant: rao}, "visit_approved"},
		StageWaiting:   {actorOf(pa), Request{Action: Transfer, Consultant: rao}, "visit_transferred"},
		StageCalled:    {Actor{ID: theirConsultant, Role: consultant}, Request{Action: Start}, "visit_in_session"},
		StageInSession: {Actor{ID: theirConsultant, Role: consultant}, Request{Action: Complete}, "visit_completed"},
		StageDenied:    {actorOf(pa), Request{Action: Reopen}, "visit_reopened"},
	} {
		c.want.Notes = "needs GST"
		v := steps(t, visitIn(stage, true, noon), c.by, c.want)
		facts := today()
		facts.Last = &Last{Event: c.event, ActorID: c.by.ID, At: noon}
		for _, same := range []string{"needs GST", ""} {
			c.want.Notes = same
			if got, err := v.Decide(c.by, c.want, facts); got != Repeated {
				t.Errorf("%s again with the notes %q: %v, %v", c.want.Action, same, got, err)
			}
		}
		c.want.Notes = "and TDS"
		if got, _ := v.Decide(c.by, c.want, facts); got == Repeated {
			t.Errorf("%s with another note is answered as a repetition", c.want.Action)
		}
	}
}

func TestAHoldWithAnotherNoteIsNoRepetition(t *testing.T) {
	held, facts := visitIn(StageHeld, true, noon), today()
	held.HeldReason, held.HeldNote = "papers", "Form 16"
	facts.Last = &Last{Event: "visit_held", ActorID: actorOf(pa).ID, At: noon}
	for note, want := range map[string]bool{"Form 16": true, "deed": false} {
		got, _ := held.Decide(actorOf(pa), Request{Action: Hold, Reason: "papers", Notes: note}, facts)
		if (got == Repeated) != want {
			t.Errorf("a hold again with the note %q: %v", note, got)
		}
	}
}

// A visitor who waits for one consultant still waits for that consultant after a hold or a missed call. A visitor who
// waits for any consultant is not bound to the consultant who called.
func TestAHoldAndAMissedCallChangeNothingOfWhomAVisitorWaitsFor(t *testing.T) {
	rao, rank := &Consultant{ID: theirConsultant, Name: "CA Rao"}, noon.Add(time.Hour)
	for _, pinned := range []bool{true, false} {
		v := visitIn(StageWaiting, true, noon)
		if !pinned {
			v = v.assigned(nil)
		}
		until := noon.Add(time.Hour)
		held := steps(t, v, actorOf(pa), Request{Action: Hold, Reason: "late", Notes: "train", Until: &until},
			Request{Action: Resume})
		missed := steps(t, v, actorOf(admin), Request{Action: Next, Consultant: rao, Counter: "3"}, Request{Action: Miss},
			Request{Action: Back, RankAt: &rank})
		left := steps(t, v, actorOf(admin), Request{Action: Next, Consultant: rao}, Request{Action: Leave},
			Request{Action: Reopen})
		for what, after := range map[string]Visit{"a hold": held, "a missed call": missed, "leaving": left} {
			if after.Pinned != pinned || (after.ConsultantID != nil) != pinned || after.Stage != StageWaiting {
				t.Errorf("pinned %v, after %s: pinned %v to %v", pinned, what, after.Pinned, after.ConsultantID)
			}
			if after.HeldAt != nil || after.HeldReason != "" || after.HeldNote != "" || after.HeldUntil != nil {
				t.Errorf("after %s the hold is still there: %+v", what, after)
			}
		}
	}
}

func TestAVisitorWhoWasOnHoldKeepsThePlaceInLine(t *testing.T) {
	v := visitIn(StageWaiting, true, noon)
	after := steps(t, v, actorOf(pa), Request{Action: Hold, Reason: "late"}, Request{Action: Resume})
	if !after.RankAt.Equal(v.RankAt) {
		t.Errorf("the rank was %v and is %v", v.RankAt, after.RankAt)
	}
}

func TestAHoldEndsWithTheCallTheSessionAndTheTransfer(t *testing.T) {
	rao, until := &Consultant{ID: theirConsultant, Name: "CA Rao"}, noon.Add(time.Hour)
	for _, want := range []Request{
		{Action: Call, Consultant: rao}, {Action: Start}, {Action: Transfer, Consultant: rao}, {Action: Resume},
	} {
		v := visitIn(StageHeld, true, noon)
		v.HeldAt, v.HeldNote, v.HeldUntil = &noon, "train", &until
		after := steps(t, v, actorOf(admin), want)
		if after.HeldAt != nil || after.HeldReason != "" || after.HeldNote != "" || after.HeldUntil != nil {
			t.Errorf("after %s: %+v", want.Action, after)
		}
	}
}

func TestTheWaitEndsWithTheFirstSitting(t *testing.T) {
	first := noon.Add(-30 * time.Minute)
	v := visitIn(StageWaiting, true, noon)
	v.StartedAt, v.Sittings, v.SessionSecs = &first, 1, 600
	v = steps(t, v, Actor{ID: theirConsultant, Role: consultant}, Request{Action: Start})
	if !v.StartedAt.Equal(first) || v.Sittings != 2 || *v.FinalWait() != 30 {
		t.Errorf("the second sitting: started %v, %d sittings, waited %d minutes", v.StartedAt, v.Sittings, *v.FinalWait())
	}
	later := noon.Add(time.Hour)
	v.SatSince = &later // the clock was set back meanwhile
	v = steps(t, v, Actor{ID: theirConsultant, Role: consultant}, Request{Action: Complete})
	if v.SessionSecs != 600 {
		t.Errorf("the session has %d seconds", v.SessionSecs)
	}
}

// A returning visitor is placed by the rule; an earlier move and the call no longer count.
func TestWhoComesBackHasNoMoveAndNoCall(t *testing.T) {
	moved, rank := noon.Add(-time.Hour), noon.Add(time.Minute)
	v := visitIn(StageMissed, true, noon)
	v.MovedDue, v.MovedBy, v.MovedReason, v.MovedForced, v.Counter = &moved, "Divya", "frail", true, "3"
	v = steps(t, v, actorOf(reception), Request{Action: Back, RankAt: &rank})
	if v.MovedDue != nil || v.MovedBy != "" || v.MovedReason != "" || v.MovedForced || v.CallCount != 0 ||
		v.Counter != "" ||
		!v.DueAt.Equal(rank.Add(30*time.Minute)) {
		t.Errorf("back in the line: %+v", v)
	}
}

func TestAMoveThatIsTakenBackNamesNobody(t *testing.T) {
	moved, by := noon.Add(-time.Minute), Actor{ID: "p", Name: "Divya", Role: pa}
	move := Request{Action: Move, MovedDue: &moved, Reason: "frail", Forced: true}
	v := steps(t, visitIn(StageWaiting, true, noon), by, move)
	if v.MovedBy != "Divya" || v.MovedReason != "frail" || !v.MovedForced {
		t.Errorf("moved: %+v", v)
	}
	v = steps(t, v, by, Request{Action: Move})
	if v.MovedDue != nil || v.MovedBy != "" || v.MovedReason != "" || v.MovedForced {
		t.Errorf("taken back: %+v", v)
	}
}

func TestAClassBeforeTheDecisionMakesNoPlace(t *testing.T) {
	v := visitIn(StageNew, true, noon)
	v = steps(t, v, actorOf(reception), Request{Action: Prioritise, Class: "priority"})
	if v.DueAt != nil || v.Class != "priority" {
		t.Errorf("%+v", v)
	}
}

// A receptionist can cancel and correct a visit that the same receptionist registered today, but no earlier visit.
func TestReceptionChangesOwnRegistrationsOfTodayAlone(t *testing.T) {
	name := "Asha Rao"
	for _, want := range []Request{{Action: Cancel}, {Action: Correct, Name: &name}} {
		v := visitIn(StageWaiting, true, noon) // created by theirConsultant
		by := Actor{ID: theirConsultant, Role: reception}
		if got, err := v.Decide(by, want, today()); got != Apply {
			t.Errorf("%s today: %v", want.Action, err)
		}
		v.Day = "2026-11-23"
		if _, err := v.Decide(by, want, today()); !errors.Is(err, ErrForbidden) {
			t.Errorf("%s a day later: %v", want.Action, err)
		}
	}
}

func TestABusyConsultantIsGivenNobody(t *testing.T) {
	facts := today()
	rao, by := &Consultant{ID: theirConsultant}, Actor{ID: theirConsultant, Role: consultant}
	for _, action := range []Action{Start, Call, Next} {
		v := visitIn(StageWaiting, true, noon)
		facts.Engaged = []Engagement{{ID: "w", ConsultantID: theirConsultant, Stage: StageInSession}}
		if _, err := v.Decide(by, Request{Action: action, Consultant: rao}, facts); !errors.Is(err, ErrSessionActive) {
			t.Errorf("%s beside a session: %v", action, err)
		}
		facts.Engaged[0].ConsultantID = "consultant-2"
		if got, err := v.Decide(by, Request{Action: action, Consultant: rao}, facts); got != Apply {
			t.Errorf("%s beside another's session: %v", action, err)
		}
	}
}

func TestASecondClickOnTheLineIsARepetition(t *testing.T) {
	me := actorOf(pa)
	v := visitIn(StageWaiting, true, noon).assigned(nil)
	v.DecidedBy = &me.ID
	want := Request{Action: Approve, ToLine: true}
	if got, err := v.Decide(me, want, today()); got != Repeated {
		t.Errorf("the second click: %v, %v", got, err)
	}
	called := visitIn(StageCalled, true, noon)
	called.DecidedBy, called.Pinned = &me.ID, false
	if got, err := called.Decide(me, want, today()); got != Repeated {
		t.Errorf("the second click after the call: %v, %v", got, err)
	}
	other := Actor{ID: "other", Role: pa}
	if got, _ := v.Decide(other, want, today()); got != Rejected {
		t.Errorf("another's click: %v", got)
	}
	pinned := visitIn(StageWaiting, true, noon)
	pinned.DecidedBy = &me.ID
	if got, _ := pinned.Decide(me, want, today()); got != Rejected {
		t.Errorf("to the line after it was approved for one: %v", got)
	}
}

func TestARepetitionIsOfTheSamePersonsSameAction(t *testing.T) {
	left := visitIn(StageLeft, true, noon)
	for last, want := range map[Last]Outcome{
		{Event: "visit_left", ActorID: actorOf(pa).ID}:        Repeated,
		{Event: "visit_left", ActorID: actorOf(reception).ID}: Rejected,
		{Event: "visit_missed", ActorID: actorOf(pa).ID}:      Rejected,
	} {
		facts := today()
		facts.Last = &last
		if got, err := left.Decide(actorOf(pa), Request{Action: Leave}, facts); got != want {
			t.Errorf("after %s by %s: %v, %v", last.Event, last.ActorID, got, err)
		}
	}
}

func TestTheUndoOfAReopeningKeepsItsNote(t *testing.T) {
	assistant := actorOf(pa)
	reopen := Request{Action: Reopen, Notes: "is here after all"}
	reopened, last := changed(t, visitIn(StageLeft, true, noon), assistant, reopen)
	v, _, err := undo(reopened, assistant, last, Facts{})
	if err != nil || v.Stage != StageLeft || v.PANotes != "is here after all" || v.EndedAt == nil || v.EndedBy == nil ||
		*v.EndedBy != Visitor {
		t.Errorf("%v: %+v", err, v)
	}
}

func TestTheNoteOfAnAdminIsAmongThePAs(t *testing.T) {
	transfer := Request{Action: Transfer, ToLine: true, Notes: "known to us"}
	v := steps(t, visitIn(StageWaiting, true, noon), actorOf(admin), transfer)
	if v.PANotes != "known to us" || v.SessionNotes != "" || v.ReceptionNotes != "" {
		t.Errorf("%+v", v)
	}
}

// If a visit is left over again after an assistant has put it into the line, the same assistant can do so once more.
func TestAVisitThatIsLeftOverAgainIsNoRepetition(t *testing.T) {
	rao := &Consultant{ID: theirConsultant, Name: "CA Rao"}
	for want, event := range map[*Request]string{
		{Action: Resume}:                    "visit_resumed",
		{Action: Transfer, Consultant: rao}: "visit_transferred",
	} {
		facts := today()
		v := visitIn(StageWaiting, true, noon)
		v.RankAt = facts.DayStart.Add(-time.Hour)
		facts.Last = &Last{Event: event, ActorID: actorOf(pa).ID, At: v.RankAt}
		after, outcome, err := v.Change(actorOf(pa), *want, facts)
		if outcome != Apply || after.RankAt.Before(facts.DayStart) {
			t.Errorf("%s answered %v, %v, and the rank is %v", want.Action, outcome, err, after.RankAt)
		}
	}
}
