// Package visit has the rules for visits. It imports the standard library only and does no I/O.
//
// Start with stage.go and actions.go, which have the state machine as data. decide.go decides whether an action is
// applied, change.go applies it, undo.go undoes it. times.go and phone.go derive values.
package visit

import (
	"errors"
	"fmt"
	"time"
)

// Visit is one visitor's case at the office on one day.
type Visit struct {
	ID             string
	Day            string // the office day, YYYY-MM-DD
	Series         string // series of the token: SeriesT, or A to H
	TokenNo        int    // number of the token in its day and series
	Name           string
	Phone          string
	ServiceID      string
	ServiceName    string
	Language       string // BCP 47 tag; "": not known
	Status         Status // Stage.Status()
	Stage          Stage
	ConsultantID   *string // waiting and Pinned: whom the visitor waits for; once called: the consultant of the desk
	ConsultantName *string
	Pinned         bool // waits for ConsultantID alone
	ReceptionNotes string
	PANotes        string
	SessionNotes   string
	CreatedAt      time.Time
	UpdatedAt      time.Time
	DecidedAt      *time.Time
	StartedAt      *time.Time // start of the first sitting; a sitting is a part of a session between holds
	CompletedAt    *time.Time
	EndedAt        *time.Time // time at which the visitor left or did not come, or the visit was cancelled
	CreatedBy      string
	CreatedByName  string
	SentBy         string // offline visit: the user who sent what the creator had noted at the paired desk
	SentByName     string
	DecidedBy      *string
	DecidedByName  *string
	StartedBy      *string
	CompletedBy    *string
	EndedBy        *string
	NoticeVersion  string
	Version        int64

	Class         string    // a class of package line
	RankAt        time.Time // due time without the class's allowance
	DueAt         *time.Time
	MovedDue      *time.Time // replaces DueAt
	MovedBy       string
	MovedReason   string
	MovedForced   bool
	Bypassed      int // how many later visitors Next has called first
	PassedByHand  int
	Counter       string
	CalledAt      *time.Time // time of the last call
	CalledBy      *string
	CallCount     int // calls and recalls since the visitor was last in the line
	MissedCount   int
	HeldAt        *time.Time
	HeldReason    string
	HeldNote      string
	HeldUntil     *time.Time
	SatSince      *time.Time // start of the running sitting
	SessionSecs   int        // sum of the sittings that ended
	Sittings      int
	Transfers     int
	AppointmentID *string
	AppointmentAt *time.Time
	CorrectedAt   *time.Time

	TokenAlso   string     // a token that a paired desk gave the same visitor while offline
	ArrivedAt   *time.Time // offline visit: time of the registration at its paired desk
	AfterNo     *int       // offline visit: last number of series T at its arrival; lists place the visit after it
	ServiceGone bool       // offline visit: the service was no longer offered when the desk sent the visit
}

// Actor requests a change: a user, a visitor, or the service itself.
type Actor struct {
	ID, Name, Role string
}

// Consultant is a consultant in a request.
type Consultant struct{ ID, Name string }

// Service is a service in a request.
type Service struct{ ID, Name string }

// Request is a requested change with its arguments. Each action uses only some of them.
type Request struct {
	Action     Action
	Version    *int64 // version that the actor has seen; nil: not given
	Notes      string
	Consultant *Consultant
	Service    *Service
	ToLine     bool // approve, transfer: for any consultant who serves the visitor
	Counter    string
	Reason     string // reason of a hold or a move
	Until      *time.Time
	Class      string
	RankAt     *time.Time // back: the new rank
	MovedDue   *time.Time // move: the new due time; nil removes an earlier move
	InPlace    bool       // move: the visit is in that place already
	Forced     bool       // move: whether it passes a visitor who must be next
	Name       *string    // correct
	Phone      *string
	NewNotes   *string
}

// Facts are the inputs of the rules besides the visit and the request.
type Facts struct {
	At         time.Time
	Today      string    // the office day
	DayStart   time.Time // beginning of the office day
	Local      string    // the office's day and time of day, in the form that added notes begin with
	Allowances map[string]time.Duration
	MissAfter  time.Duration
	Eligible   bool         // whether the visit is in the actor's line
	Last       *Last        // the last change; nil if it is unknown
	Engaged    []Engagement // the open calls and running sessions of all consultants
	BeforeCall *Visit       // release: the visit before its call, nil if that is unknown
}

// Last is the last change of a visit, from its event.
type Last struct {
	Event   string
	ActorID string
	Name    string
	At      time.Time
	Staged  bool   // whether the event has the stage before the change; earlier releases had no stages
	Before  *Visit // nil for a registration, and if it was not read
}

// Engagement is a visit that occupies its consultant: called, or in session.
type Engagement struct {
	ID, ConsultantID, ConsultantName, Token string
	Stage                                   Stage
}

// Errors of Decide, Change and Attend.
var (
	ErrForbidden     = errors.New("the role is not allowed to make this change")
	ErrNotAssigned   = errors.New("the visit is assigned to another consultant")
	ErrStale         = errors.New("the visit has another version")
	ErrOver          = errors.New("the visit is over")
	ErrSessionActive = errors.New("the consultant has a running session")
	ErrUndoGone      = errors.New("the change can no longer be undone")
)

// DecidedError is returned for a second decision about a visit.
type DecidedError struct{ Status Status }

// Error implements error.
func (e *DecidedError) Error() string { return fmt.Sprintf("Visit is already %s", e.Status) }

// TransitionError is returned for a change of status that is not in Actions.
type TransitionError struct{ From, To Status }

// Error implements error.
func (e *TransitionError) Error() string {
	return fmt.Sprintf("Cannot change status from %s to %s", e.From, e.To)
}

// ActionError is returned for an action that is not in Actions for the visit's stage, or whose conditions are not met.
type ActionError struct{ Stage Stage }

// Error implements error.
func (e *ActionError) Error() string {
	return fmt.Sprintf("This cannot be done while the visit is %s.", e.Stage)
}

// TooSoonError is returned for a recall or a miss that is too soon after the last call.
type TooSoonError struct{ Wait time.Duration }

// Error implements error.
func (e *TooSoonError) Error() string { return "the last call was just now" }

// CallOpenError is returned when the consultant has called another visitor. Consultant is a name, "" for the actor.
type CallOpenError struct{ Token, Consultant string }

// Error implements error.
func (e *CallOpenError) Error() string {
	if e.Consultant == "" {
		return fmt.Sprintf("You have called %s.", e.Token)
	}
	return fmt.Sprintf("%s has called %s.", e.Consultant, e.Token)
}

// SessionActiveError is an ErrSessionActive. Consultant is the consultant's name, "" for the actor.
type SessionActiveError struct{ Consultant string }

// Error implements error.
func (e *SessionActiveError) Error() string {
	if e.Consultant == "" {
		return "You already have an active session"
	}
	return fmt.Sprintf("%s already has an active session", e.Consultant)
}

// Is reports whether target is ErrSessionActive.
func (e *SessionActiveError) Is(target error) bool { return target == ErrSessionActive }
