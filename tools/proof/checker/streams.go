package checker

import (
	"fmt"
	"maps"
	"slices"
)

// delivery is the frame that a dashboard receives for one change.
type delivery struct {
	kind    string
	record  string
	version int64
	seq     int64
}

func (t delivery) String() string {
	return fmt.Sprintf("seq %d: %s of %s v%d", t.seq, t.kind, t.record, t.version)
}

const quiet = "status_update" // shows only that something changed

// frontOffice are the roles that see all visits.
var frontOffice = []string{"reception", "pa", "admin"}

// alerted maps the type of an event of a visit to the roles that receive it under its own name. Reception, PA and admin
// receive all other events as status_update.
var alerted = map[string][]string{
	"visit_created":    {"pa", "admin"},
	"visit_approved":   {"reception", "consultant"},
	"visit_denied":     {"reception"},
	"visit_called":     frontOffice, // the consultant of the visit receives it as well
	"visit_recalled":   frontOffice, // received as visit_called
	"visit_in_session": frontOffice,
	"visit_completed":  frontOffice,
}

// receives returns the frame that a role and user receive for an event of visits, or nil. It implements the table of
// services/docs/events.md a second time, independently of the product.
func receives(role, user string, row Event) *delivery {
	if role == board {
		return receivedByBoards(row)
	}
	if row.Desk != "" {
		return &delivery{quiet, row.Desk, 0, row.Seq}
	}
	if row.Consent != "" && slices.Contains(frontOffice, role) {
		return &delivery{quiet, row.Consent, 0, row.Seq}
	}
	if row.Visit == "" { // an event that is not about a visit, for example a denied access
		return nil
	}
	called := isCall(row)
	concerned := user == row.After.Consultant || user == row.Before.Consultant
	changed := &delivery{quiet, row.Visit, row.Version, row.Seq}
	switch {
	case slices.Contains(alerted[row.Type], role), called && role == "consultant" && user == row.After.Consultant:
		alert := *changed
		if alert.kind = row.Type; called {
			alert.kind = "visit_called"
		}
		return &alert
	case role != "consultant" || concerned:
		return changed
	case changesLine(row):
		return &delivery{quiet, row.After.Day, 0, row.Seq}
	}
	return nil
}

// receivedByBoards returns the frame that the screens of the waiting room receive, or nil. They receive each call. For
// any other change of a visit that is or was waiting, called or in session, they receive only the day.
func receivedByBoards(row Event) *delivery {
	shown := in(stageWaiting, stageCalled, stageInSession)
	switch {
	case row.Visit == "":
		return nil
	case isCall(row):
		return &delivery{"visit_called", row.Visit, 0, row.Seq}
	case slices.Contains(shown, row.Before.Stage), slices.Contains(shown, row.After.Stage):
		return &delivery{quiet, row.After.Day, 0, row.Seq}
	}
	return nil
}

// changesLine reports whether a change affects the line of consultants who are not concerned with the visit: the visit
// waits for any consultant before or after the change, or the change is a call of a waiting visitor.
func changesLine(row Event) bool {
	forAny := func(s State) bool { return s.Stage == stageWaiting && !s.Pinned }
	return forAny(row.Before) || forAny(row.After) || row.Type == "visit_called" && row.Before.Stage == stageWaiting
}

// audience maps the kinds of records other than visits to the roles that receive a status_update of them.
var audience = map[string][]string{
	"service":     {"reception", "pa", "consultant", "admin"},
	"consultant":  {"pa", "consultant", "admin"},
	"appointment": {"reception", "pa", "admin"},
	"user":        {"admin"},
	"office":      {"reception", "pa", "consultant", "admin", board},
}

const notification = "notification"

