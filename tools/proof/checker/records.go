package checker

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// This file checks the invariants of accounts, sessions, services, consultants, appointments, notifications and
// denials. For visits, it checks only the feed and the actors of the records; other files check the rest.

// TakenBack reports whether a restore of the source's database undid an event. The trail keeps the event's record.
func TakenBack(restores []Restore, source, epoch string, seq int64) bool {
	return slices.ContainsFunc(restores, func(r Restore) bool {
		return r.Source == source && r.Epoch == epoch && seq > r.Head
	})
}

// checkFeeds checks I8 for every service.
func checkFeeds(e *Evidence) []Violation {
	var found findings
	recorded := groupBy(e.Entries, func(entry Entry) string { return entry.EventID })
	for _, source := range slices.Sorted(maps.Keys(e.Feeds)) {
		found = append(found, checkFeed(source, e.Feeds[source], recorded)...)
	}
	for _, entry := range e.Entries {
		if recorded[entry.EventID] != nil {
			found.add("I8", nil, "record %d is of %s, but %s's outbox has no row %d",
				entry.N, entry.Subject, entry.Subject.Source, entry.Seq)
		}
	}
	return found
}

// checkFeed compares the rows of one outbox with their records in the trail, and removes these records from recorded.
func checkFeed(source string, feed Feed, recorded map[string][]Entry) []Violation {
	var found findings
	if feed.Unnumbered > 0 {
		found.add("I8", nil, "%d rows of %s have no number after the quiet period", feed.Unnumbered, source)
	}
	if int64(len(feed.Rows)) != feed.Head {
		found.add("I8", nil, "the head of %s is %d, but it has %d numbered rows", source, feed.Head, len(feed.Rows))
	}
	version := map[Subject]int64{}
	for i, row := range feed.Rows {
		if row.Seq != int64(i+1) {
			found.add("I8", nil, "number %d of %s is missing or doubled (found %d)", i+1, source, row.Seq)
			break
		}
		if was := version[row.Subject]; row.Version > 0 && was > 0 && row.Version != was+1 {
			found.add("I8", nil, "seq %d: %s goes from version %d to %d", row.Seq, row.Subject, was, row.Version)
		}
		version[row.Subject] = row.Version
		records := recorded[row.EventID]
		delete(recorded, row.EventID)
		if len(records) != 1 || records[0].Subject != row.Subject || records[0].Version != row.Version ||
			records[0].RequestID != row.RequestID {
			found.add("I8", nil, "seq %d of %s (%s of %s) has %d records of its own in the trail",
				row.Seq, source, row.Type, row.Subject, len(records))
		}
	}
	return found
}

// checkOwners checks I5 for records other than visits: the last event of each must match its owner's table.
func checkOwners(e *Evidence) []Violation {
	var found findings
	last := map[Subject]map[string]any{}
	for _, feed := range e.Feeds {
		for _, row := range feed.Rows {
			if row.After != nil {
				last[row.Subject] = row.After
			}
		}
	}
	for _, subject := range slices.SortedFunc(maps.Keys(e.Rows), func(a, b Subject) int {
		return strings.Compare(a.String(), b.String())
	}) {
		published, is := last[subject]
		if !is {
			found.add("I5", nil, "%s has no event", subject)
			continue
		}
		for _, field := range slices.Sorted(maps.Keys(e.Rows[subject])) {
			if got, want := asText(published[field]), asText(e.Rows[subject][field]); got != want {
				found.add("I5", nil, "%s: its last event has %s %s, its owner's table %s", subject, field, got, want)
			}
		}
		delete(last, subject)
	}
	for subject := range last {
		if keepsRow(e, subject) {
			found.add("I5", nil, "%s has events and is not in its owner's table", subject)
		}
	}
	return found
}

// keepsRow reports whether the evidence has rows of this kind from their owner's table.
func keepsRow(e *Evidence, subject Subject) bool {
	for other := range e.Rows {
		if other.Source == subject.Source && other.Entity == subject.Entity {
			return true
		}
	}
	return false
}

func asText(value any) string {
	text, _ := json.Marshal(value) // cannot fail, because the value was decoded from JSON
	return string(text)
}

// checkSaved checks I3 for records other than visits.
func checkSaved(e *Evidence) []Violation {
	var found findings
	byRequest := groupBy(e.Entries, func(entry Entry) string { return entry.RequestID })
	own := func(op Op) []Entry {
		return slices.DeleteFunc(slices.Clone(byRequest[op.RequestID]), func(entry Entry) bool {
			return entry.Subject.Source != op.Record.Source || entry.Subject.Entity != op.Record.Entity ||
				entry.Subject == op.Replaces
		})
	}
	for _, op := range e.Ops {
		switch {
		case op.Kind == Forbidden && op.Outcome == OK:
			found.add("I3", []string{op.Line()}, "a request forbidden to %s was answered with success", op.Role)
		case op.Kind == Forbidden && len(byRequest[op.RequestID]) > 0:
			found.add("I3", []string{op.Line()}, "a forbidden request left %d audit records", len(byRequest[op.RequestID]))
		case op.Kind != Save:
		case op.Replaces != Subject{} && !replacedOnce(op, byRequest[op.RequestID]):
			found.add("I3", []string{op.Line()}, "a sign-in that replaced %s did not leave one audit record of it", op.Replaces)
		case op.Outcome == Failed && len(own(op)) > 0:
			found.add("I3", []string{op.Line()}, "a rejected request left %d audit records", len(own(op)))
		case len(own(op)) > 1:
			found.add("I3", []string{op.Line()}, "one request left %d audit records", len(own(op)))
		case op.Outcome == OK && len(own(op)) == 0 && !savedBefore(e, op, own):
			found.add(
				"I3", []string{op.Line()},
				"an acknowledged change of %s left no audit record, and no earlier one stored the same", op.Record,
			)
		}
	}
	return append(found, unrecordedRefusals(e)...)
}

