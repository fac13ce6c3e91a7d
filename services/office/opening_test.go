package office_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"baari.dev/services/office"
)

// hours returns an entry of the opening hours. If open is "", the office is closed on these days.
func hours(days, open, shut string) office.Hours {
	if open == "" {
		return office.Hours{Days: days}
	}
	return office.Hours{Days: days, Open: &open, Close: &shut}
}

// A day has the spans of its entries in order, whatever their order in the document.
func TestADayHasItsSpans(t *testing.T) {
	d := office.Document{Hours: []office.Hours{
		hours("Monday-Friday", "2 PM", "5:30 PM"), hours("Monday-Friday", "9 AM", "1 PM"), hours("Sunday", "", ""),
		hours("Saturday", "10 AM", "2 PM"),
	}}
	broken := []office.Span{{From: "09:00", To: "13:00"}, {From: "14:00", To: "17:30"}}
	for day, want := range map[time.Weekday][]office.Span{
		time.Monday: broken, time.Friday: broken, time.Sunday: nil, time.Saturday: {{From: "10:00", To: "14:00"}},
	} {
		if got := d.On(day); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", day, got, want)
		}
	}
	for at, open := range map[string]bool{
		"08:59": false, "09:00": true, "12:59": true, "13:00": false, "13:59": false, "14:00": true, "17:30": false,
	} {
		if office.IsOpenAt(d.On(time.Monday), at) != open {
			t.Errorf("at %s the office is open: %v", at, !open)
		}
	}
}

// A day in two entries is rejected, unless the entries have the same days and are open one after the other.
func TestADayIsNamedOnce(t *testing.T) {
	for name, c := range map[string]struct {
		entries []office.Hours
		want    string // text in the error; "": none
	}{
		"a lunch break": {
			[]office.Hours{hours("Monday-Friday", "9 AM", "1 PM"), hours("Monday-Friday", "2 PM", "7 PM")}, "",
		},
		"a day again": {
			[]office.Hours{hours("Monday-Friday", "9 AM", "1 PM"), hours("Friday", "2 PM", "5 PM")}, "names Friday again",
		},
		"overlapping": {
			[]office.Hours{hours("Monday", "9 AM", "3 PM"), hours("Monday", "2 PM", "5 PM")}, "/hours/1 does not open after",
		},
		"closed, too": {
			[]office.Hours{hours("Sunday", "9 AM", "1 PM"), hours("Sunday", "", "")}, "/hours/1 does not open after",
		},
	} {
		d := office.Document{Hours: c.entries}
		err := d.CheckHours()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
