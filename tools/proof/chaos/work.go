package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"

	"github.com/google/uuid"

	"baari.dev/tools/proof/checker"
)

// retries is the maximum number of attempts while the outcome is unknown.
const retries = 6

func (r *robot) tries() int {
	if r.noRetry {
		return 1
	}
	return retries
}

// keepEvery determines how often a robot works on records other than visits: in one of keepEvery turns, on average.
const keepEvery = 10

func (r *robot) work(ctx context.Context, crew *crew) {
	for r.pace.Wait(ctx) == nil {
		r.turn(ctx, crew)
	}
}

func (r *robot) turn(ctx context.Context, crew *crew) {
	r.turns.RLock()
	defer r.turns.RUnlock()
	if r.random.IntN(keepEvery) == 0 {
		r.keep(ctx, crew)
		return
	}
	switch r.role {
	case "reception":
		r.receive(ctx, crew)
	case "pa":
		r.decide(ctx, crew)
	case "consultant":
		r.consult(ctx, crew)
	case "admin":
		r.oversee(ctx, crew)
	}
}

// fullDay is a number of visitors. When more are registered, nine of ten registrations are replaced by a lookup,
// because lists of thousands of visits would dominate the measurements.
const fullDay = 800

func (r *robot) receive(ctx context.Context, crew *crew) {
	if r.random.IntN(6) == 0 {
		r.tendOne(ctx, crew)
		return
	}
	if crew.registered.Load() > fullDay && r.random.IntN(10) > 0 {
		r.ask(ctx, http.MethodPost, "/api/visits/lookup", map[string]string{"phone": phone(r.random)})
		return
	}
	r.create(ctx, crew)
}

func phone(random *rand.Rand) string { return fmt.Sprintf("9%09d", random.IntN(1e9)) }

func (r *robot) create(ctx context.Context, crew *crew) checker.Op {
	agrees := r.random.IntN(2) == 0
	made := r.register(ctx, crew, agrees)
	if made.Outcome == checker.OK && agrees && r.random.IntN(6) == 0 {
		r.withdraw(ctx, made.Visit)
	}
	return made
}

// register registers one visitor. All attempts have the same key.
func (r *robot) register(ctx context.Context, crew *crew, messages bool) checker.Op {
	body := r.registration(crew)
	body["messages"] = messages
	return r.enter(ctx, crew, body)
}

func (r *robot) enter(ctx context.Context, crew *crew, body map[string]any) checker.Op {
	made := r.persist(ctx, checker.Op{Kind: checker.Create, Key: uuid.NewString()}, http.MethodPost, "/api/visits", body)
	if made.Outcome == checker.OK {
		crew.registered.Add(1)
	}
	return made
}

func (r *robot) registration(crew *crew) map[string]any {
	return map[string]any{
		"name":       crew.names[r.random.IntN(len(crew.names))],
		"phone":      phone(r.random),
		"service_id": crew.services[r.random.IntN(len(crew.services))],
		"notes":      "chaos",
		"class":      pick(r, "normal", "normal", "normal", "priority", "deadline"),
	}
}

// decide approves or denies one of the first six visitors who await a decision, arranges the line, or makes another
// change. All PAs read the same list, so their requests conflict.
func (r *robot) decide(ctx context.Context, crew *crew) {
	switch r.random.IntN(8) {
	case 0:
		r.arrangeLine(ctx, crew)
		return
	case 1:
		r.tendOne(ctx, crew)
		return
	}
	seen, ok := r.list(ctx, "/api/visits/pending-approval")
	if !ok || len(seen.visits) == 0 {
		return
	}
	chosen := seen.visits[r.random.IntN(min(len(seen.visits), 6))]
	r.look(seen, chosen)
	if r.random.IntN(6) == 0 {
		r.deny(ctx, r.from(chosen))
		return
	}
	op := r.from(chosen)
	if r.random.IntN(2) == 0 { // pins the visitor to a consultant
		op.Consultant = crew.anyConsultant(r)
	}
	r.approve(ctx, op)
}

