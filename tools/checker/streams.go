package checker

import (
	"fmt"
	"slices"
)

// told is one thing that a dashboard hears of a change.
type told struct {
	kind    string
	visit   string
	version int64
	seq     int64
}

func (t told) String() string {
	return fmt.Sprintf("seq %d: %s of visit %s v%d", t.seq, t.kind, t.visit, t.version)
}

const quiet = "status_update" // only that something changed

// alerted are the roles that hear a change by its own name; the others of reception, PA and admin hear it quietly.
var alerted = map[string][]string{
	"visit_created":    {"pa", "admin"},
	"visit_approved":   {"reception", "consultant"},
	"visit_denied":     {"reception"},
	"visit_in_session": {"reception", "pa", "admin"},
	"visit_completed":  {"reception", "pa", "admin"},
}

// hears is reliability.md [R6b], written down a second time: which kind of frame a change is for a role and user, "" for none.
func hears(role, user string, row Event) string {
	roles, known := alerted[row.Type]
	switch {
	case !known:
		return ""
	case slices.Contains(roles, role):
		return row.Type
	case role == "consultant" && row.Consultant != user:
		return ""
	}
	return quiet
}

// checkStreams: I9.
func checkStreams(e *Evidence) []Violation {
	var found []Violation
	for _, d := range e.Dashboards {
		if what := brokenStream(d, e.Outbox, e.Head, e.Epoch); what != "" {
			found = append(found, violation("I9", nil, "%s (%s): %s", d.Name, d.Role, what))
		}
	}
	return found
}

// brokenStream walks what a dashboard got beside what it should have got. Repeats after a resume are passed over; a stretch may be missing
// only behind a connection that did not resume, or a reset. What was told of a past that a restore has taken back is not judged, but after it
// the stream must begin anew.
func brokenStream(d Dashboard, outbox []Event, head int64, epoch string) string {
	at := int64(-1) // how far the dashboard is; -1 before the first frame
	for _, f := range d.Frames {
		switch {
		case f.Epoch != epoch:
			at = -1
			continue
		case f.Type == Reset, f.Type == Connection && !f.Resumed:
			// Everything is fetched again: what lies before is known from the lists.
			at = f.Seq
			continue
		case f.Type == Connection:
			continue // it repeats the position that the client gave
		case at < 0:
			return fmt.Sprintf("at seq %d it was told neither of a new connection nor to start again", f.Seq)
		case f.Type == Mark:
			if missed := next(d, outbox, at, f.Seq); missed != nil {
				return fmt.Sprintf("a position passes over %s", missed)
			}
			at = max(at, f.Seq)
			continue
		case f.Seq <= at:
			continue
		}
		want := next(d, outbox, at, f.Seq)
		got := told{f.Type, f.Visit, f.Version, f.Seq}
		if want == nil {
			return fmt.Sprintf("it got %s, which is not for it", got)
		}
		if *want != got {
			return fmt.Sprintf("it got %s where %s was next", got, want)
		}
		at = f.Seq
	}
	if missed := next(d, outbox, at, head); missed != nil {
		return fmt.Sprintf("it never got %s", missed)
	}
	return ""
}

// next is the first thing for the dashboard after a position, at most at another one.
func next(d Dashboard, outbox []Event, after, upTo int64) *told {
	for seq := max(after, 0) + 1; seq <= min(upTo, int64(len(outbox))); seq++ {
		row := outbox[seq-1]
		if kind := hears(d.Role, d.User, row); kind != "" {
			return &told{kind, row.Visit, row.Version, row.Seq}
		}
	}
	return nil
}
