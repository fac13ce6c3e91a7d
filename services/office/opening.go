package office

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// YearlyDay is a day on which the office is closed in every year. Day 29 of month 2 is a day of leap years.
type YearlyDay struct {
	Month int               `json:"month"`
	Day   int               `json:"day"`
	Name  string            `json:"name"`
	Texts map[string]string `json:"texts,omitempty"` // the name in other languages
}

// SpecialDay is one day with opening hours of its own. Open and Close are nil if the office is closed.
type SpecialDay struct {
	Date   string            `json:"date"` // such as 2027-01-26
	Name   string            `json:"name"` // may be empty
	Texts  map[string]string `json:"texts,omitempty"`
	Open   *string           `json:"open"`
	Close  *string           `json:"close"`
	Breaks []Break           `json:"breaks,omitempty"`
}

func (s SpecialDay) hours() Hours { return Hours{Open: s.Open, Close: s.Close, Breaks: s.Breaks} }

// Span is a time of the day in which the office is open, for example from 09:00 until 13:00.
type Span struct{ From, To string }

// Day is what the document says about one day: when the office is open, and the name of a special or yearly day, else
// "". Texts has the name in other languages.
type Day struct {
	Spans []Span
	Name  string
	Texts map[string]string
}

// On returns the spans in which the office is open on a day, in order, none if it is closed. Only the date of day
// counts, in day's own location.
func (d Document) On(day time.Time) []Span { return d.Day(day).Spans }

// Day returns the opening hours of a day: those of a special day, else of a yearly day, else of the day of the week. A
// day of the week that Hours does not name has none.
func (d Document) Day(day time.Time) Day {
	date := day.Format(time.DateOnly)
	for _, special := range d.SpecialDays {
		if special.Date == date {
			return Day{special.hours().Spans(), special.Name, special.Texts}
		}
	}
	for _, yearly := range d.Yearly {
		if time.Month(yearly.Month) == day.Month() && yearly.Day == day.Day() {
			return Day{Name: yearly.Name, Texts: yearly.Texts}
		}
	}
	var spans []Span
	for _, hours := range d.Hours { // documents of older releases have an entry for each span
		if slices.Contains(hours.Weekdays(), day.Weekday().String()) {
			spans = append(spans, hours.Spans()...)
		}
	}
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Compare(a.From, b.From) })
	return Day{Spans: spans}
}

// Spans returns the times from Open until Close without the breaks, none if the office is closed.
func (h Hours) Spans() []Span {
	if !h.IsOpen() {
		return nil
	}
	spans := make([]Span, 0, len(h.Breaks)+1)
	from := Clock(*h.Open)
	for _, pause := range h.Breaks {
		spans = append(spans, Span{from, Clock(pause.From)})
		from = Clock(pause.To)
	}
	return append(spans, Span{from, Clock(*h.Close)})
}

// IsOpenAt reports whether a time, such as 09:00, is in one of the spans.
func IsOpenAt(spans []Span, at string) bool {
	return slices.ContainsFunc(spans, func(s Span) bool { return s.From <= at && at < s.To })
}

// joined returns the hours with one entry for several that have the same days and are open one after the other.
func joined(hours []Hours) []Hours {
	var all []Hours
	for _, entry := range hours {
		i := slices.IndexFunc(all, func(one Hours) bool { return one.Days == entry.Days })
		if i < 0 || !all[i].IsOpen() || !entry.IsOpen() || Clock(*entry.Open) < Clock(*all[i].Close) {
			all = append(all, entry)
			continue
		}
		var pause []Break
		if from, to := *all[i].Close, *entry.Open; Clock(from) < Clock(to) {
			pause = []Break{{from, to}}
		}
		all[i].Breaks, all[i].Close = slices.Concat(all[i].Breaks, pause, entry.Breaks), entry.Close
	}
	return all
}

// split returns the hours with an entry for each span, the form that joined reads.
func split(hours []Hours) []Hours {
	var all []Hours
	for _, entry := range hours {
		from := entry.Open
		for _, pause := range entry.Breaks {
			all = append(all, Hours{Days: entry.Days, Open: from, Close: &pause.From})
			from = &pause.To
		}
		all = append(all, Hours{Days: entry.Days, Open: from, Close: entry.Close})
	}
	return all
}

func (d Document) checkHours(p *Problems) {
	for i, hours := range d.Hours {
		key := fmt.Sprintf("/hours/%d", i)
		p.when(hours.Weekdays() == nil, key+"/days", "is not a day or a range like Monday-Friday")
		hours.checkTimes(p, key)
		for j, other := range d.Hours[:i] {
			twice := slices.DeleteFunc(hours.Weekdays(), func(day string) bool {
				return !slices.Contains(other.Weekdays(), day)
			})
			p.when(len(twice) > 0, key+"/days",
				fmt.Sprintf("names %s again, after /hours/%d", strings.Join(twice, ", "), j))
		}
	}
}

// checkTimes checks that the times of an entry follow each other: opening, each break, closing.
func (h Hours) checkTimes(p *Problems, key string) {
	p.when((h.Open == nil) != (h.Close == nil), key, "needs both open and close, or neither")
	if !h.IsOpen() {
		p.when(len(h.Breaks) > 0, key+"/breaks", "has breaks of a closed day")
		return
	}
	last := ""
	follows := func(key, text, after string) {
		at := Clock(text)
		p.when(at == "", key, "is not a time like 9 AM")
		p.when(at != "" && at <= last, key, "is not after "+after)
		last = max(last, at)
	}
	follows(key+"/open", *h.Open, "")
	after := "open"
	for i, pause := range h.Breaks {
		key := fmt.Sprintf("%s/breaks/%d", key, i)
		follows(key+"/from", pause.From, after)
		follows(key+"/to", pause.To, "from")
		after = "the break before"
	}
	if len(h.Breaks) > 0 {
		after = "the last break"
	}
	follows(key+"/close", *h.Close, after)
}

func (d Document) checkDays(p *Problems) {
	days := make([]string, len(d.Yearly))
	for i, day := range d.Yearly {
		const leapYear = 2024
		date := time.Date(leapYear, time.Month(day.Month), day.Day, 0, 0, 0, 0, time.UTC)
		p.when(date.Day() != day.Day, fmt.Sprintf("/yearly/%d/day", i), "is no day of a year")
		days[i] = date.Format("01-02")
	}
	p.duplicates(days, func(i int) string { return fmt.Sprintf("/yearly/%d/day", i) })
	dates := make([]string, len(d.SpecialDays))
	for i, day := range d.SpecialDays {
		dates[i] = day.Date
		day.hours().checkTimes(p, fmt.Sprintf("/specialDays/%d", i))
	}
	p.duplicates(dates, func(i int) string { return fmt.Sprintf("/specialDays/%d/date", i) })
}
