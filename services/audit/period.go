package audit

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"baari.dev/services/platform/feed"
)

// Waits has the waiting times, in minutes from arrival to session, of the visits that had a session. The quantiles
// are rounded up to whole minutes. They are nil if there is no such visit.
type Waits struct {
	Visits        int
	P50, P80, P95 *int
	Over30        int // visits that waited more than 30 minutes
}

// Sessions are the sessions of one service or one consultant.
type Sessions struct {
	ID, Name string
	Visits   int // number of visits in any status
	Sessions int
	Minutes  float64 // sum over all completed sessions
}

// ServiceWaits are the waits and sessions of a service.
type ServiceWaits struct {
	Sessions
	Waits Waits
}

// HourWaits are the waits of the visitors who arrived in one hour of the day.
type HourWaits struct {
	Hour  int
	Waits Waits
}

// Outcomes counts the visits of a period by how they ended. Total also counts visits that have not ended.
type Outcomes struct {
	Total, Completed, Denied, Left, NoShow, Cancelled int
}

// Span has the figures of a period.
type Span struct {
	Days        Days
	Outcomes    Outcomes
	Waits       Waits
	Arrivals    [7][24]int // indexed by day of the week from Monday, and hour
	Services    []ServiceWaits
	Hours       []HourWaits // hours with waits, in order
	Consultants []Sessions  // most visits first
}

// Comparison has the figures of a period and of the period of the same length before it.
type Comparison struct {
	Period, Before Span
	At             feed.Position
}

// Compare returns the figures of a period and of the period before.
func (s *Service) Compare(ctx context.Context, days Days) (Comparison, error) {
	return s.store.compare(ctx, days, before(days))
}

// before returns the period of the same length that ends on the day before days.Start.
func before(days Days) Days {
	first, _ := time.Parse(time.DateOnly, days.Start) // readDays has checked both
	last, _ := time.Parse(time.DateOnly, days.End)
	end := first.AddDate(0, 0, -1)
	return Days{Start: end.Add(first.Sub(last)).Format(time.DateOnly), End: end.Format(time.DateOnly)}
}

// quartersMoved returns the zone's offset at 12:00 UTC of each day from first to last, in quarters of an hour.
func quartersMoved(zone, first, last string) ([]int32, error) {
	location, err := time.LoadLocation(zone)
	if err != nil {
		return nil, err
	}
	noon, _ := time.Parse(time.DateOnly, first) // both days were checked
	end, _ := time.Parse(time.DateOnly, last)
	var moved []int32
	for noon = noon.Add(12 * time.Hour); noon.Before(end.AddDate(0, 0, 1)); noon = noon.AddDate(0, 0, 1) {
		_, seconds := noon.In(location).Zone()
		moved = append(moved, int32(seconds/(15*60)))
	}
	return moved, nil
}

const longWait = 30 // minutes

// histogram has the number of visits for each number of whole minutes.
type histogram map[int]int

// waits returns the number of visits and the quantiles of a histogram. P80, for example, is the smallest number of
// whole minutes that at least 80 per cent of the visits did not exceed.
func (h histogram) waits() Waits {
	var w Waits
	most := 0
	for minutes, visits := range h {
		w.Visits += visits
		most = max(most, minutes)
		if minutes > longWait {
			w.Over30 += visits
		}
	}
	quantiles := []struct {
		percent int
		into    **int
	}{{50, &w.P50}, {80, &w.P80}, {95, &w.P95}}
	seen := 0
	for minutes := range most + 1 {
		seen += h[minutes]
		for _, q := range quantiles {
			if *q.into == nil && w.Visits > 0 && seen*100 >= q.percent*w.Visits {
				*q.into = new(minutes)
			}
		}
	}
	return w
}

// Register is the list of a day's visits, in the order of the export.
type Register struct {
	Day     string
	Entries []RegisterEntry
	At      feed.Position
}

// RegisterEntry is one line of the register. Each word of a visitor's name is reduced to its first letter and ***.
type RegisterEntry struct {
	Token, Also, Name, Service, Consultant, Stage string // Also is a second token, "" for none
	Arrived, Called, Started, Completed           *time.Time
}

// DayRegister returns the register of a day.
func (s *Service) DayRegister(ctx context.Context, day string) (Register, error) {
	return s.store.register(ctx, day)
}

func maskName(name string) string {
	words := strings.Fields(name)
	for i, word := range words {
		first, _ := utf8.DecodeRuneInString(word)
		words[i] = string(first) + "***"
	}
	return strings.Join(words, " ")
}
