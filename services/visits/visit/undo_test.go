package visit

import (
	"errors"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)

// changed applies an action at noon. It returns the visit, and the action as the last change of the visit.
func changed(t *testing.T, before Visit, by Actor, want Request) (Visit, *Last) {
	t.Helper()
	facts := Facts{At: noon, Today: before.Day, DayStart: noon.Add(-12 * time.Hour), MissAfter: time.Minute}
	after, outcome, err := before.Change(by, want, facts)
	if outcome != Apply || err != nil {
		t.Fatalf("%s: %v, %v", want.Action, outcome, err)
	}
	rule, _ := RuleOf(want.Action)
	return after, &Last{Event: rule.Event, ActorID: by.ID, At: noon, Staged: true, Before: &before}
}

func undo(v Visit, by Actor, last *Last, facts Facts) (Visit, Outcome, error) {
	facts.Last = last
	if facts.At.IsZero() {
		facts.At = noon.Add(time.Second)
	}
	return v.Change(by, Request{Action: Undo}, facts)
}

func TestUndoRestoresTheStateBeforeTheLastChange(t *testing.T) {
	before := visitIn(StageWaiting, true, noon)
	starter := Actor{ID: theirConsultant, Role: consultant}
	running, last := changed(t, before, starter, Request{Action: Start, Notes: "began"})
	v, outcome, err := undo(running, starter, last, Facts{})
	if outcome != Apply || err != nil || v.Stage != StageWaiting || v.Status != Approved || v.StartedAt != nil ||
		v.StartedBy != nil || v.Sittings != 0 || v.SessionNotes != "" || v.Version != running.Version+1 {
		t.Errorf("%v, %v: %+v", outcome, err, v)
	}
	decider := actorOf(pa)
	denied, last := changed(t, visitIn(StageNew, true, noon), decider, Request{Action: Deny, Notes: "wrong office"})
	last.Before.DecidedAt = nil
	if v, _, err = undo(denied, decider, last, Facts{}); err != nil || v.Stage != StageNew || v.DecidedBy != nil {
		t.Errorf("an undone denial: %v: %+v", err, v)
	}
}

func TestUndoOfARegistrationCancelsTheVisit(t *testing.T) {
	desk := actorOf(reception)
	v := visitIn(StageNew, true, noon)
	last := &Last{Event: Created, ActorID: desk.ID, At: noon}
	after, outcome, err := undo(v, desk, last, Facts{})
	if outcome != Apply || err != nil || after.Stage != StageCancelled || *after.EndedBy != desk.ID {
		t.Errorf("%v, %v: %+v", outcome, err, after)
	}
}

func TestUndoKeepsWhatOtherChangesWrote(t *testing.T) {
	assistant := actorOf(pa)
	waiting := visitIn(StageWaiting, true, noon)
	waiting.Name, waiting.ReceptionNotes = "Asha", "walk-in"
	name, notes := "Asha Kulkarni", "brought Form 16"
	corrected, last := changed(t, waiting, assistant, Request{Action: Correct, Name: &name, NewNotes: &notes})
	v, _, err := undo(corrected, assistant, last, Facts{})
	if err != nil || v.Name != "Asha" || v.ReceptionNotes != "walk-in" || v.CorrectedAt != nil {
		t.Errorf("an undone correction: %v: %+v", err, v)
	}
	moved, last := changed(t, waiting, assistant, Request{
		Action: Transfer, Consultant: &Consultant{ID: "consultant-2"}, Notes: "needs GST",
	})
	moved.Name, moved.Bypassed = "Asha Kulkarni", 2
	v, _, err = undo(moved, assistant, last, Facts{})
	if err != nil || v.PANotes != "needs GST" || v.Name != "Asha Kulkarni" || v.Bypassed != 2 || v.Transfers != 0 ||
		*v.ConsultantID != theirConsultant {
		t.Errorf("an undone transfer: %v: %+v", err, v)
	}
}

