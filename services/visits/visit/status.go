// Package visit has the rules for visits: the state machine (status.go) and the decisions, times and masked phones of a
// visit (visit.go). It imports the standard library only and has no input or output.
package visit

import "slices"

// Status is the state of a visit.
type Status string

// The five statuses. No other is accepted or shown.
const (
	New       Status = "new"
	Approved  Status = "approved"
	InSession Status = "in-session"
	Completed Status = "completed"
	Denied    Status = "denied"
)

// The roles that act on visits.
const (
	reception  = "reception"
	pa         = "pa"
	consultant = "consultant"
	admin      = "admin"
)

// Transition is one allowed change of status.
type Transition struct {
	From, To Status
	Roles    []string // roles that may make the change
	Owned    bool     // a consultant may change only visits assigned to them
	Event    string   // kind of the event that is published
}

// Created is the kind of the event of a registration, which is not a transition.
const Created = "visit_created"

// Transitions is the state machine (spec.md section 4, api.md section 2). Any other change is rejected.
var Transitions = []Transition{
	{From: New, To: Approved, Roles: []string{pa, admin}, Event: "visit_approved"},
	{From: New, To: Denied, Roles: []string{pa, admin}, Event: "visit_denied"},
	{From: Approved, To: InSession, Roles: []string{consultant, admin}, Owned: true, Event: "visit_in_session"},
	{From: InSession, To: Completed, Roles: []string{consultant, admin}, Owned: true, Event: "visit_completed"},
}

// Creators are the roles that register visitors.
var Creators = []string{reception, admin}

// To returns the transition to a status. Each status except New is reached from exactly one other; ok is false for New
// and for unknown statuses.
func To(to Status) (Transition, bool) {
	i := slices.IndexFunc(Transitions, func(t Transition) bool { return t.To == to })
	if i < 0 {
		return Transition{}, false
	}
	return Transitions[i], true
}

// Decides reports whether the transition is a PA's answer to a new visit.
func (t Transition) Decides() bool { return t.From == New }
