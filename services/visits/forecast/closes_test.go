package forecast

import (
	"testing"
	"time"
)

// In an office with a lunch break, forecasts end after the last span of opening hours, not at lunch.
func TestALunchBreakEndsNoForecast(t *testing.T) {
	const days = `{"hours":[{"days":"Monday-Friday","open":"9 AM","close":"1 PM"},
		{"days":"Monday-Friday","open":"2 PM","close":"7 PM"}]}`
	lunch := time.Date(2026, time.November, 25, 13, 30, 0, 0, time.UTC)
	if left := closesIn(lunch, days); left != 5*time.Hour+30*time.Minute {
		t.Errorf("at lunch the office closes in %s", left)
	}
}

// closesIn returns 0 if no valid opening hours are stored, and after the office has closed.
func TestWhenTheOfficeCloses(t *testing.T) {
	const days = `{"hours":[{"days":"Monday-Friday","open":"9:30 AM","close":"6 PM"}]}`
	noon := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC) // a Friday
	for _, stored := range []string{"", "no JSON"} {
		if closesIn(noon, stored) != 0 {
			t.Errorf("days %q close the office at noon", stored)
		}
	}
	if got := closesIn(noon, days); got != 6*time.Hour {
		t.Errorf("at noon the office closes in %v", got)
	}
	if got := closesIn(noon.Add(7*time.Hour), days); got != 0 {
		t.Errorf("an hour after closing it closes in %v", got)
	}
}
