// Package appointment has the rules for appointment requests: statuses and their changes, and the forms of e-mail
// addresses and days. It has no input or output. Start with Change.
package appointment

import (
	"fmt"
	"regexp"
	"slices"
	"time"
)

// Status is the state of a request.
type Status string

// The four statuses of a request.
const (
	Pending   Status = "pending"
	Confirmed Status = "confirmed"
	Declined  Status = "declined"
	Done      Status = "done"
)

// Statuses lists all statuses.
var Statuses = []Status{Pending, Confirmed, Declined, Done}

// next has the allowed changes of each status. Declined and Done are final.
var next = map[Status][]Status{
	Pending:   {Confirmed, Declined, Done},
	Confirmed: {Declined, Done},
}

// IllegalError is returned for a change that the map next does not allow.
type IllegalError struct{ From, To Status }

// Error implements error.
func (e *IllegalError) Error() string {
	return fmt.Sprintf("Cannot change status from %s to %s", e.From, e.To)
}

// Change checks a change of status. changed is false if from and to are equal. It returns an *IllegalError for a change
// that the map next does not allow.
func Change(from, to Status) (changed bool, err error) {
	if from == to {
		return false, nil
	}
	if !slices.Contains(next[from], to) {
		return false, &IllegalError{from, to}
	}
	return true, nil
}

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
