package visits

import (
	"context"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/visits/line"
	"baari.dev/services/visits/visit"
)

// command is a request to register a visit or to change one. Every write of this service is a command, carried out by
// Service.write, alone or with others in one transaction.
type command struct {
	ctx      context.Context // of the request; its caller, id and trace become part of the event
	by       visit.Actor
	at       *time.Time      // time of an imported visit's change; nil: now
	key      idempotency.Key // the zero key is never reserved
	newVisit *visit.Visit    // the visit to register, without token and times; nil: a change
	// The papers of the visit to register; nil: none were noted.
	documents []visit.Document
	notice    noticeGiven   // of the visitor to register
	askedAt   time.Time     // when the visitor asked for this registration, which is written alone; zero: now
	id        string        // of the visit to change; "" for the next visitor
	want      visit.Request // the change, without what the transaction reads

	consultant string // id of the consultant that the change names
	serviceID  string
	moveBefore *string       // of a move: the visit before which this one is put
	lateFor    time.Duration // of a visitor's hold: how long, from now
	from       string        // of a visitor's action: the digest of the address
	behalf     bool          // the request is another service's, for by
	offline    *offlineFacts // of a visit that a desk has noted without network
}

// result is the result of a command that was not rejected.
type result struct {
	snapshot snapshot
	changed  bool         // false for a repetition of what the same actor has done before
	replayed *visitAnswer // the answer stored under the idempotency key; snapshot is then empty
	next     *nextAnswer  // of the next visitor
	undone   visit.Action // the action that was undone
}

func registration(ctx context.Context, by visit.Actor, v visit.Visit, key idempotency.Key) *command {
	return &command{ctx: ctx, by: by, newVisit: &v, key: key}
}

// isNext reports whether the command calls the next visitor.
func (c *command) isNext() bool { return c.newVisit == nil && c.want.Action == visit.Next }

// planned is a change that the rules allow.
type planned struct {
	command *command
	index   int // of the command in its batch
	before  *snapshot
	after   visit.Visit // of a registration without token and times, which the database assigns
	event   string
	passed  []string    // visits that a call passes
	byHand  bool        // a person has decided the call or the visitor's place
	next    *nextAnswer // of the next visitor, without the visit
}

// plan applies the rules to a command; it has no side effects. It returns nil without an error for a repetition of what
// the same actor has done before. The errors are those of package visit, errNoVisit and the faults of code 422.
func (c *command) plan(have *locked) (*planned, error) {
	if c.newVisit != nil {
		return c.planRegistration(have)
	}
	before, exists := have.visits[c.id]
	if !exists {
		return nil, errNoVisit
	}
	facts := have.facts(before, c.by)
	if c.at != nil {
		facts.At, facts.DayStart = *c.at, time.Time{}
	}
	want, unknown, err := c.resolve(before, have, facts)
	if err != nil {
		return nil, err
	}
	after, outcome, err := before.Visit.Change(c.by, want, facts)
	switch {
	case outcome != visit.Apply:
		return nil, err
	case unknown != nil:
		return nil, unknown
	}
	rule, _ := visit.RuleOf(want.Action)
	p := &planned{command: c, before: &before, after: after, event: rule.Event}
	if want.Action == visit.Call && before.Visit.Stage == visit.StageWaiting {
		p.byHand, p.passed = true, have.ahead(before.Visit, have.desk(want.Consultant.ID))
	}
	return p, nil
}

func (c *command) planRegistration(have *locked) (*planned, error) {
	name, offered := have.services[c.newVisit.ServiceID]
	if !offered {
		return nil, errServiceUnknown
	}
	after := *c.newVisit
	after.ServiceName = name
	if after.AppointmentID != nil {
		found := have.appointments[*after.AppointmentID]
		if !found.usable {
			return nil, errAppointmentUnknown
		}
		after.AppointmentAt = &found.slot
		if !found.now.After(found.slot.Add(have.policy.LateAppointment)) {
			after.Class = string(line.Appointment)
		}
	}
	return &planned{command: c, after: after, event: visit.Created}, nil
}

