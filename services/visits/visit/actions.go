package visit

import "slices"

// Action is a change of a visit.
type Action string

// The actions.
const (
	Create     Action = "create"
	Approve    Action = "approve"
	Deny       Action = "deny"
	Next       Action = "next" // a call of the visitor who is next
	Call       Action = "call" // a call of a visitor whom a user has chosen
	Recall     Action = "recall"
	Release    Action = "release" // takes back a call: the visitor keeps the place in line
	Start      Action = "start"
	Take       Action = "take" // starts the session of a visitor of the line who was not called
	Miss       Action = "miss"
	Back       Action = "back"
	Hold       Action = "hold"
	Resume     Action = "resume"
	Transfer   Action = "transfer"
	Pin        Action = "pin" // also removes a pin
	Move       Action = "move"
	Prioritise Action = "prioritise"
	Leave      Action = "leave"
	Cancel     Action = "cancel"
	Complete   Action = "complete"
	Reopen     Action = "reopen"
	Correct    Action = "correct"
	Sweep      Action = "sweep"
	Undo       Action = "undo"
)

// The roles that change visits. System is the service itself. Visitor is the visitor, on the page of the visit.
const (
	reception  = "reception"
	pa         = "pa"
	consultant = "consultant"
	admin      = "admin"
	System     = "system"
	Visitor    = "visitor"
)

// Ownership says which visits a grant covers.
type Ownership int

// The ownerships.
const (
	Any             Ownership = iota
	Own                       // assigned to the actor
	Eligible                  // assigned to the actor, or waiting in the actor's line
	RegisteredToday           // registered by the actor on this office day
)

// Grant allows a role to change some visits.
type Grant struct {
	Role string
	Of   Ownership
	From []Stage // nil: all stages of the rule
}

// LineUse is how an action locks the line, so that the order of the events is the order of the line. ReadLine excludes
// ReadLine and ChangeLine; actions with ChangeLine do not exclude each other.
type LineUse int

// The uses.
const (
	NoLine     LineUse = iota
	ChangeLine         // puts a visitor into the line or changes the place in it: a shared lock
	ReadLine           // depends on the order of the line: an exclusive lock
)

// Rule is one row of the state machine.
type Rule struct {
	Action Action
	From   []Stage
	To     Stage // "": the stage is kept, or Change decides
	Grants []Grant
	Event  string // kind of the event that is published
	Line   LineUse
}

func each(of Ownership, roles ...string) []Grant {
	grants := make([]Grant, len(roles))
	for i, role := range roles {
		grants[i] = Grant{Role: role, Of: of}
	}
	return grants
}

var (
	assistants = each(Any, pa, admin)
	desk       = each(Any, reception, pa, admin)
	everyone   = append(slices.Clone(desk), Grant{Role: consultant, Of: Own})
	followers  = append(slices.Clone(everyone), Grant{Role: System})
	returners  = append(slices.Clone(everyone), Grant{Role: Visitor})
	resumers   = append(slices.Clone(everyone), Grant{Role: System}, Grant{Visitor, Any, stages(StageHeld)})
	leavers    = append(slices.Clone(everyone),
		Grant{Visitor, Any, stages(StageNew, StageWaiting, StageHeld, StageMissed)})
	sitting = []Grant{{Role: admin}, {Role: consultant, Of: Own}}
	takers  = []Grant{{Role: admin}, {Role: consultant, Of: Eligible}}
	callers = append(slices.Clone(assistants), Grant{Role: consultant, Of: Eligible})
	holders = append(slices.Clone(desk), Grant{consultant, Own, stages(StageCalled, StageInSession)},
		Grant{Visitor, Any, stages(StageWaiting)})
	movers    = append(slices.Clone(assistants), Grant{Role: consultant, Of: Own})
	authors   = append(slices.Clone(assistants), Grant{Role: reception, Of: RegisteredToday})
	reopeners = append(slices.Clone(assistants),
		Grant{reception, Any, stages(StageLeft, StageNoShow, StageCancelled)},
		Grant{consultant, Own, stages(StageCompleted)}, Grant{Visitor, Any, stages(StageLeft)})
	openStages = stages(StageNew, StageWaiting, StageCalled, StageHeld, StageMissed, StageInSession)
)

func stages(list ...Stage) []Stage { return list }

