package office_test

import (
	"testing"
	"time"

	"baari.dev/services/platform/office"
)

func TestOpening(t *testing.T) {
	open, shut := "9 AM", "5:30 PM"
	d := office.Document{Hours: []office.Hours{
		{Days: "Monday-Friday", Open: &open, Close: &shut}, {Days: "Sunday"},
	}}
	for day, want := range map[time.Weekday][3]string{
		time.Monday: {"09:00", "17:30", "open"}, time.Friday: {"09:00", "17:30", "open"},
		time.Saturday: {}, time.Sunday: {},
	} {
		got := [3]string{}
		if from, to, ok := d.Opening(day); ok {
			got = [3]string{from, to, "open"}
		}
		if got != want {
			t.Errorf("%s: %v, want %v", day, got, want)
		}
	}
}
