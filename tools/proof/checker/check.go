package checker

import (
	"regexp"
	"slices"
	"strconv"
)

// Invariant is one invariant and its check.
type Invariant struct {
	ID      string
	Promise string
	check   func(*Evidence) []Violation
}

// Invariants are the invariants I1 to I27 (services/docs/proof.md).
var Invariants = []Invariant{
	{
		"I1", "tokens of an office day are 1..n, of the visits created on it, and every acknowledged visit is there",
		checkTokens,
	},
	{"I2", "one idempotency key makes at most one visit, and all its answers are equal", checkKeys},
	{
		"I3", "a rejected call changed no record, an acknowledged one changed its record once",
		join(checkAcknowledged, checkSaved),
	},
	{"I4", "no record changed without a request", join(checkUnrequested, checkUnrequestedRecords)},
	{
		"I5", "the trail of each record is complete, in order, and ends at the record in its owner's table",
		join(checkTrails, checkOwners),
	},
	{"I6", "each visit's history is linearizable", checkLinearizable},
	{"I7", "a consultant has one session at a time", checkSessions},
	{"I8", "every outbox is dense, and each of its rows has one record in the trail", checkFeeds},
	{"I9", "each dashboard received exactly the events for its role, of every source, in order", checkStreams},
	{"I10", "each dashboard and board ends at the state of the database", checkScreens},
	{"I11", "no answer or frame held data that the role may not see", checkSecrecy},
	{"I12", "a revoked right cannot be used, a valid one is not lost", checkRights},
	{"I13", "counts, queues, lists and the export agree with the owners' tables", join(checkCounts, checkTotals)},
	{"I14", "the audit chain verifies", checkChain},
	{"I15", "programs return to their idle state", checkRest},
	{"I16", "no request takes longer than 10 s, and none fails outside faults", checkCalm},
	{"I17", "no visit is called twice at once, and a consultant has one open call", checkCalls},
	{"I18", "Next passes no visitor more often than the cap allows", checkPassed},
	{"I19", "each Next calls the first of the caller's line by the rule", checkOrder},
	{"I20", "the status is that of the stage in every answer, event and projection", checkStages},
	{"I21", "every promise of a range ended once, as the visit's changes say, or is open", checkPromises},
	{"I22", "one call is one message over a channel at most, with consent, in time, and three a visit", checkMessages},
	{"I23", "every slip that a desk printed without network has its visit, one, in the order of arrival", checkSlips},
	{"I24", "no slot had more appointments than places when the last was taken, no consultant two", checkPlaces},
	{"I25", "each appointment of a past day has ended, and each visit with an appointment is its only one", checkEnds},
	{"I26", "versions of the office document are dense and linked, and every copy has the last", checkOffice},
	{"I27", "one change of an appointment is one message over a channel at most, with consent", checkTold},
}

// Check checks the evidence against every invariant and returns the violations, at most a few of each.
func Check(e *Evidence) []Violation {
	Link(e.Outbox)
	var all findings
	for _, invariant := range Invariants {
		found := invariant.check(e)
		all = append(all, found[:min(len(found), mostShown)]...)
		if len(found) > mostShown {
			all.add(invariant.ID, nil, "and %d more", len(found)-mostShown)
		}
	}
	return all
}

func join(first, second func(*Evidence) []Violation) func(*Evidence) []Violation {
	return func(e *Evidence) []Violation { return append(first(e), second(e)...) }
}

// mostShown is the maximum number of violations of one invariant in a report.
const mostShown = 5

func checkSecrecy(e *Evidence) []Violation {
	found := each("I11", e.Strange)
	for _, d := range e.Dashboards {
		for _, f := range d.Frames {
			if f.Strange != "" {
				found.add("I11", nil, "%s (%s) received %s", d.Name, d.Role, f.Strange)
			}
			if f.Epoch == e.Epoch && isForOthers(d, f, e.Outbox) {
				found.add("I11", nil, "%s (%s) received %s, which has another audience",
					d.Name, d.Role, delivery{f.Type, f.Record, f.Version, f.Seq})
			}
		}
	}
	return found
}

// isForOthers reports whether the recipient of a frame should have received another frame, or none, for the change.
func isForOthers(d Dashboard, f Frame, outbox []Event) bool {
	if f.Record == "" || f.Seq < 1 || f.Seq > int64(len(outbox)) {
		return false
	}
	due := receives(d.Role, d.User, outbox[f.Seq-1])
	return due == nil || *due != delivery{f.Type, f.Record, f.Version, f.Seq}
}

func checkRights(e *Evidence) []Violation { return each("I12", e.Ceased) }

func checkChain(e *Evidence) []Violation {
	if e.Trail == "" || isBehindCopy(e) {
		return nil
	}
	return each("I14", []string{"the trail does not verify: " + e.Trail})
}

var brokenAt = regexp.MustCompile(`broken at record ([0-9]+)`)

// isBehindCopy reports whether audit's database was restored, and the chain of the trail is broken only after the end
// of the restored copy. Later records are then read from the feeds again, in another order, so they do not match the
// anchors that directory has stored.
func isBehindCopy(e *Evidence) bool {
	at := brokenAt.FindStringSubmatch(e.Trail)
	if at == nil {
		return false
	}
	n, err := strconv.ParseInt(at[1], 10, 64)
	return err == nil && slices.ContainsFunc(e.Restores, func(r Restore) bool {
		return r.Source == "audit" && n > r.Trail
	})
}

func checkRest(e *Evidence) []Violation { return each("I15", e.Remains) }

func each(invariant string, sentences []string) findings {
	var found findings
	for _, sentence := range sentences {
		found.add(invariant, nil, "%s", sentence)
	}
	return found
}

// CheckLine checks I17 to I20 alone. It needs the requests, the final visits, visits' outbox, and Serves.
func CheckLine(e *Evidence) []Violation {
	Link(e.Outbox)
	var all findings
	for _, check := range []func(*Evidence) []Violation{checkCalls, checkPassed, checkOrder, checkStages} {
		all = append(all, check(e)...)
	}
	return all
}