// receivesOther returns the type of the frame that a user of a role receives for an event of another source than
// visits, or "". A consultant also receives the changes of the own appointments; robots never change an appointment's
// consultant.
func receivesOther(role, user string, row Row) string {
	entity := row.Subject.Entity
	switch {
	case entity == "appointment" && role == "consultant" && text(row.After["consultantId"]) == user:
		return quiet
	case row.Type == "notification_sent":
		if roles, _ := row.After["target_roles"].([]any); slices.Contains(roles, any(role)) {
			return notification
		}
	case slices.Contains(audience[entity], role):
		return quiet
	}
	return ""
}

// IsShown reports whether dashboards show the records of an entity, and therefore receive its events.
func IsShown(entity string) bool {
	return slices.Contains([]string{"visit", "desk", "consent", notification}, entity) || audience[entity] != nil
}

// stream has the frames that a dashboard received from one source, and the frames that it should have received.
type stream struct {
	frames []Frame
	epoch  string
	head   int64
	rows   int
	due    func(row int) *delivery // expected delivery of a row, nil if the dashboard does not receive it
}

// checkStreams checks I9.
func checkStreams(e *Evidence) []Violation {
	var found findings
	for _, d := range e.Dashboards {
		visits := stream{d.Frames, e.Epoch, e.Head, len(e.Outbox), func(row int) *delivery {
			return receives(d.Role, d.User, e.Outbox[row])
		}}
		if what := visits.broken(); what != "" {
			found.add("I9", nil, "%s (%s): %s", d.Name, d.Role, what)
		}
		for _, source := range slices.Sorted(maps.Keys(d.Others)) {
			feed := e.Feeds[source]
			other := stream{d.Others[source], feed.Epoch, feed.Head, len(feed.Rows), func(row int) *delivery {
				if kind := receivesOther(d.Role, d.User, feed.Rows[row]); kind != "" {
					return &delivery{kind, feed.Rows[row].Subject.ID, 0, feed.Rows[row].Seq}
				}
				return nil
			}}
			if what := other.broken(); what != "" {
				found.add("I9", nil, "%s (%s), events of %s: %s", d.Name, d.Role, source, what)
			}
		}
	}
	return found
}

// broken compares the frames that a dashboard received with those it should have received, and returns the first
// difference. Frames repeated after a resume are ignored. Frames may be missing only before a reset, or before a
// connection that did not resume. Frames of an epoch that a restore ended are not checked, but the stream after it must
// start with a reset or a new connection.
func (s stream) broken() string {
	at := int64(-1) // position of the dashboard; -1 before the first frame
	for _, f := range s.frames {
		switch {
		case f.Epoch != s.epoch:
			at = -1
			continue
		case f.Type == Reset, f.Type == Connection && !f.Resumed:
			// All lists are fetched again, so they contain everything up to this position.
			at = f.Seq
			continue
		case f.Type == Connection:
			continue // The client already has everything up to the position from which it resumed.
		case at < 0:
			return fmt.Sprintf("at seq %d it received neither a new connection nor a reset", f.Seq)
		case f.Type == Mark:
			if missed := s.next(at, f.Seq); missed != nil {
				return fmt.Sprintf("a position skips %s", missed)
			}
			at = max(at, f.Seq)
			continue
		case f.Seq <= at:
			continue
		}
		want := s.next(at, f.Seq)
		got := delivery{f.Type, f.Record, f.Version, f.Seq}
		if want == nil {
			return fmt.Sprintf("it received %s, which has another audience", got)
		}
		if *want != got {
			return fmt.Sprintf("it received %s where %s was next", got, want)
		}
		at = f.Seq
	}
	if missed := s.next(at, s.head); missed != nil {
		return fmt.Sprintf("it never received %s", missed)
	}
	return ""
}

// next returns the first delivery that is due to the dashboard after one position and up to another, or nil.
func (s stream) next(after, upTo int64) *delivery {
	for seq := max(after, 0) + 1; seq <= min(upTo, int64(s.rows)); seq++ {
		if due := s.due(int(seq - 1)); due != nil {
			return due
		}
	}
	return nil
}
