package queue

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/idempotency"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/line"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// Calls of the next visitor. Only these writes choose their visit: callNext locks and reads the line, package line
// picks a visitor for each caller, and apply writes the changes of the picked visits like those of other commands.

// Next is a request for the next visitor of a consultant's line.
type Next struct {
	Origin
	Consultant string // id
	Counter    string // "": the desk's counter
	Expect     string // id of the only visit that may be called; "": any
}

func (n *Next) names() catalog.Names { return catalog.Names{Consultant: n.Consultant} }

// nextCall is one request of a batch, with the visit that is picked for it.
type nextCall struct {
	*Next
	index   int
	visit   string // id of the picked or already called visit; "": none
	again   bool   // the consultant has called the visit before, and gets it again
	passed  []string
	byHand  bool
	reasons []line.Reason
	waiting int           // number of waiting visitors in the caller's line after the call
	instead *line.Waiting // the next visitor, if not the expected one; nil: the call is as expected
}

// callNext is the writeIn of requests for the next visitor (see writer). In a batch of several requests, it does not
// reserve the keys of requests that are rejected or left out.
func (q *Queue) callNext(ctx context.Context, tx pgx.Tx, batch []*Next) ([]reply[Outcome], error) {
	replies := leftOut(len(batch))
	alone := len(batch) == 1
	if alone {
		stored := &nextAnswer{replayed: true}
		if replayed, err := batch[0].Key.Reserve(ctx, tx, stored); err != nil || replayed {
			replies[0] = reply[Outcome]{result: Outcome{next: stored}}
			return replies, err
		}
	}
	calls := callsOf(batch)
	have, err := q.store.lockNext(ctx, tx, calls)
	if err != nil {
		return replies, err
	}
	calls, rejected, err := checkAll(calls, have, alone)
	if err == nil {
		err = rejectUnanswered(ctx, tx, rejected, replies)
	}
	if err != nil {
		return replies, err
	}
	if !alone {
		if calls, err = reserveNext(ctx, tx, asExpected(calls, have)); err != nil {
			return replies, err
		}
	}
	if err := q.pickAll(ctx, tx, calls, have); err != nil {
		return replies, err
	}
	if err := nextChanged(calls); err != nil {
		return replies, err
	}
	plans, err := planNext(calls, have)
	if err != nil {
		return replies, err
	}
	return replies, q.apply(ctx, tx, plans, replies, unchanged(calls, have, replies)...)
}

// callsOf returns the calls of a batch. A second call for the same consultant is left out.
func callsOf(batch []*Next) []*nextCall {
	var calls []*nextCall
	for i, c := range batch {
		if !slices.ContainsFunc(calls, func(o *nextCall) bool { return o.Consultant == c.Consultant }) {
			calls = append(calls, &nextCall{Next: c, index: i})
		}
	}
	return calls
}

// checkAll returns the calls that can get a visitor, and the rejections; calls for unknown consultants are in neither.
// A single caller's rejection is returned as an error, which rolls back its key.
func checkAll(calls []*nextCall, have *locked, alone bool) (accepted []*nextCall, rejected []rejection, err error) {
	for _, c := range calls {
		err := c.check(have)
		switch {
		case err == nil:
			accepted = append(accepted, c)
		case alone:
			return nil, nil, err
		case !isUnknown(err):
			rejected = append(rejected, rejection{c.Key, c.index, reply[Outcome]{err: err}})
		}
	}
	return accepted, rejected, nil
}

// check returns an error if the caller cannot get a visitor. If a call is open, it sets the fields visit and again.
func (c *nextCall) check(have *locked) error {
	if _, active := have.consultants[c.Consultant]; !active {
		return catalog.ErrConsultantUnavailable
	}
	for _, other := range have.engaged {
		if other.ConsultantID == c.Consultant && other.Stage == visit.StageInSession {
			return other.Refuses(c.By)
		}
		if other.ConsultantID == c.Consultant {
			c.visit, c.again = other.ID, true
		}
	}
	if !c.again && have.policy.RequireCounter && c.counter(have) == "" {
		return row.ErrCounterRequired
	}
	return nil
}

func (c *nextCall) counter(have *locked) string {
	return cmp.Or(c.Counter, have.desks[c.Consultant].Counter)
}

// asExpected removes from a batch the calls whose next visitor is not the expected one, so as not to reserve their
// keys.
func asExpected(calls []*nextCall, have *locked) (kept []*nextCall) {
	waiting := slices.Clone(have.waiting)
	for _, c := range calls {
		if c.pick(have); c.instead == nil {
			kept = append(kept, c)
		}
		c.unpick()
	}
	have.waiting = waiting
	return kept
}

