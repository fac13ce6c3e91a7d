package foresight

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"
)

// The model of coming arrivals. The number of visitors of a group of services on a day is Poisson-distributed. Its mean
// is the weekday's usual number, times a factor that depends on the distance to the group's due dates. A factor is the
// posterior mean of the gamma-Poisson model with a prior of dueWeight expected visitors and a factor of 1.
const (
	dueWeight   = 5.0  // weight of the prior factor 1, in expected visitors
	demandWeeks = 8    // past weeks from which the usual number of a future weekday is computed
	weekDecay   = 0.9  // weight of a week, divided by the weight of the next nearer week
	nearWeeks   = 4    // weeks before and after a past day from which its usual number is computed
	demandFits  = 4    // passes over factors and usual numbers, because each depends on the other
	spreadDays  = 20.0 // weight of the prior spread 1, in days

	profileWeight = 30.0 // weight, in visitors, of the profile of all days in the profile of a weekday

	demandQuantile = 1.2816 // 90 % quantile of the normal distribution
)

// The kinds of days near a due date of a group. Each has a factor. All other days are usual days.
const (
	onDue, oneBefore, twoBefore, threeBefore, weekBefore, oneAfter, usualDay = 0, 1, 2, 3, 4, 5, 6
	lastOfWeek                                                               = 6 // days before a due date
)

// Due is a day on which filings of a group of services are due. Days are midnights in UTC.
type Due struct {
	Group string
	On    time.Time
}

// Count is the number of visitors for the services of a group in an hour (0 to 23) of a day. If a day has counts, a
// group without one had no visitor; a day without any count was closed.
type Count struct {
	Day      time.Time
	Hour     int
	Group    string
	Visitors int
}

// Calendar has the due dates of each group, in order.
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

// kind returns the kind of a day for a group: its distance from the group's due dates.
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

// Demand is the model of arrivals that is learned from earlier days.
type Demand struct {
	calendar Calendar
	groups   []*groupDemand // ordered by name
	spread   float64        // variance of a day's number / its mean, at least 1
	profile  profile
	days     int
}

// groupDemand has the counts and factors of a group of services.
type groupDemand struct {
	name    string
	days    []time.Time // ascending
	counts  map[time.Time]float64
	kinds   map[time.Time]int
	factors [usualDay + 1]float64 // factors by the kind of a day
}

// LearnDemand learns from the counts of earlier days.
func LearnDemand(counts []Count, calendar Calendar) *Demand {
	d := &Demand{calendar: calendar}
	open := map[time.Time]bool{}
	for _, one := range counts {
		d.group(one.Group).counts[one.Day] += float64(one.Visitors)
		open[one.Day] = true
	}
	days := slices.SortedFunc(maps.Keys(open), time.Time.Compare)
	d.days = len(days)
	for _, g := range d.groups {
		g.days = days
		for _, day := range days {
			g.counts[day] += 0
			g.kinds[day] = calendar.kind(g.name, day)
		}
		for range demandFits {
			g.fit()
		}
	}
	d.fitSpread(days)
	d.profile = learnProfile(counts, days)
	return d
}

// group returns the group with this name, which it adds if there is none.
func (d *Demand) group(name string) *groupDemand {
	at, known := slices.BinarySearchFunc(d.groups, name, func(g *groupDemand, name string) int {
		return cmp.Compare(g.name, name)
	})
	if !known {
		g := &groupDemand{name: name, counts: map[time.Time]float64{}, kinds: map[time.Time]int{}}
		for kind := range g.factors {
			g.factors[kind] = 1
		}
		d.groups = slices.Insert(d.groups, at, g)
	}
	return d.groups[at]
}

// Days returns the number of days with counts.
func (d *Demand) Days() int { return d.days }

// profile has the share of each hour in a day's visitors, for each weekday.
type profile [7][24]float64

// learnProfile uses the counts of the last demandWeeks weeks. A weekday's shares are shrunk towards those of all days.
func learnProfile(counts []Count, days []time.Time) (p profile) {
	if len(days) == 0 {
		return p
	}
	since := days[len(days)-1].AddDate(0, 0, -7*demandWeeks)
	var all [24]float64
	var seen [7]float64
	total := 0.0
	for _, one := range counts {
		if one.Day.After(since) {
			n := float64(one.Visitors)
			p[one.Day.Weekday()][one.Hour] += n
			seen[one.Day.Weekday()] += n
			all[one.Hour] += n
			total += n
		}
	}
	for weekday := range p {
		for hour := range p[weekday] {
			share := all[hour] / max(1, total)
			p[weekday][hour] = (p[weekday][hour] + profileWeight*share) / (seen[weekday] + profileWeight)
		}
	}
	return p
}

// usual returns the usual number for a day's weekday: the weighted sum of this weekday's numbers, divided by the
// weighted sum of their factors. from and to are weeks relative to the day's week. Without counts, the result is 0.
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

// fit sets the factor of each kind of day from the numbers observed on these days and their usual numbers.
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

// fitSpread sets the variance of a day's number, divided by that of a Poisson-distributed number (Wedderburn,
// Biometrika 61, 1974).
func (d *Demand) fitSpread(days []time.Time) {
	sum, seen := spreadDays, spreadDays
	for _, day := range days {
		n := 0.0
		for _, g := range d.groups {
			n += g.counts[day]
		}
		if mean := d.mean(day); mean > 0 {
			sum += (n - mean) * (n - mean) / mean
			seen++
		}
	}
	d.spread = max(1, sum/seen)
}

// mean returns the visitors expected on a day: each group's usual number in the weeks before, times the day's factor.
func (d *Demand) mean(day time.Time) (mean float64) {
	for _, g := range d.groups {
		mean += g.usual(day, -demandWeeks, -1) * g.factors[d.calendar.kind(g.name, day)]
	}
	return mean
}

// Arrivals is an expected number of visitors, with an 80 % range.
type Arrivals struct{ Mean, Low, High float64 }

// arrivals returns the Arrivals of a day or a part of it: mean is the number expected then, ofDay that of the day. The
// range is that of a normal distribution with the variance of a Poisson number whose mean varies between days.
func (d *Demand) arrivals(mean, ofDay float64) Arrivals {
	if mean == 0 {
		return Arrivals{}
	}
	half := demandQuantile * math.Sqrt(mean+(d.spread-1)*mean*mean/ofDay)
	return Arrivals{Mean: mean, Low: max(0, mean-half), High: mean + half}
}

// Of returns the expected visitors of all groups on a day. It is zero if no visitor came on this weekday in the weeks
// before.
func (d *Demand) Of(day time.Time) Arrivals {
	mean := d.mean(day)
	return d.arrivals(mean, mean)
}

// ByHour returns the expected visitors of each hour of a day.
func (d *Demand) ByHour(day time.Time) (hours [24]Arrivals) {
	mean := d.mean(day)
	for hour, share := range d.profile[day.Weekday()] {
		hours[hour] = d.arrivals(share*mean, mean)
	}
	return hours
}

// IsDue reports whether filings of a group are due on a day.
func (c Calendar) IsDue(group string, day time.Time) bool {
	_, due := slices.BinarySearchFunc(c.of[group], day, time.Time.Compare)
	return due
}
