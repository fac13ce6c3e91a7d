package visit

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Visit is one visitor's case at the office on one day.
type Visit struct {
	ID             string
	Day            string // the office day, YYYY-MM-DD
	TokenNo        int
	Name           string
	Phone          string
	ServiceID      string
	ServiceName    string
	Status         Status
	ConsultantID   *string
	ConsultantName *string
	ReceptionNotes string
	PANotes        string
	SessionNotes   string
	CreatedAt      time.Time
	UpdatedAt      time.Time
	DecidedAt      *time.Time
	StartedAt      *time.Time
	CompletedAt    *time.Time
	CreatedBy      string
	CreatedByName  string
	DecidedBy      *string
	DecidedByName  *string
	StartedBy      *string
	CompletedBy    *string
	NoticeVersion  string
	Version        int64
}

// Actor is the user who requests a change.
type Actor struct {
	ID, Name, Role string
}

// Request is a requested change of status.
type Request struct {
	To             Status
	ConsultantID   string // the assignee, for Approved only
	ConsultantName string
	Notes          string
	Version        *int64 // the version that the actor has seen; nil: not given
}

// Errors of Decide, Change and Attend.
var (
	ErrForbidden   = errors.New("the role is not allowed to make this change")
	ErrNotAssigned = errors.New("the visit is assigned to another consultant")
	ErrStale       = errors.New("the visit has another version")
	ErrOver        = errors.New("the visit is over")
)

// DecidedError is returned for a second decision on a visit.
type DecidedError struct{ Status Status }

// Error implements error.
func (e *DecidedError) Error() string { return fmt.Sprintf("Visit is already %s", e.Status) }

// IllegalError is returned for a change that is not in Transitions.
type IllegalError struct{ From, To Status }

// Error implements error.
func (e *IllegalError) Error() string {
	return fmt.Sprintf("Cannot change status from %s to %s", e.From, e.To)
}

// Outcome is the result of Decide.
type Outcome int

// The outcomes.
const (
	Apply    Outcome = iota // make the change
	Repeated                // the same actor has made the change before: do nothing
	Rejected                // reject the request with the error
)

// Decide reports whether an actor's request is applied, is a repetition, or is rejected with an error. The checks are
// in the order of the API: role, owner, repetition, version, status.
func (v Visit) Decide(by Actor, want Request) (Outcome, error) {
	transition, known := To(want.To)
	if !known || !slices.Contains(transition.Roles, by.Role) {
		return Rejected, ErrForbidden
	}
	if transition.Owned && by.Role != admin && !same(v.ConsultantID, by.ID) {
		return Rejected, ErrNotAssigned
	}
	if v.madeBefore(by, want) {
		return Repeated, nil
	}
	if want.Version != nil && *want.Version != v.Version {
		return Rejected, ErrStale
	}
	if v.Status == transition.From {
		return Apply, nil
	}
	if transition.Decides() {
		return Rejected, &DecidedError{Status: v.Status}
	}
	return Rejected, &IllegalError{From: v.Status, To: want.To}
}

// Change returns the visit after an actor's request at a time. Outcome and error are those of Decide; unless the
// outcome is Apply, the visit is returned unchanged.
func (v Visit) Change(by Actor, want Request, at time.Time) (Visit, Outcome, error) {
	outcome, err := v.Decide(by, want)
	if outcome != Apply {
		return v, outcome, err
	}
	v.Status, v.Version, v.UpdatedAt = want.To, v.Version+1, at
	switch want.To {
	case Approved, Denied:
		v.DecidedAt, v.DecidedBy, v.DecidedByName, v.PANotes = &at, &by.ID, &by.Name, want.Notes
		if want.To == Approved {
			v.ConsultantID, v.ConsultantName = &want.ConsultantID, &want.ConsultantName
		}
	case InSession:
		v.StartedAt, v.StartedBy = &at, &by.ID
	case Completed:
		v.CompletedAt, v.CompletedBy = &at, &by.ID
	}
	if transition, _ := To(want.To); transition.Owned && want.Notes != "" {
		v.SessionNotes = want.Notes
	}
	return v, Apply, nil
}

// madeBefore reports whether the request is a retry: the status was reached by the same actor with the same consultant.
func (v Visit) madeBefore(by Actor, want Request) bool {
	if v.Status != want.To {
		return false
	}
	switch want.To {
	case Approved:
		return same(v.DecidedBy, by.ID) && same(v.ConsultantID, want.ConsultantID)
	case Denied:
		return same(v.DecidedBy, by.ID)
	case InSession:
		return same(v.StartedBy, by.ID)
	default: // Completed: no transition leads to New
		return same(v.CompletedBy, by.ID)
	}
}

func same(known *string, id string) bool { return known != nil && *known == id }

// Attend returns an error unless the actor may read and write the notes of the running and of earlier sessions: the
// assigned consultant and admins may, until the visit is over. Errors: ErrNotAssigned, ErrOver.
func (v Visit) Attend(by Actor) error {
	switch {
	case by.Role != admin && !same(v.ConsultantID, by.ID):
		return ErrNotAssigned
	case v.Status == Completed || v.Status == Denied:
		return ErrOver
	}
	return nil
}

// Notes returns the latest notes that are not empty: those of the session, the decision or the registration.
func (v Visit) Notes() string {
	for _, notes := range []string{v.SessionNotes, v.PANotes, v.ReceptionNotes} {
		if notes != "" {
			return notes
		}
	}
	return ""
}

// WaitMinutes returns the whole minutes from creation to the session's start, to the denial, or to now while waiting.
func (v Visit) WaitMinutes(now time.Time) int {
	until := now
	switch {
	case v.StartedAt != nil:
		until = *v.StartedAt
	case v.Status == Denied && v.DecidedAt != nil:
		until = *v.DecidedAt
	}
	return max(0, int(until.Sub(v.CreatedAt)/time.Minute))
}

// FinalWait returns the wait in minutes, nil while the visitor is waiting.
func (v Visit) FinalWait() *int {
	if v.StartedAt == nil && v.Status != Denied {
		return nil
	}
	minutes := v.WaitMinutes(v.UpdatedAt)
	return &minutes
}

// SessionMinutes returns the length of a completed session, rounded to minutes and at least one; nil before completion.
func (v Visit) SessionMinutes() *int {
	if v.CompletedAt == nil || v.StartedAt == nil {
		return nil
	}
	minutes := max(1, int(v.CompletedAt.Sub(*v.StartedAt).Round(time.Minute)/time.Minute))
	return &minutes
}

// Erased is the name of an erased visitor, whose phone and notes are empty.
const Erased = "Erased"

// HandledBy reports whether the user has registered, decided or started the visit, or is its consultant.
func (v Visit) HandledBy(id string) bool {
	return v.CreatedBy == id || same(v.DecidedBy, id) || same(v.ConsultantID, id) ||
		same(v.StartedBy, id) || same(v.CompletedBy, id)
}

// PhoneFor returns the phone as it is shown to a role: unmasked for the roles that handle the visit, else masked
// (reliability.md section 5, fields). today is the office day.
func (v Visit) PhoneFor(role, today string) string {
	whole := false
	switch role {
	case admin:
		whole = true
	case reception, pa:
		whole = v.Day == today
	case consultant:
		whole = v.Status == Approved || v.Status == InSession
	}
	if whole {
		return v.Phone
	}
	return Masked(v.Phone)
}

// Masked replaces all but the first and the last two digits. An erased phone stays empty.
func Masked(phone string) string {
	if phone == "" {
		return ""
	}
	if len(phone) < 4 {
		return "**********"
	}
	return phone[:2] + "******" + phone[len(phone)-2:]
}
