package catalog

import (
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/office"
)

// Closing returns the time at which the office closes on the day that begins at start: the end of its last span of
// opening hours, or 24:00 on a day without hours. days are the stored keys of the office document, as Clock has them.
func Closing(days string, start time.Time) time.Time {
	spans := HoursOn(days, start)
	if len(spans) == 0 {
		return start.AddDate(0, 0, 1)
	}
	return onDay(start, spans[len(spans)-1].To)
}

// Opening returns the time at which the office opens on the day that begins at start, or 0:00 on a day without hours.
func Opening(days string, start time.Time) time.Time {
	spans := HoursOn(days, start)
	if len(spans) == 0 {
		return start
	}
	return onDay(start, spans[0].From)
}

// HoursOn returns the opening hours on the day that begins at start, from the stored days; none if closed.
func HoursOn(days string, start time.Time) []office.Span {
	var document office.Document
	if days == "" || json.Unmarshal([]byte(days), &document) != nil {
		return nil
	}
	return document.On(start)
}

// onDay returns the time of day in text, such as "15:04", on the day that begins at start.
func onDay(start time.Time, text string) time.Time {
	at, err := time.Parse("15:04", text)
	if err != nil { // directory has validated the document
		return start
	}
	return time.Date(start.Year(), start.Month(), start.Day(), at.Hour(), at.Minute(), 0, 0, start.Location())
}
