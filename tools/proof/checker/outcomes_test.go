package checker

import (
	"slices"
	"strings"
	"testing"
)

func TestAnUnknownOutcomeMayHaveHappenedOrNot(t *testing.T) {
	for _, happened := range []bool{true, false} {
		e := sound()
		lost := e.op(Deny, "visit-2")
		lost.Outcome, lost.Seen = Unknown, nil
		e.Faults = []Window{{Fault: "a cut link", Start: lost.Call - 1, End: lost.Return + 1}}
		if !happened {
			e.Records = slices.DeleteFunc(e.Records, func(r Record) bool { return r.RequestID == lost.RequestID })
			e.Ops = append(e.Ops, Op{
				Kind: Read, Visit: "visit-2", Call: lost.Return + 1, Return: lost.Return + 2, Outcome: OK,
				Seen: &Visit{Status: "new", Stage: "new", Version: 1},
			})
			for _, invariant := range []func(*Evidence) []Violation{checkAcknowledged, checkLinearizable} {
				if found := invariant(e); found != nil {
					t.Error(found)
				}
			}
			continue
		}
		for _, v := range Check(e) {
			t.Error(v)
		}
	}
}

func TestARepeatedRequestOfTheSameUserIsNoViolation(t *testing.T) {
	e := sound()
	again := *e.op(Deny, "visit-2")
	again.RequestID, again.Call, again.Return = "again", again.Call+1e8, again.Return+1e8
	e.Ops = append(e.Ops, again)
	replayed := *e.op(Create, "visit-3")
	replayed.RequestID, replayed.Replayed = "replayed", true
	replayed.Call, replayed.Return = replayed.Call+1e8, replayed.Return+1e8
	e.Ops = append(e.Ops, replayed)
	for _, v := range Check(e) {
		t.Error(v)
	}
}

// Go's http.Transport repeats a request that has an idempotency key if the connection closes before the answer.
func TestARequestThatArrivesTwiceIsNoViolation(t *testing.T) {
	e := sound()
	e.op(Deny, "visit-2").Replayed = true
	for _, v := range Check(e) {
		t.Error(v)
	}
}

func TestAVisitMayBeReadBeforeItsCreationIsAnswered(t *testing.T) {
	e := sound()
	answered := e.op(Create, "visit-3")
	answered.Key = "key-of-3"
	first := *answered
	first.RequestID, first.Visit, first.Seen, first.Outcome, first.Status = "unanswered", "", nil, Unknown, 503
	answered.Replayed, answered.Call, answered.Return = true, answered.Return+2e8, answered.Return+3e8
	read := Op{
		Client: "pa1", Actor: "pa1", Role: "pa", Kind: Read, Visit: "visit-3", Outcome: OK, Seen: answered.Seen,
		Call: first.Return + 1e6, Return: first.Return + 1e8,
	}
	e.Ops = append(e.Ops, read)
	late := slices.Clone(e.Ops)
	if !slices.ContainsFunc(checkLinearizable(&Evidence{Ops: late}), func(v Violation) bool {
		return strings.Contains(v.String(), "visit-3")
	}) {
		t.Error("a visit may be read before its creation was requested")
	}
	e.Ops = append(e.Ops, first)
	for _, v := range checkLinearizable(e) {
		t.Error(v)
	}
}

func TestAVisitMayComeFromAnUnansweredCreation(t *testing.T) {
	e := sound()
	made := e.op(Create, "visit-3")
	e.Ops = append(e.Ops, Op{
		Client: "pa1", Actor: "pa1", Role: "pa", Kind: Read, Visit: "visit-3", Outcome: OK, Seen: made.Seen,
		Call: made.Return, Return: made.Return + 1e8,
	})
	made = e.op(Create, "visit-3")
	made.Key, made.Visit, made.Seen, made.Outcome, made.Status = "key-of-3", "", nil, Unknown, 503
	for _, v := range checkLinearizable(e) {
		t.Error(v)
	}
	e.Records = nil // No request is known to have created the visit.
	if len(checkLinearizable(e)) == 0 {
		t.Error("a visit may exist without a creation")
	}
}
