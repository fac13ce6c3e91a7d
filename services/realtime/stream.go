package realtime

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"time"

	"github.com/google/uuid"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
)

// writeLimit is how long a write may take; a reader that is slower is cut.
const writeLimit = 5 * time.Second

// replayBytes is about how much of a replay is written at once.
const replayBytes = 16 << 10

// streams opens live streams over HTTP.
type streams struct {
	hub      *Hub
	verifier identity.Verifier
}

type connection struct {
	ConnectionID      string `json:"connectionId"`
	ActiveConnections int    `json:"activeConnections"`
	Resumed           bool   `json:"resumed"`
}

// open serves GET /api/stream. Role and id of the query must be the caller's own.
func (o *streams) open(w http.ResponseWriter, r *http.Request) error {
	caller, _ := identity.From(r.Context())
	query := r.URL.Query()
	if query.Get("role") != caller.Role || query.Get("user_id") != caller.ID {
		return fault.ErrForbidden
	}
	text, comesBack := lastEventID(r)
	seen, legible := parsePosition(text, o.hub.sources)
	if comesBack && legible {
		o.hub.await(r.Context(), seen)
	}
	s, began, active, err := o.hub.join(caller)
	if err != nil {
		return err
	}
	defer o.hub.leave(s)
	if err := o.stillTrue(r, caller); err != nil {
		return err
	}
	st := newStream(o.hub, s, w, began)
	welcome := connection{ConnectionID: uuid.NewString(), ActiveConnections: active}
	if !comesBack {
		return st.run(r.Context(), began, welcome, nil)
	}
	if !legible {
		return st.run(r.Context(), began, welcome, st.reset)
	}
	return st.resume(r.Context(), seen, welcome)
}

// lastEventID is what the client has seen: the header goes before the query, which is for readers that
// cannot send one.
func lastEventID(r *http.Request) (text string, given bool) {
	if text = r.Header.Get("Last-Event-ID"); text == "" {
		text = r.URL.Query().Get("last_event_id")
	}
	return text, text != ""
}

// stillTrue asks once more who the caller is, now that the hub would close the stream on a change: one that
// was announced between the first answer and the joining would be missed.
func (o *streams) stillTrue(r *http.Request, admitted identity.Caller) error {
	token := identity.Bearer(r)
	if token == "" {
		token = identity.Cookie(r)
	}
	caller, err := o.verifier.Verify(r.Context(), token)
	switch {
	case err != nil:
		return err
	case !caller.Active:
		return fault.ErrAccountInactive
	case caller.ID != admitted.ID || caller.Role != admitted.Role:
		return fault.ErrForbidden
	}
	return nil
}

// stream writes one open stream.
type stream struct {
	hub     *Hub
	sub     *subscriber
	head    http.ResponseWriter // sees the status
	w       http.ResponseWriter // the connection's own
	control *http.ResponseController
	began   position
}

// newStream writes past what measures and traces the answer: it would slow each frame down, and some of it
// hides that a flush failed.
func newStream(h *Hub, s *subscriber, head http.ResponseWriter, began position) *stream {
	w := head
	for {
		wrapped, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			break
		}
		w = wrapped.Unwrap()
	}
	return &stream{hub: h, sub: s, head: head, w: w, control: http.NewResponseController(w), began: began}
}

// resume goes on where the client was, or tells it to refetch everything. The greeting repeats the client's own
// position: a client that loses the rest comes back with it.
func (st *stream) resume(ctx context.Context, seen position, welcome connection) error {
	holes, err := st.hub.missed(ctx, seen, st.began)
	if err != nil {
		st.hub.log.InfoContext(ctx, "a stream is reset", "cause", err)
		return st.run(ctx, seen, welcome, st.reset)
	}
	welcome.Resumed = true
	return st.run(ctx, seen, welcome, func() error { return st.replay(seen, holes) })
}

// run greets the client as one that is at seen, catches it up, and then writes what the hub queues until
// either side ends.
func (st *stream) run(ctx context.Context, seen position, welcome connection, catchUp func() error) error {
	st.start()
	kind := beganNew
	if welcome.Resumed {
		kind = beganResumed
	}
	st.hub.metrics.opened.WithLabelValues(kind).Inc()
	greeting := render(seen, st.hub.sources, encode(typeConnection, welcome), "")
	err := st.sub.during(func() error { return st.write(greeting) })
	if err == nil && catchUp != nil {
		err = catchUp()
	}
	if err == nil {
		err = st.follow(ctx)
	}
	st.close(err)
	return nil
}

// start sends the headers.
func (st *stream) start() {
	st.sub.breakOffBy(func() { _ = st.control.SetWriteDeadline(time.Now()) })
	header := st.head.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("X-Accel-Buffering", "no")
	st.head.WriteHeader(http.StatusOK)
}

func (st *stream) reset() error {
	st.hub.metrics.resets.Inc()
	frame := render(st.began, st.hub.sources, resetFrame().data, "")
	return st.sub.during(func() error { return st.write(frame) })
}

// replay writes what the client missed, source after source. Each frame's id is a position from which
// nothing is missed: earlier sources are done, later ones where the client left them.
func (st *stream) replay(seen position, holes [][]change) error {
	at := seen.clone()
	var text []byte
	flush := func() error {
		err := st.sub.during(func() error { return st.write(text) })
		text = text[:0]
		return err
	}
	for i, hole := range holes {
		for _, missed := range hole {
			at[i].Seq = missed.seq
			for _, f := range missed.frames {
				if f.reaches(st.sub.role, st.sub.userID) {
					text = append(text, render(at, st.hub.sources, f.data, "")...)
				}
			}
			if len(text) < replayBytes {
				continue
			}
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if len(text) == 0 {
		return nil
	}
	return flush()
}

// follow writes what is queued, all of it at once, each time the hub wakes it.
func (st *stream) follow(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-st.sub.wake:
		}
		frames, why := st.sub.take()
		if len(frames) > 0 {
			err := st.write(joined(frames))
			st.sub.wrote(frames)
			if err != nil {
				return err
			}
		}
		if why != goesOn {
			return errEnded
		}
	}
}

// joined makes one text of frames; a single one is not copied.
func joined(frames [][]byte) []byte {
	if len(frames) == 1 {
		return frames[0]
	}
	size := 0
	for _, frame := range frames {
		size += len(frame)
	}
	text := make([]byte, 0, size)
	for _, frame := range frames {
		text = append(text, frame...)
	}
	return text
}

func (st *stream) write(text []byte) error {
	if err := st.control.SetWriteDeadline(time.Now().Add(writeLimit)); err != nil {
		return err
	}
	if _, err := st.w.Write(text); err != nil {
		return err
	}
	return st.control.Flush()
}

// close ends the stream as its reason asks: a drain tells the client when to come back, spread so that not all
// come at once; a reader that let a write wait too long is counted as slow.
func (st *stream) close(err error) {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		st.hub.end(st.sub, endedSlow)
	case !errors.Is(err, errEnded):
	case st.sub.reason() == endedDrain:
		_ = st.write(fmt.Appendf(nil, "retry: %d\n\n", 1000+rand.IntN(3001)))
	default: // the answer's last bytes are still to be written
		_ = st.control.SetWriteDeadline(time.Now().Add(writeLimit))
	}
}
