package checker

import "slices"

// checkAcknowledged checks I3.
func checkAcknowledged(e *Evidence) []Violation {
	var found findings
	records := groupBy(e.Records, func(r Record) string { return r.RequestID })
	for _, op := range e.Ops {
		if !ChangesVisit(op.Kind) {
			continue
		}
		n := len(records[op.RequestID])
		switch {
		case op.Kind == Next && op.Outcome == OK && (op.Again || op.Seen == nil):
			if n != 0 {
				found.add("I3", []string{op.Line()}, "a request that called no visitor left %d audit records", n)
			}
		case op.Outcome == Failed && n != 0:
			found.add("I3", []string{op.Line()}, "a rejected request left %d audit records", n)
		case op.Outcome == Unknown && n > 1, op.Outcome == OK && n > 1:
			found.add("I3", []string{op.Line()}, "one request left %d audit records", n)
		case op.Outcome == OK && n == 0 && !hasOriginal(e, records, op):
			found.add("I3", []string{op.Line()}, "an acknowledged request left no audit record, and no earlier one did")
		}
	}
	return found
}

// hasOriginal reports whether op only confirms a change that another request has recorded. The other request was sent
// before op was answered, and has either the same key, or the same actor and the same change.
func hasOriginal(e *Evidence, records map[string][]Record, op Op) bool {
	for _, other := range e.Ops {
		if other.Call > op.Return || other.RequestID == op.RequestID || other.Kind != op.Kind ||
			len(records[other.RequestID]) != 1 {
			continue
		}
		if op.Key != "" && other.Key == op.Key && op.Replayed {
			return true
		}
		same := other.Visit == op.Visit && other.Actor == op.Actor && other.Consultant == op.Consultant
		if same && op.Kind != Create && op.Kind != Recall {
			return true
		}
	}
	return false
}

// checkUnrequested checks I4 for visits: unless bySystem, a record must name a request for this change of this visit.
func checkUnrequested(e *Evidence) []Violation {
	var found findings
	requested := map[string]Op{}
	for _, op := range e.Ops {
		if ChangesVisit(op.Kind) {
			requested[op.RequestID] = op
		}
	}
	senders := offlineSenders(e)
	for _, r := range e.Records {
		op, is := requested[r.RequestID]
		_, sent := senders[r.RequestID]
		edge, _ := edgeOf(op.Kind)
		switch {
		case r.RequestID == "" && bySystem(r):
		case sent && (r.Action == createdAction || r.Action == mergedAction):
		case !is:
			found.add("I4", nil, "record %d: visit %s was %s by request %q, which no client sent",
				r.N, r.Visit, r.Action, r.RequestID)
		case edge.action != r.Action || op.Visit != "" && op.Visit != r.Visit:
			found.add("I4", []string{op.Line()}, "record %d: visit %s was %s by request %q, which requested another change",
				r.N, r.Visit, r.Action, r.RequestID)
		}
	}
	return found
}

// bySystem reports whether the service made the recorded change by itself: it ended a hold at its time, ended the visit
// of a visitor who did not come until the office closed, or repeated or ended a call that was not answered.
func bySystem(r Record) bool {
	return slices.Contains([]string{"no_show", "recalled", "missed"}, r.Action) ||
		r.Action == "resumed" && r.Old["heldReason"] == "late"
}
