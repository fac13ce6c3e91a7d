package forecast

import (
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
)

// historyWrites collects what events add. Promises begin and end by one statement for many visits: a statement for each
// would cost more than its rows. A visit's own changes keep their order: the first of each visit is in the first round,
// its second one in the next.
type historyWrites struct {
	batch  pgx.Batch
	rounds []*promiseRound
	done   map[string]int // changes of a visit's promises that were added
}

// promiseRound has at most one change of each visit's promises.
type promiseRound struct {
	owed struct {
		visits, kinds, services []string
		times                   []time.Time
	}
	ended struct {
		visits, kinds, outcomes []string
		times                   []time.Time
		wait                    []bool
	}
	revoked [][]any
}

// add adds what one change adds. Sittings and promises are different tables, and may be written in any order.
func (w *historyWrites) add(h history, after contract.Visit) {
	id := after.ID
	if h.undoes {
		w.batch.Queue(dropSitting, id)
	}
	if s := h.sitting; s != nil {
		w.batch.Queue(addSitting, id, s.ServiceID, s.ConsultantID, s.Class, s.Registered, s.Joined, s.Called,
			optionalTime(s.Started), s.Ended, s.EndedAs)
	}
	if h.owed != "" {
		owed := &w.next(id).owed
		owed.visits, owed.kinds = append(owed.visits, id), append(owed.kinds, string(h.owed))
		owed.services = append(owed.services, after.ServiceID)
		owed.times = append(owed.times, time.Time(after.UpdatedAt))
	}
	for _, end := range h.ends {
		round := w.next(id)
		if end.call != nil {
			round.revoked = append(round.revoked, []any{id, end.outcome, end.at, *end.call})
			continue
		}
		ended := &round.ended
		ended.visits, ended.kinds = append(ended.visits, id), append(ended.kinds, string(end.kind))
		ended.outcomes, ended.times = append(ended.outcomes, end.outcome), append(ended.times, end.at)
		ended.wait = append(ended.wait, end.outcome == outcomeMoved || end.outcome == outcomePinned)
	}
}

// next returns the round of the next change of a visit's promises.
func (w *historyWrites) next(id string) *promiseRound {
	if w.done == nil {
		w.done = map[string]int{}
	}
	round := w.done[id]
	w.done[id]++
	if round == len(w.rounds) {
		w.rounds = append(w.rounds, &promiseRound{})
	}
	return w.rounds[round]
}

// queue queues the promises that begin and end. It is called once, after the last add.
func (w *historyWrites) queue() {
	for _, round := range w.rounds {
		if o := round.owed; len(o.visits) > 0 {
			w.batch.Queue(owePromises, o.visits, o.kinds, o.services, o.times)
		}
		if e := round.ended; len(e.visits) > 0 {
			w.batch.Queue(endPromises, e.visits, e.kinds, e.outcomes, e.times, e.wait)
		}
		for _, arguments := range round.revoked {
			w.batch.Queue(revokePromises, arguments...)
		}
	}
}
