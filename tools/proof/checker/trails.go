package checker

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// checkTrails checks I5.
func checkTrails(e *Evidence) []Violation {
	var found findings
	trails := groupBy(e.Records, func(r Record) string { return r.Visit })
	final := map[string]Visit{}
	for _, v := range e.Visits {
		final[v.ID] = v
		if len(trails[v.ID]) == 0 {
			found.add("I5", nil, "visit %s has no trail", v.ID)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(trails)) {
		trail := trails[id]
		slices.SortStableFunc(trail, func(a, b Record) int { return int(a.Version - b.Version) })
		visit, kept := final[id]
		if !kept {
			found.add("I5", nil, "the trail has visit %s, which does not exist", id)
			continue
		}
		if what := brokenTrail(trail, visit); what != "" {
			found.add("I5", linesOf(trail), "visit %s: %s", id, what)
		}
	}
	return found
}

// brokenTrail describes what is wrong with a visit's records, which are in the order of their versions, or returns "".
func brokenTrail(trail []Record, visit Visit) string {
	state, before := map[string]any{}, map[string]any{} // the fields after the last change, and before it
	for i, r := range trail {
		if r.Version != int64(i+1) {
			return fmt.Sprintf("version %d is missing or doubled", i+1)
		}
		after := maps.Clone(state)
		maps.Copy(after, r.New)
		from, to := text(state["stage"]), text(after["stage"])
		if i > 0 && !continues(r.Old, state) {
			return fmt.Sprintf("version %d starts from other values than version %d ended with", r.Version, i)
		}
		if r.Action == undoneAction {
			if what := brokenUndo(trail[:i], before, after); what != "" {
				return fmt.Sprintf("version %d %s", r.Version, what)
			}
		} else if e, known := edgeBetween(r.Action, from, to, r.New["byHand"] == true); !known {
			return fmt.Sprintf("version %d goes from %q to %q by %q", r.Version, from, to, r.Action)
		} else if !e.binds && text(state["consultantId"]) != text(after["consultantId"]) {
			return fmt.Sprintf("version %d changes the visit's consultant by %q", r.Version, r.Action)
		} else if field := lostNotes(state, after); field != "" {
			return fmt.Sprintf("version %d loses %s by %q: %q, then %q", r.Version, field, r.Action, text(state[field]),
				text(after[field]))
		}
		before, state = state, after
	}
	stage, consultant := text(state["stage"]), text(state["consultantId"])
	if int64(len(trail)) != visit.Version || stage != visit.Stage || text(state["status"]) != visit.Status ||
		consultant != visit.Consultant {
		return fmt.Sprintf("the trail ends at version %d, %s, %q; the visit is at version %d, %s, %q",
			len(trail), stage, consultant, visit.Version, visit.Stage, visit.Consultant)
	}
	return ""
}

// lostNotes returns the field whose notes a change has removed, or "". Changes only append to notes.
func lostNotes(before, after map[string]any) string {
	for _, field := range []string{"paNotes", "sessionNotes"} {
		if !strings.Contains(text(after[field]), text(before[field])) {
			return field
		}
	}
	return ""
}

// continues reports whether the fields that a change replaces have the values that the previous change left. Phone
// numbers are masked in the trail, so different numbers may look alike.
func continues(old, state map[string]any) bool {
	for field, value := range old {
		if field != "byHand" && field != "undone" && asText(state[field]) != asText(value) {
			return false
		}
	}
	return true
}

// notRestored are the fields that brokenUndo does not compare: those of the change itself, audit's mark of an admin who
// acted for a consultant, and notes, which an undo keeps. An undo does restore a phone number, but the trail masks it.
var notRestored = []string{
	"version", "updatedAt", "undone", "byHand", "override", "phone", "receptionNotes", "paNotes", "sessionNotes",
}

// brokenUndo describes what is wrong with an undo of the last record of a trail, or returns "". before has the fields
// before the undone change, and after has the fields after the undo.
func brokenUndo(trail []Record, before, after map[string]any) string {
	if len(trail) == 0 {
		return "undoes nothing"
	}
	last := trail[len(trail)-1]
	if last.Action == undoneAction || last.Action == "no_show" || last.Action == mergedAction {
		return fmt.Sprintf("undoes %q", last.Action)
	}
	if last.Action == "created" {
		if text(after["stage"]) != stageCancelled {
			return fmt.Sprintf("undoes the registration and ends at %q", text(after["stage"]))
		}
		return ""
	}
	for field := range after {
		if !slices.Contains(notRestored, field) && asText(after[field]) != asText(before[field]) {
			return fmt.Sprintf("undoes %q and leaves %s at %s, not %s",
				last.Action, field, asText(after[field]), asText(before[field]))
		}
	}
	return ""
}

func text(value any) string {
	s, _ := value.(string) // "" if the value is missing or null
	return s
}

func linesOf(trail []Record) []string {
	var lines []string
	for _, r := range trail {
		lines = append(lines, fmt.Sprintf("record %d seq %d v%d %s %v -> %v request=%s",
			r.N, r.Seq, r.Version, r.Action, r.Old["stage"], r.New["stage"], r.RequestID))
	}
	return lines
}
