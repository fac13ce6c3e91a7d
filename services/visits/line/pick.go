package line

import "slices"

// Desk is the desk of a consultant who calls visitors.
type Desk struct {
	Consultant string   // the user's id
	Serves     []string // ids of services; empty means all
	PinsOnly   bool     // whether the desk calls only visitors who are pinned to it
}

// Takes reports whether w is in the desk's line: pinned to the desk's consultant, or not pinned and for a service that
// the desk serves. A pinned visitor is in the line even if the desk does not serve the service.
func (d Desk) Takes(w Waiting) bool {
	if w.PinnedTo != "" {
		return w.PinnedTo == d.Consultant
	}
	return !d.PinsOnly && (len(d.Serves) == 0 || slices.Contains(d.Serves, w.ServiceID))
}

// Pick returns the visitor whom the desk calls next; ok is false only if the desk's line is empty. passed has the ids
// of the visitors in this line whose rank is earlier than picked's. The service counts the call for them as bypassed,
// or as passed by hand if picked was moved. Visitors of other lines are not passed, as this desk could not call them.
//
// Bypassed never exceeds maxBypass: a visitor at the cap is in the first group, which is called by rank, so any visitor
// who is called earlier has an earlier rank or was moved.
func Pick(waiting []Waiting, desk Desk, maxBypass int) (picked Waiting, passed []string, ok bool) {
	for _, w := range waiting {
		if desk.Takes(w) && (!ok || compare(w, picked, maxBypass) < 0) {
			picked, ok = w, true
		}
	}
	for _, w := range waiting {
		if ok && desk.Takes(w) && w.RankAt.Before(picked.RankAt) {
			passed = append(passed, w.ID)
		}
	}
	return picked, passed, ok
}
