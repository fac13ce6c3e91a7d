package checker

import (
	"maps"
	"slices"
	"testing"
)

// arranged adds appointments to the evidence: two of one slot, of which the first has arrived with its visit, and one
// of yesterday whose client did not come. The office has two places a slot.
func (e *Evidence) arranged() *Evidence {
	if e.Feeds == nil {
		e.Feeds = map[string]Feed{}
	}
	e.event(Subject{"directory", "office", "office"}, "", "", values{"appointments": values{"perSlot": 2.0}})
	e.event(Subject{"visits", "visit", "visit-of-a1"}, "", "", values{"appointmentId": "a1", "stage": "new"})
	e.appoint("a1", values{"status": "pending", "place": 1.0, "messages": true})
	e.appoint("a2", values{"status": "confirmed", "place": 2.0, "consultantId": "c1"})
	e.appoint("a1", values{"status": "confirmed", "place": 1.0, "sequence": 1.0})
	e.appoint("a1", values{"status": "arrived", "place": 1.0, "sequence": 1.0, "visitId": "visit-of-a1"})
	e.appoint("a3", values{"status": "confirmed", "place": 1.0, "preferredDate": "2026-11-19"})
	e.appoint("a3", values{"status": "no-show", "preferredDate": "2026-11-19"})
	sent := Told{"a1", "sms", "appointment_confirmed"}
	e.Today, e.Told, e.Marked = today, []Told{sent}, map[Told]int{sent: 1}
	return e
}

// appoint adds an event of an appointment at 11:00 of the next day.
func (e *Evidence) appoint(id string, changes values) {
	after := values{"preferredDate": "2026-11-21", "preferredTime": "11:00"}
	maps.Copy(after, changes)
	e.event(Subject{"directory", "appointment", id}, "", "", after)
}

func TestSoundAppointmentsHaveNoViolation(t *testing.T) {
	e := (&Evidence{}).arranged()
	for _, found := range [][]Violation{checkPlaces(e), checkEnds(e), checkTold(e)} {
		for _, v := range found {
			t.Error(v)
		}
	}
}

// liesOfAppointments are errors in appointments, in their visits, and in messages about them.
func liesOfAppointments() []lie {
	return []lie{
		{"I24", "a slot has more appointments than places", func(e *Evidence) {
			e.arranged().appoint("a4", values{"status": "pending", "place": 3.0})
		}},
		{"I24", "a move overbooks a slot", func(e *Evidence) {
			e.arranged().appoint("a4", values{"status": "confirmed", "place": 1.0, "preferredTime": "12:00"})
			e.appoint("a4", values{"status": "confirmed", "place": 3.0})
		}},
		{"I24", "the capacity of a time is not kept", func(e *Evidence) {
			e.arranged().event(Subject{"directory", "office", "office"}, "", "",
				values{"appointments": values{"perSlot": 2.0, "byTime": values{"12:00": 0.0}}})
			e.appoint("a4", values{"status": "confirmed", "place": 1.0, "preferredTime": "12:00"})
		}},
		{"I24", "two appointments have one place", func(e *Evidence) {
			e.arranged().appoint("a2", values{"status": "confirmed", "place": 1.0})
		}},
		{"I24", "a consultant has two appointments at once", func(e *Evidence) {
			e.arranged().appoint("a1", values{"status": "confirmed", "place": 1.0, "consultantId": "c1"})
		}},
		{"I25", "an appointment of yesterday is still confirmed", func(e *Evidence) {
			e.arranged().appoint("a3", values{"status": "confirmed", "preferredDate": "2026-11-19", "place": 1.0})
		}},
		{"I25", "an appointment stays arrived without its visit", func(e *Evidence) {
			e.arranged().event(Subject{"visits", "visit", "visit-of-a1"}, "", "",
				values{"appointmentId": "a1", "stage": "cancelled"})
		}},
		{"I25", "a visit has an appointment that has not arrived", func(e *Evidence) {
			e.arranged().event(Subject{"visits", "visit", "visit-of-a2"}, "", "", values{"appointmentId": "a2", "stage": "new"})
		}},
		{"I27", "a message is sent twice", func(e *Evidence) {
			e.arranged()
			e.Told = append(e.Told, e.Told[0])
		}},
		{"I27", "a message was not marked", func(e *Evidence) { e.arranged().Marked = nil }},
		{"I27", "a message without consent", func(e *Evidence) {
			sent := Told{"a2", "sms", "appointment_confirmed"}
			e.arranged().Told, e.Marked = []Told{sent}, map[Told]int{sent: 1}
		}},
		{"I27", "SEQUENCE falls", func(e *Evidence) {
			e.arranged().appoint("a1", values{"status": "arrived", "place": 1.0, "visitId": "visit-of-a1"})
		}},
	}
}

func TestAppointmentsWithoutPlacesMayExceedTheCapacity(t *testing.T) {
	e := (&Evidence{}).arranged()
	e.appoint("a4", values{"status": "pending"})
	if found := checkPlaces(e); slices.ContainsFunc(found, func(v Violation) bool { return v.Invariant == "I24" }) {
		t.Error(found)
	}
}
