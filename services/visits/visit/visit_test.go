package visit

import (
	"errors"
	"slices"
	"testing"
	"time"
)

var statuses = []Status{New, Approved, InSession, Completed, Denied}

const theirConsultant = "consultant-1"

func at(status Status) Visit {
	v := Visit{Status: status, Stage: StageOf(status), Version: 3}
	if status != New && status != Denied {
		id := theirConsultant
		v.ConsultantID = &id
	}
	return v
}

func actorOf(role string) Actor {
	if role == consultant {
		return Actor{ID: theirConsultant, Role: role}
	}
	return Actor{ID: "id-of-" + role, Role: role}
}

// S4.transition.03, S4.transition.05, S4.transition.08, S4.transition.10, S4.transition.12: only the changes of status
// in the table are accepted, and each only from the roles in its row.
func TestOnlyTheTransitionsOfTheTableAreAccepted(t *testing.T) {
	accepted := map[[2]Status][]string{
		{New, Approved}:        {pa, admin},
		{New, Denied}:          {pa, admin},
		{Approved, InSession}:  {consultant, admin},
		{InSession, Completed}: {consultant, admin},
	}
	for _, from := range statuses {
		for _, to := range statuses {
			for _, role := range []string{reception, pa, consultant, admin, "stranger"} {
				action, _ := To(to)
				want := Request{Action: action, Consultant: &Consultant{ID: theirConsultant}}
				outcome, err := at(from).Decide(actorOf(role), want, Facts{})
				accepts := slices.Contains(accepted[[2]Status{from, to}], role)
				// ASVS 2.3.1
				if got := outcome == Apply; got != accepts {
					t.Errorf("%s: %s to %s: accepted %v, want %v (%v)", role, from, to, got, accepts, err)
				}
				if (err == nil) != accepts {
					t.Errorf("%s: %s to %s: error %v", role, from, to, err)
				}
			}
		}
	}
}

func TestEachRejectionHasItsError(t *testing.T) {
	stale, other := int64(2), Actor{ID: "consultant-2", Role: consultant}
	var decided *DecidedError
	var illegal *TransitionError
	cases := []struct {
		name string
		v    Visit
		by   Actor
		want Request
		is   func(error) bool
	}{
		{
			"a second decision",
			at(Denied),
			actorOf(pa),
			Request{Action: Approve},
			func(err error) bool { return errors.As(err, &decided) && err.Error() == "Visit is already denied" },
		},
		{
			"completing what was not started",
			at(Approved),
			actorOf(consultant),
			Request{Action: Complete},
			func(err error) bool {
				return errors.As(err, &illegal) && err.Error() == "Cannot change status from approved to completed"
			},
		},
		{
			"starting another's visit",
			at(Approved),
			other,
			Request{Action: Start},
			func(err error) bool { return errors.Is(err, ErrNotAssigned) },
		},
		{
			"starting a visit without a consultant",
			at(New),
			actorOf(consultant),
			Request{Action: Start},
			func(err error) bool { return errors.Is(err, ErrNotAssigned) },
		},
		{
			"a version before the last change",
			at(New),
			actorOf(pa),
			Request{Action: Deny, Version: &stale},
			func(err error) bool { return errors.Is(err, ErrStale) },
		},
		{
			"a role that never decides",
			at(New),
			actorOf(reception),
			Request{Action: Deny},
			func(err error) bool { return errors.Is(err, ErrForbidden) },
		},
		{
			"going back to new",
			at(Approved),
			actorOf(admin),
			Request{},
			func(err error) bool { return errors.Is(err, ErrForbidden) },
		},
	}
	for _, c := range cases {
		if outcome, err := c.v.Decide(c.by, c.want, Facts{}); outcome != Rejected || !c.is(err) {
			t.Errorf("%s: %v, %v", c.name, outcome, err)
		}
	}
}