// nextChanged returns an error if the next visitor of a call is not the expected one; nothing is written then. A single
// caller gets this error. The calls of a batch are written again, each alone.
func nextChanged(calls []*nextCall) error {
	for _, c := range calls {
		if c.instead != nil {
			return row.NextChanged(*c.instead)
		}
	}
	return nil
}

func reserveNext(ctx context.Context, tx pgx.Tx, calls []*nextCall) (reserved []*nextCall, err error) {
	keys := make([]idempotency.Key, len(calls))
	for i, c := range calls {
		keys[i] = c.Key
	}
	free, err := idempotency.ReserveAll(ctx, tx, keys)
	for i, c := range calls {
		if err == nil && free[i] {
			reserved = append(reserved, c)
		}
	}
	return reserved, err
}

// pickAll picks a visitor for each call and locks the visits. If a picked visitor has left the line before the row was
// locked, all visitors are picked again from the rest of the line.
func (q *Queue) pickAll(ctx context.Context, tx pgx.Tx, calls []*nextCall, have *locked) error {
	for {
		waiting := slices.Clone(have.waiting)
		for _, c := range calls {
			c.pick(have)
		}
		if err := q.store.lockPicked(ctx, tx, calls, have); err != nil {
			return err
		}
		gone := map[string]bool{}
		for _, c := range calls {
			if c.visit != "" && !c.again && have.visits[c.visit].Visit.Stage != visit.StageWaiting {
				gone[c.visit] = true
			}
		}
		if len(gone) == 0 {
			return nil
		}
		have.waiting = slices.DeleteFunc(waiting, func(w line.Waiting) bool { return gone[w.ID] })
		for _, c := range calls {
			c.unpick()
		}
	}
}

// unpick removes the picked visit from the call, unless the visit is that of an open call.
func (c *nextCall) unpick() {
	if !c.again {
		c.visit, c.passed, c.byHand, c.reasons = "", nil, false, nil
	}
	c.waiting, c.instead = 0, nil
}

// pick picks the caller's visitor and removes the visitor from the line, unless a call is open or another is expected.
func (c *nextCall) pick(have *locked) {
	own := have.desk(c.Consultant)
	w, passed, ok := line.Pick(have.waiting, own, have.policy.MaxBypass)
	switch {
	case !ok || c.again:
	case c.Expect != "" && c.Expect != w.ID:
		c.instead = &w
	default:
		c.visit, c.passed, c.byHand = w.ID, passed, w.MovedDue != nil
		c.reasons = line.Explain(w, have.policy)
		have.waiting = slices.DeleteFunc(have.waiting, func(o line.Waiting) bool { return o.ID == w.ID })
		for i := range have.waiting {
			if !c.byHand && slices.Contains(passed, have.waiting[i].ID) {
				have.waiting[i].Bypassed++
			}
		}
	}
	for _, w := range have.waiting {
		if own.Takes(w) {
			c.waiting++
		}
	}
}

func planNext(calls []*nextCall, have *locked) (plans []*planned, err error) {
	for _, c := range calls {
		if c.visit == "" || c.again {
			continue
		}
		before := have.visits[c.visit]
		want := visit.Request{
			Action: visit.Next, Counter: c.counter(have),
			Consultant: &visit.Consultant{ID: c.Consultant, Name: have.consultants[c.Consultant]},
		}
		after, _, err := before.Visit.Change(c.By, want, have.facts(before, c.By))
		if err != nil {
			return nil, err
		}
		rule, _ := visit.RuleOf(visit.Next)
		plans = append(plans, &planned{
			Origin: &c.Origin, action: visit.Next, index: c.index, before: &before, after: after, event: rule.Event,
			passed: c.passed, byHand: c.byHand, next: c.answer(),
		})
	}
	return plans, nil
}

func (c *nextCall) answer() *nextAnswer {
	return &nextAnswer{Again: c.again, Reasons: reasonsOf(c.reasons), Waiting: c.waiting}
}

// unchanged sets the replies to calls that change no visit (an open call, an empty line), and returns their responses.
func unchanged(calls []*nextCall, have *locked, replies []reply[Outcome]) (answers []idempotency.Response) {
	for _, c := range calls {
		if c.visit != "" && !c.again {
			continue
		}
		res := Outcome{next: c.answer()}
		res.next.Feed = row.PositionHeader(have.at.Feed)
		if c.again {
			res.Snapshot = have.visits[c.visit]
			res.next = res.stored(c.By).(*nextAnswer)
		}
		replies[c.index] = reply[Outcome]{result: res}
		answers = append(answers, idempotency.Response{Key: c.Key, Answer: res.next})
	}
	return answers
}
