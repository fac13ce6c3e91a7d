package lobby

import (
	"time"

	"baari.dev/services/lobby/page"
	"baari.dev/services/office"
)

// mostClosed is the number of days that are searched for the next one on which the office opens.
const mostClosed = 400

// days returns the parts of the office document that decide when the office is open.
func (o officeCopy) days() office.Document {
	return office.Document{Hours: o.Hours, Yearly: o.Yearly, SpecialDays: o.SpecialDays}
}

// opensAfter returns when the office opens next, if it is closed on the whole day of now: the zero Opening if it does
// not open again. It returns nil on other days, and before the hours are known.
func (o officeCopy) opensAfter(now time.Time) *page.Opening {
	document := o.days()
	if len(document.Hours) == 0 || len(document.On(now)) > 0 {
		return nil
	}
	for later := range mostClosed {
		day := now.AddDate(0, 0, later+1)
		if spans := document.On(day); len(spans) > 0 {
			return &page.Opening{Day: day, Time: spans[0].From}
		}
	}
	return &page.Opening{}
}

// closing returns when the office closes on a day, YYYY-MM-DD: the end of the last span of its opening hours. A day
// without hours closes at 24:00.
func (o officeCopy) closing(day string, zone *time.Location) time.Time {
	start, err := time.ParseInLocation(time.DateOnly, day, zone)
	if err != nil {
		return time.Time{} // impossible: the column's type is date
	}
	spans := o.days().On(start)
	if len(spans) == 0 {
		return start.AddDate(0, 0, 1)
	}
	at, err := time.Parse("15:04", spans[len(spans)-1].To)
	if err != nil {
		return start.AddDate(0, 0, 1)
	}
	return time.Date(start.Year(), start.Month(), start.Day(), at.Hour(), at.Minute(), 0, 0, zone)
}
