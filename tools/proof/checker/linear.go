package checker

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// state is the model's state of one visit.
type state struct {
	situation
	version int64
	actor   string // the user who made the last change
	kind    string
	before  situation
}

// situation is the part of the state that an undo restores.
type situation struct {
	stage, consultant  string
	pinned             bool   // waits for this consultant only
	own                string // the consultant to whom the visitor is pinned if the call is taken back, or ""
	sat                bool   // has been in session
	decided            bool   // a decision was made, and was not taken back
	starter            string
	completed, decider string
}

// linearizeWithin limits the time of the search over one visit's history. Short histories should never reach it.
const linearizeWithin = 20 * time.Second

// model is the state machine of one visit, with the answers that each operation may get in each stage. An operation
// with an unknown outcome may or may not have happened.
var model = porcupine.NondeterministicModel{
	Init:  func() []any { return []any{state{}} },
	Step:  func(s, input, _ any) []any { return step(s.(state), input.(Op)) },
	Equal: func(a, b any) bool { return a == b },
}

func step(s state, op Op) []any {
	after, legal := apply(s, op)
	switch op.Outcome {
	case Unknown:
		if legal {
			return []any{s, after}
		}
		return []any{s}
	case Failed:
		if mayRefuse(s, op, legal) {
			return []any{s}
		}
		return nil
	}
	if op.Kind == Read {
		if sees(s, op) {
			return []any{s}
		}
		return nil
	}
	if op.Replayed && op.Kind != Create && (op.Seen == nil || op.Seen.Version <= s.version) {
		return []any{s}
	}
	// A replayed answer with a newer version is the answer of this very request, which reached the server twice.
	if legal && !op.Again && sees(after, op) {
		return []any{after}
	}
	if confirms(s, op) && sees(s, op) { // a retry or a replayed answer, which changes nothing
		return []any{s}
	}
	return nil
}

// apply returns the state after an operation, and false if the state machine does not allow it.
func apply(s state, op Op) (state, bool) {
	if op.Kind == Undo {
		return undo(s, op)
	}
	to, legal := target(s, op)
	if !legal || stale(s, op) || !mayAct(s, op) {
		return s, false
	}
	now := s.situation
	now.stage = to
	switch op.Kind {
	case Approve, Deny:
		now.decided, now.decider = true, op.Actor
		if op.Kind == Approve {
			now.consultant, now.pinned = op.Consultant, op.Consultant != ""
		}
	case Next, CallOne:
		now.consultant, now.own = op.Consultant, ownBefore(s)
	case Release:
		now.consultant, now.pinned, now.own = now.own, now.own != "", ""
	case Start:
		now.sat, now.starter = true, op.Actor
	case Take:
		now.sat, now.starter, now.consultant = true, op.Actor, op.Consultant
	case Complete:
		now.completed = op.Actor
	case Transfer, Pin:
		now.consultant, now.pinned = op.Consultant, op.Consultant != ""
	case Back, Resume, Reopen:
		now = back(now, op, s.stage)
	}
	return state{situation: now, version: s.version + 1, actor: op.Actor, kind: op.Kind, before: s.situation}, true
}

// ownBefore returns the consultant to whom the visitor is pinned or whose session the visitor's hold interrupts, or "".
func ownBefore(s state) string {
	if s.pinned || s.stage == stageHeld && s.sat {
		return s.consultant
	}
	return ""
}

// back returns the situation after Back, Resume or Reopen. The visit stays with its consultant only if it is pinned,
// its session was held, or it was completed.
func back(now situation, op Op, from string) situation {
	if op.Kind == Resume && now.sat && now.consultant != "" || op.Kind == Reopen && from == stageCompleted {
		now.pinned = true
	}
	if now.stage == stageNew {
		now.decided = false
		return now
	}
	if !now.pinned {
		now.consultant = ""
	}
	return now
}

func target(s state, op Op) (to string, legal bool) {
	for _, e := range edges {
		if e.kind != op.Kind || !slices.Contains(e.from, s.stage) {
			continue
		}
		if op.Kind == Start && s.consultant == "" || op.Kind == Take && s.consultant != "" {
			continue // Start needs a consultant; Take is for a visit without one
		}
		if op.Kind == Reopen && s.stage != stageDenied && s.stage != stageCompleted && s.decided != (e.to == stageWaiting) {
			continue // a visit that was never decided is new again
		}
		return cmp.Or(e.to, s.stage), true
	}
	return "", false
}

// mayAct reports whether the actor may act: a consultant may change own visits, and take or call unassigned visits.
func mayAct(s state, op Op) bool {
	if op.Kind == Take {
		return s.consultant == ""
	}
	if op.Kind == Next || op.Kind == CallOne {
		mine := s.consultant == op.Consultant || s.consultant == ""
		return mine || op.Kind == CallOne && op.Role != "consultant"
	}
	return op.Role != "consultant" || op.Kind == Read || s.consultant == op.Actor
}

// undo restores the situation before the last change. An undo cannot be undone.
func undo(s state, op Op) (state, bool) {
	if s.kind == "" || s.kind == Undo || s.kind == sweep || s.kind == merge || stale(s, op) ||
		op.Role != "admin" && s.actor != op.Actor {
		return s, false
	}
	now := s.before
	if s.kind == Create {
		now = s.situation
		now.stage = stageCancelled
	}
	now.starter, now.completed, now.decider = s.starter, s.completed, s.decider
	return state{situation: now, version: s.version + 1, actor: op.Actor, kind: Undo}, true
}

func stale(s state, op Op) bool { return op.IfVersion != 0 && op.IfVersion != s.version }

