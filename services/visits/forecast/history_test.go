package forecast

import (
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/foresight"
)

var sixth = time.Date(2026, 11, 6, 10, 0, 0, 0, time.UTC)

func minute(n int) wire.Time { return wire.Time(sixth.Add(time.Duration(n) * time.Minute)) }

func minuteOf(n int) *wire.Time { at := minute(n); return &at }

// ofStage returns a visit with the consultant Rao in the form that events have: registered at minute 0, decided at 5,
// called at 10, in session from 12.
func ofStage(stage string) contract.Visit {
	rao := "rao"
	status := stage
	if stage == "waiting" || stage == "called" || stage == "missed" || stage == "held" {
		status = contract.StatusApproved
	}
	return contract.Visit{
		ID: "v", ServiceID: "itr", Stage: stage, Status: status, ConsultantID: &rao, Class: "normal", CreatedAt: minute(0),
		DecidedAt: minuteOf(5), CalledAt: minuteOf(10), CallCount: 1, SatSince: minuteOf(12), UpdatedAt: minute(12),
	}
}

func TestWhichChangesEndASitting(t *testing.T) {
	for _, c := range []struct {
		kind, from, to string
		ended          foresight.Outcome // "": none
	}{
		{contract.VisitCompleted, "in-session", "completed", foresight.Completed},
		{contract.VisitHeld, "in-session", "held", foresight.Held},
		{contract.VisitTransferred, "in-session", "waiting", foresight.Transferred},
		{contract.VisitMissed, "called", "missed", foresight.Missed},
		{contract.VisitCorrected, "in-session", "in-session", ""},
		{contract.VisitHeld, "called", "held", ""},
		{contract.VisitTransferred, "waiting", "waiting", ""},
		{contract.VisitLeft, "missed", "left", ""},
	} {
		before, after := ofStage(c.from), ofStage(c.to)
		after.UpdatedAt = minute(40)
		got := historyOf(c.kind, &before, after).sitting
		if (got != nil) != (c.ended != "") || got != nil && got.EndedAs != c.ended {
			t.Errorf("%s from %s to %s ended %+v", c.kind, c.from, c.to, got)
			continue
		}
		if got == nil {
			continue
		}
		started := sixth.Add(12 * time.Minute)
		if c.ended == foresight.Missed {
			started = time.Time{}
		}
		if !got.Registered.Equal(sixth) || !got.Joined.Equal(sixth.Add(5*time.Minute)) ||
			!got.Called.Equal(sixth.Add(10*time.Minute)) || !got.Started.Equal(started) ||
			!got.Ended.Equal(sixth.Add(40*time.Minute)) {
			t.Errorf("%s: %+v", c.kind, got)
		}
	}
	released := ofStage("in-session")
	released.CallCount = 0 // the call was undone, and the session began without a call
	if got := historyOf(contract.VisitCompleted, &released, ofStage("completed")).sitting; !got.Called.Equal(got.Started) {
		t.Errorf("a session without a call is learned: %+v", got)
	}
	without := ofStage("in-session")
	without.ConsultantID = nil
	if got := historyOf(contract.VisitCompleted, &without, ofStage("completed")).sitting; got != nil {
		t.Errorf("a session without a consultant is learned: %+v", got)
	}
}

// If a paired desk registered the visitor without network, the sitting has the arrival that the desk noted.
func TestASittingOfAnOfflineVisitBeginsWithItsArrival(t *testing.T) {
	before := ofStage("in-session")
	before.ArrivedAt, before.DecidedAt, before.Class = minuteOf(-30), nil, ""
	got := historyOf(contract.VisitCompleted, &before, ofStage("completed")).sitting
	if got == nil || !got.Registered.Equal(sixth.Add(-30*time.Minute)) || !got.Joined.Equal(got.Registered) ||
		got.Class != "normal" {
		t.Errorf("the sitting is %+v", got)
	}
}

func TestHowPromisesEnd(t *testing.T) {
	other := ofStage("waiting")
	other.ServiceID = "gst"
	undone := func(kind, from, to string) (before, after contract.Visit) {
		before, after = ofStage(from), ofStage(to)
		after.Undone, after.UpdatedAt = kind, minute(13)
		return before, after
	}
	for _, c := range []struct {
		what, kind string
		after      contract.Visit
		want       string
	}{
		{"a correction of the service", contract.VisitCorrected, other, outcomeTransferred},
		{"a correction of the name", contract.VisitCorrected, ofStage("waiting"), ""},
		{"a no-show", contract.VisitNoShow, ofStage("no-show"), outcomeNoShow},
		{"a move", contract.VisitMoved, ofStage("waiting"), outcomeMoved},
		{"a recall", contract.VisitRecalled, ofStage("called"), ""},
	} {
		before := ofStage("waiting")
		ends := historyOf(c.kind, &before, c.after).ends
		if (len(ends) == 1) != (c.want != "") || len(ends) == 1 && ends[0].outcome != c.want {
			t.Errorf("%s ends %+v, want %q", c.what, ends, c.want)
		}
	}
	for _, c := range []struct {
		undone, from, to string
		kind             foresight.Kind
		ofCall, goesOn   bool
	}{
		{contract.VisitCreated, "new", "cancelled", "", false, false},
		{contract.VisitApproved, "waiting", "new", foresight.Join, false, false},
		{contract.VisitCalled, "called", "waiting", "", true, false},
		{contract.VisitInSession, "in-session", "waiting", "", true, false},
	} {
		before, after := undone(c.undone, c.from, c.to)
		h := historyOf(contract.VisitUndone, &before, after)
		if len(h.ends) != 1 || h.ends[0].outcome != outcomeUndone || h.ends[0].kind != c.kind ||
			(h.ends[0].call != nil) != c.ofCall || h.undoes != c.goesOn {
			t.Errorf("the undo of %s: %+v", c.undone, h)
		}
	}
	for _, c := range [][3]string{
		{contract.VisitCompleted, "completed", "in-session"}, {contract.VisitHeld, "held", "in-session"},
		{contract.VisitMissed, "missed", "called"},
	} {
		before, after := undone(c[0], c[1], c[2])
		if h := historyOf(contract.VisitUndone, &before, after); !h.undoes || len(h.ends) != 0 || h.sitting != nil {
			t.Errorf("the undo of %s: %+v", c[0], h)
		}
	}
	before, after := undone(contract.VisitHeld, "held", "waiting")
	if h := historyOf(contract.VisitUndone, &before, after); h.undoes {
		t.Error("the undo of a hold out of the line takes a sitting back")
	}
}

func TestTheAverageSession(t *testing.T) {
	setup := foresight.Setup{Services: []foresight.Service{{EstMinutes: 20}, {EstMinutes: 40}}}
	missed := foresight.Sitting{Ended: sixth.Add(time.Hour)}
	session := foresight.Sitting{Started: sixth, Ended: sixth.Add(10 * time.Minute)}
	for _, c := range []struct {
		setup    foresight.Setup
		sittings []foresight.Sitting
		want     float64
	}{
		{setup, []foresight.Sitting{session, missed}, 10},
		{setup, []foresight.Sitting{missed}, 30},
		{foresight.Setup{}, nil, 0},
	} {
		if got := averageSession(c.setup, c.sittings); got != c.want {
			t.Errorf("the average of %d sittings is %v, want %v", len(c.sittings), got, c.want)
		}
	}
}
