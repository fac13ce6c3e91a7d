package due_test

import (
	"slices"
	"strings"
	"testing"

	"baari.dev/services/office/due"
)

func TestDaysOfASchedule(t *testing.T) {
	quarters := []int{1, 4, 7, 10}
	for _, c := range []struct {
		what     string
		schedule due.Schedule
		from, to string
		want     string
	}{
		{"a date", due.Schedule{Date: "2026-09-30"}, "2026-09-30", "2026-09-30", "2026-09-30"},
		{"a date that is over", due.Schedule{Date: "2026-09-30"}, "2026-10-01", "2027-12-31", ""},
		{"months", due.Schedule{Months: quarters, Day: 18}, "2026-11-25", "2027-07-18",
			"2027-01-18 2027-04-18 2027-07-18"},
		{"the end of shorter months", due.Schedule{Months: []int{2, 4}, Day: 31}, "2027-01-31", "2028-03-01",
			"2027-02-28 2027-04-30 2028-02-29"},
		{"a day that was moved", due.Schedule{Months: []int{7}, Day: 31, MovedFrom: "2026-07-31", MovedTo: "2026-09-15"},
			"2026-07-01", "2027-07-31", "2026-09-15 2027-07-31"},
		{"moved into the period", due.Schedule{Months: []int{7}, Day: 31, MovedFrom: "2026-07-31", MovedTo: "2026-09-15"},
			"2026-09-01", "2026-09-30", "2026-09-15"},
		{"moved onto a day that it has", due.Schedule{Months: []int{7, 8}, Day: 7, MovedFrom: "2026-07-07",
			MovedTo: "2026-08-07"}, "2026-07-01", "2026-08-31", "2026-08-07"},
		{"no day", due.Schedule{Months: quarters, Day: 18}, "", "", ""},
	} {
		if got := strings.Join(c.schedule.Days(c.from, c.to), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
	moved := due.Schedule{Months: []int{7}, Day: 31, MovedFrom: "2026-07-31", MovedTo: "2026-09-15"}
	if !moved.Has("2026-07-31") || moved.Has("2026-09-15") {
		t.Error("a schedule has the days that it had before they were moved")
	}
}

func TestTheGroupOfAServiceFollowsItsName(t *testing.T) {
	for name, want := range map[string]string{
		"ITR Filing": due.IncomeTax, "GST Registration": due.GST, "GST Return Filing": due.GST, "Tax Planning": due.IncomeTax,
		"Audit Services": due.Audit, "Tax Audit": due.Audit, "Compliance Services": due.ROC, "TDS Returns": due.TDS,
		"Business Registration": due.Other, "Bookkeeping": due.Other, "Trademark Services": due.Other,
	} {
		got := due.GroupOf(name)
		if got != want || !slices.Contains(due.Groups, got) {
			t.Errorf("%s is of the group %s, want %s", name, got, want)
		}
	}
}
