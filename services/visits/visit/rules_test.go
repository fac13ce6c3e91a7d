package visit

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func today() Facts {
	return Facts{
		At: noon, Today: "2026-11-24", DayStart: noon.Add(-12 * time.Hour), MissAfter: time.Minute,
		Local:      "24 Nov, 5:30 PM",
		Allowances: map[string]time.Duration{"normal": 30 * time.Minute, "priority": 5 * time.Minute},
	}
}

func TestTheKindOfAnEventNamesItsAction(t *testing.T) {
	for event, want := range map[string]Action{
		Created: Create, "visit_called": Next, "visit_left": Leave, "visit_no_show": "", Undone: "", "other": "",
	} {
		if got := ActionOf(event); got != want {
			t.Errorf("%s is %q, want %q", event, got, want)
		}
	}
	rule, _ := RuleOf(Complete)
	if got := rule.Roles(); !slices.Equal(got, []string{admin, consultant}) {
		t.Errorf("roles that complete: %v", got)
	}
	if !Approve.Decides() || !Deny.Decides() || Start.Decides() {
		t.Error("a decision is an approval or a denial")
	}
}

// The undo, which has its own error, is in undo_test.go.
func TestEveryActionRejectsAnOlderVersion(t *testing.T) {
	for _, rule := range Actions {
		if rule.Action == Undo {
			continue
		}
		accepted := 0
		for _, stage := range rule.From {
			for _, grant := range rule.Grants {
				v, by, facts := visitIn(stage, true, noon), Actor{ID: theirConsultant, Role: grant.Role}, today()
				if rule.Action == Take {
					v, facts.Eligible = v.assigned(nil), true
				}
				old := v.Version - 1
				want := Request{
					Action: rule.Action, Consultant: &Consultant{ID: theirConsultant}, Class: "priority", RankAt: &noon,
					Reason: "late",
				}
				if outcome, _ := v.Decide(by, want, facts); outcome != Apply {
					continue
				}
				accepted++
				want.Version = &old
				if outcome, err := v.Decide(by, want, facts); outcome != Rejected || !errors.Is(err, ErrStale) {
					t.Errorf("%s of a visit that is %s by %s: %v, %v", rule.Action, stage, grant.Role, outcome, err)
				}
			}
		}
		if accepted == 0 {
			t.Errorf("%s is never accepted", rule.Action)
		}
	}
}

func TestACallIsNotRepeatedAtOnce(t *testing.T) {
	v := visitIn(StageCalled, true, noon)
	caller := Actor{ID: theirConsultant, Role: consultant}
	var soon *TooSoonError
	for _, c := range []struct {
		action Action
		after  time.Duration // time since the call
		calls  int
		wait   time.Duration
	}{
		{Recall, 9 * time.Second, 1, time.Second},
		{Recall, 10 * time.Second, 1, 0},
		{Miss, 30 * time.Second, 1, 30 * time.Second},
		{Miss, 30 * time.Second, 2, 0},
	} {
		called := noon.Add(-c.after)
		v.CalledAt, v.CallCount = &called, c.calls
		outcome, err := v.Decide(caller, Request{Action: c.action}, today())
		if c.wait == 0 && outcome != Apply {
			t.Errorf("%s after %s: %v", c.action, c.after, err)
		}
		if c.wait > 0 && (!errors.As(err, &soon) || soon.Wait != c.wait || !strings.Contains(err.Error(), "just now")) {
			t.Errorf("%s after %s: %v", c.action, c.after, err)
		}
	}
}

func TestAConsultantHasOneVisitorAtATime(t *testing.T) {
	v, caller := visitIn(StageWaiting, true, noon), Actor{ID: theirConsultant, Role: consultant}
	facts := today()
	for _, c := range []struct {
		other Engagement
		free  bool
	}{
		{Engagement{ID: "v", ConsultantID: theirConsultant, Stage: StageCalled}, true},
		{Engagement{ID: "w", ConsultantID: "consultant-2", Stage: StageInSession}, true},
		{Engagement{ID: "w", ConsultantID: theirConsultant, Stage: StageInSession}, false},
		{Engagement{ID: "w", ConsultantID: theirConsultant, Stage: StageCalled, Token: "T-002"}, false},
	} {
		facts.Engaged = []Engagement{c.other}
		outcome, err := v.Decide(caller, Request{Action: Start}, facts)
		if (outcome == Apply) != c.free {
			t.Errorf("start beside %+v: %v", c.other, err)
		}
	}
}

