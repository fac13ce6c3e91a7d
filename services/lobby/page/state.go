// Package page has the visitor's page: what it shows of a visit, its texts in each language, and its HTML. It does no
// I/O: the texts are embedded in the program.
//
// Start with state.go: the state of a visit and the buttons for it. view.go makes its texts, render.go its HTML.
package page

import "time"

// State is the state of a visit that the page shows. It is a key of the texts.
type State string

// The states.
const (
	Received  State = "received"
	Waiting   State = "waiting"
	Near      State = "near"
	Called    State = "called"
	Missed    State = "missed"
	Held      State = "held"
	InSession State = "in_session"
	Done      State = "done"
	Denied    State = "denied"
	Left      State = "left"
)

// Facts are what is known of a visit.
type Facts struct {
	Token     string
	TokenAlso string // token that a paired desk gave the same visitor while offline; "": none
	Stage     string // the visit's stage, as its events have it
	Service   string
	Counter   string

	Ahead    *int // nil: not known, or not in line
	From, To *time.Time
	Early    bool

	CalledAt      *time.Time
	EndedAt       *time.Time
	HeldReason    string
	HeldUntil     *time.Time
	LeftByVisitor bool
	LateUsed      bool // the visitor has used "I will be late"
	BackAsked     bool // the visitor has announced the return after the missed call

	Now []Call // the last calls, latest first
}

// Call is a visitor who was called to a counter.
type Call struct{ Token, Counter string }

const (
	nearAhead  = 2                // a visitor with at most this many people ahead is near
	nearBefore = 10 * time.Minute // a visitor is near if the call can come within this time
	backFor    = 10 * time.Minute // how long a visitor can undo having left
)

// late is the reason of the hold that a visitor can begin and end.
const late = "late"

// StateOf returns the state at a time.
func (f Facts) StateOf(now time.Time) State {
	switch f.Stage {
	case "waiting":
		if f.Ahead != nil && *f.Ahead <= nearAhead || f.From != nil && f.From.Sub(now) <= nearBefore {
			return Near
		}
		return Waiting
	case "called":
		return Called
	case "missed":
		return Missed
	case "held":
		return Held
	case "in-session":
		return InSession
	case "completed":
		return Done
	case "denied":
		return Denied
	case "left", "no-show", "cancelled":
		return Left
	}
	return Received
}

// CanBeLate reports whether the visitor can be put on hold for being late: once, while in the line.
func (f Facts) CanBeLate() bool { return f.Stage == "waiting" && !f.LateUsed }

// CanLeave reports whether the visitor can leave.
func (f Facts) CanLeave() bool {
	switch f.Stage {
	case "new", "waiting", "held", "missed":
		return true
	}
	return false
}

// CanEndHold reports whether the visitor can end a hold for being late.
func (f Facts) CanEndHold() bool { return f.Stage == "held" && f.HeldReason == late }

// CanAskBack reports whether the visitor can announce the return: once after each missed call.
func (f Facts) CanAskBack() bool { return f.Stage == "missed" && !f.BackAsked }

// CanReturn reports whether the visitor can undo having left.
func (f Facts) CanReturn(now time.Time) bool {
	return f.Stage == "left" && f.LeftByVisitor && f.EndedAt != nil && now.Sub(*f.EndedAt) < backFor
}

// next returns the seconds after which a page requests its state again.
func (f Facts) next(state State) int {
	switch state {
	case Called, Near, Missed:
		return 10
	case Waiting:
		if f.Ahead == nil {
			return 10 // the line can be five seconds old and lack the visitor
		}
		return min(30, 15+*f.Ahead)
	case Received, Held:
		return 30
	}
	return 60
}
