package places_test

import (
	"testing"
	"time"

	"baari.dev/services/directory/appointment"
	"baari.dev/services/directory/places"
	"baari.dev/services/office"
)

func ptr(text string) *string { return &text }

// offices returns an office that is open from 9 to 1 and from 2 to 7 on weekdays, until 5 on Saturdays, closed on
// 26 January and on 29 February, and open for the morning of Sunday, 5 March 2028.
func offices() office.Document {
	return office.Document{
		AppointmentSlots: []string{"09:00", "10:00", "13:00", "14:00", "18:00"},
		Hours: []office.Hours{
			{Days: "Monday-Friday", Open: ptr("9 AM"), Close: ptr("7 PM"), Breaks: []office.Break{{From: "1 PM", To: "2 PM"}}},
			{Days: "Saturday", Open: ptr("9 AM"), Close: ptr("5 PM")},
		},
		Yearly: []office.YearlyDay{{Month: 1, Day: 26, Name: "Republic Day"}, {Month: 2, Day: 29, Name: "Leap day"}},
		SpecialDays: []office.SpecialDay{
			{Date: "2028-03-05", Name: "Last days", Open: ptr("9 AM"), Close: ptr("12 PM")},
			{Date: "2028-02-28", Name: "Repairs"},
		},
		Appointments: office.Appointments{
			PerSlot: 2, ByTime: map[string]int{"10:00": 0, "18:00": 1}, DaysAhead: 20, LeadMinutes: 30,
		},
	}
}

// The first state that applies is the slot's, in the order far, closed, past, full, free.
func TestStatesOfSlots(t *testing.T) {
	now := time.Date(2028, 2, 25, 8, 30, 0, 0, time.UTC) // a Friday of a leap year
	offer := places.Offer{Document: offices(), Now: now}
	for _, c := range []struct {
		date, at string
		taken    int
		want     places.State
	}{
		{"2028-03-16", "09:00", 0, "free"},   // the last day
		{"2028-03-17", "09:00", 0, "far"},    // a day too far
		{"2028-03-19", "09:00", 9, "far"},    // also on a Sunday, and full
		{"2028-02-27", "09:00", 0, "closed"}, // a Sunday
		{"2028-03-05", "09:00", 0, "free"},   // a Sunday with hours of its own
		{"2028-03-05", "13:00", 0, "closed"}, // their end is over
		{"2028-02-28", "09:00", 0, "closed"}, // a closed Monday
		{"2028-02-29", "09:00", 0, "closed"}, // the day of leap years
		{"2028-03-01", "09:00", 0, "free"},   // the day after it
		{"2028-03-01", "13:00", 0, "closed"}, // the break
		{"2028-03-01", "14:00", 0, "free"},   // its end
		{"2028-02-26", "18:00", 0, "closed"}, // a Saturday, closed by then
		{"2028-03-01", "11:00", 0, "closed"}, // no slot
		{"2028-01-26", "09:00", 0, "closed"}, // closed goes before past
		{"2028-02-24", "09:00", 0, "past"},   // yesterday
		{"2028-02-24", "18:00", 1, "past"},   // past goes before full
		{"2028-02-25", "09:00", 0, "past"},   // exactly the lead ahead
		{"2028-02-25", "10:00", 0, "full"},   // a time without places
		{"2028-02-25", "14:00", 1, "free"},
		{"2028-02-25", "14:00", 2, "full"},
		{"2028-02-25", "14:00", 3, "full"}, // the capacity was lowered
		{"2028-02-25", "18:00", 0, "free"},
		{"2028-02-25", "18:00", 1, "full"}, // the time's own capacity
	} {
		if got := offer.State(c.date, c.at, c.taken); got != c.want {
			t.Errorf("%s %s with %d taken is %s, want %s", c.date, c.at, c.taken, got, c.want)
		}
	}
	offer.Now = now.Add(-time.Minute)
	if got := offer.State("2028-02-25", "09:00", 0); got != "free" {
		t.Errorf("a minute more than the lead ahead is %s", got)
	}
}

func TestOpenAppointmentsOutsideTheHoursNeedANewTime(t *testing.T) {
	offer := places.Offer{Document: offices(), Now: time.Date(2028, 2, 25, 12, 0, 0, 0, time.UTC)}
	for _, c := range []struct {
		status   appointment.Status
		date, at string
		want     bool
	}{
		{"confirmed", "2028-02-28", "09:00", true}, {"pending", "2028-02-28", "09:00", true},
		{"cancelled", "2028-02-28", "09:00", false}, {"arrived", "2028-02-28", "09:00", false},
		{"confirmed", "2028-03-01", "13:00", true}, {"confirmed", "2028-03-01", "11:00", true},
		{"confirmed", "2028-03-01", "09:00", false}, {"confirmed", "2028-02-25", "09:00", false},
		{"confirmed", "2028-02-25", "11:00", true},  // today
		{"confirmed", "2028-01-26", "09:00", false}, // a day of the past
	} {
		if got := offer.NeedsTime(c.status, c.date, c.at); got != c.want {
			t.Errorf("%s on %s at %s needs a time: %v", c.status, c.date, c.at, got)
		}
	}
}

func TestTheOfficeClosesAtTheEndOfItsLastSpan(t *testing.T) {
	for date, want := range map[string]time.Time{
		"2028-02-25": time.Date(2028, 2, 25, 19, 0, 0, 0, time.UTC),
		"2028-02-26": time.Date(2028, 2, 26, 17, 0, 0, 0, time.UTC),
		"2028-03-05": time.Date(2028, 3, 5, 12, 0, 0, 0, time.UTC),
		"2028-02-29": time.Date(2028, 3, 1, 0, 0, 0, 0, time.UTC), // closed: at the end of the day
	} {
		if got := places.Closes(offices(), date); !got.Equal(want) {
			t.Errorf("%s closes at %v", date, got)
		}
	}
}

func TestTheLowestFreePlaceIsTaken(t *testing.T) {
	for want, taken := range map[int][]int{1: nil, 2: {1, 3}, 4: {3, 2, 1, 0}} {
		if got := places.LowestFree(taken); got != want {
			t.Errorf("beside %v the place is %d, want %d", taken, got, want)
		}
	}
}

func TestANoShowIsNotedSomeMinutesAfterTheSlot(t *testing.T) {
	want := time.Date(2028, 3, 1, 0, 5, 0, 0, time.UTC)
	if from := places.NoShowFrom("2028-02-29", "23:50", 15); !from.Equal(want) {
		t.Errorf("from %v", from)
	}
}
