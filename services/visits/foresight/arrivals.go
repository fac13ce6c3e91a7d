package foresight

import (
	"maps"
	"slices"
	"time"

	"baari.dev/services/visits/line"
)

// weekdayWeight is the weight, in visitors, that the mean of all days has in the estimate for a weekday.
const weekdayWeight = 30.0

// classes are the classes of the line, in the order of arrivals.shares.
var classes = []line.Class{line.Normal, line.Deadline, line.Priority, line.Appointment}

// arrivals is the Poisson process of future visitors. Its rate changes every half hour. Only visitors who would be due
// before a visitor of the line are simulated, because the others do not change the forecasts.
type arrivals struct {
	perSlot  [slots]float64 // expected visitors by the half hour of a day
	weekday  [7]float64     // factor
	setup    Setup
	shares   []float64 // cumulated, by class
	services []float64 // cumulated, by service
}

func learnArrivals(m *Model, sittings []Sitting, at time.Time) arrivals {
	a := arrivals{
		setup: m.setup, shares: make([]float64, len(classes)), services: make([]float64, len(m.setup.Services)),
	}
	seen, days := map[string]bool{}, map[time.Time]float64{}
	total, today := 0.0, m.setup.day(at)
	var byDay [7]float64
	for _, s := range sittings {
		if seen[s.VisitID] {
			continue
		}
		seen[s.VisitID] = true
		day := m.setup.day(s.Registered)
		weight := decay(at.Sub(s.Registered), halfLife)
		if day.Equal(today) {
			continue // today is not over
		}
		days[day] = decay(today.Sub(day), halfLife)
		a.perSlot[m.setup.slot(s.Registered)] += weight
		byDay[day.Weekday()] += weight
		total += weight
		a.services[m.services[s.ServiceID]] += weight
		if class := slices.Index(classes, s.Class); class >= 0 {
			a.shares[class] += weight
		}
	}
	sum, ofWeekday := 0.0, [7]float64{}
	for _, day := range slices.SortedFunc(maps.Keys(days), time.Time.Compare) {
		sum += days[day]
		ofWeekday[day.Weekday()] += days[day]
	}
	for i := range a.perSlot {
		a.perSlot[i] /= max(sum, 1)
	}
	for d := range a.weekday {
		expected := total / max(sum, 1) * ofWeekday[d]
		a.weekday[d] = (byDay[d] + weekdayWeight) / (expected + weekdayWeight)
	}
	cumulate(a.shares)
	cumulate(a.services)
	return a
}

// cumulate turns weights into a cumulative distribution, a uniform one if all weights are zero.
func cumulate(weights []float64) {
	sum := 0.0
	for i, w := range weights {
		sum += w
		weights[i] = sum
	}
	for i := range weights {
		if sum > 0 {
			weights[i] /= sum
		} else {
			weights[i] = float64(i+1) / float64(len(weights))
		}
	}
}

func draw(cumulated []float64, r *random) int {
	at := r.float()
	for i, share := range cumulated {
		if at < share {
			return i
		}
	}
	return len(cumulated) - 1
}

// next draws the time of the first arrival after the given time. Times are in minutes from moment. The result is
// negative if no visitor arrives until the half hour of horizon ends. The expected visitors of each half hour are
// subtracted from one exponentially distributed number (Çinlar, Introduction to Stochastic Processes, 1975, chapter 4).
func (a *arrivals) next(moment time.Time, after, horizon float64, r *random) float64 {
	left := r.exponential(1)
	factor := a.weekday[a.setup.day(moment).Weekday()]
	minute := a.setup.minute(moment)
	for at := after; at < horizon; {
		slot := int(minute+at) / slotMinutes
		end := float64((slot+1)*slotMinutes) - minute
		rate := factor * a.perSlot[slot%slots] / slotMinutes
		if used := rate * (end - at); used < left {
			left, at = left-used, end
			continue
		}
		return at + left/rate
	}
	return -1
}

// startShare is the share of days on which a consultant must have worked to be expected today.
const startShare = 0.3

// start says when a consultant is expected to open the desk, learned from the first calls of the last weeks.
type start struct {
	share   float64   // fraction of days
	minutes []float64 // first calls, in minutes of the office's day, ascending
}

func learnStarts(m *Model, sittings []Sitting, at time.Time) []start {
	starts := make([]start, len(m.setup.Consultants))
	type own struct {
		consultant int
		day        time.Time
	}
	first, days, today := map[own]float64{}, map[time.Time]bool{}, m.setup.day(at)
	for _, s := range sittings {
		day := m.setup.day(s.Called)
		if today.Sub(day) > startDays || day.Equal(today) {
			continue
		}
		days[day] = true
		key, minute := own{m.consultants[s.ConsultantID], day}, m.setup.minute(s.Called)
		if known, ok := first[key]; !ok || minute < known {
			first[key] = minute
		}
	}
	for key, minute := range first {
		starts[key.consultant].minutes = append(starts[key.consultant].minutes, minute)
	}
	for c := range starts {
		slices.Sort(starts[c].minutes)
		starts[c].share = float64(len(starts[c].minutes)) / float64(max(1, len(days)))
	}
	return starts
}

// startDays is the length of the past from which first calls are learned.
const startDays = 30 * 24 * time.Hour