// resolve returns the request with what the transaction has read: names, the place in the line, the counter. unknown is
// the error for a record that the request names and that does not exist. The errors of the rules are answered before
// unknown and after err.
func (c *command) resolve(
	before snapshot, have *locked, facts visit.Facts,
) (want visit.Request, unknown, err error) {
	want = c.want
	if c.serviceID != "" {
		name, offered := have.services[c.serviceID]
		want.Service = &visit.Service{ID: c.serviceID, Name: name}
		if !offered {
			unknown = errServiceUnknown
		}
	}
	if c.consultant != "" {
		name, active := have.consultants[c.consultant]
		want.Consultant = &visit.Consultant{ID: c.consultant, Name: name}
		if !active {
			unknown = errConsultantUnavailable
		}
	}
	switch want.Action {
	case visit.Approve, visit.Transfer, visit.Pin, visit.Correct:
		if unknown == nil && c.toLine(before.Visit) && !have.served(serviceAfter(before.Visit, want)) {
			unknown = errNobodyServes
		}
	case visit.Call:
		if want.Counter == "" {
			want.Counter = have.desks[c.consultant].Counter
		}
	case visit.Back:
		rank := line.ReturnRank(have.policy, lineOf(before.Visit), have.rivals(before.Visit),
			before.Visit.MissedCount, facts.At)
		want.RankAt = &rank
	case visit.Resume:
		if c.by.Role == visit.Visitor && before.Visit.Stage != visit.StageHeld {
			want.Action = visit.Reopen // "I am still here": the visitor has left before
		}
	case visit.Hold:
		if c.lateFor > 0 {
			until := before.At.withinToday(c.lateFor)
			want.Until = &until
		}
		return want, unknown, laterToday("until", want.Until, before.At)
	case visit.Move:
		return c.resolveMove(want, before, have)
	}
	return want, unknown, nil
}

// toLine reports whether the visitor waits for any consultant after the change.
func (c *command) toLine(v visit.Visit) bool {
	if c.want.Action == visit.Correct {
		return c.serviceID != "" && v.Stage == visit.StageWaiting && !v.Pinned
	}
	return c.consultant == "" && (c.want.Action != visit.Approve || c.want.ToLine)
}

func serviceAfter(v visit.Visit, want visit.Request) string {
	if want.Service != nil {
		return want.Service.ID
	}
	return v.ServiceID
}

// resolveMove finds the due time that puts the visit before another. It returns what resolve returns.
func (c *command) resolveMove(
	want visit.Request, before snapshot, have *locked,
) (resolved visit.Request, unknown, err error) {
	if c.moveBefore == nil || before.Visit.Stage != visit.StageWaiting {
		want.InPlace = before.Visit.MovedDue == nil
		return want, nil, nil
	}
	order := line.Order(have.waiting, have.policy.MaxBypass)
	place := indexOf(order, c.id)
	want.InPlace = place >= 0 && place+1 < len(order) && order[place+1].ID == *c.moveBefore
	due, passed, err := line.MoveBetween(order, c.id, *c.moveBefore, have.policy.MaxBypass)
	if err != nil {
		return want, errMoveBefore, nil
	}
	if len(passed) > 0 && !want.Forced {
		return want, wouldBypass(passed[0]), nil
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

// entry is the outbox entry of a change, in the context of its own request.
func (p *planned) entry() outbox.Entry {
	change := visitChange(p.event, p.beforeVisit(), p.after)
	after := change.After.(contract.Visit)
	after.ByHand = p.byHand
	if p.command.offline != nil {
		after.Offline, after.SentBy = true, p.command.by.Name
	}
	if p.event == visit.Undone {
		after.Undone = p.before.Last.Event
	}
	change.After = after
	switch by := p.command.by; {
	case by.Role == visit.Visitor: // no user: the event has no id
		change.Actor = actorVisitor(p.command.from)
	case p.command.at != nil || p.command.behalf || by.Role == visit.System:
		change.At = p.command.at
		change.Actor = &outbox.Actor{ID: by.ID, Name: by.Name, Role: by.Role}
	}
	return outbox.Entry{Context: p.command.ctx, Change: change}
}

func (p *planned) beforeVisit() *visit.Visit {
	if p.before == nil {
		return nil
	}
	return &p.before.Visit
}

// undone is the action that the change undoes, "" for none.
func (p *planned) undone() visit.Action {
	if p.event != visit.Undone {
		return ""
	}
	return visit.ActionOf(p.before.Last.Event)
}

// last is the change as the last change of the visit.
func (p *planned) last(at time.Time) *visit.Last {
	return &visit.Last{
		Event: p.event, ActorID: p.command.by.ID, Name: p.command.by.Name, At: at, Staged: true,
	}
}

// split separates registrations from changes, each in the order of the commands.
func split(all []*planned) (registrations, changes []*planned) {
	for _, p := range all {
		if p.before == nil {
			registrations = append(registrations, p)
		} else {
			changes = append(changes, p)
		}
	}
	return registrations, changes
}
