package foresight

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"
)

// Arrivals of the days to come. The visitors of a group of services on a day are Poisson: what is usual for the weekday,
// times a factor by the days to the next due date of the group. A factor is the posterior mean of the gamma-Poisson
// model, whose prior is dueWeight expected visitors at a factor of 1.
const (
	dueWeight   = 5.0  // expected visitors of a factor of 1
	demandWeeks = 8    // of a weekday that say what is usual
	weekDecay   = 0.9  // of the weight of a week, each week
	nearWeeks   = 4    // before and after a day, to say what would have been usual for it
	demandFits  = 4    // passes over factors and usual numbers, which depend on each other
	spreadDays  = 20.0 // days with a variance like that of Poisson numbers

	demandQuantile = 1.2816 // of the normal law, at 90 %
)

// The days to the next due date of a group, or after the last, that have a factor; all others are usual days.
const (
	onDue, oneBefore, twoBefore, threeBefore, weekBefore, oneAfter, usualDay = 0, 1, 2, 3, 4, 5, 6
	lastOfWeek                                                               = 6 // days before a due date
)

// Due is a day on which filings of a group of services are due. Days are midnights of UTC.
type Due struct {
	Group string
	On    time.Time
}

// DayCount is the number of visitors for the services of a group on a day. Days without visitors on which the office
// was open are counts of 0; days on which it was closed have none.
type DayCount struct {
	Day      time.Time
	Group    string
	Visitors int
}

// Calendar answers how far due dates are.
type Calendar struct{ of map[string][]time.Time }

// NewCalendar returns the calendar of due dates.
func NewCalendar(all []Due) Calendar {
	c := Calendar{map[string][]time.Time{}}
	for _, d := range all {
		c.of[d.Group] = append(c.of[d.Group], d.On)
	}
	for _, days := range c.of {
		slices.SortFunc(days, time.Time.Compare)
	}
	return c
}

// kind returns the kind of a day for a group.
func (c Calendar) kind(group string, day time.Time) int {
	days := c.of[group]
	next, _ := slices.BinarySearchFunc(days, day, time.Time.Compare)
	if next < len(days) {
		switch until := int(days[next].Sub(day).Hours() / 24); {
		case until <= threeBefore:
			return until
		case until <= lastOfWeek:
			return weekBefore
		}
	}
	if next > 0 && day.Sub(days[next-1]) <= 24*time.Hour {
		return oneAfter
	}
	return usualDay
}

// Demand is what the visitors of earlier days say about those of days to come.
type Demand struct {
	calendar Calendar
	groups   []*groupDemand // by name
	spread   float64        // variance of the number of a day / its mean, at least 1
}

// groupDemand is a group of services.
type groupDemand struct {
	name    string
	days    []time.Time // in order
	counts  map[time.Time]float64
	kinds   map[time.Time]int
	factors [usualDay + 1]float64 // by the kind of a day
}

// LearnDemand learns from the counts of earlier days.
func LearnDemand(counts []DayCount, calendar Calendar) *Demand {
	d := &Demand{calendar: calendar}
	for _, one := range counts {
		at, known := slices.BinarySearchFunc(d.groups, one.Group, func(g *groupDemand, name string) int {
			return cmp.Compare(g.name, name)
		})
		if !known {
			g := &groupDemand{name: one.Group, counts: map[time.Time]float64{}, kinds: map[time.Time]int{}}
			for kind := range g.factors {
				g.factors[kind] = 1
			}
			d.groups = slices.Insert(d.groups, at, g)
		}
		g := d.groups[at]
		g.counts[one.Day] += float64(one.Visitors)
		g.kinds[one.Day] = calendar.kind(one.Group, one.Day)
	}
	for _, g := range d.groups {
		g.days = slices.SortedFunc(maps.Keys(g.counts), time.Time.Compare)
		for range demandFits {
			g.fit()
		}
	}
	d.fitSpread()
	return d
}

// usual returns the number for the weekday of a day if nothing was due: the mean of the numbers of some weeks before or
// after it, divided by their factors. It is 0 without any.
func (g *groupDemand) usual(day time.Time, from, to int) float64 {
	seen, expected := 0.0, 0.0
	for week := from; week <= to; week++ {
		other := day.AddDate(0, 0, 7*week)
		if n, counted := g.counts[other]; counted && week != 0 {
			weight := math.Pow(weekDecay, math.Abs(float64(week)))
			seen += weight * n
			expected += weight * g.factors[g.kinds[other]]
		}
	}
	if expected == 0 {
		return 0
	}
	return seen / expected
}

// fit sets the factors by what was seen on days of each kind and what would have been usual.
func (g *groupDemand) fit() {
	var seen, expected [usualDay]float64
	for _, day := range g.days {
		if kind := g.kinds[day]; kind != usualDay {
			seen[kind] += g.counts[day]
			expected[kind] += g.usual(day, -nearWeeks, nearWeeks)
		}
	}
	for kind := range seen {
		g.factors[kind] = (seen[kind] + dueWeight) / (expected[kind] + dueWeight)
	}
}

// fitSpread sets how much more the numbers of a day vary than Poisson ones (Wedderburn, Biometrika 61, 1974).
func (d *Demand) fitSpread() {
	sum, days, last := spreadDays, spreadDays, map[time.Time]bool{}
	for _, g := range d.groups {
		for _, day := range g.days {
			last[day] = true
		}
	}
	for _, day := range slices.SortedFunc(maps.Keys(last), time.Time.Compare) {
		n, mean := 0.0, 0.0
		for _, g := range d.groups {
			n += g.counts[day]
			mean += g.usual(day, -demandWeeks, -1) * g.factors[g.kinds[day]]
		}
		if mean > 0 {
			sum += (n - mean) * (n - mean) / mean
			days++
		}
	}
	d.spread = max(1, sum/days)
}

// Arrivals is the expected number of visitors of a day, and its 80 % range.
type Arrivals struct{ Mean, Low, High float64 }

// Of returns the expected visitors of all groups on a day of which no count is known. The range is that of a normal
// number with the mean and the learned variance.
func (d *Demand) Of(day time.Time) Arrivals {
	mean := 0.0
	for _, g := range d.groups {
		mean += g.usual(day, -demandWeeks, -1) * g.factors[d.calendar.kind(g.name, day)]
	}
	half := demandQuantile * math.Sqrt(d.spread*mean)
	return Arrivals{Mean: mean, Low: max(0, mean-half), High: mean + half}
}
