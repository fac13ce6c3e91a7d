package foresight

import (
	"math"
	"slices"
	"testing"
	"time"
)

var monday = time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC)

// work is a day of a consultant: sessions of 20 minutes one after another from nine to six with a minute between them,
// but for a break of 40 minutes at the first end after due, a minute of the day. Visitors have waited for ten minutes.
func work(day time.Time, consultant string, due float64) (all []Sitting) {
	for at := 9 * 60.0; at < 18*60; {
		called := day.Add(duration(at))
		all = append(all, Sitting{
			ServiceID: "s", ConsultantID: consultant, Registered: called.Add(-10 * time.Minute),
			Joined: called.Add(-10 * time.Minute), Called: called, Started: called, Ended: called.Add(20 * time.Minute),
			EndedAs: Completed,
		})
		end := at + 20
		if at = end + 1; end >= due && end-21 < due {
			at = end + 40
			all[len(all)-1].Ended = day.Add(duration(end))
		}
	}
	// who is called after a break has waited through it
	for i := 1; i < len(all); i++ {
		if all[i].Called.Sub(all[i-1].Ended) > 10*time.Minute {
			all[i].Joined = all[i-1].Ended.Add(-time.Minute)
		}
	}
	return all
}

var oneDesk = Office{Services: []Service{{ID: "s", EstMinutes: 20}}, Consultants: []Consultant{{ID: "c"}}}

// worked is what is learned at a time of monday from fifty days whose breaks came due evenly from 12:30 to 13:45.
func worked(at time.Time, today ...Sitting) *Model {
	var all []Sitting
	for n := range 50 {
		all = append(all, work(monday.AddDate(0, 0, n-50), "c", 750+1.5*float64(n*37%50))...)
	}
	return Learn(oneDesk, append(all, today...), at)
}

func TestBreaksComeDueWhenTheyDid(t *testing.T) {
	m := worked(monday)
	r := random(4)
	drawn := sampleOf(4000, func() float64 { return m.breaks.drawDue(9*60, &r) })
	slices.Sort(drawn)
	for p, want := range map[float64]float64{0.25: 769, 0.5: 788, 0.75: 806} {
		if got := quantile(drawn, p); math.Abs(got-want) > 12 {
			t.Errorf("the %v quantile is minute %.0f, want about %.0f", p, got, want)
		}
	}
	for _, from := range []float64{9 * 60, 13 * 60} {
		if due := m.breaks.drawDue(from, &r); due < from {
			t.Errorf("it comes due at minute %.0f, and had not at %.0f", due, from)
		}
	}
}

func TestAConsultantHasOneBreakADay(t *testing.T) {
	sittings := work(monday, "c", 760)
	at := func(hour, minute int) time.Time { return monday.Add(time.Duration(hour*60+minute) * time.Minute) }
	until := func(when time.Time) (known []Sitting) {
		for _, s := range sittings {
			if !s.Ended.After(when) {
				known = append(known, s)
			}
		}
		return known
	}
	for name, c := range map[string]struct {
		now         time.Time
		desk        Desk
		least, most float64
	}{
		"in the morning":    {at(10, 30), Desk{Since: at(10, 29)}, 0, 0},
		"in the afternoon":  {at(15, 30), Desk{Since: at(15, 29)}, 1, 1},
		"opened again":      {at(13, 25), Desk{Since: at(13, 24)}, 1, 1},
		"the first visitor": {at(13, 30), Desk{Since: at(13, 24), Visit: &DeskVisit{ServiceID: "s"}}, 0.5, 1},
	} {
		m := worked(c.now, until(c.now)...)
		if had := m.breaks.had(0, c.desk); had < c.least || had > c.most {
			t.Errorf("%s the probability of having had it is %.2f, want %v to %v", name, had, c.least, c.most)
		}
		followed := worked(monday).Follow(until(c.now), c.now)
		if had := followed.breaks.had(0, c.desk); had < c.least || had > c.most {
			t.Errorf("%s, followed: %.2f", name, had)
		}
	}
}

func TestALongGapWhileNobodyWaitedMayHaveBeenABreak(t *testing.T) {
	quiet := func(hour float64) (all []Sitting) { // the second visitor came half an hour after the first had left
		for i, start := range []float64{hour * 60, hour*60 + 55} {
			called := monday.Add(duration(start))
			all = append(all, Sitting{
				VisitID: string(rune('a' + i)), ServiceID: "s", ConsultantID: "c", Registered: called, Joined: called,
				Called: called, Started: called, Ended: called.Add(20 * time.Minute), EndedAs: Completed,
			})
		}
		return all
	}
	had := func(hour float64) float64 {
		now := monday.Add(duration(hour*60 + 80))
		return worked(now, quiet(hour)...).breaks.had(0, Desk{Since: now})
	}
	if morning, noon := had(9), had(12.5); morning > 0.1 || noon < 0.3 || noon >= 1 {
		t.Errorf("the probability of a break is %.2f in the morning and %.2f at noon", morning, noon)
	}
}