// consult ends the running session, starts the session of the called visitor, or calls the next one. Sometimes it makes
// another change of a visit, changes the desk, or acts too early.
func (r *robot) consult(ctx context.Context, crew *crew) {
	if r.random.IntN(30) == 0 {
		r.changeDesk(ctx)
		return
	}
	seen, ok := r.list(ctx, "/api/visits/today")
	if !ok {
		return
	}
	byStage := map[string][]visit{}
	for _, v := range seen.visits {
		byStage[v.Queue.Stage] = append(byStage[v.Queue.Stage], v)
	}
	waiting, called, running := byStage["waiting"], byStage["called"], byStage["in-session"]
	hasty := r.random.IntN(12) == 0 // acts too early, for example starts a second session
	switch {
	case hasty && len(waiting) > 0 && len(running) == 0:
		r.complete(ctx, checker.Op{Visit: waiting[0].ID})
	case hasty && len(waiting) > 0:
		r.start(ctx, r.from(waiting[0]))
	case hasty && len(running) > 0:
		r.callNext(ctx, crew)
	case r.random.IntN(5) == 0 && len(seen.visits) > 0:
		chosen := seen.visits[r.random.IntN(len(seen.visits))]
		r.look(seen, chosen)
		r.tend(ctx, crew, chosen)
	case len(running) > 0:
		r.look(seen, running[0])
		r.complete(ctx, r.from(running[0]))
	case len(called) > 0:
		r.look(seen, called[0])
		r.start(ctx, r.from(called[0]))
	case len(waiting) > 0 && r.random.IntN(3) == 0: // starts a session without a call
		r.look(seen, waiting[0])
		r.start(ctx, r.from(waiting[0]))
	default:
		r.callNext(ctx, crew)
	}
}

// oversee registers and decides like the other roles, and calls visitors and starts sessions for a consultant.
func (r *robot) oversee(ctx context.Context, crew *crew) {
	switch r.random.IntN(5) {
	case 0:
		r.create(ctx, crew)
	case 1:
		r.decide(ctx, crew)
	case 2:
		r.tendOne(ctx, crew)
	case 3:
		r.callNext(ctx, crew)
	default:
		seen, ok := r.list(ctx, "/api/visits/today")
		if !ok || len(seen.visits) == 0 {
			return
		}
		chosen := seen.visits[r.random.IntN(len(seen.visits))]
		r.look(seen, chosen)
		if chosen.Status == "approved" && chosen.Consultant != nil {
			r.start(ctx, r.from(chosen))
		}
	}
}

// from returns an operation on a visit. One request in four names the version of the visit that the list showed. One in
// twelve names an earlier or a later version, and must be rejected. The others name no version.
func (r *robot) from(from visit) checker.Op {
	op := checker.Op{Visit: from.ID}
	switch r.random.IntN(12) {
	case 0, 1, 2:
		op.IfVersion = from.Version
	case 3:
		op.IfVersion = from.Version + 2
		if from.Version > 1 && r.random.IntN(2) == 0 {
			op.IfVersion = from.Version - 1
		}
	}
	return op
}

func (r *robot) approve(ctx context.Context, op checker.Op) checker.Op {
	body := map[string]any{"status": "approved", "line": true}
	if op.Consultant != "" {
		body = map[string]any{"status": "approved", "assigned_consultant_id": op.Consultant}
	}
	return r.transit(ctx, checker.Approve, op, body)
}

func (r *robot) deny(ctx context.Context, op checker.Op) checker.Op {
	return r.transit(ctx, checker.Deny, op, map[string]any{"status": "denied"})
}

func (r *robot) start(ctx context.Context, op checker.Op) checker.Op {
	return r.transit(ctx, checker.Start, op, map[string]any{"status": "in-session"})
}

func (r *robot) complete(ctx context.Context, op checker.Op) checker.Op {
	notes := fmt.Sprintf("session %d", r.random.IntN(1_000_000)) // differs for each session of a visit
	return r.transit(ctx, checker.Complete, op, map[string]any{"status": "completed", "notes": notes})
}

func (r *robot) transit(ctx context.Context, kind string, op checker.Op, body map[string]any) checker.Op {
	op.Kind = kind
	return r.persist(ctx, op, http.MethodPut, "/api/visits/"+op.Visit+"/status", body)
}

// persist changes a visit, in at most tries attempts: it retries while the outcome is unknown or the key is busy.
func (r *robot) persist(ctx context.Context, op checker.Op, method, path string, body any) (done checker.Op) {
	for range r.tries() {
		done = r.change(ctx, op, method, path, body)
		known := done.Outcome == checker.OK || done.Outcome == checker.Failed && done.Code != "busy_key"
		if known || ctx.Err() != nil {
			break
		}
		r.later(ctx)
	}
	return done
}
