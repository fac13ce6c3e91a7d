package queue

import (
	"testing"
	"time"

	"baari.dev/services/visits/row"
)

func TestALunchBreakIsNoClosing(t *testing.T) {
	const days = `{"hours":[{"days":"Monday-Friday","open":"9 AM","close":"1 PM"},
		{"days":"Monday-Friday","open":"2 PM","close":"7 PM"}]}`
	for at, closed := range map[string]bool{
		"08:00": true, "10:00": false, "13:30": false, "14:30": false, "18:59": false, "19:29": false, "19:30": true,
	} {
		local, err := time.Parse("2006-01-02 15:04", "2026-11-25 "+at)
		if err != nil {
			t.Fatal(err)
		}
		if got := isClosed(local, days, 30*time.Minute); got != closed {
			t.Errorf("at %s the office is closed: %v", at, got)
		}
	}
}

// The office is closed from an hour after closing until it opens. A day without hours is open from 0:00 to 24:00.
func TestWhenTheOfficeHasBeenClosedForLongEnough(t *testing.T) {
	const days = `{"hours":[{"days":"Monday-Friday","open":"9:30 AM","close":"6 PM"},
		{"days":"Saturday","open":"10 AM","close":"2 PM"},{"days":"Sunday","open":null,"close":null}]}`
	for at, closed := range map[string]bool{
		"2026-11-27 09:30": false, "2026-11-27 18:59": false, "2026-11-27 19:00": true, // a Friday
		"2026-11-28 09:59": true, "2026-11-28 10:00": false, "2026-11-28 14:59": false, "2026-11-28 15:00": true,
		"2026-11-29 12:00": false, // no hours on Sunday
		"2026-11-30 00:59": false, "2026-11-30 01:00": true, "2026-11-30 09:29": true, "2026-11-30 09:30": false,
	} {
		local, err := time.Parse("2006-01-02 15:04", at)
		if err != nil {
			t.Fatal(err)
		}
		if got := isClosed(local, days, time.Hour); got != closed {
			t.Errorf("at %s closed is %v", at, got)
		}
	}
	noon := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	for _, stored := range []string{"", "no JSON"} {
		if isClosed(noon, stored, time.Hour) {
			t.Errorf("days %q close the office at noon", stored)
		}
	}
}

// A holiday is a day without hours, and a single day has hours of its own. Neither changes the days around it.
func TestHolidaysAndSingleDaysHaveTheirOwnClosing(t *testing.T) {
	const days = `{"hours":[{"days":"Monday-Friday","open":"9 AM","close":"7 PM","breaks":[{"from":"1 PM","to":"2 PM"}]}],
		"yearly":[{"month":1,"day":26,"name":"Republic Day"}],
		"specialDays":[{"date":"2027-01-28","name":"","open":"10 AM","close":"2 PM","breaks":[]}]}`
	for at, closed := range map[string]bool{
		"2027-01-25 13:30": false, "2027-01-25 19:30": true, // an ordinary Monday
		"2027-01-26 00:29": false, "2027-01-26 20:00": false, // the holiday closes at 24:00
		"2027-01-27 00:30": true, "2027-01-27 09:00": false, "2027-01-27 19:29": false,
		"2027-01-28 09:59": true, "2027-01-28 14:29": false, "2027-01-28 14:30": true, "2027-01-29 14:30": false,
	} {
		local, err := time.Parse("2006-01-02 15:04", at)
		if err != nil {
			t.Fatal(err)
		}
		if got := isClosed(local, days, 30*time.Minute); got != closed {
			t.Errorf("at %s the office is closed: %v", at, got)
		}
	}
}

// "Later today" ends with the office's day, also on a day of 25 hours.
func TestTodayEndsWithTheOfficesDay(t *testing.T) {
	sydney, err := time.LoadLocation("Australia/Sydney")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, time.April, 5, 0, 0, 0, 0, sydney)
	at := row.Point{Now: start.Add(23 * time.Hour), Start: start.UTC(), End: start.AddDate(0, 0, 1).UTC()}
	if last := at.End.Add(-time.Minute); laterToday("until", &last, at) != nil {
		t.Errorf("%s is refused", last.In(sydney))
	}
	if end := at.WithinToday(5 * time.Hour); !end.Equal(at.End.Add(-time.Second)) {
		t.Errorf("the last moment of today is %s", end.In(sydney))
	}
}
