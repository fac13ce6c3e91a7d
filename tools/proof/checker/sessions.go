package checker

import (
	"maps"
	"slices"
	"time"
)

// sitting is a part of a session, from the change that began it to the change that ended it. A hold ends a part.
type sitting struct {
	visit      string
	begin, end time.Time // end is zero while the sitting runs
}

// checkSessions checks I7, by the times of the sittings and by every prefix of the outbox. The sessions of one
// consultant are in the outbox in the order of their commits.
func checkSessions(e *Evidence) []Violation {
	var found findings
	sittings := map[string][]sitting{} // keyed by consultant
	running := map[string]string{}     // visit by consultant
	for _, row := range e.Outbox {
		if row.Visit == "" {
			continue
		}
		before, after := row.Before, row.After
		if before.Stage == stageInSession && after.Stage != stageInSession {
			list := sittings[before.Consultant]
			if i := slices.IndexFunc(list, func(s sitting) bool { return s.visit == row.Visit && s.end.IsZero() }); i >= 0 {
				list[i].end = after.Updated
			}
			delete(running, before.Consultant)
		}
		if after.Stage == stageInSession && before.Stage != stageInSession {
			if other, busy := running[after.Consultant]; busy {
				found.add("I7", nil, "at seq %d consultant %s has visit %s and visit %s in session",
					row.Seq, after.Consultant, other, row.Visit)
			}
			running[after.Consultant] = row.Visit
			sittings[after.Consultant] = append(sittings[after.Consultant], sitting{visit: row.Visit, begin: after.Updated})
		}
	}
	return append(found, overlaps(sittings)...)
}

func overlaps(byConsultant map[string][]sitting) []Violation {
	var found findings
	for _, consultant := range slices.Sorted(maps.Keys(byConsultant)) {
		sittings := byConsultant[consultant]
		slices.SortStableFunc(sittings, func(a, b sitting) int { return a.begin.Compare(b.begin) })
		for i := 1; i < len(sittings); i++ {
			before, after := sittings[i-1], sittings[i]
			if before.end.IsZero() || before.end.After(after.begin) {
				found.add("I7", nil, "consultant %s: the session of visit %s starts before that of %s has ended",
					consultant, after.visit, before.visit)
			}
		}
	}
	return found
}
