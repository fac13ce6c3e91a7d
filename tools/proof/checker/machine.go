package checker

import "slices"

// This file is a second implementation of the state machine, so that checker and product do not share an error.

const (
	stageNew       = "new"
	stageWaiting   = "waiting"
	stageCalled    = "called"
	stageHeld      = "held"
	stageMissed    = "missed"
	stageInSession = "in-session"
	stageCompleted = "completed"
	stageDenied    = "denied"
	stageLeft      = "left"
	stageNoShow    = "no-show"
	stageCancelled = "cancelled"
)

// StatusOf returns the status of a stage, "" for an unknown one.
func StatusOf(stage string) string {
	switch stage {
	case stageNew, stageInSession, stageCompleted, stageDenied:
		return stage
	case stageWaiting, stageCalled, stageHeld, stageMissed:
		return "approved"
	case stageLeft, stageNoShow, stageCancelled:
		return "denied"
	}
	return ""
}

// edge is one kind of change of a visit: it may start in any of the stages from, and to is the stage after it.
type edge struct {
	kind          string
	from          []string
	to            string // "": the stage does not change
	event, action string
	binds         bool // may change the visit's consultant
}

func in(stages ...string) []string { return stages }

var open = in(stageNew, stageWaiting, stageCalled, stageHeld, stageMissed, stageInSession)

// anyStage are the stages of a visit that exists.
var anyStage = slices.Concat(open, in(stageCompleted, stageDenied, stageLeft, stageNoShow, stageCancelled))

// edges are all kinds of changes. Undo has no stages: it reverses the last change (see brokenTrail and apply).
var edges = []edge{
	{Create, in(""), stageNew, "visit_created", "created", true},
	{Approve, in(stageNew), stageWaiting, "visit_approved", "approved", true},
	{Deny, in(stageNew), stageDenied, "visit_denied", "denied", false},
	{Next, in(stageWaiting), stageCalled, "visit_called", "called", true},
	{CallOne, in(stageWaiting, stageHeld, stageMissed), stageCalled, "visit_called", "called", true},
	{Recall, in(stageCalled), "", "visit_recalled", "recalled", false},
	{Release, in(stageCalled), stageWaiting, "visit_released", "released", true},
	{
		Start, in(stageWaiting, stageCalled, stageHeld, stageMissed), stageInSession,
		"visit_in_session", "started", false,
	},
	{Take, in(stageWaiting), stageInSession, "visit_in_session", "started", true},
	{Miss, in(stageCalled), stageMissed, "visit_missed", "missed", false},
	{Back, in(stageMissed), stageWaiting, "visit_returned", "returned", true},
	{Hold, in(stageWaiting, stageCalled, stageInSession), stageHeld, "visit_held", "held", false},
	{Resume, in(stageHeld, stageWaiting), stageWaiting, "visit_resumed", "resumed", true},
	{
		Transfer, in(stageWaiting, stageCalled, stageHeld, stageMissed, stageInSession), stageWaiting,
		"visit_transferred", "transferred", true,
	},
	{Pin, in(stageWaiting), "", "visit_pinned", "pinned", true},
	{Move, in(stageWaiting), "", "visit_moved", "moved", false},
	{Prioritise, in(stageNew, stageWaiting), "", "visit_prioritised", "prioritised", false},
	{Leave, in(stageNew, stageWaiting, stageCalled, stageHeld, stageMissed), stageLeft, "visit_left", "left", false},
	{Cancel, in(stageNew, stageWaiting, stageHeld, stageMissed), stageCancelled, "visit_cancelled", "cancelled", false},
	{Complete, in(stageInSession), stageCompleted, "visit_completed", "completed", false},
	{Reopen, in(stageDenied, stageLeft, stageNoShow, stageCancelled), stageNew, "visit_reopened", "reopened", true},
	{Reopen, in(stageCompleted, stageLeft, stageNoShow, stageCancelled), stageWaiting, "visit_reopened", "reopened", true},
	{Correct, open, "", "visit_corrected", "corrected", false},
	{merge, anyStage, "", "visit_merged", mergedAction, false},
	{sweep, in(stageCalled, stageMissed), stageNoShow, "visit_no_show", "no_show", false},
	{Undo, nil, "", "visit_undone", undoneAction, true},
}

// sweep and merge are the kinds of changes that no request has: the end of a visit whose visitor did not come, and the
// addition of a slip's token to the visit of an unanswered registration. undoneAction is an undo in the trail.
const (
	sweep        = "sweep"
	merge        = "merge"
	undoneAction = "undone"
)

func edgeOf(kind string) (edge, bool) {
	i := slices.IndexFunc(edges, func(e edge) bool { return e.kind == kind })
	if i < 0 {
		return edge{}, false
	}
	return edges[i], true
}

func (e edge) leads(from, to string) bool {
	return slices.Contains(e.from, from) && (e.to == to || e.to == "" && from == to)
}

// edgeBetween returns the edge of an action in the trail between two stages. A session that was started by hand from
// the line has the edge Take, any other session the edge Start.
func edgeBetween(action, from, to string, byHand bool) (edge, bool) {
	i := slices.IndexFunc(edges, func(e edge) bool {
		return e.action == action && e.leads(from, to) && (e.kind != Take || byHand) && (e.kind != Start || !byHand)
	})
	if i < 0 {
		return edge{}, false
	}
	return edges[i], true
}

// ChangesVisit reports whether a request of this kind changes one visit if it succeeds. Offline is for several visits.
func ChangesVisit(kind string) bool {
	_, ok := edgeOf(kind)
	return ok
}
