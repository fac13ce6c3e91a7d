package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"baari.dev/tools/proof/checker"
)

// A board is a dashboard without a list of visits: a paired screen of the waiting room. It reads and follows as
// web/src/board/board.ts does. The rule that decides which calls it shows is a second implementation of shown-calls.ts.

const (
	boardRole  = "display"
	boardPath  = "/api/visits/board"
	mostCalls  = 8
	gatherTime = 250 * time.Millisecond // Changes within this time are read once.
	rereadTime = time.Second            // pause before a failed read is repeated
)

// call is a call in the answer of the board. Calls in the stream also have their day.
type call struct {
	CallID, VisitID, Token, TokenAlso, Language string

	Counter   *string
	At        time.Time
	CallCount int
}

// boardSeen is the answer of GET /api/visits/board.
type boardSeen struct {
	Calls   []call
	Serving []struct {
		Token, TokenAlso string
		Counter          *string
	}
	Next []string
	Day  string
}

// shownCalls are the calls of the newest answer, and those that the stream has sent since the request for it.
type shownCalls struct {
	all                []call // newest first
	heard              []heardCall
	requests, answered int
}

type heardCall struct {
	call
	requests int // number of requests sent before the call arrived
}

func (s *shownCalls) request() int {
	s.requests++
	return s.requests
}

// answer takes an answer, unless the answer to a later request was taken before.
func (s *shownCalls) answer(request int, calls []call) bool {
	if request < s.answered {
		return false
	}
	s.answered, s.all = request, calls
	s.heard = slices.DeleteFunc(s.heard, func(h heardCall) bool { return h.requests < request })
	for _, h := range s.heard {
		s.add(h.call)
	}
	return true
}

func (s *shownCalls) hear(c call) {
	if slices.ContainsFunc(s.all, func(known call) bool { return known.CallID == c.CallID }) {
		return
	}
	s.heard = append(s.heard, heardCall{c, s.requests})
	s.heard = s.heard[max(0, len(s.heard)-mostCalls):]
	s.add(c)
}

// add shows a call in place of an earlier call of the same visitor, unless a later call of that visitor is shown.
func (s *shownCalls) add(c call) {
	isLater := func(known call) bool { return known.VisitID == c.VisitID && !known.At.Before(c.At) }
	if slices.ContainsFunc(s.all, isLater) {
		return
	}
	others := slices.DeleteFunc(slices.Clone(s.all), func(known call) bool { return known.VisitID == c.VisitID })
	s.all = slices.Insert(others, 0, c)
	slices.SortStableFunc(s.all, func(a, b call) int { return b.At.Compare(a.At) })
	s.all = s.all[:min(len(s.all), mostCalls)]
}

func (s *shownCalls) keepSince(midnight time.Time) {
	s.all = slices.DeleteFunc(slices.Clone(s.all), func(c call) bool { return c.At.Before(midnight) })
	s.heard = slices.DeleteFunc(s.heard, func(h heardCall) bool { return h.At.Before(midnight) })
}

// room is the state of a board, and what it has shown.
type room struct {
	calls   shownCalls
	changed bool         // a change has arrived since the last request
	asking  int          // requests without an answer
	newest  checker.Look // the newest answer
	looks   []checker.Look
}

// isBehind reports whether the board has received a change that it does not show yet.
func (r *room) isBehind() bool { return r.changed || r.asking > 0 }

// take takes a frame of the stream. Every frame except a heartbeat may change what the board shows.
func (r *room) take(m message, data string) {
	var frame struct{ Data call }
	switch {
	case m.kind == "heartbeat":
		return
	case m.kind == "visit_called" && json.Unmarshal([]byte(data), &frame) == nil:
		r.calls.hear(frame.Data)
	}
	r.changed = true
}

// answered takes an answer, and records the board unless a change has arrived since its request or a request is open.
func (r *room) answered(request int, seen checker.Look, calls []call) {
	r.asking--
	if r.calls.answer(request, calls) {
		r.newest = seen
	}
	if r.isBehind() {
		return
	}
	shows := r.newest
	for _, c := range r.calls.all {
		shows.Calls = append(shows.Calls, checker.Call{Visit: c.VisitID, Token: c.Token, At: c.At})
	}
	r.looks = append(r.looks, shows)
}

// boards returns the screens of the waiting room. The second one reconnects all the time.
func (r *run) boards(c *crew) (boards []*dashboard) {
	for i, person := range c.displays {
		habit := steady
		if i > 0 {
			habit = restless
		}
		board := newDashboard(r.twin(person, person.name), habit, nil)
		board.room, board.midnight = &room{}, r.midnight
		boards = append(boards, board)
	}
	return boards
}

