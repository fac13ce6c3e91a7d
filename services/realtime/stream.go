package realtime

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
)

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
	if r.Method == http.MethodHead {
		return nil
	}
	text, comesBack := lastEventID(r)
	seen, legible := parsePosition(text, o.hub.sources) // "" is not legible
	if comesBack && legible {
		o.hub.await(r.Context(), seen)
	}
	s, began, active, err := o.hub.join(caller)
	if err != nil {
		return err
	}
	if err := o.stillTrue(r, caller); err != nil {
		o.hub.leave(s)
		return err
	}
	conn, head, err := takeOver(w)
	if err != nil {
		o.hub.leave(s)
		return fault.ErrInternal.Because(err)
	}
	st := &stream{hub: o.hub, sub: s, began: began, head: head}
	s.attach(conn)
	go s.listen(o.hub)
	welcome := connection{ConnectionID: uuid.NewString(), ActiveConnections: active}
	switch {
	case !comesBack:
		st.run(began, welcome, nil)
	case !legible:
		st.run(began, welcome, st.reset)
	default:
		st.resume(r.Context(), seen, welcome)
	}
	return nil
}

// lastEventID returns the id of the last event that the client has received: of the header or else of the query, which is
// for clients that cannot set headers. An id that is given and cannot be read is "".
func lastEventID(r *http.Request) (text string, given bool) {
	if text = r.Header.Get("Last-Event-ID"); text != "" {
		return text, true
	}
	if text = r.URL.Query().Get(queryLastEventID); text != "" {
		return text, true
	}
	// net/url drops a pair with a raw semicolon or a broken escape. Such an id is given all the same.
	for pair := range strings.FieldsFuncSeq(r.URL.RawQuery, func(c rune) bool { return c == '&' || c == ';' }) {
		key, value, _ := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(key); err == nil && name == queryLastEventID && value != "" {
			return "", true
		}
	}
	return "", false
}

const queryLastEventID = "last_event_id"

// stillTrue verifies the session again after the stream has joined the hub: a revocation that was published between the
// first verification and the join would otherwise be missed.
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

// stream is an open stream while it is greeted and caught up.
type stream struct {
	hub   *Hub
	sub   *subscriber
	began position
	head  []byte // of the answer, until it is sent with the greeting
}

// resume replays from the client's position, or sends a reset. The connection frame repeats the client's own position,
// so that a client that loses the replay resumes from there again.
func (st *stream) resume(ctx context.Context, seen position, welcome connection) {
	holes, err := st.hub.missed(ctx, seen, st.began)
	if err != nil {
		st.hub.log.InfoContext(ctx, "a stream is reset", "cause", err)
		st.run(seen, welcome, st.reset)
		return
	}
	welcome.Resumed = true
	st.run(seen, welcome, func() error { return st.replay(seen, holes) })
}

// run sends the connection frame with the position seen, then the replay, and passes the stream to the pump.
func (st *stream) run(seen position, welcome connection, catchUp func() error) {
	kind := beganNew
	if welcome.Resumed {
		kind = beganResumed
	}
	st.hub.metrics.opened.WithLabelValues(kind).Inc()
	greeting := render(seen, st.hub.sources, encode(typeConnection, welcome), "")
	err := st.write(slices.Concat(st.head, greeting))
	if err == nil && catchUp != nil {
		err = catchUp()
	}
	st.handOver(err)
}

// takeOver takes the connection out of the server's hands: what serves a request, four goroutine stacks and buffers of
// it, is not kept for a stream that says something now and then. It answers the head of the answer, whose end is
// the connection's.
func takeOver(w http.ResponseWriter) (net.Conn, []byte, error) {
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("X-Accel-Buffering", "no")
	header.Set("Connection", "close")
	header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	head := bytes.NewBufferString("HTTP/1.1 200 OK\r\n")
	_ = header.Write(head) // to memory
	head.WriteString("\r\n")
	conn, _, err := http.NewResponseController(w).Hijack()
	return conn, head.Bytes(), err
}

func (st *stream) reset() error {
	st.hub.metrics.resets.Inc()
	return st.write(render(st.began, st.hub.sources, resetFrame().data, ""))
}

// replay writes what the client missed, source after source. Each frame's id is a position from which
// nothing is missed: earlier sources are done, later ones where the client left them.
func (st *stream) replay(seen position, holes [][]change) error {
	at := seen.clone()
	var text []byte
	flush := func() error {
		err := st.write(text)
		text = text[:0]
		return err
	}
	for i, hole := range holes {
		for _, missed := range hole {
			at[i].Seq = missed.seq
			for _, f := range missed.frames {
				if f.reaches(st.sub.topics) {
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

// write writes text unless the stream has ended.
func (st *stream) write(text []byte) error {
	return st.sub.during(func() error { return st.sub.write(text) })
}

// handOver ends the opening: it passes the stream to the pump, or ends it.
func (st *stream) handOver(err error) {
	switch {
	case err == nil:
		_ = st.sub.conn.SetWriteDeadline(time.Time{})
		st.sub.release(nil)
	case errors.Is(err, errEnded) && st.sub.reason() == endedDrain:
		_ = st.sub.write(farewell())
		st.sub.hangUp()
	default:
		st.sub.broke(st.hub, err)
	}
}
