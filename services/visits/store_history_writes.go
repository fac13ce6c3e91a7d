package visits

import (
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
)

// historyWrites collects what events add. Promises that begin and end are written by one statement for many visits: a
// statement for each would cost more than its rows. Before a second change of a visit's promises the first is queued.
type historyWrites struct {
	batch pgx.Batch
	owed  struct {
		visits, kinds, services []string
		times                   []time.Time
	}
	ended struct {
		visits, kinds, outcomes []string
		times                   []time.Time
		wait                    []bool
	}
	concerned map[string]bool // visits of owed and ended
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
		w.concern(id)
		w.owed.visits, w.owed.kinds = append(w.owed.visits, id), append(w.owed.kinds, string(h.owed))
		w.owed.services = append(w.owed.services, after.ServiceID)
		w.owed.times = append(w.owed.times, time.Time(after.UpdatedAt))
	}
	for _, end := range h.ends {
		w.concern(id)
		if end.call != nil {
			w.batch.Queue(revokePromises, id, end.outcome, end.at, *end.call)
			continue
		}
		w.ended.visits, w.ended.kinds = append(w.ended.visits, id), append(w.ended.kinds, string(end.kind))
		w.ended.outcomes, w.ended.times = append(w.ended.outcomes, end.outcome), append(w.ended.times, end.at)
		w.ended.wait = append(w.ended.wait, end.outcome == outcomeMoved || end.outcome == outcomePinned)
	}
}

// concern notes that a visit's promises change, after the change of the same visit that was added before.
func (w *historyWrites) concern(id string) {
	if w.concerned[id] {
		w.flush()
	}
	if w.concerned == nil {
		w.concerned = map[string]bool{}
	}
	w.concerned[id] = true
}

// flush queues the promises that begin and end.
func (w *historyWrites) flush() {
	if o := w.owed; len(o.visits) > 0 {
		w.batch.Queue(owePromises, o.visits, o.kinds, o.services, o.times)
	}
	if e := w.ended; len(e.visits) > 0 {
		w.batch.Queue(endPromises, e.visits, e.kinds, e.outcomes, e.times, e.wait)
	}
	batch := w.batch
	*w = historyWrites{batch: batch}
}
