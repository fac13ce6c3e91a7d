package checker

import (
	"cmp"
	"maps"
	"slices"
)

// checkCalls checks I17, by the order of the outbox.
func checkCalls(e *Evidence) []Violation {
	var found findings
	called := map[string]map[string]bool{} // visits by consultant
	for _, row := range e.Outbox {
		if row.Visit == "" {
			continue
		}
		before, after := row.Before, row.After
		if row.Type == "visit_called" && before.Stage == stageCalled {
			found.add("I17", nil, "at seq %d visit %s is called although it is called", row.Seq, row.Visit)
		}
		if before.Stage == stageCalled {
			delete(called[before.Consultant], row.Visit)
		}
		if after.Stage != stageCalled {
			continue
		}
		others := called[after.Consultant]
		if len(others) > 0 {
			found.add("I17", nil, "at seq %d consultant %s has called visit %s and visit %s",
				row.Seq, after.Consultant, slices.Sorted(maps.Keys(others))[0], row.Visit)
		}
		if others == nil {
			others = map[string]bool{}
			called[after.Consultant] = others
		}
		others[row.Visit] = true
	}
	return append(found, calledTwice(e)...)
}

// calledTwice compares the answers to calls: no two callers may be answered with the same change of a visit.
func calledTwice(e *Evidence) []Violation {
	type change struct {
		visit   string
		version int64
	}
	var found findings
	callers := map[change]Op{}
	for _, op := range e.Ops {
		if op.Kind != Next && op.Kind != CallOne || op.Outcome != OK || op.Seen == nil || op.Again || op.Replayed {
			continue
		}
		at := change{op.Seen.ID, op.Seen.Version}
		if was, twice := callers[at]; twice && was.Seen.Consultant != op.Seen.Consultant {
			found.add("I17", []string{was.Line(), op.Line()}, "one call of visit %s was answered to two callers", op.Seen.ID)
		}
		callers[at] = op
	}
	return found
}

// checkStages checks I20.
func checkStages(e *Evidence) []Violation {
	var found findings
	pairs := maps.Clone(e.Pairs)
	if pairs == nil {
		pairs = map[Pair]string{}
	}
	for _, row := range e.Outbox {
		if row.Visit != "" {
			pairs[Pair{"an event", row.After.Status, row.After.Stage}] = row.Visit
		}
	}
	for _, v := range e.Visits {
		pairs[Pair{"the table", v.Status, v.Stage}] = v.ID
	}
	for _, pair := range slices.SortedFunc(maps.Keys(pairs), func(a, b Pair) int {
		return cmp.Or(cmp.Compare(a.Where, b.Where), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Status, b.Status))
	}) {
		if pair.Status == "" || StatusOf(pair.Stage) != pair.Status {
			found.add("I20", nil, "%s has visit %s with status %q and stage %q",
				pair.Where, pairs[pair], pair.Status, pair.Stage)
		}
	}
	return found
}