// replacedOnce reports whether the trail has as many records of the replaced session as the sign-in's outcome requires.
func replacedOnce(op Op, entries []Entry) bool {
	n := 0
	for _, entry := range entries {
		if entry.Subject == op.Replaces {
			n++
		}
	}
	return op.Outcome == OK && n == 1 || op.Outcome == Failed && n == 0 || op.Outcome == Unknown && n <= 1
}

// savedBefore reports whether op may have changed nothing because another request had stored the same value.
func savedBefore(e *Evidence, op Op, own func(Op) []Entry) bool {
	return slices.ContainsFunc(e.Ops, func(other Op) bool {
		return other.Kind == Save && other.RequestID != op.RequestID && other.Call <= op.Return && op.Record.ID != "" &&
			other.Record == op.Record && other.Value == op.Value && (len(own(other)) == 1 || other.Outcome == Unknown)
	})
}

// unrecordedRefusals finds users without any record of their forbidden requests. Denials are counted in memory and
// recorded at most once a minute, so a fault may lose some of them.
func unrecordedRefusals(e *Evidence) []Violation {
	var found findings
	type pair struct{ source, actor string }
	recorded, reported := map[pair]bool{}, map[pair]bool{}
	for _, entry := range e.Entries {
		if entry.Subject.Entity == "access" {
			recorded[pair{entry.Subject.Source, entry.Actor}] = true
		}
	}
	for _, op := range e.Ops {
		denied := pair{op.Record.Source, op.Actor}
		if op.Kind == Forbidden && op.Code == "forbidden" && !e.disturbed(op) && !recorded[denied] && !reported[denied] &&
			!e.restoredAfter(op) {
			reported[denied] = true
			found.add("I3", []string{op.Line()}, "no forbidden request of %s at %s was recorded", op.Client, op.Record.Source)
		}
	}
	return found
}

// restoredAfter reports whether the run restored the service's database: the restore may have undone the record.
func (e *Evidence) restoredAfter(op Op) bool {
	return slices.ContainsFunc(e.Restores, func(r Restore) bool { return r.Source == op.Record.Source })
}

// checkUnrequestedRecords checks I4 for records other than visits. Records of requests that no robot sent are not
// checked: they belong to the harness's own administrator, or follow from events of another service.
func checkUnrequestedRecords(e *Evidence) []Violation {
	var found findings
	requested := map[string]Op{}
	rejected := map[string]int{} // number by actor
	for _, op := range e.Ops {
		requested[op.RequestID] = op
		if op.Kind == Forbidden {
			rejected[op.Actor] = 0
		}
	}
	for _, op := range e.Ops {
		if _, counts := rejected[op.Actor]; counts && (op.Outcome == Unknown || op.Status == http.StatusForbidden) {
			rejected[op.Actor]++
		}
	}
	for _, entry := range e.Entries {
		if entry.Subject.Entity == "access" {
			if _, counts := rejected[entry.Actor]; !counts {
				continue // The history does not have all requests of this user.
			}
			if rejected[entry.Actor] -= entry.Count; rejected[entry.Actor] < 0 {
				found.add("I4", nil, "record %d: %s counts more denials of %s than there were", entry.N, entry.Subject, entry.Actor)
			}
			continue
		}
		if !strings.HasPrefix(entry.RequestID, RequestPrefix) {
			continue
		}
		op, is := requested[entry.RequestID]
		if is && entry.Actor != op.Actor && !isPublic(op) {
			found.add("I4", []string{op.Line()}, "record %d: %s was %s by %q, but the request was sent by %q",
				entry.N, entry.Subject, entry.Action, entry.Actor, op.Actor)
		}
		if entry.Subject.Entity == "visit" || is && entry.Subject == op.Replaces ||
			is && op.Kind == Create && entry.Subject.Entity == "consent" {
			continue
		}
		if !is || op.Kind != Save || op.Record.ID != "" && op.Record.ID != entry.Subject.ID &&
			op.Record.Entity == entry.Subject.Entity {
			found.add("I4", nil, "record %d: %s was %s by request %q, which did not request it",
				entry.N, entry.Subject, entry.Action, entry.RequestID)
		}
	}
	return found
}

// isPublic reports whether a request asks for an appointment. The request needs no session, so its record has no actor.
func isPublic(op Op) bool {
	return op.Kind == Save && op.Record.Entity == "appointment" && op.Record.ID == ""
}

// RequestPrefix begins the names of the robots' requests, which the evidence has in place of the gateway's ids.
const RequestPrefix = "chaos-"

// checkTotals checks I13 for the lists of the product that count their records.
func checkTotals(e *Evidence) []Violation {
	var found findings
	count := map[string]int{}
	for subject := range e.Rows {
		count[subject.Entity]++
	}
	for _, entity := range slices.Sorted(maps.Keys(e.Totals)) {
		if e.Totals[entity] != count[entity] {
			found.add("I13", nil, "the product lists %d records of %s, its owner's table has %d",
				e.Totals[entity], entity, count[entity])
		}
	}
	return found
}