// confirms reports whether the operation repeats what its actor has already done, or gets the stored answer of its key.
func confirms(s state, op Op) bool {
	switch op.Kind {
	case Create:
		return op.Replayed && s.stage != ""
	case Approve:
		return StatusOf(s.stage) == "approved" && s.decider == op.Actor && s.consultant == op.Consultant
	case Deny:
		return s.stage == stageDenied && s.decider == op.Actor
	case Start, Take:
		return s.stage == stageInSession && s.starter == op.Actor
	case Complete:
		return s.stage == stageCompleted && s.completed == op.Actor
	case Next:
		return op.Again && s.stage == stageCalled && s.consultant == op.Consultant
	case Recall, Undo:
		return false
	}
	return s.kind == op.Kind && s.actor == op.Actor
}

// sees reports whether an answer matches the state. A replayed creation shows the visit as it was created.
func sees(s state, op Op) bool {
	if op.Seen == nil {
		return true
	}
	if op.Kind == Create {
		return op.Seen.Stage == stageNew && op.Seen.Version == 1
	}
	return op.Seen.Stage == s.stage && op.Seen.Version == s.version && op.Seen.Consultant == s.consultant
}

// mayRefuse reports whether the state allows a rejection with this code. Codes about other causes are always allowed.
func mayRefuse(s state, op Op, legal bool) bool {
	switch op.Code {
	case "visit_already_decided":
		return s.stage != stageNew && !stale(s, op)
	case "illegal_transition":
		return !legal && !stale(s, op)
	case "illegal_action":
		// Reopen may be rejected because the visit ended on another day, and Resume because the visit waits today.
		return (!legal || op.Kind == Reopen || op.Kind == Resume) && !stale(s, op)
	case "stale_version":
		return stale(s, op) && op.Kind != Undo
	case "not_assigned":
		return op.Role == "consultant" && (s.consultant != op.Actor || op.Kind == CallOne)
	case "forbidden":
		return op.Kind != Undo || op.Role != "admin" && s.actor != op.Actor
	case "not_found":
		return s.stage == ""
	}
	return true
}

// checkLinearizable checks I6 for each visit separately: a search over the history of all visits would take too long.
func checkLinearizable(e *Evidence) []Violation {
	var found findings
	byVisit, made, called := map[string][]Op{}, visitsByKey(e), visitsByCall(e)
	for _, op := range e.Ops {
		// If the trail has no record of the request, the Next called no visitor.
		if op.Kind == Next && op.Outcome == Unknown {
			op.Visit = called[op.RequestID]
		}
		if op.Kind == Create && op.Visit == "" && op.Outcome == Unknown {
			op.Visit = made[op.Key]
		}
		if visit := op.Visit; visit != "" && (ChangesVisit(op.Kind) || op.Kind == Read) {
			byVisit[visit] = append(byVisit[visit], op)
		}
	}
	senders := offlineSenders(e)
	for _, r := range e.Records {
		op := Op{Client: "the service", Visit: r.Visit, Outcome: Unknown}
		if sender, sent := senders[r.RequestID]; sent {
			op.Client, op.Actor = "a desk without network", sender
			op.Kind = map[string]string{createdAction: Create, mergedAction: merge}[r.Action]
		} else if r.RequestID == "" && bySystem(r) {
			op.Kind = map[string]string{"resumed": Resume, "no_show": sweep, "recalled": Recall, "missed": Miss}[r.Action]
		}
		if op.Kind != "" {
			byVisit[r.Visit] = append(byVisit[r.Visit], op)
		}
	}
	for _, visit := range slices.Sorted(maps.Keys(byVisit)) {
		history := byVisit[visit]
		if !isLinearizable(history) {
			found.add("I6", shrink(history), "no order of its calls explains the answers about visit %s", visit)
		}
	}
	return found
}

// offlineSenders returns the user who sent each request with slips. This user may undo the registrations in it.
func offlineSenders(e *Evidence) map[string]string {
	senders := map[string]string{}
	for _, op := range e.Ops {
		if op.Kind == Offline {
			senders[op.RequestID] = op.Actor
		}
	}
	return senders
}

// visitsByKey returns the visit that was created with each idempotency key. If no creation with a key was answered, the
// trail names the request that created the visit.
func visitsByKey(e *Evidence) map[string]string {
	made, recorded := map[string]string{}, visitsByRequest(e)
	for _, op := range e.Ops {
		if op.Kind != Create || op.Key == "" {
			continue
		}
		if visit := cmp.Or(op.Visit, recorded[op.RequestID]); visit != "" {
			made[op.Key] = visit
		}
	}
	return made
}

// visitsByCall returns the visit that each request called, according to the trail.
func visitsByCall(e *Evidence) map[string]string {
	called := map[string]string{}
	for _, r := range e.Records {
		if r.Action == "called" {
			called[r.RequestID] = r.Visit
		}
	}
	return called
}

func isLinearizable(history []Op) bool {
	operations := make([]porcupine.Operation, 0, len(history))
	for _, op := range history {
		end := op.Return
		if op.Outcome == Unknown {
			end = math.MaxInt64
		}
		operations = append(operations, porcupine.Operation{Input: op, Call: op.Call, Return: end})
	}
	return porcupine.CheckOperationsTimeout(model.ToModel(), operations, linearizeWithin) != porcupine.Illegal
}

// shrink removes operations from a history that cannot be explained, as long as the rest cannot be explained either.
func shrink(history []Op) []string {
	kept := slices.Clone(history)
	for i := len(kept) - 1; i >= 0; i-- {
		if kept[i].Kind == Create { // No history can be explained without its creation.
			continue
		}
		without := slices.Delete(slices.Clone(kept), i, i+1)
		if !isLinearizable(without) {
			kept = without
		}
	}
	var lines []string
	for _, op := range kept {
		lines = append(lines, op.Line())
	}
	return lines
}
