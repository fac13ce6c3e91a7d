package catalog

import (
	"testing"
	"time"
)

// On a day of 23 or 25 hours, the office opens at the usual local time.
func TestTheOfficeOpensByItsClock(t *testing.T) {
	sydney, err := time.LoadLocation("Australia/Sydney")
	if err != nil {
		t.Fatal(err)
	}
	for _, day := range []time.Time{
		time.Date(2026, time.April, 5, 0, 0, 0, 0, sydney), time.Date(2026, time.October, 4, 0, 0, 0, 0, sydney),
	} {
		if opens := onDay(day, "09:00"); opens.Hour() != 9 || opens.Day() != day.Day() {
			t.Errorf("it opens at %s", opens)
		}
	}
}
