// Package appointment has the rules for appointments: statuses and the actions that change them,
// and the forms of e-mail addresses and days. It has no input or output. Start with Rules.
package appointment

import (
	"regexp"
	"slices"
	"time"
)

// Status is the state of an appointment.
type Status string

// The seven statuses of an appointment.
const (
	Pending   Status = "pending"
	Confirmed Status = "confirmed"
	Arrived   Status = "arrived"
	NoShow    Status = "no-show"
	Cancelled Status = "cancelled"
	Declined  Status = "declined"
	Done      Status = "done"
)

// Statuses lists all statuses.
var Statuses = []Status{Pending, Confirmed, Arrived, NoShow, Cancelled, Declined, Done}

// Holds reports whether an appointment with this status has a place in its slot.
func (s Status) Holds() bool { return s.Open() || s == Arrived }

// Open reports whether an appointment with this status is still expected.
func (s Status) Open() bool { return s == Pending || s == Confirmed }

// Chosen reports whether a user can set this status.
func (s Status) Chosen() bool { return slices.Contains(Statuses, s) && s != Pending && s != Arrived }

var email = regexp.MustCompile("(?i)^" +
	"[a-z0-9!#$%&'*+/=?^_`{|}~-]+" + `(\.` + "[a-z0-9!#$%&'*+/=?^_`{|}~-]+" + ")*" + // dot-atom of RFC 5322
	`@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$`)

// maxEmail is the length of the longest address that mail can be sent to, in bytes (RFC 5321).
const maxEmail = 254

// IsEmail reports whether text has the form local@domain.tld, in any case, and at most 254 bytes.
func IsEmail(text string) bool { return len(text) <= maxEmail && email.MatchString(text) }

// IsDay reports whether text is an existing day in the form 2026-11-23.
func IsDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// IsTime reports whether text is a time of day in the form 09:00.
func IsTime(text string) bool {
	_, err := time.Parse("15:04", text)
	return err == nil && len(text) == len("15:04")
}
