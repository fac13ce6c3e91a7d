package checker

// edge is one allowed transition of a visit (spec.md section 4).
type edge struct{ kind, from, to, event, action string }

// The state machine a second time, on purpose: the checker must not share an error with the product.
var edges = []edge{
	{Create, "", "new", "visit_created", "created"},
	{Approve, "new", "approved", "visit_approved", "approved"},
	{Deny, "new", "denied", "visit_denied", "denied"},
	{Start, "approved", "in-session", "visit_in_session", "started"},
	{Complete, "in-session", "completed", "visit_completed", "completed"},
}

func edgeOf(kind string) (edge, bool) {
	for _, e := range edges {
		if e.kind == kind {
			return e, true
		}
	}
	return edge{}, false
}

func edgeOfAction(action string) (edge, bool) {
	for _, e := range edges {
		if e.action == action {
			return e, true
		}
	}
	return edge{}, false
}

// ChangesVisit reports whether a kind of operation changes a visit if it succeeds.
func ChangesVisit(kind string) bool {
	_, ok := edgeOf(kind)
	return ok
}
