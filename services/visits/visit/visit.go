package visit

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Visit is one visitor's day at the office.
type Visit struct {
	ID             string
	Day            string // the office's day, YYYY-MM-DD
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

// Actor is who wants to change a visit.
type Actor struct {
	ID, Name, Role string
}

// Request is a wanted change of status.
type Request struct {
	To           Status
	ConsultantID string // the assignee, for Approved only
	Version      *int64 // what the actor has seen, nil when not said
}

// Why a change is refused.
var (
	ErrForbidden   = errors.New("the role may not make this change")
	ErrNotAssigned = errors.New("the visit is assigned to another consultant")
	ErrStale       = errors.New("the visit has another version")
	ErrOver        = errors.New("the visit is over")
)

// DecidedError refuses a second decision about a visit.
type DecidedError struct{ Status Status }

// Error implements error.
func (e *DecidedError) Error() string { return fmt.Sprintf("Visit is already %s", e.Status) }

// IllegalError refuses a change that the state machine does not have.
type IllegalError struct{ From, To Status }

// Error implements error.
func (e *IllegalError) Error() string {
	return fmt.Sprintf("Cannot change status from %s to %s", e.From, e.To)
}

// Outcome is what an admitted request does.
type Outcome int

// Outcomes of Decide.
const (
	Apply   Outcome = iota // the change is to be made
	AsItIs                 // it was made before by the same actor: nothing happens
	Refused                // see the error
)

// Decide says what a request of an actor does to the visit, and why it is refused. The order of the checks is the
// API's: role, owner, version, state.
func (v Visit) Decide(by Actor, want Request) (Outcome, error) {
	transition, known := To(want.To)
	if !known || !slices.Contains(transition.Roles, by.Role) {
		return Refused, ErrForbidden
	}
	if transition.Owned && by.Role != admin && !same(v.ConsultantID, by.ID) {
		return Refused, ErrNotAssigned
	}
	if v.madeBefore(by, want) {
		return AsItIs, nil
	}
	if want.Version != nil && *want.Version != v.Version {
		return Refused, ErrStale
	}
	if v.Status == transition.From {
		return Apply, nil
	}
	if transition.Decides() {
		return Refused, &DecidedError{Status: v.Status}
	}
	return Refused, &IllegalError{From: v.Status, To: want.To}
}

// madeBefore recognises a retry: the same state, reached by the same actor with the same consultant.
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
	default: // completed: nobody can ask for new
		return same(v.CompletedBy, by.ID)
	}
}

func same(known *string, id string) bool { return known != nil && *known == id }

// Attend says whether an actor may look after the visitor, with the notes of the session and of earlier ones: the
// assigned consultant or an admin, until the visit is over.
func (v Visit) Attend(by Actor) error {
	switch {
	case by.Role != admin && !same(v.ConsultantID, by.ID):
		return ErrNotAssigned
	case v.Status == Completed || v.Status == Denied:
		return ErrOver
	}
	return nil
}

// Notes are the latest stage's that are not empty.
func (v Visit) Notes() string {
	for _, notes := range []string{v.SessionNotes, v.PANotes, v.ReceptionNotes} {
		if notes != "" {
			return notes
		}
	}
	return ""
}

// WaitMinutes are the whole minutes from creation to the session's start, to the denial, or to now while waiting.
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

// FinalWait is the wait once it is over, nil while the visitor still waits.
func (v Visit) FinalWait() *int {
	if v.StartedAt == nil && v.Status != Denied {
		return nil
	}
	minutes := v.WaitMinutes(v.UpdatedAt)
	return &minutes
}

// SessionMinutes are the minutes of a completed session, rounded, at least one; nil before.
func (v Visit) SessionMinutes() *int {
	if v.CompletedAt == nil || v.StartedAt == nil {
		return nil
	}
	minutes := max(1, int(v.CompletedAt.Sub(*v.StartedAt).Round(time.Minute)/time.Minute))
	return &minutes
}

// Erased is the name of a visitor whose data was erased. Phone and notes are then empty.
const Erased = "Erased"

// HandledBy reports whether the person has registered, decided or started the visit, or is its consultant.
func (v Visit) HandledBy(id string) bool {
	return v.CreatedBy == id || same(v.DecidedBy, id) || same(v.ConsultantID, id) || same(v.StartedBy, id) || same(v.CompletedBy, id)
}

// PhoneFor is the phone as a person of the role sees it: whole for whoever handles the visit, else masked
// (reliability.md section 5, fields). today is the office's day.
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

// Masked keeps the first and the last two digits. Of a phone that was erased nothing is left to mask.
func Masked(phone string) string {
	if phone == "" {
		return ""
	}
	if len(phone) < 4 {
		return "**********"
	}
	return phone[:2] + "******" + phone[len(phone)-2:]
}
