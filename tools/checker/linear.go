package checker

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// state is one visit as the model knows it.
type state struct {
	status, consultant string
	decider            string // who approved or denied
	actor              string // who made the last change
	version            int64
}

// linearizeWithin bounds the search over one visit's history; the histories are short.
const linearizeWithin = 20 * time.Second

// model is the visit of spec.md section 4 with the answers of reliability.md [C2]. What is not known to have happened may or may not have.
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
	if confirms(s, op) && sees(s, op) { // a retry, or a replayed answer: nothing changes
		return []any{s}
	}
	return nil
}

// apply makes the change of a call, if the machine allows it now.
func apply(s state, op Op) (state, bool) {
	e, is := edgeOf(op.Kind)
	if !is || s.status != e.from {
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

// confirms tells whether the call only asks for what its own actor has already done.
func confirms(s state, op Op) bool {
	e, _ := edgeOf(op.Kind)
	if op.Kind == Create {
		return op.Replayed && s.status != ""
	}
	return s.status == e.to && s.actor == op.Actor && (op.Kind != Approve || s.consultant == op.Consultant)
}

// sees compares an answer with the state. A replayed creation shows the visit as it was made.
func sees(s state, op Op) bool {
	if op.Seen == nil {
		return true
	}
	if op.Kind == Create {
		return op.Seen.Status == "new" && op.Seen.Version == 1
	}
	return op.Seen.Status == s.status && op.Seen.Version == s.version && op.Seen.Consultant == s.consultant
}

// mayRefuse tells whether the refusal's code is one that the state gives cause for. Codes of things outside one visit are always possible.
func mayRefuse(s state, op Op, legal bool) bool {
	switch op.Code {
	case "visit_already_decided":
		return s.status != "new"
	case "illegal_transition":
		return !legal
	case "not_assigned":
		return s.consultant != op.Actor
	case "not_found":
		return s.status == ""
	}
	return true
}

// checkLinearizable: I6, one visit at a time ([T1]: a history of all visits would be too hard to search).
func checkLinearizable(e *Evidence) []Violation {
	var found []Violation
	byVisit, made := map[string][]Op{}, visitsByKey(e)
	for _, op := range e.Ops {
		if op.Kind == Create && op.Visit == "" && op.Outcome == Unknown {
			op.Visit = made[op.Key]
		}
		if visit := op.Visit; visit != "" && (changes(op.Kind) || op.Kind == Read) {
			byVisit[visit] = append(byVisit[visit], op)
		}
	}
	for _, visit := range slices.Sorted(maps.Keys(byVisit)) {
		history := byVisit[visit]
		if !isLinearizable(history) {
			found = append(found, violation("I6", shrink(history), "no order of its calls explains the answers about visit %s", visit))
		}
	}
	return found
}

// visitsByKey tells what was made under each key: a creation that was not answered may have been the one. A key of which no
// creation was answered is known by the trail, which names the request.
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

// shrink leaves out every call without which the history still cannot be explained.
func shrink(history []Op) []string {
	kept := slices.Clone(history)
	for i := len(kept) - 1; i >= 0; i-- {
		if kept[i].Kind == Create { // without its beginning no history makes sense
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
