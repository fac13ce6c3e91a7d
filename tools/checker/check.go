package checker

// Invariant is one promise and how it is checked.
type Invariant struct {
	ID      string
	Promise string
	check   func(*Evidence) []Violation
}

// Invariants are the promises I1 to I16 of reliability.md, section 4.
var Invariants = []Invariant{
	{"I1", "tokens of a day are 1..n, and every acknowledged visit is there", checkTokens},
	{"I2", "one idempotency key makes at most one visit, and all its answers are equal", checkKeys},
	{"I3", "what was refused changed nothing, what was acknowledged happened once", checkAcknowledged},
	{"I4", "nothing happened that nobody asked for", checkGhosts},
	{"I5", "each visit's trail is whole, in order, and ends at the visit", checkTrails},
	{"I6", "each visit's history is linearizable", checkLinearizable},
	{"I7", "a consultant has one session at a time", checkSessions},
	{"I8", "the outbox is dense and says what the trail says", checkOutbox},
	{"I9", "each dashboard was told exactly its part of the outbox, in order", checkStreams},
	{"I10", "each dashboard ends at what the database holds", checkScreens},
	{"I11", "nobody was shown what their role may not see", checkSecrecy},
	{"I12", "who lost a right cannot use it, who has it keeps it", checkRights},
	{"I13", "counts, queues and the export say what the database says", checkCounts},
	{"I14", "the audit chain verifies", checkChain},
	{"I15", "everything comes back to rest", checkRest},
	{"I16", "no call takes longer than 10 s, and outside faults none fails", checkCalm},
}

// Check holds the evidence against every invariant and returns what is broken, at most a few violations of each.
func Check(e *Evidence) []Violation {
	var all []Violation
	for _, invariant := range Invariants {
		found := invariant.check(e)
		if len(found) > mostShown {
			found = append(found[:mostShown:mostShown], violation(invariant.ID, nil, "and %d more", len(found)-mostShown))
		}
		all = append(all, found...)
	}
	return all
}

// mostShown violations of one invariant stand in a report: the first ones tell the story.
const mostShown = 5

func checkSecrecy(e *Evidence) []Violation {
	found := each("I11", e.Strange)
	for _, d := range e.Dashboards {
		for _, f := range d.Frames {
			if f.Strange != "" {
				found = append(found, violation("I11", nil, "%s (%s) was told %s", d.Name, d.Role, f.Strange))
			}
			if f.Epoch == e.Epoch && isForOthers(d, f, e.Outbox) {
				found = append(found, violation("I11", nil, "%s (%s) was told %s, which is for others", d.Name, d.Role, told{f.Type, f.Visit, f.Version, f.Seq}))
			}
		}
	}
	return found
}

// isForOthers tells whether a frame tells of a change what its reader's role does not hear of it.
func isForOthers(d Dashboard, f Frame, outbox []Event) bool {
	if f.Visit == "" || f.Seq < 1 || f.Seq > int64(len(outbox)) {
		return false
	}
	return f.Type != hears(d.Role, d.User, outbox[f.Seq-1])
}

func checkRights(e *Evidence) []Violation { return each("I12", e.Ceased) }

func checkChain(e *Evidence) []Violation {
	if e.Trail == "" {
		return nil
	}
	return []Violation{violation("I14", nil, "the trail is broken: %s", e.Trail)}
}

func checkRest(e *Evidence) []Violation { return each("I15", e.Remains) }

func each(invariant string, sentences []string) []Violation {
	var found []Violation
	for _, sentence := range sentences {
		found = append(found, violation(invariant, nil, "%s", sentence))
	}
	return found
}
