package seed

import (
	"context"
	"fmt"
	"net/http"

	"baari.dev/services/contract"
	"baari.dev/tools/sample/client"
	"baari.dev/tools/sample/staff"
)

// moment is the state of the office when it is filled.
type moment struct {
	*staff.Staff
	office Office
	plan   []contract.PastVisit
}

// guest is a visitor who is in the office when it is filled. Calling does makes the staff's changes of the visit. If
// does is nil, the visit waits for approval.
type guest struct {
	name, class string
	does        func(m moment, ctx context.Context, id string) error
}

// guests show what can happen to a visit: one is in session, one waits for a certain consultant, two wait for any
// consultant, one is called, one is on hold, one was transferred, and one has left. The rest wait for approval.
var guests = []guest{
	{"Asha Kulkarni", "normal", moment.sits},
	{"Ravi Shetty", "normal", moment.waitsForSecond},
	{"Joseph Pinto", "normal", moment.isCalled},
	{"Sneha Iyer", "normal", moment.waits},
	{"Imran Qureshi", "priority", moment.waits},
	{"Kavya Reddy", "normal", moment.bringsPapers},
	{"Mohan Desai", "deadline", moment.isTransferred},
	{"Nirmala Joshi", "normal", moment.leaves},
	{"मीना शर्मा", "normal", nil},
	{"Thomas Mathew", "normal", nil},
	{"Leela Krishnan", "normal", nil},
}

// assign approves the visit for consultant n modulo the number of consultants, and returns that consultant's index.
func (m moment) assign(ctx context.Context, id string, n int) (int, error) {
	n %= len(m.office.Consultants)
	return n, status(ctx, m.Users["pa"], id, map[string]any{
		"status": "approved", "assigned_consultant_id": m.office.Consultants[n],
	})
}

// sits starts a session for the visitor, unless the consultant has one already.
func (m moment) sits(ctx context.Context, id string) error {
	n, err := m.assign(ctx, id, 0)
	if err != nil || inSession(m.plan, m.office.Consultants[n]) {
		return err
	}
	return status(ctx, m.Consultants[n], id, map[string]any{"status": "in-session"})
}

func (m moment) waitsForSecond(ctx context.Context, id string) error {
	_, err := m.assign(ctx, id, 1)
	return err
}

func (m moment) waits(ctx context.Context, id string) error {
	return status(ctx, m.Users["pa"], id, map[string]any{"status": "approved", "line": true})
}

// isCalled makes the last consultant choose and call the visitor, unless the consultant is in session. With a single
// consultant the visitor keeps waiting.
func (m moment) isCalled(ctx context.Context, id string) error {
	if err := m.waits(ctx, id); err != nil {
		return err
	}
	n := len(m.office.Consultants) - 1
	if n == 0 || inSession(m.plan, m.office.Consultants[n]) {
		return nil
	}
	return act(ctx, m.Consultants[n], id, "call", map[string]any{"counter": fmt.Sprint(n + 1)})
}

func (m moment) bringsPapers(ctx context.Context, id string) error {
	if err := m.waits(ctx, id); err != nil {
		return err
	}
	return act(ctx, m.Users["pa"], id, "hold", map[string]any{"reason": "papers", "note": "Form 16 of the last employer"})
}

func (m moment) isTransferred(ctx context.Context, id string) error {
	if err := m.waits(ctx, id); err != nil {
		return err
	}
	return act(ctx, m.Users["pa"], id, "transfer", map[string]any{
		"service_id": m.office.Services[0].ID, "note": "The notice is about the return of last year",
	})
}

func (m moment) leaves(ctx context.Context, id string) error {
	return act(ctx, m.Users["reception"], id, "leave", map[string]any{})
}

// act makes a change of a visit. actor is the client of the user who makes it.
func act(ctx context.Context, actor *client.Client, id, action string, body map[string]any) error {
	if err := actor.Call(ctx, http.MethodPost, "/api/visits/"+id+"/"+action, body, nil); err != nil {
		return fmt.Errorf("%s a visit: %w", action, err)
	}
	return nil
}
