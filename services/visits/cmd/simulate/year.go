package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"text/tabwriter"
	"time"

	"baari.dev/services/visits/foresight"
)

// Parameters of a simulated year, for the forecast of arrivals. More visitors come as filings become due. The increase,
// and the number of days before the due date, are drawn for each group of services. The forecast does not know them.
const (
	yearOffice = "year"
	yearDays   = 365
	yearJudged = 180 // first judged day
	dueWithin  = 6   // a due week has the 6 days before a due date, and that date
	trend      = 0.2 // amplitude of the slow change of the arrivals over the year
	busySigma  = 0.1 // standard deviation of the logarithm of a day's mean
)

// filing is a day of the given months on which filings of a group of services are due under Indian tax law.
type filing struct {
	group  string
	months []time.Month // nil: every month
	day    int
}

var filings = []filing{
	{"gst", nil, 11},
	{"gst", nil, 20},
	{"tds", nil, 7},
	{"tds", []time.Month{time.January, time.May, time.July, time.October}, 31},
	{"income_tax", []time.Month{time.March, time.June, time.September, time.December}, 15},
	{"income_tax", []time.Month{time.July, time.August, time.October}, 31},
	{"audit", []time.Month{time.September}, 30},
	{"audit", []time.Month{time.October}, 31},
	{"roc", []time.Month{time.May, time.October}, 30},
	{"other", nil, 15},
}

// perGroup has the mean number of visitors per day for each group of services.
var perGroup = []struct {
	group string
	mean  float64
}{{"gst", 16}, {"tds", 6}, {"income_tax", 14}, {"audit", 5}, {"roc", 5}, {"other", 10}}

// yearDemand has the accuracy of the forecasts of arrivals in a simulated year, on the open days of due weeks.
type yearDemand struct {
	Seed    string  `json:"seed"`
	Days    int     `json:"days"`
	MAE     float64 `json:"mae"`
	Weekday float64 `json:"weekdayMae"` // mean absolute error of weekdayMean
	Below   float64 `json:"belowWeekdayPercent"`
	Covered float64 `json:"coveredPercent"`
}

// dueDates returns the due dates of the simulated year and of the two months after it.
func dueDates() (all []foresight.Due) {
	start := yearDay(0)
	for m := range 14 {
		month := time.Date(start.Year(), start.Month()+time.Month(m), 1, 0, 0, 0, 0, time.UTC)
		for _, f := range filings {
			if f.months != nil && !slices.Contains(f.months, month.Month()) {
				continue
			}
			all = append(all, foresight.Due{Group: f.group, On: month.AddDate(0, 0, f.day-1)})
		}
	}
	return all
}

func yearDay(n int) time.Time {
	return time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n)
}

// untilDue returns the number of days until the next due date of a group, or +Inf if there is none.
func untilDue(due []foresight.Due, group string, day time.Time) float64 {
	least := math.Inf(1)
	for _, d := range due {
		if until := d.On.Sub(day).Hours() / 24; d.Group == group && until >= 0 {
			least = min(least, until)
		}
	}
	return least
}

// drawYear returns the visitors of each group on each open day: none on Sundays, fewer on Saturdays.
func drawYear(due []foresight.Due, random *rand.Rand) (counts []foresight.Count) {
	var weekday [7]float64
	for d := range weekday {
		weekday[d] = uniform(random, 0.8, 1.2)
	}
	weekday[time.Saturday] *= 0.6
	phase := uniform(random, 0, 2*math.Pi)
	rise, reach := make([]float64, len(perGroup)), make([]float64, len(perGroup))
	for i := range perGroup {
		rise[i], reach[i] = uniform(random, 0.6, 2), uniform(random, 1, 3)
	}
	for n := range yearDays {
		day := yearDay(n)
		if day.Weekday() == time.Sunday {
			continue
		}
		level := weekday[day.Weekday()] * (1 + trend*math.Sin(2*math.Pi*float64(n)/yearDays+phase))
		level *= math.Exp(busySigma * random.NormFloat64())
		for i, g := range perGroup {
			mean := g.mean * level * (1 + rise[i]*math.Exp(-untilDue(due, g.group, day)/reach[i]))
			counts = append(counts, foresight.Count{Day: day, Group: g.group, Visitors: poisson(random, mean)})
		}
	}
	return counts
}

// forecastYears forecasts a year's arrivals for each seed; the last result is for all years together.
func forecastYears(o options) (results []yearDemand) {
	var pooled yearSums
	for n := range uint64(o.seeds) {
		own := forecastYear(o.seed + n)
		results = append(results, own.demand(fmt.Sprint(o.seed+n)))
		pooled.add(own)
	}
	return append(results, pooled.demand("all"))
}

// yearSums has the sums over some days from which the figures of a yearDemand are computed.
type yearSums struct {
	days, covered int
	err, weekday  float64
}

func (s *yearSums) add(other yearSums) {
	s.days, s.covered = s.days+other.days, s.covered+other.covered
	s.err, s.weekday = s.err+other.err, s.weekday+other.weekday
}

func (s yearSums) demand(seed string) yearDemand {
	n := float64(max(1, s.days))
	return yearDemand{
		Seed: seed, Days: s.days, MAE: s.err / n, Weekday: s.weekday / n, Below: below(s.err, s.weekday),
		Covered: percent(s.covered, s.days),
	}
}

// forecastYear forecasts the arrivals of each open day in a due week, beginning with day yearJudged, from the days
// before it, and compares the forecasts with the actual arrivals.
func forecastYear(seed uint64) (s yearSums) {
	due := dueDates()
	counts := drawYear(due, rand.New(rand.NewPCG(seed, uint64(len(sizes)))))
	calendar := foresight.NewCalendar(due)
	for n := yearJudged; n < yearDays; n++ {
		day := yearDay(n)
		if day.Weekday() == time.Sunday || !inDueWeek(due, day) {
			continue
		}
		var before []foresight.Count
		actual := 0.0
		for _, c := range counts {
			switch {
			case c.Day.Before(day):
				before = append(before, c)
			case c.Day.Equal(day):
				actual += float64(c.Visitors)
			}
		}
		expected := foresight.LearnDemand(before, calendar).Of(day)
		s.err += math.Abs(actual - expected.Mean)
		s.weekday += math.Abs(actual - weekdayMean(before, day))
		if actual >= math.Floor(expected.Low) && actual <= math.Ceil(expected.High) {
			s.covered++
		}
		s.days++
	}
	return s
}

// inDueWeek reports whether a filing of any group is due within dueWithin days.
func inDueWeek(due []foresight.Due, day time.Time) bool {
	for _, g := range perGroup {
		if untilDue(due, g.group, day) <= dueWithin {
			return true
		}
	}
	return false
}

// weekdayMean returns a simpler forecast for comparison: the mean of the same weekday in the eight weeks before day.
func weekdayMean(before []foresight.Count, day time.Time) float64 {
	sum, days := 0.0, map[time.Time]bool{}
	for _, c := range before {
		if c.Day.Weekday() == day.Weekday() && day.Sub(c.Day) <= 8*7*24*time.Hour {
			sum, days[c.Day] = sum+float64(c.Visitors), true
		}
	}
	return sum / float64(max(1, len(days)))
}

func printYears(out io.Writer, results []yearDemand) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "seed\tdays\terror\tof weekday\tbelow weekday\tright\t")
	for _, r := range results {
		fmt.Fprintf(table, "%s\t%d\t%.1f\t%.1f\t%.1f %%\t%.1f %%\t\n",
			r.Seed, r.Days, r.MAE, r.Weekday, r.Below, r.Covered)
	}
	return table.Flush()
}
