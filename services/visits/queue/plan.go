package queue

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/papers"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// Origin has the values that all commands have. A command is a request to write: a Registration, a Change or a Next,
// carried out by the writer of its type, alone or with others in one transaction.
type Origin struct {
	Context context.Context // has the request's caller, id and trace, which become part of the event
	By      visit.Actor
	Key     idempotency.Key // the zero key is never reserved
	At      *time.Time      // time of an imported visit's change; nil: now
	From    string          // digest of a visitor's address
	Behalf  bool            // whether another service has sent the request for By
}

func (o *Origin) origin() *Origin { return o }

type command interface {
	origin() *Origin
	// names returns the ids of the records of directory in the command.
	names() catalog.Names
}

// planner is a command about one visit: a *Registration or a *Change.
type planner interface {
	command
	visitID() string // id of the visit to change; "" for a registration
	need(*needs)     // adds what a transaction must lock and read for the command
	// plan applies the rules to the command; it has no side effects.
	plan(*locked) (*planned, error)
}

// planned is a write that the rules allow.
type planned struct {
	*Origin
	index        int           // index of the command in its batch
	registration *Registration // nil: a change
	action       visit.Action
	noted        bool // set by Merge
	before       *row.Snapshot
	after        visit.Visit // visit to store; the database assigns the token and the times of a registration
	event        string
	passed       []string    // ids of the visits that a call or a take passes
	byHand       bool        // whether a user has chosen the visitor or the place
	next         *nextAnswer // response to a call of the next visitor, still without the visit
}

// entry returns the outbox entry of the write, with the context of the command's request.
func (p *planned) entry() outbox.Entry {
	change := row.Change(p.event, p.beforeVisit(), p.after)
	after := change.After.(contract.Visit)
	after.ByHand = p.byHand
	if p.noted || p.registration != nil && p.registration.Noted != nil {
		after.Offline, after.SentBy = true, p.By.Name
	}
	if p.event == visit.Undone {
		after.Undone = p.before.Last.Event
	}
	change.After = after
	switch by := p.By; {
	case by.Role == visit.Visitor: // a visitor is no user, so the event has no actor id
		change.Actor = row.ActorVisitor(p.From)
	case p.At != nil || p.Behalf || by.Role == visit.System:
		change.At = p.At
		change.Actor = &outbox.Actor{ID: by.ID, Name: by.Name, Role: by.Role}
	}
	return outbox.Entry{Context: p.Context, Change: change}
}

func (p *planned) beforeVisit() *visit.Visit {
	if p.before == nil {
		return nil
	}
	return &p.before.Visit
}

// undone returns the action that the change undoes, "" for none.
func (p *planned) undone() visit.Action {
	if p.event != visit.Undone {
		return ""
	}
	return visit.ActionOf(p.before.Last.Event)
}

// last returns the change as the last change of the visit.
func (p *planned) last(at time.Time) *visit.Last {
	return &visit.Last{
		Event: p.event, ActorID: p.By.ID, Name: p.By.Name, At: at, Staged: true,
	}
}

// queuePapers queues the papers and consent records of a registration, and returns their events. It adds the papers to
// the visit for the response.
func (p *planned) queuePapers(writes *pgx.Batch, now *row.Snapshot) ([]outbox.Entry, error) {
	r := p.registration
	if r == nil {
		return nil, nil
	}
	entries, err := papers.Queue(p.Context, writes, now, r.author(), r.Documents)
	return append(entries, papers.QueueConsents(p.Context, writes, now.Visit, r.author(), r.Notice)...), err
}

// Outcome is the result of a command that was not rejected.
type Outcome struct {
	Snapshot row.Snapshot
	Changed  bool        // whether it was applied; false for a repetition by the same actor
	Replayed *Answer     // the response stored under the idempotency key; Snapshot is then empty
	next     *nextAnswer // response to a call of the next visitor
	undone   visit.Action
}
