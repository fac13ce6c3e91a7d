// Package appointment holds the rules of an appointment request. It knows no database and no HTTP.
package appointment

import (
	"fmt"
	"regexp"
	"slices"
	"time"
)

// Status is where a request stands.
type Status string

// The four statuses of a request.
const (
	Pending   Status = "pending"
	Confirmed Status = "confirmed"
	Declined  Status = "declined"
	Done      Status = "done"
)

// Statuses are all of them.
var Statuses = []Status{Pending, Confirmed, Declined, Done}

// next is the whole table of changes: declined and done are final.
var next = map[Status][]Status{
	Pending:   {Confirmed, Declined, Done},
	Confirmed: {Declined, Done},
}

// IllegalError refuses a change that the table does not have.
type IllegalError struct{ From, To Status }

// Error implements error.
func (e *IllegalError) Error() string {
	return fmt.Sprintf("Cannot change status from %s to %s", e.From, e.To)
}

// Change tells whether a request goes from one status to another: changed is false for the status it already
// has, and a change that is not in the table is an *IllegalError.
func Change(from, to Status) (changed bool, err error) {
	if from == to {
		return false, nil
	}
	if !slices.Contains(next[from], to) {
		return false, &IllegalError{from, to}
	}
	return true, nil
}

var (
	phone = regexp.MustCompile(`^[0-9]{10}$`)
	email = regexp.MustCompile(`(?i)^[a-z0-9!#$%&'*+/=?^_` + "`" + `{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_` + "`" + `{|}~-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$`)
)

// maxEmail is the longest address that mail can be sent to (RFC 5321).
const maxEmail = 254

// IsPhone reports whether text is exactly ten ASCII digits.
func IsPhone(text string) bool { return phone.MatchString(text) }

// IsEmail reports whether text looks like local@domain.tld, upper or lower case.
func IsEmail(text string) bool { return len(text) <= maxEmail && email.MatchString(text) }

// IsDay reports whether text is a day that exists, as 2026-11-23.
func IsDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}
