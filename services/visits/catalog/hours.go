package catalog

import (
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/office"
)

// Closing returns when the office closes, after its last span, on the day that begins at start. A day without hours
// closes at 24:00.
func Closing(hours string, start time.Time) time.Time {
	spans := HoursOn(hours, start)
	if len(spans) == 0 {
		return start.AddDate(0, 0, 1)
	}
	return onDay(start, spans[len(spans)-1].To)
}

// Opening returns when the office opens on the day that begins at start. A day without hours opens at 0:00.
func Opening(hours string, start time.Time) time.Time {
	spans := HoursOn(hours, start)
	if len(spans) == 0 {
		return start
	}
	return onDay(start, spans[0].From)
}

// HoursOn returns the spans of a day by the stored hours, none if the office is closed.
func HoursOn(stored string, start time.Time) []office.Span {
	var document office.Document
	if stored == "" || json.Unmarshal([]byte(stored), &document.Hours) != nil {
		return nil
	}
	return document.On(start.Weekday())
}

// onDay returns a time of the opening hours on the day that begins at start.
func onDay(start time.Time, text string) time.Time {
	at, err := time.Parse("15:04", text)
	if err != nil { // directory has validated the document
		return start
	}
	return time.Date(start.Year(), start.Month(), start.Day(), at.Hour(), at.Minute(), 0, 0, start.Location())
}
