package visit

import (
	"errors"
	"reflect"
	"testing"
	"time"
)

// S4.transition.03: each transition records its actor and its time, and keeps the records of earlier ones.
func TestAChangeRecordsWhoMadeItAndWhen(t *testing.T) {
	day := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	const half = 30 * time.Minute
	after := func(minutes int) time.Time { return day.Add(time.Duration(minutes) * time.Minute) }
	assistant := Actor{ID: "p", Name: "Meera", Role: pa}
	consultant := Actor{ID: theirConsultant, Name: "CA Rao", Role: consultant}
	v := Visit{
		Status: New, Stage: StageNew, Class: "normal", RankAt: day, Version: 1, ReceptionNotes: "walk-in",
		CreatedAt: day, UpdatedAt: day,
	}
	chosen := &Consultant{theirConsultant, "CA Rao"}
	for i, step := range []struct {
		by   Actor
		want Request
		to   Stage
	}{
		{assistant, Request{Action: Approve, Consultant: chosen, Notes: "urgent"}, StageWaiting},
		{consultant, Request{Action: Start}, StageInSession},
		{consultant, Request{Action: Complete, Notes: "filed"}, StageCompleted},
	} {
		facts := Facts{At: after(i + 1), Allowances: map[string]time.Duration{"normal": half}}
		next, outcome, err := v.Change(step.by, step.want, facts)
		if outcome != Apply || err != nil || next.Version != v.Version+1 || next.Stage != step.to ||
			!next.UpdatedAt.Equal(after(i+1)) {
			t.Fatalf("%s: %v, %v: %+v", step.to, outcome, err, next)
		}
		v = next
	}
	due := day.Add(half)
	one, two, three := after(1), after(2), after(3)
	p, meera, rao, name := "p", "Meera", theirConsultant, "CA Rao"
	want := Visit{
		Status: Completed, Version: 4, CreatedAt: day, UpdatedAt: three,
		ReceptionNotes: "walk-in", PANotes: "urgent", SessionNotes: "filed",
		ConsultantID: &rao, ConsultantName: &name, DecidedAt: &one, DecidedBy: &p, DecidedByName: &meera,
		StartedAt: &two, StartedBy: &rao, CompletedAt: &three, CompletedBy: &rao,
		Stage: StageCompleted, Class: "normal", Pinned: true, RankAt: day, DueAt: &due, Sittings: 1, SessionSecs: 60,
	}
	if !reflect.DeepEqual(v, want) {
		t.Errorf("the visit is %+v, want %+v", v, want)
	}
}

func TestADenialAssignsNoConsultant(t *testing.T) {
	v, outcome, err := at(
		New,
	).Change(actorOf(pa), Request{Action: Deny, Notes: "wrong office"}, Facts{At: time.Now()})
	if outcome != Apply || err != nil || v.ConsultantID != nil || v.PANotes != "wrong office" || v.DecidedAt == nil {
		t.Errorf("%v, %v: %+v", outcome, err, v)
	}
}

func TestARejectedOrRepeatedChangeReturnsTheVisitUnchanged(t *testing.T) {
	approved := at(Approved)
	decider := actorOf(pa).ID
	approved.DecidedBy = &decider
	for _, c := range []struct {
		by      Actor
		want    Request
		outcome Outcome
		err     error
	}{
		{actorOf(reception), Request{Action: Deny}, Rejected, ErrForbidden},
		{actorOf(pa), Request{Action: Approve, Consultant: &Consultant{ID: theirConsultant}}, Repeated, nil},
	} {
		v, outcome, err := approved.Change(c.by, c.want, Facts{At: time.Now()})
		if outcome != c.outcome || !errors.Is(err, c.err) || !reflect.DeepEqual(v, approved) {
			t.Errorf("%s to %s: %v, %v: %+v", c.by.Role, c.want.Action, outcome, err, v)
		}
	}
}