func TestAnAdminStartsASessionFromTheLineForANamedConsultant(t *testing.T) {
	v := visitIn(StageWaiting, true, noon).assigned(nil)
	var illegal *TransitionError
	if _, err := v.Decide(actorOf(admin), Request{Action: Start}, today()); !errors.As(err, &illegal) {
		t.Errorf("without a consultant: %v", err)
	}
	want := Request{Action: Start, Consultant: &Consultant{ID: "consultant-2", Name: "CA Iyer"}, Notes: "began"}
	after, outcome, err := v.Change(actorOf(admin), want, today())
	if outcome != Apply || err != nil || *after.ConsultantID != "consultant-2" || after.SessionNotes != "began" {
		t.Errorf("%v, %v: %+v", outcome, err, after)
	}
}

func TestOnlyAVisitOfAnEarlierDayIsResumedFromTheLineAndOnlyOneThatEndedTodayReopened(t *testing.T) {
	v := visitIn(StageWaiting, true, noon)
	var wrong *ActionError
	if _, err := v.Decide(actorOf(pa), Request{Action: Resume}, today()); !errors.As(err, &wrong) ||
		err.Error() != "This cannot be done while the visit is waiting." {
		t.Errorf("a visit of today: %v", err)
	}
	v.RankAt, v.Pinned = noon.Add(-24*time.Hour), false
	after, outcome, err := v.Change(actorOf(pa), Request{Action: Resume}, today())
	if outcome != Apply || !after.RankAt.Equal(noon) || after.ConsultantID != nil {
		t.Errorf("a left-over visit ranks from now on: %v: %+v", err, after)
	}
	for stage, end := range map[Stage]func(v *Visit, at *time.Time){
		StageLeft:      func(v *Visit, at *time.Time) { v.EndedAt = at },
		StageCompleted: func(v *Visit, at *time.Time) { v.CompletedAt = at },
		StageDenied:    func(v *Visit, at *time.Time) { v.DecidedAt = at },
	} {
		carried := visitIn(stage, true, noon)
		carried.Day = "2026-11-23"
		for at, want := range map[time.Time]Outcome{noon: Apply, noon.Add(-24 * time.Hour): Rejected} {
			end(&carried, &at)
			if got, err := carried.Decide(actorOf(pa), Request{Action: Reopen}, today()); got != want {
				t.Errorf("reopening a visit of yesterday that is %s since %s: %v, %v", stage, at, got, err)
			}
		}
		end(&carried, nil) // rows of earlier releases have no time
		if got, err := carried.Decide(actorOf(pa), Request{Action: Reopen}, today()); got != Rejected {
			t.Errorf("reopening a visit of yesterday that is %s, without the time: %v, %v", stage, got, err)
		}
	}
	undecided := visitIn(StageLeft, true, noon)
	undecided.DecidedAt = nil
	if after, _, err := undecided.Change(actorOf(pa), Request{Action: Reopen}, today()); after.Stage != StageNew {
		t.Errorf("a visit that left before its decision is new again: %v: %+v", err, after)
	}
}

func TestAReopenedCompletionWaitsForItsConsultant(t *testing.T) {
	v := visitIn(StageCompleted, true, noon)
	v.Pinned = false
	after, _, err := v.Change(Actor{ID: theirConsultant, Role: consultant}, Request{Action: Reopen}, today())
	if err != nil || !after.Pinned || *after.ConsultantID != theirConsultant {
		t.Errorf("%v: %+v", err, after)
	}
}

func TestATransferNamesAServiceAndWritesTheNoteOfTheActor(t *testing.T) {
	service := &Service{ID: "gst", Name: "GST"}
	for role, field := range map[string]func(Visit) string{
		consultant: func(v Visit) string { return v.SessionNotes },
		pa:         func(v Visit) string { return v.PANotes },
	} {
		v := visitIn(StageInSession, true, noon)
		v.SessionNotes, v.PANotes = "first", "first"
		by := Actor{ID: theirConsultant, Name: "Ravi", Role: role}
		want := Request{Action: Transfer, ToLine: true, Service: service, Notes: "second"}
		after, outcome, err := v.Change(by, want, today())
		if outcome != Apply || after.ServiceName != "GST" || after.Pinned ||
			field(after) != "first\n[24 Nov, 5:30 PM, Ravi] second" {
			t.Errorf("%s: %v, %v: %+v", role, outcome, err, after)
		}
	}
	left := visitIn(StageLeft, true, noon)
	want := Request{Action: Reopen, Notes: strings.Repeat("न", LongestNotes+1)}
	_, outcome, err := left.Change(actorOf(reception), want, today())
	var long *NotesLongError
	if outcome != Rejected || !errors.As(err, &long) || long.Left != LongestNotes {
		t.Errorf("a note that is too long: %v, %v", outcome, err)
	}
}

