package forecast

import (
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
)

// historyWrites collects the rows that events add. One statement begins or ends the promises of many visits, because a
// statement for each visit would cost more. To keep the order of a visit's changes, the first change of each visit is
// in the first round, the second change in the second round, and so on.
type historyWrites struct {
	batch  pgx.Batch
	rounds []*promiseRound
	done   map[string]int // number of changes that were added, by visit
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

// add adds a change's rows. Sittings and promises are in different tables and can be written in any order.
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

// next returns the round for the next change of a visit's promises.
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

// queue adds the statements for the promises to the batch. It must be called once, after the last add.
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
