package directory

import (
	"context"
	"time"

	"baari.dev/services/directory/places"
	"baari.dev/services/office"
	"baari.dev/services/platform/postgres"
)

// This file reads slots, the list of appointments and the appointments of a day.

// DaySlots are the slots of a day. Name is that of a holiday or special day, "" for none.
type DaySlots struct {
	Date  string
	Open  bool
	Name  string
	Spans []office.Span
	Slots []SlotOf
}

// SlotOf is a slot of a day. Taken can be more than Capacity, if the capacity was lowered.
type SlotOf struct {
	Time            string
	Capacity, Taken int
	State           places.State
}

// slotsRequest is a validated request for the slots of some days. From is empty for today. If ConsultantID is set, the
// slots at which this consultant has an appointment are full.
type slotsRequest struct {
	From         string
	Days         int
	ConsultantID string
}

// offerNow returns the moment and the office's offer at it.
func (s *Service) offerNow(ctx context.Context) (places.Offer, moment, error) {
	at, err := s.store.moment(ctx, s.store.pool)
	return places.Offer{Document: s.office.Load().Document, Now: at.Local}, at, postgres.Classify(err)
}

// Slots returns the slots of some days, and the first free slot from the first day on, nil if there is none.
func (s *Service) Slots(ctx context.Context, req slotsRequest) (days []DaySlots, next *slot, err error) {
	offer, _, err := s.offerNow(ctx)
	if err != nil {
		return nil, nil, err
	}
	if req.From == "" {
		req.From = offer.Now.Format(time.DateOnly)
	}
	first := places.Clock(req.From, "00:00")
	last := first.AddDate(0, 0, req.Days-1)
	taken, err := s.store.taken(ctx, req.From, last.Format(time.DateOnly), req.ConsultantID)
	if err != nil {
		return nil, nil, err
	}
	for day := range req.Days {
		days = append(days, slotsOf(offer, first.AddDate(0, 0, day), taken))
	}
	if next = firstFree(days); next != nil || last.After(offer.LastDay()) {
		return days, next, nil
	}
	next, err = s.nextFree(ctx, offer, last.AddDate(0, 0, 1), req.ConsultantID)
	return days, next, err
}

// nextFree returns the first free slot from a day on, nil if there is none.
func (s *Service) nextFree(
	ctx context.Context, offer places.Offer, from time.Time, consultant string,
) (*slot, error) {
	until := offer.LastDay()
	taken, err := s.store.taken(ctx, from.Format(time.DateOnly), until.Format(time.DateOnly), consultant)
	if err != nil {
		return nil, err
	}
	for day := from; !day.After(until); day = day.AddDate(0, 0, 1) {
		if free := firstFree([]DaySlots{slotsOf(offer, day, taken)}); free != nil {
			return free, nil
		}
	}
	return nil, nil
}

func firstFree(days []DaySlots) *slot {
	for _, day := range days {
		for _, one := range day.Slots {
			if one.State == places.Free {
				return &slot{day.Date, one.Time}
			}
		}
	}
	return nil
}

func slotsOf(offer places.Offer, day time.Time, taken map[slot]occupied) DaySlots {
	about := offer.Document.Day(day)
	all := DaySlots{
		Date: day.Format(time.DateOnly), Open: len(about.Spans) > 0, Name: about.Name, Spans: about.Spans,
		Slots: []SlotOf{},
	}
	for _, at := range offer.Document.AppointmentSlots {
		held := taken[slot{all.Date, at}]
		one := SlotOf{
			Time: at, Capacity: offer.Document.Appointments.Capacity(at), Taken: held.Taken,
			State: offer.State(all.Date, at, held.Taken),
		}
		if held.Booked && one.State == places.Free {
			one.State = places.Full
		}
		all.Slots = append(all.Slots, one)
	}
	return all
}

// freeTimes returns the times of a day that are free.
func (s *Service) freeTimes(ctx context.Context, date, consultant string) ([]string, error) {
	days, _, err := s.Slots(ctx, slotsRequest{From: date, Days: 1, ConsultantID: consultant})
	if err != nil {
		return nil, err
	}
	var free []string
	for _, one := range days[0].Slots {
		if one.State == places.Free {
			free = append(free, one.Time)
		}
	}
	return free, nil
}

// Appointments is one page of a list of appointments, and the length of the whole list.
type Appointments struct {
	List  []Booking
	Total int
}

// Appointments returns a page of the appointments, newest first. It records that the caller has read them. Pages count
// from 1.
func (s *Service) Appointments(ctx context.Context, req listRequest) (Appointments, error) {
	offer, at, err := s.offerNow(ctx)
	if err != nil {
		return Appointments{}, err
	}
	var outside []slot
	if req.Needs == needsTime {
		open, err := s.store.openSlots(ctx, at.Local.Format(time.DateOnly))
		if err != nil {
			return Appointments{}, err
		}
		for _, one := range open {
			if !offer.Has(one.Date, one.Time) {
				outside = append(outside, one)
			}
		}
	}
	return s.store.appointments(ctx, req, outside, at)
}

// Day returns the slots of a day, "" for today, and its appointments of all statuses by time and place. A consultant
// gets only the own ones. It records that the caller has read phone numbers.
func (s *Service) Day(ctx context.Context, date string, own bool) (DaySlots, []Booking, error) {
	offer, _, err := s.offerNow(ctx)
	if err != nil {
		return DaySlots{}, nil, err
	}
	if date == "" {
		date = offer.Now.Format(time.DateOnly)
	}
	taken, err := s.store.taken(ctx, date, date, "")
	if err != nil {
		return DaySlots{}, nil, err
	}
	bookings, err := s.store.day(ctx, date, own)
	return slotsOf(offer, places.Clock(date, "00:00"), taken), bookings, err
}
