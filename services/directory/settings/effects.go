package settings

import (
	"context"
	"reflect"
	"slices"
	"time"

	"baari.dev/services/office"
)

// The codes of effects.
const (
	appointmentsOutside = "appointments_outside" // appointments that need a new time
	appointmentsOver    = "appointments_over"    // appointments above the capacity of their slot
	registrationOpen    = "registration_open"    // registration was by approval or closed, and becomes open
	closedToday         = "closed_today"         // the office is open today before the change and closed after it
)

// Effect is what a change means for something that exists: how many of them, and the first ones.
type Effect struct {
	Code  string     `json:"code"`
	Count int        `json:"count"`
	First []affected `json:"first"`
}

// affected is an appointment: the name, the day, YYYY-MM-DD, and the time of day, HH:MM.
type affected struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Date string `json:"date"`
	Time string `json:"time"`
}

// mostAffected is how many an effect names.
const mostAffected = 5

// booking is an appointment that has a place.
type booking struct {
	ID, Name, Date, Time string
}

func effectOf(code string, bookings []booking) Effect {
	effect := Effect{Code: code, Count: len(bookings), First: []affected{}}
	for _, one := range bookings[:min(len(bookings), mostAffected)] {
		effect.First = append(effect.First, affected{one.ID, one.Name, one.Date, one.Time})
	}
	return effect
}

// effects returns what the change of the document means. A change cancels nothing.
func (s *Settings) effects(
	ctx context.Context, q querier, today string, before, after office.Document,
) ([]Effect, error) {
	effects := []Effect{}
	var booked []booking
	if movesBookings(before, after) {
		var err error
		if booked, err = s.store.booked(ctx, q, today); err != nil {
			return nil, err
		}
	}
	if outside := newlyOutside(booked, before, after); len(outside) > 0 {
		effects = append(effects, effectOf(appointmentsOutside, outside))
	}
	if over := newlyOver(booked, before, after); len(over) > 0 {
		effects = append(effects, effectOf(appointmentsOver, over))
	}
	if after.Features.Registration == "open" && before.Features.Registration != "open" {
		effects = append(effects, Effect{Code: registrationOpen, First: []affected{}})
	}
	if day := dayOf(today); len(before.On(day)) > 0 && len(after.On(day)) == 0 {
		waiting, err := s.store.waiting(ctx, q)
		if err != nil {
			return nil, err
		}
		effects = append(effects, Effect{Code: closedToday, Count: waiting, First: []affected{}})
	}
	return effects, nil
}

// movesBookings reports whether a change can leave appointments without their time or place.
func movesBookings(before, after office.Document) bool {
	keys := func(d office.Document) office.Document {
		return office.Document{
			Hours: d.Hours, Yearly: d.Yearly, SpecialDays: d.SpecialDays,
			AppointmentSlots: d.AppointmentSlots, Appointments: d.Appointments,
		}
	}
	return !reflect.DeepEqual(keys(before), keys(after))
}

func dayOf(date string) time.Time {
	day, _ := time.Parse(time.DateOnly, date) // PostgreSQL has written it
	return day
}

// newlyOutside returns the bookings whose time is offered before a change and not after it.
func newlyOutside(booked []booking, before, after office.Document) []booking {
	has := func(d office.Document, one booking) bool {
		return slices.Contains(d.AppointmentSlots, one.Time) && office.IsOpenAt(d.On(dayOf(one.Date)), one.Time)
	}
	return slices.DeleteFunc(slices.Clone(booked), func(one booking) bool { return !has(before, one) || has(after, one) })
}

// newlyOver returns the bookings above the capacity of their slot, the latest ones of each, if the change lowers it.
func newlyOver(booked []booking, before, after office.Document) (over []booking) {
	taken := map[string]int{}
	for _, one := range booked {
		taken[one.Date+one.Time]++
		capacity := after.Appointments.Capacity(one.Time)
		if taken[one.Date+one.Time] > capacity && capacity < before.Appointments.Capacity(one.Time) {
			over = append(over, one)
		}
	}
	return over
}
