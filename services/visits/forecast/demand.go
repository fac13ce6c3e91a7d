package forecast

import (
	"context"
	"math"
	"slices"
	"time"

	"baari.dev/services/office/due"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/foresight"
)

// This file forecasts the number of visitors on the coming days, for the admin's page.

const (
	demandDays    = 14
	demandHistory = 400 // number of past days; more than a year, for annual filings
	leastHistory  = 10  // a forecast from fewer days is a first estimate
)

// arrivalsSeen has the data from which arrivals are forecast.
type arrivalsSeen struct {
	today  time.Time // midnight of the office's day, as if it were UTC
	days   string    // stored days of the office document
	counts []foresight.Count
	due    []foresight.Due
}

// demandDue is an entry of the calendar of due dates.
type demandDue struct {
	group    string
	schedule due.Schedule
}

// duesOf returns an entry's due dates from 7 days before the first counted day to 8 days after the last forecast day.
func duesOf(entry demandDue, today time.Time) (all []foresight.Due) {
	from, to := today.AddDate(0, 0, -demandHistory-7), today.AddDate(0, 0, demandDays+7)
	for _, text := range entry.schedule.Days(from.Format(time.DateOnly), to.Format(time.DateOnly)) {
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			all = append(all, foresight.Due{Group: entry.group, On: day})
		}
	}
	return all
}

// expectedBody is an expected number of visitors, with a range that contains the actual number in 80 % of cases.
type expectedBody struct {
	Mean float64 `json:"mean"`
	From int     `json:"from"`
	To   int     `json:"to"`
}

func expectedOf(a foresight.Arrivals) expectedBody {
	return expectedBody{
		Mean: math.Round(a.Mean*10) / 10, From: int(math.Floor(a.Low)), To: int(math.Ceil(a.High)),
	}
}

type demandHour struct {
	Hour     int          `json:"hour"`
	Visitors expectedBody `json:"visitors"`
}

type demandDay struct {
	Date     string        `json:"date"`
	Closed   bool          `json:"closed"`
	Due      []string      `json:"due"`
	Visitors *expectedBody `json:"visitors"`
	Hours    []demandHour  `json:"hours"`
}

type demandBody struct {
	Days    []demandDay `json:"days"`
	History int         `json:"history"`
	Early   bool        `json:"early"`
}

type demandAnswer struct {
	Demand demandBody `json:"demand"`
}

// Demand returns the number of visitors expected today and on each of the following days, also by hour.
func (f *Forecaster) Demand(ctx context.Context, _ struct{}) (demandAnswer, error) {
	seen, err := f.requests.arrivalsSeen(ctx)
	if err != nil {
		return demandAnswer{}, postgres.Classify(err)
	}
	calendar := foresight.NewCalendar(seen.due)
	learned := foresight.LearnDemand(seen.counts, calendar)
	body := demandBody{
		Days: make([]demandDay, demandDays), History: learned.Days(), Early: learned.Days() < leastHistory,
	}
	for i := range body.Days {
		day := seen.today.AddDate(0, 0, i)
		closed := seen.days != "" && len(catalog.HoursOn(seen.days, day)) == 0
		body.Days[i] = demandOf(day, closed, learned, calendar)
	}
	return demandAnswer{body}, nil
}

func demandOf(day time.Time, closed bool, learned *foresight.Demand, calendar foresight.Calendar) demandDay {
	body := demandDay{
		Date: day.Format(time.DateOnly), Closed: closed, Hours: []demandHour{},
		Due: slices.DeleteFunc(slices.Clone(due.Groups), func(group string) bool { return !calendar.IsDue(group, day) }),
	}
	all := learned.Of(day)
	if closed || all.Mean == 0 {
		return body
	}
	body.Visitors = new(expectedOf(all))
	for hour, visitors := range learned.ByHour(day) {
		if one := expectedOf(visitors); one.Mean > 0 {
			body.Hours = append(body.Hours, demandHour{hour, one})
		}
	}
	return body
}
