// Package attention follows up on unanswered calls and lists what needs a person: these calls, desks without a number,
// papers that are missing, visitors who wait longer than promised or for an absent consultant, and appointments whose
// visitor has not come.
//
// Start with judge.go, which has the rules of the list, and follow.go, which repeats calls.
package attention

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/queue"
	"baari.dev/services/visits/row"
)

// Attention computes the list of what needs attention, and follows up on unanswered calls.
type Attention struct {
	store   *store
	queue   *queue.Queue
	metrics metrics

	mu   sync.Mutex // guards last; one of several concurrent callers computes the list, the others use its result
	last list
}

// New returns an Attention that reads visits from db and changes them through q.
func New(db *row.DB, q *queue.Queue, registry prometheus.Registerer) *Attention {
	return &Attention{store: &store{db}, queue: q, metrics: newMetrics(registry)}
}

// list is what needs attention. It is valid for one position of the feed and one second of the database's clock.
type list struct {
	at     row.Point
	second int64
	found  []finding
	nextAt *time.Time
}

// List returns what needs attention, the most urgent first, each with the actions that the caller may take now.
func (a *Attention) List(ctx context.Context, _ struct{}) (listAnswer, error) {
	now, err := a.current(ctx)
	if err != nil {
		return listAnswer{}, postgres.Classify(err)
	}
	answer := listAnswer{Attention: make([]entryBody, len(now.found)), NextAt: wire.TimeOf(now.nextAt), at: now.at.Feed}
	role := row.Actor(ctx).Role
	for i, f := range now.found {
		answer.Attention[i] = f.bodyFor(role, now.at.Now)
	}
	return answer, nil
}

// current returns the list for the current second. It computes the list again after an event, or when the second is
// over.
func (a *Attention) current(ctx context.Context) (list, error) {
	head, second, err := a.store.head(ctx)
	if err != nil {
		return list{}, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if known := a.last.at.Feed; a.last.second == second && known.Epoch == head.Epoch && known.Seq >= head.Seq {
		return a.last, nil
	}
	read, err := a.store.facts(ctx)
	if err != nil {
		return list{}, err
	}
	found, nextAt := read.judge()
	a.last = list{at: read.at, second: second, found: found, nextAt: nextAt}
	return a.last, nil
}
