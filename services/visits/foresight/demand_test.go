package foresight_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"baari.dev/services/visits/foresight"
)

var newYear = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// twentieths returns the 20th of each month as the due dates of a group.
func twentieths(group string) (all []foresight.Due) {
	for month := range 13 {
		all = append(all, foresight.Due{Group: group, On: newYear.AddDate(0, month, 19)})
	}
	return all
}

// year returns counts of n visitors a day for a group, and of twice as many on the 20th and the three days before it.
func year(group string, n float64, noise bool) (counts []foresight.Count) {
	random := rand.New(rand.NewPCG(8, 8))
	for i := range 300 {
		day := newYear.AddDate(0, 0, i)
		mean := n
		if d := day.Day(); d >= 17 && d <= 20 {
			mean = 2 * n
		}
		visitors := mean
		if noise {
			visitors = max(0, math.Round(mean+math.Sqrt(mean)*random.NormFloat64()))
		}
		counts = append(counts, foresight.Count{Day: day, Hour: 9 + i%2, Group: group, Visitors: int(visitors)})
	}
	return counts
}

func TestDaysBeforeADueDateAreExpectedToBeBusier(t *testing.T) {
	d := foresight.LearnDemand(year("gst", 30, false), foresight.NewCalendar(twentieths("gst")))
	for day, want := range map[int]float64{19: 60, 20: 60, 17: 60, 25: 30, 28: 30} {
		at := time.Date(2026, time.October, day, 0, 0, 0, 0, time.UTC).AddDate(0, 1, 0)
		if got := d.Of(at).Mean; math.Abs(got-want) > 0.12*want {
			t.Errorf("November %d: %.1f visitors, want about %v", day, got, want)
		}
	}
}

func TestADueDateOfAnotherGroupChangesNothing(t *testing.T) {
	counts := year("gst", 30, false)
	with := foresight.LearnDemand(counts, foresight.NewCalendar(append(twentieths("gst"), twentieths("tds")...)))
	without := foresight.LearnDemand(counts, foresight.NewCalendar(twentieths("gst")))
	for i := range 14 {
		day := newYear.AddDate(0, 0, 300+i)
		if with.Of(day) != without.Of(day) {
			t.Errorf("%v: %v and %v", day, with.Of(day), without.Of(day))
		}
	}
}

func TestTheHoursOfADayAddUpToIt(t *testing.T) {
	counts := year("gst", 30, true)
	for i := range counts { // visitors come in the morning, but on Fridays in the afternoon
		counts[i].Hour = 10
		if counts[i].Day.Weekday() == time.Friday {
			counts[i].Hour = 15
		}
	}
	d := foresight.LearnDemand(counts, foresight.NewCalendar(nil))
	for i := range 7 {
		day, sum := newYear.AddDate(0, 0, 300+i), 0.0
		hours := d.ByHour(day)
		for _, hour := range hours {
			sum += hour.Mean
			if hour.Low > hour.Mean || hour.Mean > hour.High {
				t.Errorf("%v", hour)
			}
		}
		busiest := 10
		if day.Weekday() == time.Friday {
			busiest = 15
		}
		if total := d.Of(day).Mean; math.Abs(sum-total) > 1e-9 || hours[busiest].Mean < 0.8*total {
			t.Errorf("%v: %v of %v", day.Weekday(), hours, total)
		}
	}
}

func TestTheRangeOfADayHoldsAsOftenAsItSays(t *testing.T) {
	counts := year("gst", 40, true)
	calendar := foresight.NewCalendar(twentieths("gst"))
	inside, days := 0, 0
	for i := 120; i < 300; i++ {
		expected := foresight.LearnDemand(counts[:i], calendar).Of(counts[i].Day)
		if n := float64(counts[i].Visitors); n >= expected.Low && n <= expected.High {
			inside++
		}
		if days++; expected.Low > expected.Mean || expected.Mean > expected.High {
			t.Errorf("%v", expected)
		}
	}
	if share := float64(inside) / float64(days); share < 0.7 || share > 0.92 {
		t.Errorf("%.2f of the days are in their range", share)
	}
}

func TestADayWithoutVisitorsOfAGroupCountsAsNone(t *testing.T) {
	counts := year("gst", 30, false)
	for i := range 8 { // one visitor a week on average, all on the same weekday
		counts = append(counts, foresight.Count{Day: newYear.AddDate(0, 0, 299-14*i), Group: "roc", Visitors: 2})
	}
	d := foresight.LearnDemand(counts, foresight.NewCalendar(nil))
	with, without := d.Of(newYear.AddDate(0, 0, 306)).Mean, d.Of(newYear.AddDate(0, 0, 305)).Mean
	if d.Days() != 300 || with-without < 0.8 || with-without > 1.3 {
		t.Errorf("%d days, %.2f and %.2f visitors", d.Days(), with, without)
	}
}

func TestWithoutCountsNobodyIsExpected(t *testing.T) {
	d := foresight.LearnDemand(nil, foresight.NewCalendar(twentieths("gst")))
	if c := foresight.NewCalendar(twentieths("gst")); !c.IsDue("gst", newYear.AddDate(0, 0, 19)) ||
		c.IsDue("gst", newYear.AddDate(0, 0, 18)) || c.IsDue("tds", newYear.AddDate(0, 0, 19)) {
		t.Error("filings are due on their due dates alone")
	}
	if got := d.Of(newYear); got != (foresight.Arrivals{}) {
		t.Errorf("%v", got)
	}
	closed := slices.DeleteFunc(year("gst", 30, false), func(c foresight.Count) bool {
		return c.Day.Weekday() == time.Sunday
	})
	sunday := time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)
	if got := foresight.LearnDemand(closed, foresight.NewCalendar(nil)).Of(sunday).Mean; got != 0 {
		t.Errorf("%v visitors on a weekday on which the office is closed", got)
	}
}
