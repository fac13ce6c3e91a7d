package checker

import "time"

// Promise is a range of waiting times that a visitor was given: the first range at the registration (Kind new), or the
// first range on entering the line (Kind join).
type Promise struct {
	Visit, Kind string
	Made        time.Time
	Outcome     string    // called, or why the promise cannot be checked; "" while it is open
	Ended       time.Time // zero while it is open
}

// promiseEnds maps the types of events that end a promise to the promise's outcome.
var promiseEnds = map[string]string{
	"visit_called": "called", "visit_in_session": "called", "visit_denied": "denied", "visit_left": "left",
	"visit_no_show": "no-show", "visit_cancelled": "cancelled", "visit_held": "held", "visit_transferred": "transferred",
	"visit_moved": "moved", "visit_pinned": "pinned", "visit_prioritised": "moved",
}

// The outcomes of a promise that an undo has ended, and of one that was open at the end of its day.
const (
	promiseUndone  = "undone"
	promiseDayOver = "day-over"
)

// checkPromises checks I21: the first change that ends a promise determines its outcome and time.
func checkPromises(e *Evidence) []Violation {
	var found findings
	of := groupBy(e.Outbox, func(row Event) string { return row.Visit })
	seen := map[[2]string]bool{}
	for _, p := range e.Promises {
		key := [2]string{p.Visit, p.Kind}
		if seen[key] {
			found.add("I21", nil, "visit %s has two promises of kind %s", p.Visit, p.Kind)
		}
		seen[key] = true
		rows := of[p.Visit]
		want, at := p.due(rows)
		switch {
		case p.Outcome == promiseDayOver && p.endsWithDay(e.Zone, want, at):
		case p.Outcome != want:
			found.add("I21", nil, "the promise of kind %s to visit %s ended as %q, by its changes as %q",
				p.Kind, p.Visit, p.Outcome, want)
		case want != "" && !p.Ended.Equal(at):
			found.add("I21", nil, "the promise of kind %s to visit %s ended at %s, its change was at %s",
				p.Kind, p.Visit, p.Ended, at)
		}
	}
	return found
}

// dayEndSlack is a tolerance: a change that is committed just after the end of the day may have an earlier time.
const dayEndSlack = 10 * time.Second

// endsWithDay reports whether a promise may have ended with the office's day: it ended on a later day than it was made,
// and before the change that would have ended it otherwise.
func (p Promise) endsWithDay(zone *time.Location, want string, at time.Time) bool {
	made, ended := p.Made.In(zone).Format(time.DateOnly), p.Ended.In(zone).Format(time.DateOnly)
	return made < ended && (want == "" || at.After(p.Ended.Add(-dayEndSlack)))
}

// due returns the outcome of a promise according to its visit's changes, which are in order, and the time at which the
// promise ended. The outcome is "" if the promise is open.
func (p Promise) due(rows []Event) (outcome string, at time.Time) {
	for i, row := range rows {
		if row.After.Updated.Before(p.Made) {
			continue
		}
		ends := promiseEnds[row.Type]
		if row.Type == "visit_corrected" && row.Before.Service != row.After.Service {
			ends = "transferred"
		}
		if row.Type == "visit_undone" && i > 0 && p.isTakenBack(rows[i-1]) {
			return promiseUndone, row.After.Updated
		}
		if ends == "called" && i+1 < len(rows) && rows[i+1].Type == "visit_undone" {
			return promiseUndone, rows[i+1].After.Updated
		}
		if ends != "" {
			return ends, row.After.Updated
		}
	}
	return "", time.Time{}
}

// isTakenBack reports whether the undo of a change ends the promise, because the promise was made with that change.
func (p Promise) isTakenBack(change Event) bool {
	return change.Type == "visit_created" || change.Type == "visit_approved" && p.Kind == "join"
}
