package office_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"baari.dev/services/office"
)

// hours returns an entry of the opening hours. If open is "", the office is closed on these days. Breaks are pairs of
// times.
func hours(days, open, shut string, breaks ...string) office.Hours {
	if open == "" {
		return office.Hours{Days: days}
	}
	return office.Hours{Days: days, Open: &open, Close: &shut, Breaks: pauses(breaks)}
}

func pauses(times []string) (breaks []office.Break) {
	for i := 0; i < len(times); i += 2 {
		breaks = append(breaks, office.Break{From: times[i], To: times[i+1]})
	}
	return breaks
}

func special(date, name, open, shut string, breaks ...string) office.SpecialDay {
	h := hours("", open, shut, breaks...)
	return office.SpecialDay{Date: date, Name: name, Open: h.Open, Close: h.Close, Breaks: h.Breaks}
}

func day(t *testing.T, date string) time.Time {
	t.Helper()
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// A day has the spans of its entries in order, whatever their order in the document.
func TestADayHasItsSpans(t *testing.T) {
	d := office.Document{Hours: []office.Hours{
		hours("Monday-Friday", "2 PM", "5:30 PM"), hours("Monday-Friday", "9 AM", "1 PM"), hours("Sunday", "", ""),
		hours("Saturday", "10 AM", "5 PM", "11 AM", "11:15 AM", "1 PM", "2 PM"),
	}}
	broken := []office.Span{{From: "09:00", To: "13:00"}, {From: "14:00", To: "17:30"}}
	for date, want := range map[string][]office.Span{
		"2026-11-30": broken, "2026-12-04": broken, "2026-12-06": nil,
		"2026-12-05": {{From: "10:00", To: "11:00"}, {From: "11:15", To: "13:00"}, {From: "14:00", To: "17:00"}},
	} {
		if got := d.On(day(t, date)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", date, got, want)
		}
	}
	for at, open := range map[string]bool{
		"08:59": false, "09:00": true, "12:59": true, "13:00": false, "13:59": false, "14:00": true, "17:30": false,
	} {
		if office.IsOpenAt(d.On(day(t, "2026-11-30")), at) != open {
			t.Errorf("at %s the office is open: %v", at, !open)
		}
	}
}

// A special day comes before a yearly one, and both before the hours of the week. 29 February is a day of leap years.
func TestSomeDaysDifferFromTheWeek(t *testing.T) {
	d := office.Document{
		Hours: []office.Hours{hours("Monday-Sunday", "9 AM", "7 PM")},
		Yearly: []office.YearlyDay{
			{Month: 1, Day: 26, Name: "Republic Day"}, {Month: 2, Day: 29, Name: "Leap day"},
		},
		SpecialDays: []office.SpecialDay{
			special("2027-01-26", "Open house", "10 AM", "1 PM"), special("2027-03-22", "Holi", "", ""),
		},
	}
	usual := []office.Span{{From: "09:00", To: "19:00"}}
	for date, want := range map[string]office.Day{
		"2026-01-26": {Name: "Republic Day"},
		"2027-01-26": {Name: "Open house", Spans: []office.Span{{From: "10:00", To: "13:00"}}},
		"2027-03-22": {Name: "Holi"},
		"2028-03-22": {Spans: usual},
		"2028-02-29": {Name: "Leap day"},
		"2027-02-28": {Spans: usual},
		"2027-03-01": {Spans: usual},
	} {
		if got := d.Day(day(t, date)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", date, got, want)
		}
	}
}

// Only the date counts: the days on which clocks change have their hours from their first moment to their last.
func TestTheDayIsThatOfTheClockOnTheWall(t *testing.T) {
	sydney, err := time.LoadLocation("Australia/Sydney")
	if err != nil {
		t.Fatal(err)
	}
	d := office.Document{
		Hours: []office.Hours{hours("Monday-Saturday", "9 AM", "7 PM"), hours("Sunday", "", "")},
		SpecialDays: []office.SpecialDay{
			special("2026-10-04", "", "10 AM", "2 PM"), special("2026-04-05", "", "8 AM", "9 AM"),
		},
	}
	for date, want := range map[string]string{
		"2026-04-04": "09:00", "2026-04-05": "08:00", "2026-10-03": "09:00", "2026-10-04": "10:00",
	} {
		start, err := time.ParseInLocation(time.DateOnly, date, sydney)
		if err != nil {
			t.Fatal(err)
		}
		end := start.AddDate(0, 0, 1).Add(-time.Second)
		if first, last := d.On(start), d.On(end); first[0].From != want || !reflect.DeepEqual(first, last) {
			t.Errorf("%s begins with %v and ends with %v", date, first, last)
		}
	}
	before := time.Date(2026, time.October, 3, 15, 0, 0, 0, time.UTC) // 4 October in Sydney
	if len(d.On(before.In(sydney))) != 1 || d.On(before)[0].From != "09:00" {
		t.Error("the day is not that of the time's own location")
	}
}

// Entries with the same days that are open one after the other are one entry with breaks. Any other day in two entries
// is rejected.
func TestADayIsNamedOnce(t *testing.T) {
	for name, c := range map[string]struct {
		entries []office.Hours
		want    string // text in the error; "": none
	}{
		"a lunch break": {
			[]office.Hours{hours("Monday-Friday", "9 AM", "1 PM"), hours("Monday-Friday", "2 PM", "7 PM")}, "",
		},
		"a day again": {
			[]office.Hours{hours("Monday-Friday", "9 AM", "1 PM"), hours("Friday", "2 PM", "5 PM")},
			"/hours/1/days names Friday again",
		},
		"overlapping": {
			[]office.Hours{hours("Monday", "9 AM", "3 PM"), hours("Monday", "2 PM", "5 PM")}, "names Monday again",
		},
		"closed, too": {
			[]office.Hours{hours("Sunday", "9 AM", "1 PM"), hours("Sunday", "", "")}, "names Sunday again",
		},
	} {
		rejected(t, name, office.Document{Hours: c.entries}, c.want)
	}
}

func TestInvalidHoursAndDaysAreNamed(t *testing.T) {
	week := func(entry office.Hours) office.Document { return office.Document{Hours: []office.Hours{entry}} }
	days := func(edit func(*office.Document)) office.Document {
		d := week(hours("Monday", "9 AM", "7 PM"))
		edit(&d)
		return d
	}
	for want, d := range map[string]office.Document{
		"/hours/0/close is not after open":         week(hours("Monday", "9 AM", "9 AM")),
		"/hours/0/breaks/0/from is not after open": week(hours("Monday", "9 AM", "7 PM", "9 AM", "10 AM")),
		"/hours/0/breaks/0/to is not after from":   week(hours("Monday", "9 AM", "7 PM", "1 PM", "1 PM")),
		"/hours/0/breaks/1/from is not after the break before": week(
			hours("Monday", "9 AM", "7 PM", "1 PM", "2 PM", "2 PM", "3 PM")),
		"/hours/0/close is not after the last break": week(hours("Monday", "9 AM", "7 PM", "6 PM", "7 PM")),
		"/hours/0/breaks/0/to is not a time":         week(hours("Monday", "9 AM", "7 PM", "1 PM", "noon")),
		"/hours/0/breaks has breaks of a closed day": week(office.Hours{
			Days: "Monday", Breaks: pauses([]string{"1 PM", "2 PM"}),
		}),
		"/yearly/0/day is no day of a year": days(func(d *office.Document) {
			d.Yearly = []office.YearlyDay{{Month: 2, Day: 30, Name: "x"}}
		}),
		"/yearly/1/day is there twice": days(func(d *office.Document) {
			d.Yearly = []office.YearlyDay{{Month: 5, Day: 1, Name: "x"}, {Month: 5, Day: 1, Name: "y"}}
		}),
		"/specialDays/1/date is there twice": days(func(d *office.Document) {
			twice := special("2027-02-28", "", "9 AM", "1 PM")
			d.SpecialDays = []office.SpecialDay{special("2027-02-28", "", "", ""), twice}
		}),
		"/specialDays/0/close is not after open": days(func(d *office.Document) {
			d.SpecialDays = []office.SpecialDay{special("2027-02-28", "", "9 AM", "8 AM")}
		}),
	} {
		rejected(t, want, d, want)
	}
}

// rejected checks that the hours of a document are rejected with a text, or accepted if it is "".
func rejected(t *testing.T, name string, d office.Document, want string) {
	t.Helper()
	err := d.CheckHours()
	if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("%s: %v, want %q", name, err, want)
	}
}
