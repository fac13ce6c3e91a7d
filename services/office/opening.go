package office

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Span is a time of the day in which the office is open, for example from 09:00 until 13:00.
type Span struct{ From, To string }

// On returns the spans in which the office is open on a day of the week, in order. There is no span if the office is
// closed, or if Hours does not name the day. Several entries of the same days are one day with breaks.
func (d Document) On(day time.Weekday) (spans []Span) {
	for _, hours := range d.Hours {
		if hours.IsOpen() && slices.Contains(hours.Weekdays(), day.String()) {
			spans = append(spans, Span{Clock(*hours.Open), Clock(*hours.Close)})
		}
	}
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Compare(a.From, b.From) })
	return spans
}

// IsOpenAt reports whether a time, such as 09:00, is in one of the spans.
func IsOpenAt(spans []Span, at string) bool {
	return slices.ContainsFunc(spans, func(s Span) bool { return s.From <= at && at < s.To })
}

func (d Document) checkHours(p *problems) {
	p.when(len(d.Hours) == 0, "/hours", "has no entry")
	for i, hours := range d.Hours {
		key := fmt.Sprintf("/hours/%d", i)
		p.when(hours.Weekdays() == nil, key+"/days", "is not a day or a range like Monday-Friday")
		p.when((hours.Open == nil) != (hours.Close == nil), key, "needs both open and close, or neither")
		if hours.IsOpen() {
			p.when(Clock(*hours.Open) == "", key+"/open", "is not a time like 9 AM")
			p.when(Clock(*hours.Close) == "", key+"/close", "is not a time like 7 PM")
		}
		for j, other := range d.Hours[:i] {
			hours.checkBeside(other, p, key, fmt.Sprintf("/hours/%d", j))
		}
	}
}

// checkBeside checks an entry against an earlier one: several entries may have the same days if they are open one after
// the other.
func (h Hours) checkBeside(other Hours, p *problems, key, of string) {
	twice := slices.DeleteFunc(h.Weekdays(), func(day string) bool { return !slices.Contains(other.Weekdays(), day) })
	switch {
	case len(twice) == 0:
	case h.Days != other.Days:
		p.when(true, key+"/days", "names "+strings.Join(twice, ", ")+" again, after "+of+
			"; entries of a day with a break have the same days")
	case !h.IsOpen() || !other.IsOpen() || Clock(*h.Open) < Clock(*other.Close):
		p.when(true, key, "does not open after "+of+" closes")
	}
}
