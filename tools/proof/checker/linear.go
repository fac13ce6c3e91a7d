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
	status, consultant string
	decider            string // who approved or denied
	actor              string // who made the last change
	version            int64
}

// linearizeWithin bounds the search over one visit's history; the histories are short.
const linearizeWithin = 20 * time.Second

// model is the visit of spec.md section 4 with the answers of reliability.md [C2]. An operation with an unknown
// outcome may or may not have happened.
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
	if legal && sees(after, op) {
		return []any{after}
	}
	if confirms(s, op) && sees(s, op) { // a retry or a replayed answer, which changes nothing
		return []any{s}
	}
	return nil
}

// apply applies an operation if the state machine allows it.
func apply(s state, op Op) (state, bool) {
	e, is := edgeOf(op.Kind)
	if !is || s.status != e.from || stale(s, op) {
		return s, false
	}
	if (op.Kind == Start || op.Kind == Complete) && op.Role == "consultant" && s.consultant != op.Actor {
		return s, false
	}
	after := state{status: e.to, consultant: s.consultant, decider: s.decider, actor: op.Actor, version: s.version + 1}
	if op.Kind == Approve {
		after.consultant = op.Consultant
	}
	if op.Kind == Approve || op.Kind == Deny {
		after.decider = op.Actor
	}
	return after, true
}

// stale reports whether the operation names another version than the visit has. An operation that creates a visit
// names none.
func stale(s state, op Op) bool { return op.IfVersion != 0 && op.IfVersion != s.version }

// confirms reports whether the operation only repeats what its own actor has already done.
func confirms(s state, op Op) bool {
	e, _ := edgeOf(op.Kind)
	if op.Kind == Create {
		return op.Replayed && s.status != ""
	}
	return s.status == e.to && s.actor == op.Actor && (op.Kind != Approve || s.consultant == op.Consultant)
}

// sees reports whether an answer matches the state. A replayed creation shows the visit as it was created.
func sees(s state, op Op) bool {
	if op.Seen == nil {
		return true
	}
	if op.Kind == Create {
		return op.Seen.Status == "new" && op.Seen.Version == 1
	}
	return op.Seen.Status == s.status && op.Seen.Version == s.version && op.Seen.Consultant == s.consultant
}

// mayRefuse reports whether the state allows a rejection with this code. Codes for causes outside the visit are
// always possible.
func mayRefuse(s state, op Op, legal bool) bool {
	switch op.Code {
	case "visit_already_decided":
		return s.status != "new" && !stale(s, op)
	case "illegal_transition":
		return !legal && !stale(s, op)
	case "stale_version":
		return stale(s, op)
	case "not_assigned":
		return s.consultant != op.Actor
	case "not_found":
		return s.status == ""
	}
	return true
}

// checkLinearizable checks I6, one visit at a time ([T1]: the search over a history of all visits would be too
// expensive).
func checkLinearizable(e *Evidence) []Violation {
	var found findings
	byVisit, made := map[string][]Op{}, visitsByKey(e)
	for _, op := range e.Ops {
		if op.Kind == Create && op.Visit == "" && op.Outcome == Unknown {
			op.Visit = made[op.Key]
		}
		if visit := op.Visit; visit != "" && (ChangesVisit(op.Kind) || op.Kind == Read) {
			byVisit[visit] = append(byVisit[visit], op)
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

// visitsByKey returns the visit created with each key: an unanswered creation may have been the one. If no creation
// with a key was answered, the trail names the request.
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

// shrink removes every operation without which the history still cannot be explained.
func shrink(history []Op) []string {
	kept := slices.Clone(history)
	for i := len(kept) - 1; i >= 0; i-- {
		if kept[i].Kind == Create { // no history makes sense without its creation
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
