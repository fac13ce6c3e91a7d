package visits

import (
	"context"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/visits/visit"
)

// command is a request to register a visit or to change one. Every write of this service is a command, carried out by
// Service.write, alone or with others in one transaction.
type command struct {
	ctx   context.Context // of the request; its caller, id and trace become part of the event
	by    visit.Actor
	at    *time.Time      // when it happened, of an imported visit; nil: now
	key   idempotency.Key // of a registration; the zero key is never reserved
	draft *visit.Visit    // the visit to register, without token and times; nil: a change
	id    string          // of the visit to change
	want  visit.Request   // the change
}

// result is what a command that was not rejected has done.
type result struct {
	now      snapshot
	changed  bool         // false for a repetition of what the same actor has done before
	replayed *visitAnswer // the answer stored under the idempotency key; now is then empty
}

func registration(ctx context.Context, by visit.Actor, draft visit.Visit, key idempotency.Key) *command {
	return &command{ctx: ctx, by: by, draft: &draft, key: key}
}

func statusChange(ctx context.Context, by visit.Actor, id string, want visit.Request) *command {
	return &command{ctx: ctx, by: by, id: id, want: want}
}

// consultantID is the consultant whom the command assigns, "" for none.
func (c *command) consultantID() string {
	if c.draft == nil && c.want.To == visit.Approved {
		return c.want.ConsultantID
	}
	return ""
}

// locked is what a transaction has read and locked for its commands.
type locked struct {
	visits      map[string]snapshot // by id
	services    map[string]string   // names of active services, by id
	consultants map[string]string   // names of active consultants, by id
}

// planned is a change that the rules allow.
type planned struct {
	command *command
	index   int          // of the command in its batch
	before  *visit.Visit // nil for a registration
	after   visit.Visit  // of a registration without token and times, which the database assigns
	event   string
	owner   *string // the consultant to whom the visit must still be assigned; nil: any
}

// plan applies the rules to a command; it has no side effects. It returns nil without an error for a repetition of what
// the same actor has done before. The errors are those of package visit, errNoVisit, errServiceUnknown and
// errConsultantUnavailable.
func (c *command) plan(have locked) (*planned, error) {
	if c.draft != nil {
		name, offered := have.services[c.draft.ServiceID]
		if !offered {
			return nil, errServiceUnknown
		}
		after := *c.draft
		after.ServiceName = name
		return &planned{command: c, after: after, event: visit.Created}, nil
	}
	before, exists := have.visits[c.id]
	if !exists {
		return nil, errNoVisit
	}
	want, at := c.want, before.At.Clock
	if c.at != nil {
		at = *c.at
	}
	assignable := true
	if id := c.consultantID(); id != "" {
		want.ConsultantName, assignable = have.consultants[id]
	}
	after, outcome, err := before.Visit.Change(c.by, want, at)
	switch {
	case outcome != visit.Apply:
		return nil, err
	case !assignable:
		return nil, errConsultantUnavailable
	}
	transition, _ := visit.To(want.To)
	p := &planned{command: c, before: &before.Visit, after: after, event: transition.Event}
	if transition.Owned && c.by.Role != contract.RoleAdmin {
		p.owner = &c.by.ID
	}
	return p, nil
}

// entry is the outbox entry of a change, in the context of its own request.
func (p *planned) entry() outbox.Entry {
	change := visitChange(p.event, p.before, p.after)
	if p.command.at != nil {
		change.At = p.command.at
		change.Actor = &outbox.Actor{ID: p.command.by.ID, Name: p.command.by.Name, Role: p.command.by.Role}
	}
	return outbox.Entry{Context: p.command.ctx, Change: change}
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
