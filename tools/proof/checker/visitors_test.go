package checker

import (
	"slices"
	"time"
)

// liesToVisitors are errors in session notes, in messages to visitors, in slips of desks without network, and in the
// versions of the office document.
func liesToVisitors() []lie {
	return []lie{
		{"I5", "a completion replaces the notes of the session before", func(e *Evidence) {
			e.record("visit-1", "created").New["sessionNotes"] = "first"
			e.record("visit-1", "completed").New["sessionNotes"] = "second"
		}},
		{"I22", "a message is sent twice", func(e *Evidence) { e.Messages = append(e.Messages, e.Messages[1]) }},
		{"I22", "near is said twice", func(e *Evidence) { e.Messages = append(e.Messages, e.Messages[0]) }},
		{"I22", "a message without a call", func(e *Evidence) { e.Messages[1].Visit = "visit-8" }},
		{"I22", "a message without consent", func(e *Evidence) { e.Consents = e.Consents[1:] }},
		{"I22", "a message after the consent was withdrawn", func(e *Evidence) { e.Consents[0].Given = false }},
		{"I22", "a message comes late", func(e *Evidence) { e.Messages[2].At = e.Messages[2].At.Add(time.Hour) }},
		{"I22", "a fourth message", func(e *Evidence) {
			last := callsOf(e)["visit-6"][2]
			e.Messages = append(e.Messages, e.Messages[0], Message{"visit-6", "sms", "called", last.At})
			e.Messages[3].Channel = "sms"
		}},
		{"I23", "a slip is not sent", func(e *Evidence) { e.Slips[0].Sent = "refused: series_conflict" }},
		{"I23", "a slip has no visit", func(e *Evidence) { e.Visits[9].Also = "" }},
		{"I23", "a slip has two visits", func(e *Evidence) { e.Visits[8].Also = "A-002" }},
		{"I23", "a slip is printed twice", func(e *Evidence) { e.Slips = append(e.Slips, e.Slips[0]) }},
		{"I23", "a visit has a token that was not printed", func(e *Evidence) { e.Slips = e.Slips[1:] }},
		{"I23", "a visitor came at another time", func(e *Evidence) { e.Slips[0].At = e.Slips[0].At.Add(time.Second) }},
		{"I23", "a slip's visit is recorded twice", func(e *Evidence) {
			e.Records = append(e.Records, *e.record("visit-11", "created"))
		}},
		{"I23", "the order of arrival is lost", func(e *Evidence) {
			e.Visits = append(e.Visits, e.Visits[10])
			v := &e.Visits[11]
			v.ID, v.TokenNo, v.Token, v.Arrived = "visit-12", 3, "A-003", v.Arrived.Add(-time.Minute)
		}},
		{"I26", "a version of the office document is left out", func(e *Evidence) {
			e.Office = slices.Delete(e.Office, 1, 2)
			e.OfficeCopies = nil
		}},
		{"I26", "a version replaces another one than the last", func(e *Evidence) { e.Office[2].Before = "a" }},
		{"I26", "a follower skips the last version", func(e *Evidence) { e.OfficeCopies["visits"] = 2 }},
		{"I22", "no message is sent at all", func(e *Evidence) {
			e.Messages = nil
			for range manyCalls {
				e.Outbox = append(e.Outbox, *e.eventOf("visit-6", "visit_called"))
			}
		}},
	}
}
