package checker

import (
	"fmt"
	"maps"
	"slices"
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

// brokenTrail returns what is wrong with a visit's records in the order of their versions, or "".
func brokenTrail(trail []Record, visit Visit) string {
	status, consultant := "", ""
	for i, r := range trail {
		if r.Version != int64(i+1) {
			return fmt.Sprintf("version %d is missing or doubled", i+1)
		}
		e, known := edgeOfAction(r.Action)
		if !known || e.from != status || text(r.New["status"]) != e.to || text(r.Old["status"]) != e.from {
			return fmt.Sprintf("version %d goes from %q to %q by %q",
				r.Version, text(r.Old["status"]), text(r.New["status"]), r.Action)
		}
		status = e.to
		if given, changed := r.New["consultantId"]; changed && given != nil {
			if consultant != "" {
				return fmt.Sprintf("version %d changes the visit's consultant", r.Version)
			}
			consultant = text(given)
		}
	}
	if int64(len(trail)) != visit.Version || status != visit.Status || consultant != visit.Consultant {
		return fmt.Sprintf("the trail ends at version %d, %s, %q; the visit is at version %d, %s, %q",
			len(trail), status, consultant, visit.Version, visit.Status, visit.Consultant)
	}
	return ""
}

func text(value any) string {
	s, _ := value.(string) // null before the creation
	return s
}

func linesOf(trail []Record) []string {
	var lines []string
	for _, r := range trail {
		lines = append(lines, fmt.Sprintf("record %d seq %d v%d %s %v -> %v request=%s",
			r.N, r.Seq, r.Version, r.Action, r.Old["status"], r.New["status"], r.RequestID))
	}
	return lines
}

// checkOutbox checks I8.
func checkOutbox(e *Evidence) []Violation {
	var found findings
	if e.Unnumbered > 0 {
		found.add("I8", nil, "%d rows have no number after the quiet period", e.Unnumbered)
	}
	version := map[string]int64{}
	for i, row := range e.Outbox {
		if row.Seq != int64(i+1) {
			found.add("I8", nil, "number %d is missing or doubled (found %d)", i+1, row.Seq)
			return found
		}
		if row.Visit == "" {
			continue
		}
		if row.Version != version[row.Visit]+1 {
			found.add("I8", nil, "seq %d: visit %s goes from version %d to %d",
				row.Seq, row.Visit, version[row.Visit], row.Version)
		}
		version[row.Visit] = row.Version
	}
	if int64(len(e.Outbox)) != e.Head {
		found.add("I8", nil, "the head is %d, the last number is %d", e.Head, len(e.Outbox))
	}
	return append(found, pairs(e)...)
}

// pairs checks that each outbox row has exactly one audit record.
func pairs(e *Evidence) []Violation {
	var found findings
	records := map[int64]Record{}
	for _, r := range e.Records {
		if twice, is := records[r.Seq]; is {
			found.add("I8", linesOf([]Record{twice, r}), "seq %d is in the trail twice", r.Seq)
		}
		records[r.Seq] = r
	}
	for _, row := range e.Outbox {
		if row.Visit == "" {
			continue
		}
		r, is := records[row.Seq]
		if !is || r.Visit != row.Visit || r.Version != row.Version {
			found.add("I8", nil, "seq %d (%s of visit %s, version %d) has no record of its own in the trail",
				row.Seq, row.Type, row.Visit, row.Version)
		}
		delete(records, row.Seq)
	}
	for _, seq := range slices.Sorted(maps.Keys(records)) {
		found.add("I8", linesOf([]Record{records[seq]}), "the trail has seq %d, which the outbox does not have", seq)
	}
	return found
}
