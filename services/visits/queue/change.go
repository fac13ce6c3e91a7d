package queue

import (
	"cmp"
	"time"

	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/line"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// Change is a request to change one visit by an action of the rules.
type Change struct {
	Origin
	VisitID string
	Want    visit.Request // request without the values that resolve adds

	Consultant string // id of the consultant in the request
	ServiceID  string
	Before     *string       // id of the visit before which a move places this visit
	LateFor    time.Duration // duration of a visitor's hold, from now
}

func (c *Change) names() catalog.Names {
	return catalog.Names{Service: c.ServiceID, Consultant: c.Consultant}
}

func (c *Change) visitID() string { return c.VisitID }

func (c *Change) need(n *needs) {
	n.visits = append(n.visits, c.VisitID)
	if rule, ok := visit.RuleOf(c.Want.Action); ok {
		n.line = max(n.line, rule.Line)
	}
	if id := c.Consultant; id != "" {
		n.consultants = append(n.consultants, id)
		n.sessions = append(n.sessions, id)
	}
	if c.ServiceID != "" {
		n.services = append(n.services, c.ServiceID)
	}
	n.policy = true
	n.staff = n.staff || c.needsStaff()
	switch c.Want.Action {
	case visit.Start, visit.Take, visit.Call, visit.Undo:
		n.engaged = true
	case visit.Release:
		n.released = append(n.released, c.VisitID)
	}
	n.waiting = n.waiting || n.line == visit.ReadLine
	if c.Want.Action == visit.Undo {
		n.before = c.VisitID
	}
}

// needsStaff reports whether the change needs to know which consultant serves which service.
func (c *Change) needsStaff() bool {
	switch c.Want.Action {
	case visit.Approve:
		return c.Want.ToLine
	case visit.Transfer, visit.Pin, visit.Correct, visit.Call, visit.Take, visit.Back:
		return true
	}
	return false
}

// plan implements planner. It returns nil without an error for a repetition of a change by the same actor. The errors
// are those of package visit and of resolve, and row.ErrNoVisit.
func (c *Change) plan(have *locked) (*planned, error) {
	before, exists := have.visits[c.VisitID]
	if !exists {
		return nil, row.ErrNoVisit
	}
	facts := have.facts(before, c.By)
	if c.At != nil {
		facts.At, facts.DayStart = *c.At, time.Time{}
	}
	want, unknown, err := c.resolve(before, have, facts)
	if err != nil {
		return nil, err
	}
	after, outcome, err := before.Visit.Change(c.By, want, facts)
	switch {
	case outcome != visit.Apply:
		return nil, err
	case unknown != nil:
		return nil, unknown
	}
	rule, _ := visit.RuleOf(want.Action)
	p := &planned{Origin: &c.Origin, action: want.Action, before: &before, after: after, event: rule.Event}
	picked := want.Action == visit.Call || want.Action == visit.Take
	if picked && before.Visit.Stage == visit.StageWaiting {
		p.byHand, p.passed = true, have.ahead(before.Visit, have.desk(want.Consultant.ID))
	}
	return p, nil
}

// resolve completes the request with values that the transaction has read: names, the place in the line, the counter.
// unknown is the error for a value that cannot be used, such as the id of a record that does not exist. Errors of the
// rules take precedence over unknown, but not over err.
func (c *Change) resolve(
	before row.Snapshot, have *locked, facts visit.Facts,
) (want visit.Request, unknown, err error) {
	want = c.Want
	if c.ServiceID != "" {
		name, offered := have.services[c.ServiceID]
		want.Service = &visit.Service{ID: c.ServiceID, Name: name}
		if !offered {
			unknown = catalog.ErrServiceUnknown
		}
	}
	if c.Consultant != "" {
		name, active := have.consultants[c.Consultant]
		want.Consultant = &visit.Consultant{ID: c.Consultant, Name: name}
		if !active {
			unknown = catalog.ErrConsultantUnavailable
		}
	}
	switch want.Action {
	case visit.Approve, visit.Transfer, visit.Pin, visit.Correct:
		if unknown == nil && c.toLine(before.Visit) && !have.served(serviceAfter(before.Visit, want)) {
			unknown = row.ErrNobodyServes
		}
	case visit.Call, visit.Take:
		want.Counter = cmp.Or(want.Counter, have.desks[c.Consultant].Counter)
		if unknown == nil && want.Action == visit.Call && have.policy.RequireCounter && want.Counter == "" {
			unknown = row.ErrCounterRequired
		}
	case visit.Back:
		rank := line.ReturnRank(have.policy, row.LineOf(before.Visit), have.rivals(before.Visit),
			before.Visit.MissedCount, facts.At)
		want.RankAt = &rank
	case visit.Resume:
		if c.By.Role == visit.Visitor && before.Visit.Stage != visit.StageHeld {
			want.Action = visit.Reopen // a visitor who has left says "I am still here"
		}
	case visit.Hold:
		if c.LateFor > 0 {
			until := before.At.WithinToday(c.LateFor)
			want.Until = &until
		}
		return want, unknown, laterToday("until", want.Until, before.At)
	case visit.Move:
		return c.resolveMove(want, before, have)
	}
	return want, unknown, nil
}

// toLine reports whether the visitor waits for any consultant after the change; false for a Correct without a service.
func (c *Change) toLine(v visit.Visit) bool {
	if c.Want.Action == visit.Correct {
		return c.ServiceID != "" && v.Stage == visit.StageWaiting && !v.Pinned
	}
	return c.Consultant == "" && (c.Want.Action != visit.Approve || c.Want.ToLine)
}

func serviceAfter(v visit.Visit, want visit.Request) string {
	if want.Service != nil {
		return want.Service.ID
	}
	return v.ServiceID
}

// resolveMove computes the due time that places the visit before another. Its results are those of resolve.
func (c *Change) resolveMove(
	want visit.Request, before row.Snapshot, have *locked,
) (resolved visit.Request, unknown, err error) {
	if c.Before == nil || before.Visit.Stage != visit.StageWaiting {
		want.InPlace = before.Visit.MovedDue == nil
		return want, nil, nil
	}
	order := line.Order(have.waiting, have.policy.MaxBypass)
	place := indexOf(order, c.VisitID)
	want.InPlace = place >= 0 && place+1 < len(order) && order[place+1].ID == *c.Before
	due, passed, err := line.MoveBetween(order, c.VisitID, *c.Before, have.policy.MaxBypass)
	if err != nil {
		return want, row.ErrMoveBefore, nil
	}
	if len(passed) > 0 && !want.Forced {
		return want, row.WouldBypass(passed[0]), nil
	}
	want.Forced = len(passed) > 0
	want.MovedDue = &due
	return want, nil, nil
}

func indexOf(order []line.Waiting, id string) int {
	for i, w := range order {
		if w.ID == id {
			return i
		}
	}
	return -1
}
