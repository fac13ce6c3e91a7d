package chaos

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"baari.dev/tools/proof/checker"
)

// The robots' actions on visits that are registered. Robots read the same lists, so their actions conflict.

// tasks are the actions of each role, by the stage of a visit.
var tasks = map[string]map[string][]string{
	"reception": {
		"new":       {checker.Prioritise, checker.Correct, checker.Leave, checker.Cancel},
		"waiting":   {checker.Prioritise, checker.Prioritise, checker.Hold, checker.Correct, checker.Leave},
		"called":    {checker.Recall, checker.Miss, checker.Release},
		"held":      {checker.Resume, checker.Resume, checker.Leave},
		"missed":    {checker.Back, checker.Back, checker.Cancel},
		"left":      {checker.Reopen},
		"cancelled": {checker.Reopen},
	},
	"pa": {
		"new":        {checker.Prioritise, checker.Correct},
		"waiting":    {checker.Hold, checker.Pin, checker.Transfer, checker.Leave, checker.CallOne, checker.Cancel},
		"called":     {checker.Miss, checker.Hold, checker.Transfer},
		"held":       {checker.Resume, checker.Resume, checker.Transfer, checker.CallOne},
		"missed":     {checker.Back, checker.Transfer, checker.CallOne},
		"in-session": {checker.Correct, checker.Hold},
		"completed":  {checker.Reopen},
		"denied":     {checker.Reopen},
		"left":       {checker.Reopen},
	},
	"consultant": {
		"waiting":    {checker.CallOne, checker.Transfer},
		"called":     {checker.Miss, checker.Recall, checker.Release, checker.Hold, checker.Transfer, checker.Leave},
		"held":       {checker.Resume, checker.CallOne},
		"missed":     {checker.Back, checker.CallOne, checker.Leave},
		"in-session": {checker.Hold, checker.Transfer},
		"completed":  {checker.Reopen},
	},
}

// tend performs an action of the role on a visit, and sometimes undoes it.
func (r *robot) tend(ctx context.Context, crew *crew, chosen visit) {
	role := r.role
	if role == "admin" {
		role = pick(r, "reception", "pa")
	}
	possible := tasks[role][chosen.Queue.Stage]
	if undo := chosen.Queue.Undo; undo != nil && r.random.IntN(4) == 0 {
		possible = []string{checker.Undo}
	}
	if len(possible) == 0 {
		return
	}
	done := r.perform(ctx, crew, pick(r, possible...), r.from(chosen))
	if done.Outcome == checker.OK && done.Seen != nil && r.random.IntN(8) == 0 {
		r.perform(ctx, crew, checker.Undo, checker.Op{Visit: done.Visit, IfVersion: done.Seen.Version})
	}
}

// tendOne reads the day's list and changes one of its later visits, which are more often open.
func (r *robot) tendOne(ctx context.Context, crew *crew) {
	seen, ok := r.list(ctx, "/api/visits/today")
	if !ok || len(seen.visits) == 0 {
		return
	}
	n := len(seen.visits)
	chosen := seen.visits[n-1-r.random.IntN(min(n, 60))]
	r.look(seen, chosen)
	r.tend(ctx, crew, chosen)
}

// perform sends the request for a change with the arguments that it needs.
func (r *robot) perform(ctx context.Context, crew *crew, kind string, op checker.Op) checker.Op {
	body := map[string]any{}
	switch kind {
	case checker.CallOne:
		if op.Consultant = r.id; r.role != "consultant" {
			op.Consultant = crew.anyConsultant(r)
			body["consultant_id"] = op.Consultant
		}
	case checker.Hold:
		body["reason"] = pick(r, "papers", "payment", "person", "other")
		if r.random.IntN(6) == 0 {
			body["reason"], body["until"] = "late", time.Now().Add(20*time.Second).UTC().Format(time.RFC3339)
		}
	case checker.Pin:
		if body["consultant_id"] = nil; r.random.IntN(2) == 0 {
			op.Consultant = crew.anyConsultant(r)
			body["consultant_id"] = op.Consultant
		}
	case checker.Transfer:
		body["service_id"] = crew.services[r.random.IntN(len(crew.services))]
		if r.random.IntN(3) == 0 {
			op.Consultant = crew.anyConsultant(r)
			body["consultant_id"] = op.Consultant
		}
	case checker.Prioritise:
		body["class"] = pick(r, "normal", "deadline", "priority", "priority")
	case checker.Correct:
		body["name"] = crew.names[r.random.IntN(len(crew.names))]
	}
	return r.act(ctx, kind, op, body)
}

func (c *crew) anyConsultant(r *robot) string {
	return c.consultants[r.random.IntN(len(c.consultants))].id
}

// act changes a visit by POST, half of the time with an idempotency key, and retries unknown outcomes.
func (r *robot) act(ctx context.Context, kind string, op checker.Op, body map[string]any) checker.Op {
	op.Kind = kind
	if r.random.IntN(2) == 0 {
		op.Key = uuid.NewString()
	}
	return r.persist(ctx, op, http.MethodPost, "/api/visits/"+op.Visit+"/"+kind, body)
}

func (r *robot) callNext(ctx context.Context, crew *crew) {
	called := r.next(ctx, crew)
	if called.Outcome == checker.OK && called.Visit != "" && r.random.IntN(8) == 0 {
		r.perform(ctx, crew, checker.Undo, checker.Op{Visit: called.Visit})
	}
}

// next calls the next visitor for the robot, or for a consultant if the robot is an admin. Half of the requests have no
// idempotency key; their retries are answered with the open call.
func (r *robot) next(ctx context.Context, crew *crew) checker.Op {
	op, body := checker.Op{Kind: checker.Next, Consultant: r.id}, map[string]any{}
	if r.role != "consultant" {
		op.Consultant = crew.anyConsultant(r)
		body["consultant_id"] = op.Consultant
	}
	if r.random.IntN(2) == 0 {
		op.Key = uuid.NewString()
	}
	return r.persist(ctx, op, http.MethodPost, "/api/visits/next", body)
}

func (r *robot) withdraw(ctx context.Context, visit string) {
	subject := checker.Subject{Source: "visits", Entity: "consent", ID: visit}
	r.save(ctx, subject, "withdrawn", http.MethodPost, "/api/visits/"+visit+"/consents",
		map[string]any{"purpose": "messages", "given": false})
}

// changeDesk changes the state of the robot's desk. This is an event of the desk, not of a visit.
func (r *robot) changeDesk(ctx context.Context) {
	state := pick(r, "open", "open", "break", "last", "off")
	subject := checker.Subject{Source: "visits", Entity: "desk", ID: r.id}
	r.save(ctx, subject, state, http.MethodPut, "/api/visits/desks/"+r.id, map[string]any{"state": state})
}