// Actions is the state machine: the rules of all actions except Create. An action without a rule is rejected. Undo
// restores the stage before the last change (undo.go).
var Actions = []Rule{
	{Approve, stages(StageNew), StageWaiting, assistants, "visit_approved", ChangeLine},
	{Deny, stages(StageNew), StageDenied, assistants, "visit_denied", NoLine},
	{Next, stages(StageWaiting), StageCalled, each(Any, consultant, admin), "visit_called", ReadLine},
	{Call, stages(StageWaiting, StageHeld, StageMissed), StageCalled, callers, "visit_called", ReadLine},
	{Recall, stages(StageCalled), "", followers, "visit_recalled", NoLine},
	{Release, stages(StageCalled), StageWaiting, everyone, "visit_released", ChangeLine},
	{
		Start, stages(StageWaiting, StageCalled, StageHeld, StageMissed), StageInSession,
		sitting, "visit_in_session", NoLine,
	},
	{Take, stages(StageWaiting), StageInSession, takers, "visit_in_session", ReadLine},
	{Miss, stages(StageCalled), StageMissed, followers, "visit_missed", NoLine},
	{Back, stages(StageMissed), StageWaiting, returners, "visit_returned", ReadLine},
	{Hold, stages(StageWaiting, StageCalled, StageInSession), StageHeld, holders, "visit_held", NoLine},
	{
		Resume, stages(StageHeld, StageWaiting), StageWaiting,
		resumers, "visit_resumed", ChangeLine,
	},
	{
		Transfer, stages(StageWaiting, StageCalled, StageHeld, StageMissed, StageInSession), StageWaiting,
		movers, "visit_transferred", ReadLine,
	},
	{Pin, stages(StageWaiting), "", assistants, "visit_pinned", ReadLine},
	{Move, stages(StageWaiting), "", assistants, "visit_moved", ReadLine},
	{Prioritise, stages(StageNew, StageWaiting), "", desk, "visit_prioritised", ChangeLine},
	{
		Leave, stages(StageNew, StageWaiting, StageCalled, StageHeld, StageMissed), StageLeft,
		leavers, "visit_left", NoLine,
	},
	{
		Cancel, stages(StageNew, StageWaiting, StageHeld, StageMissed), StageCancelled,
		authors, "visit_cancelled", NoLine,
	},
	{Complete, stages(StageInSession), StageCompleted, sitting, "visit_completed", NoLine},
	{
		Reopen, stages(StageCompleted, StageLeft, StageNoShow, StageCancelled, StageDenied), "",
		reopeners, "visit_reopened", ChangeLine,
	},
	{Correct, openStages, "", authors, "visit_corrected", ChangeLine},
	{Sweep, stages(StageCalled, StageMissed), StageNoShow, []Grant{{Role: System}}, "visit_no_show", NoLine},
	{Undo, nil, "", each(Any, reception, pa, consultant, admin), Undone, ChangeLine},
}

// Created is the kind of the event of a registration, Undone that of an undone change.
const (
	Created = "visit_created"
	Undone  = "visit_undone"
)

// Creators are the roles that register visitors.
var Creators = []string{reception, admin}

// RuleOf returns the rule of an action; ok is false for an action that has none.
func RuleOf(action Action) (rule Rule, ok bool) {
	i := slices.IndexFunc(Actions, func(r Rule) bool { return r.Action == action })
	if i < 0 {
		return Rule{}, false
	}
	return Actions[i], true
}

// ActionOf returns the first action in Actions that has the event, and Create for Created. It returns "" for an unknown
// event, and does not return Sweep or Undo.
func ActionOf(event string) Action {
	if event == Created {
		return Create
	}
	i := slices.IndexFunc(Actions, func(r Rule) bool { return r.Event == event && r.Action != Sweep && r.Action != Undo })
	if i < 0 {
		return ""
	}
	return Actions[i].Action
}

// To returns the action that leads to a requested status; ok is false for New and for unknown statuses.
func To(status Status) (action Action, ok bool) {
	action, ok = map[Status]Action{Approved: Approve, Denied: Deny, InSession: Start, Completed: Complete}[status]
	return action, ok
}

// Roles returns the roles that have a grant.
func (r Rule) Roles() []string {
	roles := make([]string, len(r.Grants))
	for i, g := range r.Grants {
		roles[i] = g.Role
	}
	return roles
}

// Grant returns the grant of a role; ok is false if it has none.
func (r Rule) Grant(role string) (grant Grant, ok bool) {
	i := slices.IndexFunc(r.Grants, func(g Grant) bool { return g.Role == role })
	if i < 0 {
		return Grant{}, false
	}
	return r.Grants[i], true
}

// Decides reports whether the action is a decision about a new visit.
func (a Action) Decides() bool { return a == Approve || a == Deny }
