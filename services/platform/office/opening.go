package office

import (
	"slices"
	"time"
)

// Opening returns the opening and closing time of a day of the week as 09:00 and 19:00. ok is false when the office is
// closed on that day, which is also so for a day that Hours does not name.
func (d Document) Opening(day time.Weekday) (from, to string, ok bool) {
	for _, hours := range d.Hours {
		if slices.Contains(hours.Weekdays(), day.String()) {
			if !hours.IsOpen() {
				return "", "", false
			}
			return Clock(*hours.Open), Clock(*hours.Close), true
		}
	}
	return "", "", false
}