// The owner is checked before the version, and the version before the state.
func TestChecksComeInTheOrderOfTheAPI(t *testing.T) {
	stale := int64(1)
	stranger := Actor{ID: "consultant-2", Role: consultant}
	_, err := at(Completed).Decide(stranger, Request{Action: Start, Version: &stale}, Facts{})
	if !errors.Is(err, ErrNotAssigned) {
		t.Errorf("a stranger with a stale version: %v", err)
	}
	_, err = at(Completed).Decide(actorOf(consultant), Request{Action: Start, Version: &stale}, Facts{})
	if !errors.Is(err, ErrStale) {
		t.Errorf("the owner with a stale version: %v", err)
	}
}

func TestARepetitionByTheSameActorIsNoError(t *testing.T) {
	me, other, they := actorOf(pa), Actor{ID: "other", Role: pa}, theirConsultant
	approved := at(Approved)
	approved.DecidedBy = &me.ID
	same := Request{Action: Approve, Consultant: &Consultant{ID: they}}
	outcome, err := approved.Decide(me, same, Facts{})
	if outcome != Repeated || err != nil {
		t.Errorf("the same approval again: %v, %v", outcome, err)
	}
	another := Request{Action: Approve, Consultant: &Consultant{ID: "consultant-2"}}
	if outcome, _ := approved.Decide(me, another, Facts{}); outcome != Rejected {
		t.Error("approval for another consultant is not a retry")
	}
	if outcome, _ := approved.Decide(other, same, Facts{}); outcome != Rejected {
		t.Error("another user's approval is not a retry")
	}
	denied := at(Denied)
	denied.DecidedBy = &me.ID
	if outcome, _ := denied.Decide(me, Request{Action: Deny}, Facts{}); outcome != Repeated {
		t.Error("the same denial again is a retry")
	}
	running := at(InSession)
	running.StartedBy = &they
	if outcome, _ := running.Decide(actorOf(consultant), Request{Action: Start}, Facts{}); outcome != Repeated {
		t.Error("the same start again is a retry")
	}
	if outcome, _ := running.Decide(actorOf(admin), Request{Action: Start}, Facts{}); outcome != Rejected {
		t.Error("an admin's start of a running session is not the consultant's retry")
	}
	done := at(Completed)
	done.CompletedBy = &they
	if outcome, _ := done.Decide(actorOf(consultant), Request{Action: Complete}, Facts{}); outcome != Repeated {
		t.Error("the same completion again is a retry")
	}
}

// S3.visit.05: notes shows the latest notes that are not empty.
func TestTheLatestNotesAreShown(t *testing.T) {
	if got := (Visit{}).Notes(); got != "" {
		t.Errorf("notes of a visit without notes: %q", got)
	}
	v := Visit{ReceptionNotes: "brought Form 16"}
	for _, step := range []struct{ add, want string }{
		{"", "brought Form 16"}, {"urgent", "urgent"}, {"filed", "filed"},
	} {
		if step.add == "urgent" {
			v.PANotes = step.add
		}
		if step.add == "filed" {
			v.SessionNotes = step.add
		}
		if got := v.Notes(); got != step.want {
			t.Errorf("notes are %q, want %q", got, step.want)
		}
	}
}

// S3.visit.06, S3.visit.07: minutes of waiting are rounded down, minutes of a session to the nearest and at least one.
func TestMinutes(t *testing.T) {
	began := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	after := func(d time.Duration) *time.Time { x := began.Add(d); return &x }
	v := Visit{Status: New, CreatedAt: began}
	if got := v.WaitMinutes(began.Add(119 * time.Second)); got != 1 {
		t.Errorf("119 seconds of waiting are %d minutes", got)
	}
	if v.FinalWait() != nil || v.SessionMinutes() != nil {
		t.Error("a visitor who waits has no final figures")
	}
	v.Stage, v.DecidedAt, v.UpdatedAt = StageDenied, after(10*time.Minute), *after(10 * time.Minute)
	if got := v.WaitMinutes(began.Add(time.Hour)); got != 10 {
		t.Errorf("a denied visitor waited %d minutes", got)
	}
	v.Stage, v.StartedAt = StageInSession, after(12*time.Minute)
	v.UpdatedAt = *v.StartedAt
	if got := *v.FinalWait(); got != 12 {
		t.Errorf("a visitor in session waited %d minutes", got)
	}
	for _, c := range []struct {
		took time.Duration
		want int
	}{{10 * time.Second, 1}, {89 * time.Second, 1}, {90 * time.Second, 2}, {30 * time.Minute, 30}} {
		v.Stage, v.CompletedAt = StageCompleted, after(12*time.Minute+c.took)
		if got := *v.SessionMinutes(); got != c.want {
			t.Errorf("a session of %s is %d minutes, want %d", c.took, got, c.want)
		}
	}
}

