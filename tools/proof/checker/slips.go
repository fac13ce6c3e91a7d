package checker

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Slip is a token that a desk has printed while it had no network.
type Slip struct {
	Day    string
	Series string
	Number int
	At     time.Time // arrival of the visitor
	Sent   string    // created, known or merged; otherwise why the desk still has it
}

func (s Slip) token() string { return fmt.Sprintf("%s-%03d", s.Series, s.Number) }

// The server's decisions that create or change the visit of a slip. The actions in the trail have the same names.
const (
	createdAction = "created"
	mergedAction  = "merged"
)

var sent = []string{createdAction, "known", mergedAction}

// checkSlips checks I23. The visit of a slip has the slip's token: as its own token or, after a merge with an
// unanswered registration, as its second token.
func checkSlips(e *Evidence) []Violation {
	var found findings
	visits, printed := map[string][]Visit{}, map[string]bool{}
	for _, v := range e.Visits {
		if v.isOffline() {
			at := v.Day + " " + v.Token
			visits[at] = append(visits[at], v)
		}
		if v.Also != "" {
			at := v.Day + " " + v.Also
			visits[at] = append(visits[at], v)
		}
	}
	made := map[string]int{} // number of records, keyed by visit and action
	for _, r := range e.Records {
		made[r.Visit+" "+r.Action]++
	}
	for _, slip := range e.Slips {
		at := slip.Day + " " + slip.token()
		switch {
		case printed[at]:
			found.add("I23", nil, "slip %s was printed twice", at)
		case !slices.Contains(sent, slip.Sent):
			found.add("I23", nil, "slip %s is not sent: %s", at, slip.Sent)
		case len(visits[at]) != 1:
			found.add("I23", nil, "slip %s has %d visits", at, len(visits[at]))
		default:
			if what := wrongVisit(slip, visits[at][0], made); what != "" {
				found.add("I23", nil, "slip %s: %s", at, what)
			}
		}
		printed[at] = true
	}
	for _, at := range slices.Sorted(maps.Keys(visits)) {
		if !printed[at] {
			found.add("I23", nil, "visit %s has the token %s, which no desk has printed", visits[at][0].ID, at)
		}
	}
	return append(found, wrongOrder(e.Visits)...)
}

// wrongVisit describes what is wrong with the visit of a slip, or returns "".
func wrongVisit(slip Slip, v Visit, made map[string]int) string {
	action, recorded := createdAction, made[v.ID+" "+createdAction]
	if !v.isOffline() {
		action, recorded = mergedAction, made[v.ID+" "+mergedAction]
	}
	switch {
	case recorded != 1:
		return fmt.Sprintf("the trail has %d records that its visit was %s", recorded, action)
	case v.isOffline() && !v.Arrived.Equal(slip.At.Truncate(time.Millisecond)):
		return fmt.Sprintf("the visitor came at %s, its visit says %s", slip.At.UTC(), v.Arrived.UTC())
	}
	return ""
}

// wrongOrder finds neighbouring visits of a series whose arrivals are not in the order of their numbers.
func wrongOrder(visits []Visit) (found findings) {
	offline := slices.DeleteFunc(slices.Clone(visits), func(v Visit) bool { return !v.isOffline() })
	slices.SortFunc(offline, func(a, b Visit) int {
		return cmp.Or(strings.Compare(a.Day, b.Day), strings.Compare(a.Series, b.Series), a.TokenNo-b.TokenNo)
	})
	for i := range len(offline) - 1 {
		a, b := offline[i], offline[i+1]
		if a.Day == b.Day && a.Series == b.Series && a.Arrived.After(b.Arrived) {
			found.add("I23", nil, "on %s %s came after %s", a.Day, a.Token, b.Token)
		}
	}
	return found
}
