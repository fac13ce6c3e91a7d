package process

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

// denialWindow is how long further denials of a user at a route are counted, to be recorded as one event.
const denialWindow = time.Minute

// denials records requests rejected with 403 as events in the service's outbox: at most one event per user, route and
// minute, with a count, so that a client in a loop cannot fill the audit trail.
type denials struct {
	outbox *outbox.Outbox
	log    *slog.Logger
	now    func() time.Time

	mu      sync.Mutex
	windows map[denied]*window
	due     chan denialRecord
}

// denied is the key of a window: a user and a route.
type denied struct{ user, route string }

type window struct {
	since   time.Time
	pending int // denials since the last record
	actor   outbox.Actor
}

type denialRecord struct {
	route string
	count int
	actor outbox.Actor
}

func newDenials(o *outbox.Outbox, log *slog.Logger) *denials {
	return &denials{outbox: o, log: log, now: time.Now, windows: map[denied]*window{}, due: make(chan denialRecord, 256)}
}

// note counts one denial of caller at route. It never blocks.
func (r *denials) note(ctx context.Context, caller identity.Caller, route string) {
	actor := outbox.Actor{
		ID:    caller.ID,
		Name:  caller.Name,
		Email: caller.Email,
		Role:  caller.Role,
		IP:    request.From(ctx).Address,
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	id := denied{caller.ID, route}
	if known, ok := r.windows[id]; ok {
		known.pending++
		return
	}
	if r.offer(denialRecord{route: route, count: 1, actor: actor}) {
		r.windows[id] = &window{since: r.now(), actor: actor}
	}
}

func (r *denials) offer(rec denialRecord) bool {
	select {
	case r.due <- rec:
		return true
	default:
		return false
	}
}

// run writes the records until ctx ends. Then it writes the records that are left.
func (r *denials) run(ctx context.Context) error {
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

// closeWindows ends windows older than a minute. A window that has counted more denials is recorded and starts again.
func (r *denials) closeWindows() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, w := range r.windows {
		if r.now().Sub(w.since) < denialWindow {
			continue
		}
		if w.pending == 0 {
			delete(r.windows, id)
		} else if r.offer(denialRecord{route: id.route, count: w.pending, actor: w.actor}) {
			w.pending, w.since = 0, r.now()
		}
	}
}

// denialsFinish is how long a stopping service waits for the database to record denials.
const denialsFinish = 2 * time.Second

func (r *denials) finish(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, denialsFinish)
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
			r.write(ctx, denialRecord{route: id.route, count: w.pending, actor: w.actor})
			w.pending = 0
		}
	}
}

func (r *denials) write(ctx context.Context, rec denialRecord) {
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