func TestAChangeIsUndoneByItsActorOrAnAdminWithin30Seconds(t *testing.T) {
	me, stale := actorOf(pa), int64(2)
	v, last := changed(t, visitIn(StageWaiting, true, noon), me, Request{Action: Leave})
	unstaged, sweep, ofUndo := *last, *last, *last
	unstaged.Staged, sweep.Event, ofUndo.Event = false, "visit_no_show", Undone
	cases := []struct {
		name string
		by   Actor
		last *Last
		at   time.Time
		want Request
		err  error
	}{
		{"the actor at 30 s", me, last, noon.Add(UndoFor), Request{}, nil},
		{"the actor at 31 s", me, last, noon.Add(UndoFor + time.Second), Request{}, ErrUndoGone},
		{"another user", actorOf(reception), last, noon, Request{}, ErrForbidden},
		{"an admin", actorOf(admin), last, noon, Request{}, nil},
		{"an older version", me, last, noon, Request{Version: &stale}, ErrUndoGone},
		{"an unknown change", me, nil, noon, Request{}, ErrUndoGone},
		{"a change of a release without stages", me, &unstaged, noon, Request{}, ErrUndoGone},
		{"a change of the service itself", me, &sweep, noon, Request{}, ErrUndoGone},
		{"an undo", me, &ofUndo, noon, Request{}, ErrUndoGone},
	}
	for _, c := range cases {
		c.want.Action = Undo
		outcome, err := v.Decide(c.by, c.want, Facts{At: c.at, Last: c.last})
		if !errors.Is(err, c.err) || (outcome == Apply) != (c.err == nil) {
			t.Errorf("%s: %v, %v", c.name, outcome, err)
		}
		if c.want.Version != nil {
			continue
		}
		action, until, ok := c.last.Undoable(c.by, c.at)
		if ok != (c.err == nil) || ok && (action != Leave || !until.Equal(noon.Add(UndoFor))) {
			t.Errorf("%s: undoable is %v: %s until %s", c.name, ok, action, until)
		}
	}
}

func TestUndoIsRejectedWhileTheConsultantHasAnotherVisitor(t *testing.T) {
	caller := Actor{ID: theirConsultant, Role: consultant}
	other := func(stage Stage) Facts {
		return Facts{Engaged: []Engagement{{ID: "w", ConsultantID: theirConsultant, Token: "T-002", Stage: stage}}}
	}
	missed, last := changed(t, visitIn(StageCalled, true, noon), caller, Request{Action: Miss})
	var open *CallOpenError
	_, _, err := undo(missed, caller, last, other(StageCalled))
	if !errors.As(err, &open) || err.Error() != "You have called T-002." {
		t.Errorf("an undone miss beside an open call: %v", err)
	}
	completed, last := changed(t, visitIn(StageInSession, true, noon), caller, Request{Action: Complete})
	if _, _, err = undo(completed, caller, last, other(StageInSession)); !errors.Is(err, ErrSessionActive) {
		t.Errorf("an undone completion beside a session: %v", err)
	}
	recalled, last := changed(t, visitIn(StageCalled, true, noon), caller, Request{Action: Recall})
	if _, outcome, err := undo(recalled, caller, last, other(StageInSession)); outcome != Apply {
		t.Errorf("an undone recall changes nothing of the consultant's: %v", err)
	}
}

// A moved visitor may be between two visitors whose times differ by a millisecond, so an undo must not round the time.
func TestAnUndoKeepsTheMicrosecondsOfThePlaceInLine(t *testing.T) {
	exactly, rounded := noon.Add(1500*time.Microsecond), noon.Add(time.Millisecond)
	before := visitIn(StageWaiting, true, noon)
	before.MovedDue, before.DueAt, before.RankAt = &rounded, &rounded, rounded
	v := visitIn(StageCalled, true, noon)
	v.MovedDue, v.DueAt, v.RankAt = &exactly, &exactly, exactly
	facts := today()
	facts.Last = &Last{Event: "visit_called", ActorID: theirConsultant, At: noon, Staged: true, Before: &before}
	after, outcome, err := v.Change(Actor{ID: theirConsultant, Role: consultant}, Request{Action: Undo}, facts)
	if outcome != Apply || err != nil {
		t.Fatal(outcome, err)
	}
	for name, at := range map[string]time.Time{"move": *after.MovedDue, "due": *after.DueAt, "rank": after.RankAt} {
		if !at.Equal(exactly) {
			t.Errorf("the time of the %s is %s", name, at)
		}
	}
}
