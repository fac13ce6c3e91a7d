// Package message sends short texts to visitors' phones, over the channels that the office has configured in
// MESSAGES_FILE.
//
// Start with Sender; Read in config.go reads the file and makes the senders, adapters.go has the adapters.
package message

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"
)

// Kind is what a message says.
type Kind string

// The kinds of messages: "near", which asks the visitor to come, "called", and those about an appointment.
const (
	Near   Kind = "near"
	Called Kind = "called"

	AppointmentConfirmed Kind = "appointment_confirmed"
	AppointmentMoved     Kind = "appointment_moved"
	AppointmentCancelled Kind = "appointment_cancelled"
	AppointmentReminder  Kind = "appointment_reminder"
)

var kinds = []Kind{
	Near, Called, AppointmentConfirmed, AppointmentMoved, AppointmentCancelled, AppointmentReminder,
}

// Message is a message to one phone.
type Message struct {
	To       string // ten digits
	Kind     Kind
	Language string // the visitor's language
	Values   []string
	Link     string // the visitor's own page
}

// ID is the provider's id of a message, "" if it has none.
type ID string

// Sender sends messages over one channel. After ErrUnknown the message may have been sent. After ErrRefused another try
// would be refused, too. After any other error the message was certainly not sent.
type Sender interface {
	Send(ctx context.Context, m Message) (ID, error)
}

// Errors of a Sender.
var (
	ErrUnknown    = errors.New("it is not known whether the message was sent")
	ErrRefused    = errors.New("the provider refuses the message")
	ErrNoTemplate = errors.New("the channel has no template for this message")
)

// The places of a template, in the notation in which templates are registered with the telephone operators.
const (
	valuePlace = "{#var#}"
	linkPlace  = "{#url#}"
)

// Bounds of a template: the number of values, the characters of a value, and the characters of the filled text. A
// registered place takes at most 30 characters.
const (
	valuesOfKind = 2
	longestValue = 30
	longestText  = 700
)

// Template is the registered text of a message in one language.
type Template struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

func (t Template) check() string {
	rest := strings.NewReplacer(valuePlace, "", linkPlace, "").Replace(t.Text)
	switch {
	case t.ID == "":
		return "has no id: the operator rejects a text that is not registered"
	case strings.Count(t.Text, valuePlace) != valuesOfKind:
		return "needs the place {#var#} twice: for the token or the appointment's time, then for the office or the counter"
	case strings.Count(t.Text, linkPlace) > 1:
		return "has the place {#url#} more than once"
	case strings.Contains(rest, "{#"):
		return "has a place that is neither {#var#} nor {#url#}"
	case utf8.RuneCountInString(t.fill([]string{strings.Repeat("x", longestValue), strings.Repeat("x", longestValue)},
		strings.Repeat("x", longestLink))) > longestText:
		return "is longer than 700 characters once it is filled"
	}
	return ""
}

// longestLink is the length of the longest page address for which a template must have room.
const longestLink = 120

// fill puts the values, each cut to 30 characters, and the link into the text.
func (t Template) fill(values []string, link string) string {
	text := t.Text
	for _, value := range values {
		if runes := []rune(value); len(runes) > longestValue {
			value = string(runes[:longestValue])
		}
		text = strings.Replace(text, valuePlace, value, 1)
	}
	return strings.Replace(text, linkPlace, link, 1)
}
