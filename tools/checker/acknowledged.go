package checker

// checkAcknowledged: I3.
func checkAcknowledged(e *Evidence) []Violation {
	var found []Violation
	records := recordsByRequest(e)
	for _, op := range e.Ops {
		if !changes(op.Kind) {
			continue
		}
		n := len(records[op.RequestID])
		switch {
		case op.Outcome == Failed && n != 0:
			found = append(found, violation("I3", []string{op.Line()}, "a refused call left %d audit records", n))
		case op.Outcome == Unknown && n > 1, op.Outcome == OK && n > 1:
			found = append(found, violation("I3", []string{op.Line()}, "one call left %d audit records", n))
		case op.Outcome == OK && n == 0 && !hasOriginal(e, records, op):
			found = append(found, violation("I3", []string{op.Line()}, "an acknowledged call left no audit record, and no earlier one did"))
		}
	}
	return found
}

func recordsByRequest(e *Evidence) map[string][]Record {
	records := map[string][]Record{}
	for _, r := range e.Records {
		records[r.RequestID] = append(records[r.RequestID], r)
	}
	return records
}

// hasOriginal tells whether another call, which began before this one was answered, did what a replayed answer or a repeated request only confirmed.
func hasOriginal(e *Evidence, records map[string][]Record, op Op) bool {
	for _, other := range e.Ops {
		if other.Call > op.Return || other.RequestID == op.RequestID || other.Kind != op.Kind || len(records[other.RequestID]) != 1 {
			continue
		}
		if op.Kind == Create && op.Key != "" && other.Key == op.Key && op.Replayed {
			return true
		}
		if op.Kind != Create && other.Visit == op.Visit && other.Actor == op.Actor && other.Consultant == op.Consultant {
			return true
		}
	}
	return false
}

// checkGhosts: I4.
func checkGhosts(e *Evidence) []Violation {
	var found []Violation
	asked := map[string]bool{}
	for _, op := range e.Ops {
		asked[op.RequestID] = changes(op.Kind)
	}
	for _, r := range e.Records {
		if !asked[r.RequestID] {
			found = append(found, violation("I4", nil, "record %d: visit %s was %s by request %q, which nobody sent", r.N, r.Visit, r.Action, r.RequestID))
		}
	}
	return found
}
