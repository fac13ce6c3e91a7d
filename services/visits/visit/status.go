// Package visit holds the rules of a visit's life. It knows no database and no HTTP.
package visit

import "slices"

// Status is where a visit stands.
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

// Transition is one legal change of status.
type Transition struct {
	From, To Status
	Roles    []string // who may make it
	Owned    bool     // a consultant only for a visit assigned to them
	Event    string   // what it is called when it is told
}

// Created is the event of a visit's beginning; it has no status before.
const Created = "visit_created"

// Transitions is the whole state machine (spec.md section 4, api.md section 2). Any other change is refused.
var Transitions = []Transition{
	{From: New, To: Approved, Roles: []string{pa, admin}, Event: "visit_approved"},
	{From: New, To: Denied, Roles: []string{pa, admin}, Event: "visit_denied"},
	{From: Approved, To: InSession, Roles: []string{consultant, admin}, Owned: true, Event: "visit_in_session"},
	{From: InSession, To: Completed, Roles: []string{consultant, admin}, Owned: true, Event: "visit_completed"},
}

// Creators are the roles that register visitors.
var Creators = []string{reception, admin}

// To finds the transition that leads to a status. Each status but new is reached from exactly one other.
func To(to Status) (Transition, bool) {
	i := slices.IndexFunc(Transitions, func(t Transition) bool { return t.To == to })
	if i < 0 {
		return Transition{}, false
	}
	return Transitions[i], true
}

// Decides reports whether the transition is a PA's answer to a new visit.
func (t Transition) Decides() bool { return t.From == New }
