package chaos

import (
	"context"
	"encoding/json"
	"net/http"

	"baari.dev/tools/proof/checker"
)

// lineSeen is the answer of GET /api/visits/line, with the times of the request and of the answer.
type lineSeen struct {
	Line                   []placeSeen
	Held, Missed, LeftOver []visit
	call, end              int64
}

type placeSeen struct {
	VisitID  string
	Name     *string
	PinnedTo *struct{ ID string }
	Version  int64
}

// lookAtLine reads the line. ok is false if there was no answer to use.
func (r *robot) lookAtLine(ctx context.Context) (seen lineSeen, ok bool) {
	op, got := r.ask(ctx, http.MethodGet, "/api/visits/line", nil)
	if op.Outcome != checker.OK {
		return seen, false
	}
	if err := json.Unmarshal(got.Body, &seen); err != nil {
		r.history.addStrange("%s received a line that does not match the API document: %v", r.name, err)
		return seen, false
	}
	seen.call, seen.end = op.Call, op.Return
	for _, p := range seen.Line {
		if r.role != "consultant" {
			break
		}
		if p.Name != nil {
			r.history.addStrange("%s received the name of visit %s, which is not called", r.name, p.VisitID)
		}
		if p.PinnedTo != nil && p.PinnedTo.ID != r.id {
			r.history.addStrange("%s received the place of visit %s, which waits for another", r.name, p.VisitID)
		}
	}
	for _, list := range [][]visit{seen.Held, seen.Missed, seen.LeftOver} {
		for _, v := range list {
			r.inspect(v)
		}
	}
	return seen, true
}

func (r *robot) line(ctx context.Context) (ids []string, ok bool) {
	seen, ok := r.lookAtLine(ctx)
	ids = []string{}
	for _, p := range seen.Line {
		ids = append(ids, p.VisitID)
	}
	return ids, ok
}

// arrangeLine moves, pins, unpins, holds, transfers, prioritises or calls one of the visitors in the line.
func (r *robot) arrangeLine(ctx context.Context, crew *crew) {
	seen, ok := r.lookAtLine(ctx)
	if !ok || len(seen.Line) < 2 {
		return
	}
	chosen := seen.Line[r.random.IntN(len(seen.Line))]
	op := r.from(visit{ID: chosen.VisitID, Version: chosen.Version})
	if r.random.IntN(2) > 0 {
		kind := pick(r, checker.Pin, checker.Pin, checker.Hold, checker.Transfer, checker.Prioritise, checker.CallOne)
		r.perform(ctx, crew, kind, op)
		return
	}
	body := map[string]any{"reason": "papers are ready", "force": r.random.IntN(3) == 0}
	if before := seen.Line[r.random.IntN(len(seen.Line))]; before.VisitID != chosen.VisitID {
		body["before"] = before.VisitID
	}
	r.act(ctx, checker.Move, op, body)
}

func pick(r *robot, values ...string) string { return values[r.random.IntN(len(values))] }