// watch reads the board after each change until ctx ends. Reads may overlap.
func (d *dashboard) watch(ctx context.Context) {
	var reads sync.WaitGroup
	defer reads.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.dirty:
		}
		if !d.hasChanged() {
			continue
		}
		sleep(ctx, gatherTime)
		d.mu.Lock()
		d.room.changed = false
		d.room.asking++
		request := d.room.calls.request()
		d.mu.Unlock()
		reads.Go(func() { d.readBoard(ctx, request) })
	}
}

func (d *dashboard) hasChanged() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.room.changed
}

func (d *dashboard) readBoard(ctx context.Context, request int) {
	seen, calls, ok := d.person.board(ctx)
	if !ok {
		sleep(ctx, rereadTime)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !ok {
		d.room.asking--
		d.room.changed = true
		d.markDirty()
		return
	}
	d.room.answered(request, seen, calls)
}

// turnDay makes a screen show the new day. A board drops the calls of the previous day.
func (d *dashboard) turnDay() {
	d.mu.Lock()
	if d.room != nil {
		d.room.calls.keepSince(d.midnight)
		d.room.changed = true
	}
	d.mu.Unlock()
	d.markDirty()
}

// board reads the board. ok is false if there was no answer to use.
func (r *robot) board(ctx context.Context) (look checker.Look, calls []call, ok bool) {
	look.Asked = time.Now()
	op, got := r.ask(ctx, http.MethodGet, boardPath, nil)
	if op.Outcome != checker.OK {
		return look, nil, false
	}
	var seen boardSeen
	strict := json.NewDecoder(bytes.NewReader(got.Body))
	strict.DisallowUnknownFields() // a public screen gets no name, no service, no consultant
	if err := strict.Decode(&seen); err != nil {
		r.history.addStrange("%s received a board that does not match api.yaml: %v", r.name, err)
		return look, nil, false
	}
	at := placesOf(got.Header.Get("X-Feed-Seq"))["visits"]
	look.Day, look.Next, look.Epoch, look.Seq = seen.Day, seen.Next, at.epoch, at.seq
	for _, s := range seen.Serving {
		look.Serving = append(look.Serving, s.Token)
	}
	return look, seen.Calls, true
}

const pairedBoards = 2

func (r *run) pairBoards(ctx context.Context, c *crew) error {
	for i := range pairedBoards {
		paired, err := c.pair(ctx, boardRole, fmt.Sprintf("Board %d", i+1))
		if err != nil {
			return err
		}
		screen := r.robot(fmt.Sprintf("board%d", i+1), boardRole)
		screen.id, screen.token = paired.id, paired.token
		c.displays = append(c.displays, screen)
	}
	return nil
}

type device struct{ id, series, token string }

func (c *crew) pair(ctx context.Context, kind, name string) (device, error) {
	var added struct {
		Device      struct{ ID, Series string }
		PairingCode string `json:"pairing_code"`
	}
	body := map[string]any{"kind": kind, "name": name}
	if err := c.admin.Call(ctx, http.MethodPost, "/api/devices", body, &added); err != nil {
		return device{}, fmt.Errorf("add the device %s: %w", name, err)
	}
	var got struct{ Token string }
	code := map[string]string{"code": added.PairingCode}
	if err := c.admin.Call(ctx, http.MethodPost, "/api/devices/pair", code, &got); err != nil {
		return device{}, fmt.Errorf("pair %s: %w", name, err)
	}
	return device{added.Device.ID, added.Device.Series, got.Token}, nil
}

// callLast calls a visitor while no robot works; the run then ends with the undo of this call. The returned operation
// has no visit if the call failed, for example because every consultant is busy.
func (c *crew) callLast(ctx context.Context, by *robot) checker.Op {
	visit := c.firstOf("reception").create(ctx, c).Visit
	if visit == "" || by.approve(ctx, checker.Op{Visit: visit}).Outcome != checker.OK {
		return checker.Op{}
	}
	for _, caller := range append([]*robot{c.spare}, c.consultants...) {
		body := map[string]any{"consultant_id": caller.id}
		called := by.act(ctx, checker.CallOne, checker.Op{Visit: visit, Consultant: caller.id}, body)
		if called.Outcome == checker.OK {
			return checker.Op{Visit: visit}
		}
	}
	return checker.Op{}
}
