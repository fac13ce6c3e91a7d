// Package calendar writes calendar entries according to RFC 5545: Invitation for a mail or a download, Feed for an
// address that calendars read. Equal arguments always give equal text, so a digest of it can be an ETag.
package calendar

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"

	ical "github.com/arran4/golang-ical"
)

// Methods of an entry. An entry in a mail is requested or cancelled, one that is downloaded is published.
const (
	Request = "REQUEST"
	Cancel  = "CANCEL"
	Publish = "PUBLISH"
)

const product = "-//Baari//Appointments//EN"

// Entry is one appointment of a calendar. Summary, Location and Description are plain text in any script; a line of
// Description ends with "\n".
type Entry struct {
	ID       string // together with Host the UID, which stays the same while the appointment moves
	Host     string
	Sequence int // increases with each change of the time, and when the appointment is cancelled
	// Changed is the time of the last change (DTSTAMP). It is part of the entry, not the time of writing.
	Changed  time.Time
	From, To time.Time

	Summary     string
	Location    string // "" for none
	Description string // "" for none
	URL         string // "" for none

	Organizer string // mail address, "" for none
	Attendee  string // mail address, "" for none; left out of a published entry (RFC 5546, 3.2.1)
	Cancelled bool
}

// Invitation returns a calendar with one entry. method is Request, Cancel or Publish. With Cancel the entry is
// cancelled, even if Entry.Cancelled is false.
func Invitation(method string, entry Entry) string {
	calendar := empty(method)
	entry.Cancelled = entry.Cancelled || method == Cancel
	add(calendar, method, entry)
	return calendar.Serialize(ical.WithNewLineWindows)
}

// Feed returns a published calendar with a name. Its entries are in the order of their times.
func Feed(name string, entries []Entry) string {
	calendar := empty(Publish)
	calendar.SetXWRCalName(clean(name))
	calendar.SetRefreshInterval("PT15M") // the library adds VALUE=DURATION
	entries = slices.Clone(entries)
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Or(a.From.Compare(b.From), cmp.Compare(a.ID, b.ID)) })
	for _, entry := range entries {
		add(calendar, Publish, entry)
	}
	return calendar.Serialize(ical.WithNewLineWindows)
}

func empty(method string) *ical.Calendar {
	calendar := &ical.Calendar{}
	calendar.SetVersion("2.0")
	calendar.SetProductId(product)
	calendar.SetCalscale("GREGORIAN")
	calendar.SetMethod(ical.Method(method))
	return calendar
}

// The library writes a name (CN) with escapes that RFC 5545 forbids in a parameter, so addresses have none.
func add(calendar *ical.Calendar, method string, entry Entry) {
	event := calendar.AddEvent(word(entry.ID) + "@" + word(entry.Host))
	event.SetDtStampTime(entry.Changed)
	event.SetSequence(entry.Sequence)
	event.SetStartAt(entry.From)
	event.SetEndAt(entry.To)
	event.SetSummary(clean(entry.Summary))
	if text := clean(entry.Location); text != "" {
		event.SetLocation(text)
	}
	if text := clean(entry.Description); text != "" {
		event.SetDescription(text)
	}
	if address := word(entry.URL); address != "" {
		event.SetURL(address)
	}
	if address := word(entry.Organizer); address != "" {
		event.SetOrganizer(address)
	}
	if address := word(entry.Attendee); address != "" && method != Publish {
		event.AddAttendee(address, &ical.KeyValues{Key: string(ical.ParameterRsvp), Value: []string{"FALSE"}})
	}
	status := ical.ObjectStatusConfirmed
	if entry.Cancelled {
		status = ical.ObjectStatusCancelled
	}
	event.SetStatus(status)
}

// clean returns a text without control characters, except the ends of lines. The library escapes "\n", but writes other
// control characters as they are.
func clean(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "")))
}

// word returns a value that is not escaped, such as an address, without spaces and control characters.
func word(value string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(value, ""))
}