func TestThePhoneIsUnmaskedOnlyForRolesThatHandleTheVisit(t *testing.T) {
	const today = "2026-11-20"
	v := Visit{Phone: "9876543210", Day: today, Status: Approved}
	old := v
	old.Day = "2026-11-19"
	done := v
	done.Status = Completed
	cases := []struct {
		v     Visit
		role  string
		whole bool
	}{
		{v, reception, true}, {v, pa, true}, {v, admin, true}, {v, consultant, true},
		{old, reception, false}, {old, pa, false}, {old, admin, true}, {old, consultant, true},
		{done, consultant, false}, {done, admin, true}, {v, "stranger", false},
	}
	for _, c := range cases {
		want := "98******10"
		if c.whole {
			want = "9876543210"
		}
		// ASVS 8.2.3, 14.2.6
		if got := c.v.PhoneFor(c.role, today); got != want {
			t.Errorf("%s sees %s of a visit of %s in %s, want %s", c.role, got, c.v.Day, c.v.Status, want)
		}
	}
}

func TestATokenHasTheLetterOfItsSeries(t *testing.T) {
	for series, want := range map[string]string{"A": "A-007", "H": "H-007", SeriesT: "T-007", "": "T-007"} {
		if got := (Visit{Series: series, TokenNo: 7}).Token(); got != want {
			t.Errorf("the token of series %q is %s, want %s", series, got, want)
		}
	}
}

func TestATokenHasAtLeastThreeDigits(t *testing.T) {
	for number, want := range map[int]string{1: "T-001", 42: "T-042", 999: "T-999", 1000: "T-1000"} {
		if got := Token(SeriesT, number); got != want {
			t.Errorf("token %d is %s, want %s", number, got, want)
		}
	}
}

func TestAttendAllowsTheConsultantAndAdminsUntilTheVisitIsOver(t *testing.T) {
	for _, c := range []struct {
		status Status
		by     Actor
		want   error
	}{
		{Approved, actorOf(consultant), nil},
		{InSession, actorOf(admin), nil},
		{InSession, Actor{ID: "consultant-2", Role: consultant}, ErrNotAssigned},
		{New, actorOf(consultant), ErrNotAssigned},
		{Completed, actorOf(consultant), ErrOver},
		{Denied, actorOf(admin), ErrOver},
	} {
		if err := at(c.status).Attend(c.by); !errors.Is(err, c.want) {
			t.Errorf("%s by %s: %v, want %v", c.status, c.by.ID, err, c.want)
		}
	}
}

func TestAVisitIsHandledByTheUsersThatTheReportNames(t *testing.T) {
	name := func(id string) *string { return &id }
	v := Visit{
		CreatedBy:    "1",
		DecidedBy:    name("2"),
		ConsultantID: name("3"),
		StartedBy:    name("4"),
		CompletedBy:  name("5"),
		CalledBy:     name("6"),
		EndedBy:      name("6"),
	}
	for _, id := range []string{"1", "2", "3", "4", "5"} {
		if !v.HandledBy(id) {
			t.Errorf("not by %s", id)
		}
	}
	if v.HandledBy("6") || (Visit{}).HandledBy("1") {
		t.Error("by a user whom the report after a breach does not name without the access log")
	}
}

func TestMaskedShowsNothingOfAShortOrErasedPhone(t *testing.T) {
	for phone, want := range map[string]string{"": "", "123": "**********", "9876543210": "98******10"} {
		if got := Masked(phone); got != want {
			t.Errorf("%q is shown as %q", phone, got)
		}
	}
}
