// Package due expands the schedules of due dates to days, for directory, which owns the calendar, and for visits. Days
// are texts such as 2026-07-31, which sort by time.
package due

import (
	"slices"
	"strings"
	"time"
)

// Groups of services whose filings are due together.
const (
	GST       = "gst"
	TDS       = "tds"
	IncomeTax = "income_tax"
	Audit     = "audit"
	ROC       = "roc"
	Other     = "other"
)

// Groups lists the groups.
var Groups = []string{GST, TDS, IncomeTax, Audit, ROC, Other}

// byWord has the group for a word in a service's name. The first entry whose word is in the name decides.
var byWord = []struct{ word, group string }{
	{"gst", GST}, {"tds", TDS}, {"audit", Audit}, {"roc", ROC}, {"compliance", ROC}, {"itr", IncomeTax},
	{"income", IncomeTax}, {"tax", IncomeTax},
}

// GroupOf returns the group for the name of a service that has no group of its own.
func GroupOf(service string) string {
	words := strings.Fields(strings.ToLower(service))
	for _, one := range byWord {
		if slices.Contains(words, one.word) {
			return one.group
		}
	}
	return Other
}

// Schedule is when something is due: on Date, or on Day of each of Months in every year. In a month with fewer days it
// is due on the last day.
type Schedule struct {
	Date   string
	Months []int // 1 to 12
	Day    int   // 1 to 31
	// MovedFrom is a day of the schedule that an official notification has moved to MovedTo; "" for none.
	MovedFrom, MovedTo string
}

// Days returns the days of the schedule from one day to another, both included, in order and each once.
func (s Schedule) Days(from, to string) []string {
	days := s.unmoved(from, to)
	if s.MovedFrom != "" {
		days = slices.DeleteFunc(days, func(day string) bool { return day == s.MovedFrom })
		if s.MovedTo >= from && s.MovedTo <= to {
			days = append(days, s.MovedTo)
		}
	}
	slices.Sort(days)
	return slices.Compact(days)
}

// Has reports whether a day is in the schedule, without regard to moves.
func (s Schedule) Has(day string) bool { return len(s.unmoved(day, day)) > 0 }

func (s Schedule) unmoved(from, to string) (days []string) {
	within := func(day string) bool { return day >= from && day <= to }
	if s.Date != "" && within(s.Date) {
		return []string{s.Date}
	}
	first, err := time.Parse(time.DateOnly, from)
	if s.Date != "" || err != nil {
		return nil
	}
	month := time.Date(first.Year(), first.Month(), 1, 0, 0, 0, 0, time.UTC)
	for ; month.Format(time.DateOnly) <= to; month = month.AddDate(0, 1, 0) {
		if !slices.Contains(s.Months, int(month.Month())) {
			continue
		}
		last := month.AddDate(0, 1, -1).Day()
		if day := month.AddDate(0, 0, min(s.Day, last)-1).Format(time.DateOnly); within(day) {
			days = append(days, day)
		}
	}
	return days
}
