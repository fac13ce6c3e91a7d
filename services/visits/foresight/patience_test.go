package foresight

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"baari.dev/services/visits/line"
)

var noon = time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)

// stays returns the history of n visitors who would be called within two hours, but leave earlier if their drawn
// patience is shorter.
func stays(n int, patience func() float64) (h History) {
	random := rand.New(rand.NewPCG(5, 5))
	for i := range n {
		joined := noon.Add(-time.Duration(n-i) * 5 * time.Minute)
		wait, gone := 120*random.Float64(), patience()
		if gone < wait {
			h.Left = append(h.Left, Departure{Joined: joined, Left: joined.Add(duration(gone))})
			continue
		}
		called := joined.Add(duration(wait))
		h.Sittings = append(h.Sittings, Sitting{
			VisitID: fmt.Sprint("v", i), ServiceID: "s", ConsultantID: "c", Joined: joined, Called: called,
			Started: called, Ended: called.Add(30 * time.Minute), EndedAs: Completed,
		})
	}
	return h
}

func TestTheLearnedPatienceIsThatOfThoseWhoLeftAndOfThoseWhoWereCalledBefore(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	h := stays(6000, func() float64 { return 90 * random.ExpFloat64() })
	l := learnPatience(h.Sittings, h.Left, noon)
	for _, share := range []float64{0.1, 0.3, 0.5, 0.7} { // a share of exp(-120/90) stays for two hours
		got, expected := l.values[int(share*quantiles)], -90*math.Log(1-share)
		if math.Abs(got-expected) > 0.12*expected {
			t.Errorf("a share of %v has left after %.1f minutes, expected %.1f", share, got, expected)
		}
	}
}

func TestWithoutDeparturesAllStay(t *testing.T) {
	h := stays(50, func() float64 { return 1000 })
	if l := learnPatience(h.Sittings, h.Left, noon); l != nil {
		t.Errorf("the patience is %v", l.values)
	}
	old := []Departure{{Joined: noon.Add(-maxAge - 2*time.Hour), Left: noon.Add(-maxAge - time.Hour)}}
	if l := learnPatience(h.Sittings, old, noon); l != nil {
		t.Errorf("of a departure older than what is learned from: %v", l.values)
	}
	one := []Departure{{Joined: noon.Add(-2 * time.Hour), Left: noon.Add(-time.Hour)}}
	l := learnPatience(h.Sittings, one, noon)
	if stay := quantiles - l.above(60); stay < 9*quantiles/10 {
		t.Errorf("after one departure of 51 visitors %d of %d stay for an hour", stay, quantiles)
	}
}

func TestOthersWhoLeaveShortenTheWaitAndTheVisitorsOwnPatienceDoesNot(t *testing.T) {
	o := Setup{
		Policy: line.DefaultPolicy(), Services: []Service{{ID: "s", EstMinutes: 30}}, Consultants: []Consultant{{ID: "c"}},
	}
	random := rand.New(rand.NewPCG(7, 7))
	h := stays(2000, func() float64 { return 60 * random.ExpFloat64() })
	s := State{At: noon, Desks: []Desk{{
		ConsultantID: "c", State: Open, Since: noon, Visit: &DeskVisit{ServiceID: "s", InSession: true, Since: noon},
	}}}
	for i := range 8 {
		s.Line = append(s.Line, Place{Registered: noon, Joined: noon, Waiting: line.Waiting{
			ID: fmt.Sprint(i), Token: i, ServiceID: "s", Class: line.Normal, RankAt: noon,
			DueAt: o.Policy.Due(noon, line.Normal),
		}})
	}
	all := Learn(o, History{Sittings: h.Sittings}, noon).Forecast(s, Replicates)
	some := Learn(o, h, noon).Forecast(s, Replicates)
	if a, b := all[0].Q50, some[0].Q50; math.Abs(a-b) > 0.1*a {
		t.Errorf("the first of the line waits %.1f minutes, %.1f if all stay", b, a)
	}
	// Before the last visitor, eight sessions take 30 minutes each, and half of the visitors leave within 42 minutes.
	if a, b := all[7].Q50, some[7].Q50; b > 0.75*a {
		t.Errorf("the last of the line waits %.1f minutes, %.1f if all stay", b, a)
	}
	if some[7].Note != "" || some[7].Q90 < some[7].Q50 {
		t.Errorf("the last of the line has %+v", some[7])
	}
}
