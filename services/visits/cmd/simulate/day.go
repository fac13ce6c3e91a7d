package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"baari.dev/services/visits/line"
)

// visitor has the properties of a visitor that do not depend on the order of the line. All rules are simulated with the
// same visitors.
type visitor struct {
	id         string
	token      int
	service    string
	class      line.Class
	slot       *time.Time // an appointment's time
	registered time.Time
	decided    time.Time     // the PA's decision
	patience   time.Duration // how long after the registration, or the slot, the visitor leaves if not called
	work       time.Duration // length of the session with a consultant of speed 1
	walk       time.Duration // time between the call and the session's start
	notes      time.Duration // time between the session's end and the consultant's next call
	answers    [3]bool       // whether the visitor responds to the first, second and third call
	away       time.Duration // time between a missed call and the return; 0 if the visitor does not return
}

// shift has the times of a consultant's day.
type shift struct {
	start    time.Time
	lunchAt  time.Time
	lunchFor time.Duration
}

// day has the visitors and shifts of one day in an office.
type day struct {
	visitors []visitor // ordered by registration
	shifts   []shift   // indexed by consultant
}

// Parameters of a simulated day. lastMinute (latest registration), firstLunch and lastLunch are minutes after opens.
const (
	opens          = 9 * time.Hour
	lastMinute     = 510.0
	firstLunch     = 210.0
	lastLunch      = 285.0
	slotEvery      = 30 * time.Minute
	appointments   = 0.12 // share of the visitors
	priorities     = 0.13
	deadlines      = 0.10
	lateStarts     = 0.3 // share of the consultants who start late on a day
	heavySessions  = 0.03
	returnsOfMiss  = 0.7
	shortestWork   = 1.0 // minutes
	longestWork    = 240.0
	typicalPA      = 3.0 // median of the minutes between registration and decision
	typicalPatient = 150.0
)

// rushes has the share of registrations in each eighth of the day, with peaks in the morning and after lunch.
var rushes = []float64{0.17, 0.15, 0.13, 0.12, 0.09, 0.13, 0.12, 0.09}

// newDay draws the n-th day of an office. noShow is the probability that a visitor does not answer a call.
func newDay(o office, n int, noShow float64, random *rand.Rand) day {
	opening := openingOf(n)
	var d day
	for range poisson(random, float64(o.perDay)) {
		d.visitors = append(d.visitors, newVisitor(o, opening, noShow, random))
	}
	slices.SortStableFunc(d.visitors, func(a, b visitor) int { return a.registered.Compare(b.registered) })
	for i := range d.visitors {
		d.visitors[i].token = i + 1
		d.visitors[i].id = fmt.Sprintf("visit-%03d", i+1)
	}
	for range o.consultants {
		s := shift{start: opening, lunchAt: opening.Add(minutes(uniform(random, firstLunch, lastLunch)))}
		if late := random.Float64() < lateStarts; late {
			s.start = s.start.Add(minutes(uniform(random, 5, 30)))
		}
		s.lunchFor = minutes(uniform(random, 30, 45))
		d.shifts = append(d.shifts, s)
	}
	return d
}

func openingOf(n int) time.Time {
	return time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n).Add(opens)
}

func newVisitor(o office, opening time.Time, noShow float64, random *rand.Rand) visitor {
	service := drawService(o, random)
	v := visitor{service: service.id, class: line.Normal, registered: opening.Add(minutes(drawMinute(random)))}
	switch kind := random.Float64(); {
	case kind < appointments:
		slot := v.registered.Truncate(slotEvery)
		early := minutes(5 + 8*random.NormFloat64()) // some come early, some late
		v.class, v.slot = line.Appointment, &slot
		if v.registered = slot.Add(-early); v.registered.Before(opening) {
			v.registered = opening
		}
	case kind < appointments+priorities:
		v.class = line.Priority
	case kind < appointments+priorities+deadlines:
		v.class = line.Deadline
	}
	v.decided = v.registered.Add(minutes(min(lognormal(random, typicalPA, 0.7), 30)))
	v.patience = minutes(lognormal(random, typicalPatient, 0.5))
	v.work = minutes(drawWork(service, random))
	v.walk = minutes(uniform(random, 0.3, 1.5))
	v.notes = minutes(uniform(random, 0.5, 3))
	for call := range v.answers {
		v.answers[call] = random.Float64() >= noShow
	}
	if away, returns := uniform(random, 3, 25), random.Float64() < returnsOfMiss; returns {
		v.away = minutes(away)
	}
	return v
}

// drawWork returns the minutes of a session: lognormal around the service's true mean, or with a heavy tail.
func drawWork(service offeredService, random *rand.Rand) float64 {
	const sigma = 0.5
	mean := service.estMinutes * service.trueFactor
	work := lognormal(random, mean*math.Exp(-sigma*sigma/2), sigma)
	if tail := math.Pow(1-random.Float64(), -1/1.8); random.Float64() < heavySessions {
		work = mean * tail // Pareto with index 1.8, whose variance is infinite
	}
	return min(max(work, shortestWork), longestWork)
}

func drawService(o office, random *rand.Rand) offeredService {
	at := random.Float64()
	for _, service := range o.services {
		if at -= service.share; at < 0 {
			return service
		}
	}
	return o.services[len(o.services)-1]
}

// drawMinute returns the minute of a registration, counted from the opening.
func drawMinute(random *rand.Rand) float64 {
	at, part := random.Float64(), lastMinute/float64(len(rushes))
	for i, share := range rushes {
		if at < share {
			return (float64(i) + at/share) * part
		}
		at -= share
	}
	return lastMinute
}

func lognormal(random *rand.Rand, median, sigma float64) float64 {
	return median * math.Exp(sigma*random.NormFloat64())
}

// poisson draws a Poisson-distributed number by counting exponential gaps.
func poisson(random *rand.Rand, mean float64) (n int) {
	for sum := random.ExpFloat64(); sum < mean; sum += random.ExpFloat64() {
		n++
	}
	return n
}
