package checker

import (
	"cmp"
	"maps"
	"slices"
)

// This file checks the invariants of appointments, from the outboxes of directory and visits.

// Told is a message about an appointment that the provider or the mail server accepted.
type Told struct {
	Appointment string // id
	Channel     string
	Kind        string
}

// booked is the state of an appointment after an event.
type booked struct {
	id, status, date, time, consultant, visit string

	place, sequence float64 // place is 0 in events of releases without places
}

func bookedOf(row Row) booked {
	number := func(field string) float64 {
		n, _ := row.After[field].(float64) // 0 for a missing field
		return n
	}
	return booked{
		id: row.Subject.ID, status: text(row.After["status"]), date: text(row.After["preferredDate"]),
		time: text(row.After["preferredTime"]), consultant: text(row.After["consultantId"]),
		visit: text(row.After["visitId"]), place: number("place"), sequence: number("sequence"),
	}
}

func (b booked) holds() bool {
	return slices.Contains([]string{"pending", "confirmed", "arrived"}, b.status)
}

func (b booked) slot() string { return b.date + " " + b.time }

// capacityOf returns the number of places of a time of day in an office document.
func capacityOf(document map[string]any, at string) int {
	const usual = 4 // the default
	settings, _ := document["appointments"].(map[string]any)
	byTime, _ := settings["byTime"].(map[string]any)
	for _, value := range []any{byTime[at], settings["perSlot"]} {
		if n, is := value.(float64); is {
			return int(n)
		}
	}
	return usual
}

// checkPlaces checks I24 after each event of directory. The rule applies when an appointment takes a place, so a
// capacity that is lowered later does not matter, and appointments of a release without places are left out.
func checkPlaces(e *Evidence) []Violation {
	var found findings
	var document map[string]any
	last := map[string]booked{}
	for _, row := range e.Feeds["directory"].Rows {
		if row.Subject.Entity == "office" {
			document = row.After
		}
		if row.Subject.Entity != "appointment" || row.After == nil {
			continue
		}
		before, now := last[row.Subject.ID], bookedOf(row)
		last[now.id] = now
		if !now.holds() || now.place == 0 {
			continue
		}
		others := slices.DeleteFunc(slices.Collect(maps.Values(last)), func(other booked) bool {
			return other.id == now.id || !other.holds() || other.place == 0 || other.slot() != now.slot()
		})
		// A client who has come gets a place in any case.
		takes := now.status != "arrived" && (!before.holds() || before.slot() != now.slot())
		if most := capacityOf(document, now.time); takes && len(others) >= most {
			found.add("I24", nil, "seq %d: appointment %s is number %d of %d in %s", row.Seq, now.id, len(others)+1, most,
				now.slot())
		}
		for _, other := range others {
			if other.place == now.place {
				found.add("I24", nil, "seq %d: appointments %s and %s have place %v in %s", row.Seq, other.id, now.id, now.place,
					now.slot())
			}
			if now.consultant != "" && other.consultant == now.consultant {
				found.add("I24", nil, "seq %d: consultant %s has appointments %s and %s in %s", row.Seq, now.consultant,
					other.id, now.id, now.slot())
			}
		}
	}
	return found
}

// checkEnds checks I25: a confirmed appointment of a day that is over has ended, and the appointments that have arrived
// and the visits with an appointment that are not cancelled belong together, one to one.
func checkEnds(e *Evidence) []Violation {
	var found findings
	last := map[string]booked{}
	for _, row := range e.Feeds["directory"].Rows {
		if row.Subject.Entity == "appointment" && row.After != nil {
			last[row.Subject.ID] = bookedOf(row)
		}
	}
	visits := map[string]Row{}
	for _, row := range e.Feeds["visits"].Rows {
		if row.Subject.Entity == "visit" && text(row.After["appointmentId"]) != "" {
			visits[row.Subject.ID] = row
		}
	}
	for _, id := range slices.Sorted(maps.Keys(last)) {
		at := last[id]
		visit, live := visits[at.visit]
		switch {
		case at.status == "confirmed" && at.date < e.Today:
			found.add("I25", nil, "appointment %s of %s is still confirmed", id, at.date)
		case at.status == "arrived" && (!live || text(visit.After["stage"]) == "cancelled" ||
			text(visit.After["appointmentId"]) != id):
			found.add("I25", nil, "appointment %s has arrived, but visit %q is not its own", id, at.visit)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(visits)) {
		visit := visits[id]
		at := last[text(visit.After["appointmentId"])]
		if text(visit.After["stage"]) != "cancelled" && (at.status != "arrived" || at.visit != id) {
			found.add("I25", nil, "visit %s has appointment %s, which is %s with visit %q", id, at.id, at.status, at.visit)
		}
	}
	return found
}

// checkTold checks I27: over one channel each message about an appointment was sent once, as often as lobby has marked
// it, only to a client who has agreed, and SEQUENCE of the calendar entry never falls.
func checkTold(e *Evidence) []Violation {
	var found findings
	last, agreed := map[string]booked{}, map[string]bool{}
	for _, row := range e.Feeds["directory"].Rows {
		if row.Subject.Entity != "appointment" || row.After == nil {
			continue
		}
		now := bookedOf(row)
		if before := last[now.id]; now.sequence < before.sequence {
			found.add("I27", nil, "seq %d: SEQUENCE of appointment %s falls from %v to %v", row.Seq, now.id, before.sequence,
				now.sequence)
		}
		last[now.id] = now
		agreed[now.id] = agreed[now.id] || row.After["messages"] == true
	}
	sent := map[Told]int{}
	for _, message := range e.Told {
		sent[message]++
	}
	for _, message := range slices.SortedFunc(maps.Keys(sent), func(a, b Told) int {
		return cmp.Or(cmp.Compare(a.Appointment, b.Appointment), cmp.Compare(a.Channel, b.Channel),
			cmp.Compare(a.Kind, b.Kind))
	}) {
		if marked := e.Marked[message]; sent[message] > marked {
			found.add("I27", nil, "%d messages %s over %s about appointment %s, %d of them marked", sent[message], message.Kind,
				message.Channel, message.Appointment, marked)
		}
		if message.Channel != "mail" && !agreed[message.Appointment] {
			found.add("I27", nil, "a message %s over %s about appointment %s without consent", message.Kind, message.Channel,
				message.Appointment)
		}
	}
	return found
}
