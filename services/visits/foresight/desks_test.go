package foresight

import (
	"math"
	"testing"
	"time"
)

// The time between two visitors of a desk is learned as a turnover, a break, a reaction, or not at all.
func TestWhatLiesBetweenTwoVisitorsOfADesk(t *testing.T) {
	const usual = -1
	for what, c := range map[string]struct {
		gap, joined float64 // minutes from the end of the first visit to the second visitor's call and arrival
		first       Outcome
		turnover    float64 // expected minutes; usual if nothing is learned
		pause       float64
		reaction    float64
	}{
		"a turnover":                    {6, -30, Completed, 6, usual, usual},
		"a break":                       {40, -30, Completed, usual, 40, usual},
		"the next came later":           {40, 38, Completed, usual, usual, 2},
		"the next came and waited":      {40, 5, Completed, usual, usual, usual},
		"the first did not come":        {6, -30, Missed, usual, usual, usual},
		"the desk was closed":           {150, -30, Completed, usual, usual, usual},
		"the next was called meanwhile": {-6, -30, Completed, usual, usual, usual},
	} {
		m := learnedOf(200, func(_ int, id string, at time.Time) []Sitting {
			if at.Hour() != 8 {
				return nil // one pair of visitors a day
			}
			first, next := sat(id, at, 20, c.first), sat(id+"n", at, 20, Completed)
			next.Joined = first.Ended.Add(duration(c.joined))
			next.Registered = next.Joined
			next.Called = first.Ended.Add(duration(c.gap))
			next.Started, next.Ended = next.Called.Add(time.Minute), next.Called.Add(20*time.Minute)
			return []Sitting{first, next}
		})
		near := func(name string, got, learned, otherwise, tolerance float64) {
			if want := learned; want == usual {
				if math.Abs(got-otherwise) > 1e-6 {
					t.Errorf("%s: the %s of %.2f is learned", what, name, got)
				}
			} else if math.Abs(got-want) > tolerance {
				t.Errorf("%s: the %s is %.2f, want %.2f", what, name, got, want)
			}
		}
		none := learnedOf(0, nil)
		near("turnover", m.turnover[0].mean(), c.turnover, none.turnover[0].mean(), 2)
		near("break", m.breaks.length.mean(), c.pause, none.breaks.length.mean(), 3)
		near("reaction", m.reaction, c.reaction, none.reaction, 1)
		share := 0.0
		for _, s := range m.breaks.share {
			share += s
		}
		if (share > 0.3) != (c.pause != usual) {
			t.Errorf("%s: the share of breaks is %.2f", what, share)
		}
	}
}
