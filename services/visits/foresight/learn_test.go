package foresight

import (
	"fmt"
	"math"
	"testing"
	"time"

	"baari.dev/services/visits/line"
)

// learnedOf returns the Model that is learned from n visitors, two hours apart. of(i, id, at) returns the sittings of
// the i-th visitor.
func learnedOf(n int, of func(i int, id string, at time.Time) []Sitting) *Model {
	now := time.Date(2026, time.March, 2, 10, 0, 0, 0, time.UTC)
	var all []Sitting
	for i := range n {
		at := now.Add(-time.Duration(n-i) * 2 * time.Hour)
		all = append(all, of(i, fmt.Sprint("v", i), at)...)
	}
	o := Setup{
		Policy: line.DefaultPolicy(), Services: []Service{{ID: "s", EstMinutes: 30}}, Consultants: []Consultant{{ID: "c"}},
	}
	return Learn(o, History{Sittings: all}, now)
}

func sat(id string, from time.Time, minutes float64, as Outcome) Sitting {
	return Sitting{
		VisitID: id, ServiceID: "s", ConsultantID: "c", Class: line.Normal, Registered: from.Add(-20 * time.Minute),
		Joined: from.Add(-15 * time.Minute), Called: from.Add(-time.Minute), Started: from,
		Ended:   from.Add(duration(minutes)),
		EndedAs: as,
	}
}

func TestTheStretchesOfAHeldSessionAreOneSession(t *testing.T) {
	whole := learnedOf(300, func(_ int, id string, at time.Time) []Sitting {
		return []Sitting{sat(id, at, 40, Completed)}
	})
	parts := learnedOf(300, func(_ int, id string, at time.Time) []Sitting {
		return []Sitting{sat(id, at, 10, Held), sat(id, at.Add(20*time.Minute), 30, Completed)}
	})
	if a, b := whole.session[0][0].mean(), parts.session[0][0].mean(); math.Abs(a-b) > 1 {
		t.Errorf("sessions of 40 minutes are %.1f, with a hold %.1f", a, b)
	}
}

func TestWhatIsTooOldIsNotLearned(t *testing.T) {
	m := learnedOf(300, func(i int, id string, at time.Time) []Sitting {
		if i%2 == 0 {
			return []Sitting{sat(id, at.Add(-maxAge-24*time.Hour), 300, Completed)}
		}
		return []Sitting{sat(id, at, 20, Completed)}
	})
	if mean := m.session[0][0].mean(); math.Abs(mean-20) > 2 {
		t.Errorf("the mean of sessions of 20 minutes is %.1f", mean)
	}
}

// Every fourth visitor misses the first call, and half of these visitors come back.
func TestTheShareOfMissedCallsIsLearned(t *testing.T) {
	m := learnedOf(800, func(i int, id string, at time.Time) []Sitting {
		missed := sat(id, at, 3, Missed)
		missed.Called, missed.Started = at, time.Time{}
		switch i % 8 {
		case 0:
			return []Sitting{missed}
		case 1:
			return []Sitting{missed, sat(id, at.Add(30*time.Minute), 20, Completed)}
		}
		return []Sitting{sat(id, at, 20, Completed)}
	})
	if want := 2.0 / 9; math.Abs(m.missed-want) > 0.03 { // 2 of the 9 calls of 8 visitors are missed
		t.Errorf("the share of missed calls is %.2f, want %.2f", m.missed, want)
	}
	if math.Abs(m.returned-0.5) > 0.05 {
		t.Errorf("the share of those who came back is %.2f", m.returned)
	}
}
