package checker

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Message is a message that the provider accepted.
type Message struct {
	Visit   string // id of the visit whose phone received it
	Channel string
	Kind    string // "near" or "called"
	At      time.Time
}

// Consent is an event of visits' outbox about a visitor's consent to messages.
type Consent struct {
	Visit string
	Seq   int64
	Given bool
	At    time.Time
}

const (
	mostMessages = 3               // maximum number of messages for a visit over one channel
	messageLimit = 3 * time.Minute // maximum time from the call until the message is sent
	sendSlack    = 15 * time.Second
	clockSlack   = time.Second // maximum difference between the clocks of PostgreSQL and of the run
	manyCalls    = 20          // calls of consenting visitors after which a message must exist
)

// checkMessages checks I22. Over one channel, at most one message may be about each call.
func checkMessages(e *Evidence) []Violation {
	var found findings
	calls := callsOf(e)
	type line struct{ visit, channel string }
	byLine := groupBy(e.Messages, func(m Message) line { return line{m.Visit, m.Channel} })
	for _, at := range slices.SortedFunc(maps.Keys(byLine), func(a, b line) int {
		return cmp.Or(cmp.Compare(a.visit, b.visit), cmp.Compare(a.channel, b.channel))
	}) {
		sent := byLine[at]
		slices.SortFunc(sent, func(a, b Message) int { return a.At.Compare(b.At) })
		if len(sent) > mostMessages {
			found.add("I22", nil, "visit %s got %d messages over %s", at.visit, len(sent), at.channel)
		}
		found = append(found, unexplained(sent, calls[at.visit], consentsOf(e, at.visit))...)
	}
	agreed := 0
	for visit, all := range calls {
		given := consentsOf(e, visit)
		for _, call := range all {
			if agrees(given, call.Seq, call.At) {
				agreed++
			}
		}
	}
	if agreed >= manyCalls && len(e.Messages) == 0 {
		found.add("I22", nil, "%d calls of visitors who agree to messages led to none", agreed)
	}
	return found
}

func callsOf(e *Evidence) map[string][]Event {
	return groupBy(slices.DeleteFunc(slices.Clone(e.Outbox), func(row Event) bool {
		return !isCall(row)
	}), func(row Event) string { return row.Visit })
}

func consentsOf(e *Evidence, visit string) []Consent {
	return slices.DeleteFunc(slices.Clone(e.Consents), func(c Consent) bool { return c.Visit != visit })
}

// agrees reports whether the visitor had consented before the change with the number seq, or did so by the deadline.
func agrees(all []Consent, seq int64, deadline time.Time) bool {
	agreed := false
	for _, c := range all {
		if c.Seq < seq {
			agreed = c.Given
		} else if c.Given && !c.At.After(deadline.Add(clockSlack)) {
			return true
		}
	}
	return agreed
}

// unexplained checks the messages of one visit over one channel, which are ordered by time. It finds messages about
// a call that no call explains, and messages about a near turn that lack consent or are not the first.
func unexplained(sent []Message, calls []Event, consents []Consent) (found findings) {
	used := make([]bool, len(calls))
	near := 0
	for _, m := range sent {
		if m.Kind == "near" {
			if near++; near > 1 {
				found.add("I22", nil, "visit %s got %d messages over %s that the turn is near", m.Visit, near, m.Channel)
			}
			if !slices.ContainsFunc(consents, func(c Consent) bool { return c.Given && !c.At.After(m.At.Add(clockSlack)) }) {
				found.add("I22", nil, "visit %s got a message over %s without consent", m.Visit, m.Channel)
			}
			continue
		}
		what := "without a call"
		for i, call := range calls {
			age := m.At.Sub(call.At)
			switch {
			case age < -clockSlack:
			case age > messageLimit+sendSlack:
				what = "later than allowed"
			case !agrees(consents, call.Seq, m.At):
				what = "without consent"
			case used[i]:
				what = "twice for one call"
			default:
				used[i], what = true, ""
			}
			if what == "" {
				break
			}
		}
		if what != "" {
			found.add("I22", nil, "visit %s got a message over %s %s, at %s", m.Visit, m.Channel, what,
				m.At.UTC().Format(time.TimeOnly))
		}
	}
	return found
}
