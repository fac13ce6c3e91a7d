package appointment

import (
	"fmt"
	"slices"
	"time"
)

// Action is a change of an appointment.
type Action string

// The actions. Update changes details and neither the status nor the slot.
const (
	Request    Action = "request"
	Book       Action = "book"
	Confirm    Action = "confirm"
	Decline    Action = "decline"
	Update     Action = "update"
	Move       Action = "move"
	Cancel     Action = "cancel"
	Arrive     Action = "arrive"
	Return     Action = "return"
	MarkNoShow Action = "no-show"
	Finish     Action = "done"
	Undo       Action = "undo"
)

// Who can change an appointment, besides the roles of staff. Anyone is a caller of the public page, Visitor the holder
// of the appointment's link, System the service itself.
const (
	Anyone  = ""
	Visitor = "visitor"
	System  = "system"
)

var (
	desk      = []string{"reception", "pa", "admin"}
	deskAndV  = append(slices.Clone(desk), Visitor)
	deskAndS  = append(slices.Clone(desk), System)
	nothing   []Status // a new appointment
	stillOpen = []Status{Pending, Confirmed}
)

// Rule is what an action does. An action without To leaves the status as it is.
type Rule struct {
	Action Action
	From   []Status
	To     Status
	By     []string
	Event  string
	// Undoable: the user who did it can take it back.
	Undoable bool
	// Numbered: the action, and taking it back, increments SEQUENCE of the client's calendar entry.
	Numbered bool
	// Tells: the client can be sent a message about it.
	Tells bool
}

// Rules has the rule of each action but Undo, which restores what the action before it has replaced.
var Rules = []Rule{
	{Action: Request, From: nothing, To: Pending, By: []string{Anyone}, Event: "appointment_requested"},
	{Action: Book, From: nothing, To: Confirmed, By: desk, Event: "appointment_booked", Undoable: true, Tells: true},
	{Action: Confirm, From: []Status{Pending}, To: Confirmed, By: desk, Event: "appointment_confirmed",
		Undoable: true, Tells: true},
	{Action: Decline, From: stillOpen, To: Declined, By: desk, Event: "appointment_declined", Undoable: true,
		Tells: true},
	{Action: Update, From: stillOpen, By: desk, Event: "appointment_updated"},
	{Action: Move, From: stillOpen, By: deskAndV, Event: "appointment_moved", Undoable: true, Numbered: true,
		Tells: true},
	{Action: Cancel, From: stillOpen, To: Cancelled, By: deskAndV, Event: "appointment_cancelled", Undoable: true,
		Numbered: true, Tells: true},
	{Action: Arrive, From: []Status{Confirmed, NoShow, Done}, To: Arrived, By: []string{System},
		Event: "appointment_arrived"},
	{Action: Return, From: []Status{Arrived}, To: Confirmed, By: []string{System}, Event: "appointment_returned"},
	{Action: MarkNoShow, From: []Status{Confirmed}, To: NoShow, By: deskAndS, Event: "appointment_no_show",
		Undoable: true},
	{Action: Finish, From: stillOpen, To: Done, By: desk, Event: "appointment_done", Undoable: true},
}

// RuleOf returns the rule of an action, the zero Rule for Undo.
func RuleOf(action Action) Rule {
	i := slices.IndexFunc(Rules, func(r Rule) bool { return r.Action == action })
	if i < 0 {
		return Rule{}
	}
	return Rules[i]
}

// Setting returns the action by which a user sets a status, "" for a status that no user sets.
func Setting(to Status) Action {
	return map[Status]Action{
		Confirmed: Confirm, Declined: Decline, Cancelled: Cancel, NoShow: MarkNoShow, Done: Finish,
	}[to]
}

// IllegalError is returned for a change that no rule allows. To is empty for a change that leaves the status.
type IllegalError struct{ From, To Status }

// Error implements error.
func (e *IllegalError) Error() string {
	if e.To == "" {
		return fmt.Sprintf("This is not possible any more: the appointment is %s.", e.From)
	}
	return fmt.Sprintf("Cannot change status from %s to %s", e.From, e.To)
}

// Apply returns the status after an action. changed is false if the action would set the status that the appointment
// has, or finish one that has arrived. It returns an *IllegalError for a change that the rules do not allow.
func (r Rule) Apply(from Status, by string) (to Status, changed bool, err error) {
	switch {
	case slices.Contains(r.From, from) && slices.Contains(r.By, by):
		if r.To == "" {
			return from, true, nil
		}
		return r.To, true, nil
	case r.To == from, r.Action == Finish && from == Arrived:
		return from, false, nil
	}
	return from, false, &IllegalError{from, r.To}
}

// UndoFor is the time during which an action can be undone.
const UndoFor = 30 * time.Second

// VisitorMoves is how often the holder of the link can move an appointment.
const VisitorMoves = 3
