// Package mails composes the messages about an appointment: the mail in the client's language, the calendar entry in
// it, and the values of a text message. It does no I/O: the texts are embedded in the program.
package mails

import (
	"embed"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/platform/calendar"
	"baari.dev/services/platform/mail"
)

// Kind is what a message about an appointment says.
type Kind string

// The kinds: the result of a change, and the reminders on the day before and on the day.
const (
	Confirmed Kind = "confirmed"
	Moved     Kind = "moved"
	Cancelled Kind = "cancelled"
	Declined  Kind = "declined"
	DayBefore Kind = "day_before"
	Soon      Kind = "soon"
)

// Kinds are all kinds.
var Kinds = []Kind{Confirmed, Moved, Cancelled, Declined, DayBefore, Soon}

// Reminds reports whether the message is a reminder.
func (k Kind) Reminds() bool { return k == DayBefore || k == Soon }

//go:embed *.json
var files embed.FS

const english = "en"

// texts are the texts by language and key.
var texts = func() map[string]map[string]string {
	all := map[string]map[string]string{}
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // impossible: the folder is embedded
	}
	for _, entry := range entries {
		words := map[string]string{}
		data, err := files.ReadFile(entry.Name())
		if err != nil || json.Unmarshal(data, &words) != nil {
			panic(entry.Name()) // impossible: the tests use every file
		}
		all[strings.TrimSuffix(entry.Name(), ".json")] = words
	}
	return all
}()

// Paper is a paper that the client brings, with its label in the client's language.
type Paper struct {
	Label    string
	Required bool
}

// Appointment has what the messages about an appointment say.
type Appointment struct {
	ID, Language string
	Sequence     int
	Changed      time.Time // time of the last change
	At           time.Time // the slot, in the office's time zone
	Minutes      int       // that the service takes
	Service      string
	Papers       []Paper // the required first
	Cancelled    bool

	Office, Phone string
	Email         string // of the office
	Address       []string
	MapsQuery     string
	Host          string // of the product
	Link          string // the client's page
}

// Mail returns the mail of a kind to an address.
func (a Appointment) Mail(kind Kind, to string) mail.Message {
	key := map[Kind]string{DayBefore: "reminder", Soon: "reminder"}[kind]
	if key == "" {
		key = string(kind)
	}
	m := mail.Message{
		To: to, ReplyTo: a.Email, Text: a.text(kind, key),
		Subject: a.t(key+"Subject", "day", Day(a.Language, a.At), "time", Clock(a.At)),
	}
	switch kind {
	case Confirmed, Moved:
		m.Calendar = &mail.Calendar{Method: calendar.Request, Text: a.Entry(calendar.Request, to)}
	case Cancelled:
		m.Calendar = &mail.Calendar{Method: calendar.Cancel, Text: a.Entry(calendar.Cancel, to)}
	case Declined, DayBefore, Soon: // without an entry
	}
	return m
}

// text returns the text of the mail: the sentence about the kind, the facts, the papers, and the client's page.
func (a Appointment) text(kind Kind, key string) string {
	blocks := []string{a.t(key, "office", a.Office)}
	facts := a.t("service") + ": " + a.Service + "\n" +
		a.t("when") + ": " + Day(a.Language, a.At) + ", " + Clock(a.At)
	if kind == Cancelled || kind == Declined {
		blocks = append(blocks, facts)
	} else {
		if len(a.Address) > 0 {
			facts += "\n" + a.t("where") + ": " + strings.Join(a.Address, ", ")
		}
		if a.MapsQuery != "" {
			facts += "\n" + Map(a.MapsQuery)
		}
		blocks = append(blocks, facts)
		if papers := a.papers(); papers != "" && !kind.Reminds() {
			blocks = append(blocks, papers)
		}
		blocks = append(blocks, a.t("change")+"\n"+a.Link)
	}
	if a.Phone != "" {
		blocks = append(blocks, a.t("questions", "phone", a.Phone))
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

func (a Appointment) papers() string {
	if len(a.Papers) == 0 {
		return ""
	}
	lines := []string{a.t("bring") + ":"}
	for _, paper := range a.Papers {
		line := "- " + paper.Label
		if !paper.Required {
			line += " (" + a.t("ifAny") + ")"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// usualMinutes is the length of an entry whose service has none.
const usualMinutes = 30

// Entry returns the calendar entry with a method of package calendar. The attendee is "" for a downloaded entry. The
// entry has neither the client's name nor a phone number.
func (a Appointment) Entry(method, attendee string) string {
	minutes := a.Minutes
	if minutes <= 0 {
		minutes = usualMinutes
	}
	description := a.papers()
	if description != "" {
		description += "\n\n"
	}
	return calendar.Invitation(method, calendar.Entry{
		ID: a.ID, Host: a.Host, Sequence: a.Sequence, Changed: a.Changed,
		From: a.At, To: a.At.Add(time.Duration(minutes) * time.Minute),
		Summary: a.Service + ", " + a.Office, Location: strings.Join(a.Address, ", "),
		Description: description + a.t("change") + "\n" + a.Link,
		Organizer:   a.Email, Attendee: attendee, Cancelled: a.Cancelled,
	})
}

// Values returns the values of a text message: when, in a form that every phone can show, and the office.
func (a Appointment) Values() []string {
	form := "2 Jan 3 PM"
	if a.At.Minute() != 0 {
		form = "2 Jan 3:04 PM"
	}
	return []string{a.At.Format(form), a.Office}
}

func (a Appointment) t(key string, pairs ...string) string { return text(a.Language, key, pairs...) }

func text(language, key string, pairs ...string) string {
	words, ok := texts[language][key]
	if !ok {
		words = texts[english][key]
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		words = strings.ReplaceAll(words, "{"+pairs[i]+"}", pairs[i+1])
	}
	return words
}

// Day returns a day as messages and pages say it, such as "Monday, 30/11/2026".
func Day(language string, at time.Time) string {
	return text(language, "day_"+strconv.Itoa(int(at.Weekday()))) + ", " + at.Format("2/1/2006")
}

// Clock returns the time of day, such as "11:00".
func Clock(at time.Time) string { return at.Format("15:04") }

// Map returns the address of a map that shows the office.
func Map(query string) string {
	return "https://www.google.com/maps/search/?api=1&query=" + url.QueryEscape(query)
}