func TestACorrectionReplacesTheFieldsThatItHas(t *testing.T) {
	v := visitIn(StageInSession, true, noon)
	v.Name, v.Phone = "Asha", "9876543210"
	phone, notes := "9876500000", "brought Form 16"
	want := Request{Action: Correct, Phone: &phone, NewNotes: &notes, Service: &Service{ID: "gst", Name: "GST"}}
	after, outcome, err := v.Change(actorOf(pa), want, today())
	if outcome != Apply || after.Name != "Asha" || after.Phone != phone || after.ReceptionNotes != notes ||
		after.ServiceID != "gst" || after.SatSince == nil || !after.CorrectedAt.Equal(noon) {
		t.Errorf("%v, %v: %+v", outcome, err, after)
	}
}

// A request for the same change as the actor's last one is a repetition; with other arguments it is another change.
func TestARepetitionHasTheArgumentsOfTheLastChange(t *testing.T) {
	by, until, later := actorOf(admin), noon.Add(time.Hour), noon.Add(2*time.Hour)
	mine, other := &Consultant{ID: theirConsultant}, &Consultant{ID: "consultant-2"}
	name := "Asha"
	held := visitIn(StageHeld, true, noon)
	held.HeldReason, held.HeldUntil = "papers", &until
	waiting := visitIn(StageWaiting, true, noon)
	waiting.ServiceID, waiting.MovedReason, waiting.Name = "gst", "frail", name
	line := waiting.assigned(nil)
	for _, c := range []struct {
		v     Visit
		want  Request
		again bool
	}{
		{visitIn(StageCalled, true, noon), Request{Action: Call, Consultant: mine}, true},
		{visitIn(StageCalled, true, noon), Request{Action: Call, Consultant: other}, false},
		{held, Request{Action: Hold, Reason: "papers", Until: &until}, true},
		{held, Request{Action: Hold, Reason: "papers", Until: &later}, false},
		{held, Request{Action: Hold, Reason: "papers"}, false},
		{waiting, Request{Action: Transfer, Consultant: mine, Service: &Service{ID: "gst"}}, true},
		{waiting, Request{Action: Transfer, Consultant: mine, Service: &Service{ID: "itr"}}, false},
		{line, Request{Action: Transfer, ToLine: true}, true},
		{waiting, Request{Action: Transfer, ToLine: true}, false},
		{waiting, Request{Action: Pin, Consultant: mine}, true},
		{waiting, Request{Action: Pin, Consultant: other}, false},
		{waiting, Request{Action: Move, InPlace: true, Reason: "frail"}, true},
		{waiting, Request{Action: Move, Reason: "frail"}, false},
		{waiting, Request{Action: Prioritise, Class: "normal"}, true},
		{waiting, Request{Action: Prioritise, Class: "priority"}, false},
		{waiting, Request{Action: Correct, Name: &name}, true},
		{visitIn(StageMissed, true, noon), Request{Action: Miss}, true},
		{visitIn(StageCalled, true, noon), Request{Action: Recall}, false},
	} {
		rule, _ := RuleOf(c.want.Action)
		facts := today()
		facts.Last = &Last{Event: rule.Event, ActorID: by.ID, At: noon}
		if outcome, err := c.v.Decide(by, c.want, facts); (outcome == Repeated) != c.again {
			t.Errorf("%s %+v again: %v, %v", c.want.Action, c.want, outcome, err)
		}
	}
}

// A session of a release without sittings lasts from its start to its completion.
func TestTheLengthOfASessionIsThatOfItsSittings(t *testing.T) {
	start, end := noon, noon.Add(40*time.Minute)
	v := Visit{StartedAt: &start, CompletedAt: &end}
	if got := v.SessionLength(); got != 40*time.Minute {
		t.Errorf("without sittings: %s", got)
	}
	if v.SessionSecs = 600; v.SessionLength() != 10*time.Minute {
		t.Errorf("with sittings: %s", v.SessionLength())
	}
}

func TestErrorsSayWhatTheyAreAbout(t *testing.T) {
	for want, err := range map[string]error{
		"Visit is already approved":                      &DecidedError{Status: Approved},
		"Cannot change status from new to completed":     &TransitionError{From: New, To: Completed},
		"This cannot be done while the visit is missed.": &ActionError{Stage: StageMissed},
		"You have called T-007.":                         &CallOpenError{Token: "T-007"},
		"Imran Sheikh has called T-007.":                 &CallOpenError{"T-007", "Imran Sheikh"},
		"You already have an active session":             &SessionActiveError{},
		"Imran Sheikh already has an active session":     &SessionActiveError{"Imran Sheikh"},
	} {
		if err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
}
