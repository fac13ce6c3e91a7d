// Package denial records requests rejected with 403 as events in the service's outbox: at most one event per user,
// route and minute, with a count, so that a client in a loop cannot fill the audit trail.
//
// Start with Recorder.
package denial

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/request"
)

// every is the length of a window, which has at most one event.
const every = time.Minute

// Recorder counts denials and appends their events.
type Recorder struct {
	outbox *outbox.Outbox
	log    *slog.Logger
	now    func() time.Time

	mu      sync.Mutex
	windows map[key]*window
	due     chan record
}

type key struct{ user, route string }

type window struct {
	since   time.Time
	pending int // denials since the last record
	actor   outbox.Actor
}

type record struct {
	route string
	count int
	actor outbox.Actor
}

// New returns a recorder that appends to o.
func New(o *outbox.Outbox, log *slog.Logger) *Recorder {
	return &Recorder{outbox: o, log: log, now: time.Now, windows: map[key]*window{}, due: make(chan record, 256)}
}

// Note counts one denial of caller at route. It never blocks.
func (r *Recorder) Note(ctx context.Context, caller identity.Caller, route string) {
	actor := outbox.Actor{
		ID:    caller.ID,
		Name:  caller.Name,
		Email: caller.Email,
		Role:  caller.Role,
		IP:    request.From(ctx).Address,
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	id := key{caller.ID, route}
	if known, ok := r.windows[id]; ok {
		known.pending++
		return
	}
	if r.offer(record{route: route, count: 1, actor: actor}) {
		r.windows[id] = &window{since: r.now(), actor: actor}
	}
}

func (r *Recorder) offer(rec record) bool {
	select {
	case r.due <- rec:
		return true
	default:
		return false
	}
}

// Run writes the records until ctx ends, and then those not written yet.
func (r *Recorder) Run(ctx context.Context) error {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			r.finish(context.WithoutCancel(ctx))
			return nil
		case rec := <-r.due:
			r.write(context.WithoutCancel(ctx), rec)
		case <-ticker.C:
			r.closeWindows()
		}
	}
}

// closeWindows ends windows older than a minute. One that has counted more denials is recorded and starts again.
func (r *Recorder) closeWindows() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, w := range r.windows {
		if r.now().Sub(w.since) < every {
			continue
		}
		if w.pending == 0 {
			delete(r.windows, id)
		} else if r.offer(record{route: id.route, count: w.pending, actor: w.actor}) {
			w.pending, w.since = 0, r.now()
		}
	}
}

// finishLimit is how long a stop waits for the database.
const finishLimit = 2 * time.Second

func (r *Recorder) finish(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, finishLimit)
	defer cancel()
	for {
		select {
		case rec := <-r.due:
			r.write(ctx, rec)
			continue
		default:
		}
		break
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, w := range r.windows {
		if w.pending > 0 {
			r.write(ctx, record{route: id.route, count: w.pending, actor: w.actor})
			w.pending = 0
		}
	}
}

func (r *Recorder) write(ctx context.Context, rec record) {
	err := r.outbox.InTx(ctx, func(tx pgx.Tx) error {
		return outbox.Append(ctx, tx, outbox.Change{
			Type: "access_denied", Entity: "access", EntityID: rec.route,
			After: map[string]any{"route": rec.route, "count": rec.count}, Actor: &rec.actor,
		})
	})
	if err != nil {
		r.log.WarnContext(ctx, "a denial could not be recorded", "cause", err)
	}
}
