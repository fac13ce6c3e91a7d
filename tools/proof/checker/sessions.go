package checker

import (
	"maps"
	"slices"
)

// checkSessions checks I7, by the times of the final visits and by every prefix of the trail.
func checkSessions(e *Evidence) []Violation {
	return append(overlaps(e), doubleSessions(e)...)
}

func overlaps(e *Evidence) []Violation {
	var found findings
	byConsultant := map[string][]Visit{}
	for _, v := range e.Visits {
		if v.Started != nil {
			byConsultant[v.Consultant] = append(byConsultant[v.Consultant], v)
		}
	}
	for _, consultant := range slices.Sorted(maps.Keys(byConsultant)) {
		sessions := byConsultant[consultant]
		slices.SortFunc(sessions, func(a, b Visit) int { return a.Started.Compare(*b.Started) })
		for i := 1; i < len(sessions); i++ {
			before, after := sessions[i-1], sessions[i]
			if before.Completed == nil || before.Completed.After(*after.Started) {
				found.add("I7", nil, "consultant %s: the session of visit %s starts before that of %s has ended",
					consultant, after.ID, before.ID)
			}
		}
	}
	return found
}

// doubleSessions reads the outbox, whose order is the commit order of one consultant's sessions.
func doubleSessions(e *Evidence) []Violation {
	var found findings
	running := map[string]string{} // visit by consultant
	for _, row := range e.Outbox {
		switch row.Type {
		case "visit_in_session":
			if other, busy := running[row.Consultant]; busy {
				found.add("I7", nil, "at seq %d consultant %s has visit %s and visit %s in session",
					row.Seq, row.Consultant, other, row.Visit)
			}
			running[row.Consultant] = row.Visit
		case "visit_completed":
			delete(running, row.Consultant)
		}
	}
	return found
}
