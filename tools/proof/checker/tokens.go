package checker

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// checkTokens checks I1.
func checkTokens(e *Evidence) []Violation {
	var found findings
	byDay := groupBy(e.Visits, func(v Visit) string { return v.Day })
	byID := map[string]Visit{}
	for _, v := range e.Visits {
		byID[v.ID] = v
	}
	for _, day := range slices.Sorted(maps.Keys(byDay)) {
		bySeries := groupBy(withOtherTokens(byDay[day]), func(v Visit) string { return cmp.Or(v.Series, "T") })
		for _, series := range slices.Sorted(maps.Keys(bySeries)) {
			found = append(found, denseSeries(day, series, bySeries[series])...)
		}
	}
	for _, op := range e.Ops {
		if op.Kind != Create || op.Outcome != OK {
			continue
		}
		if kept, is := byID[op.Seen.ID]; !is || kept.Token != op.Seen.Token {
			found.add("I1", []string{op.Line()}, "an acknowledged visit is lost or has another token")
		}
	}
	return found
}

// withOtherTokens adds an entry for each second token, given by a desk to a visitor whose visit existed already.
func withOtherTokens(visits []Visit) []Visit {
	all := slices.Clone(visits)
	for _, v := range visits {
		series, digits, two := strings.Cut(v.Also, "-")
		if number, err := strconv.Atoi(digits); two && err == nil {
			all = append(all, Visit{ID: v.ID, Series: series, TokenNo: number})
		}
	}
	return all
}

// denseSeries finds the first number of a day's series that is missing, repeated, or given to a visit of another day.
func denseSeries(day, series string, visits []Visit) (found findings) {
	slices.SortFunc(visits, func(a, b Visit) int { return a.TokenNo - b.TokenNo })
	for i, v := range visits {
		if v.CreatedDay != "" && v.CreatedDay != day {
			found.add("I1", nil, "visit %s has number %d of %s, but was created on the office's %s",
				v.ID, v.TokenNo, day, v.CreatedDay)
			break
		}
		if v.TokenNo != i+1 {
			found.add("I1", nil, "day %s: number %d of series %s is missing or doubled (visit %s has %d)",
				day, i+1, series, v.ID, v.TokenNo)
			break
		}
	}
	return found
}

// checkKeys checks I2.
func checkKeys(e *Evidence) []Violation {
	var found findings
	first := map[string]Op{}
	for _, op := range e.Ops {
		if op.Kind != Create || op.Key == "" || op.Outcome != OK {
			continue
		}
		was, seen := first[op.Key]
		if !seen {
			first[op.Key] = op
			continue
		}
		if was.Seen.ID != op.Seen.ID || was.Seen.Token != op.Seen.Token {
			found.add("I2", []string{was.Line(), op.Line()}, "one key created two visits")
		}
	}
	return append(found, keysOfRecords(e)...)
}

// keysOfRecords finds idempotency keys that created more than one visit, even if at most one creation was answered.
func keysOfRecords(e *Evidence) []Violation {
	var found findings
	visitOf := visitsByRequest(e)
	made := map[string]Op{} // keyed by idempotency key
	for _, op := range e.Ops {
		visit, is := visitOf[op.RequestID]
		if op.Kind != Create || op.Key == "" || !is {
			continue
		}
		if was, twice := made[op.Key]; twice && visitOf[was.RequestID] != visit {
			found.add("I2", []string{was.Line(), op.Line()}, "two requests with one key created a visit each: %s and %s",
				visitOf[was.RequestID], visit)
		}
		made[op.Key] = op
	}
	return found
}

// visitsByRequest returns the visit that each request created, according to the trail.
func visitsByRequest(e *Evidence) map[string]string {
	made := map[string]string{}
	for _, r := range e.Records {
		if r.Action == "created" {
			made[r.RequestID] = r.Visit
		}
	}
	return made
}
