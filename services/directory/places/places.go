// Package places has the rules of slots, a day and a time at which the office takes appointments: which of them can be
// had, and which place of a slot is next. It has no input or output. Start with Offer.
package places

import (
	"slices"
	"time"

	"baari.dev/services/directory/appointment"
	"baari.dev/services/office"
)

// State says whether a slot can be had.
type State string

// The states of a slot; the first that applies is the slot's.
const (
	Far    State = "far"    // more days ahead than the office offers
	Closed State = "closed" // the office is closed at this time, or has no such slot
	Past   State = "past"   // over, or too soon
	Full   State = "full"
	Free   State = "free"
)

// Offer decides the states of slots: the office's document and its wall clock, as a time in UTC.
type Offer struct {
	Document office.Document
	Now      time.Time
}

const minute = time.DateOnly + " 15:04"

// Clock returns a day and a time of day as a wall clock in UTC. Both must be valid.
func Clock(date, at string) time.Time {
	clock, _ := time.Parse(minute, date+" "+at)
	return clock
}

// LastDay returns the last day that the office offers.
func (o Offer) LastDay() time.Time { return o.Now.AddDate(0, 0, o.Document.Appointments.DaysAhead) }

// State returns the state of a slot of which some places are taken.
func (o Offer) State(date, at string, taken int) State {
	lead := time.Duration(o.Document.Appointments.LeadMinutes) * time.Minute
	switch {
	case date > o.LastDay().Format(time.DateOnly):
		return Far
	case !o.Has(date, at):
		return Closed
	case date+" "+at <= o.Now.Add(lead).Format(minute):
		return Past
	case taken >= o.Document.Appointments.Capacity(at):
		return Full
	}
	return Free
}

// Has reports whether the office is open on a day at one of its slots.
func (o Offer) Has(date, at string) bool {
	return slices.Contains(o.Document.AppointmentSlots, at) &&
		office.IsOpenAt(o.Document.On(Clock(date, "00:00")), at)
}

// NeedsTime reports whether an open appointment, today or later, has a time at which the office is not open any more.
func (o Offer) NeedsTime(status appointment.Status, date, at string) bool {
	return status.Open() && date >= o.Now.Format(time.DateOnly) && !o.Has(date, at)
}

// Closes returns the wall clock at which the office closes on a day: the end of the last span, or the end of a day
// without opening hours.
func Closes(document office.Document, date string) time.Time {
	day := Clock(date, "00:00")
	spans := document.On(day)
	if len(spans) == 0 {
		return day.AddDate(0, 0, 1)
	}
	return Clock(date, spans[len(spans)-1].To)
}

// LowestFree returns the lowest place, from 1, that is not taken.
func LowestFree(taken []int) int {
	place := 1
	for slices.Contains(taken, place) {
		place++
	}
	return place
}

// NoShowFrom returns the wall clock from which a user can note that a visitor did not come: some minutes after the
// slot.
func NoShowFrom(date, at string, lateMinutes int) time.Time {
	return Clock(date, at).Add(time.Duration(lateMinutes) * time.Minute)
}
