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

// replayBytes is the approximate number of bytes in one write of a replay.
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
	HeartbeatSeconds  int    `json:"heartbeatSeconds"`
}

// open serves GET /api/stream. The query must have the caller's own role and id.
func (o *streams) open(w http.ResponseWriter, r *http.Request) error {
	caller, _ := identity.From(r.Context())
	query := r.URL.Query()
	if query.Get("role") != caller.Role || query.Get("user_id") != caller.ID {
		return fault.ErrForbidden
	}
	if r.Method == http.MethodHead {
		return nil
	}
	text, resuming := lastEventID(r)
	last, valid := parsePosition(text, o.hub.sources) // valid is false for ""
	if resuming && valid {
		o.hub.await(r.Context(), last)
	}
	s, began, active, err := o.hub.join(caller)
	if err != nil {
		return err
	}
	if err := o.verifyAgain(r, caller); err != nil {
		o.hub.leave(s)
		return err
	}
	conn, head, err := hijack(w)
	if err != nil {
		o.hub.leave(s)
		return fault.ErrInternal.Because(err)
	}
	st := &stream{hub: o.hub, sub: s, began: began, head: head}
	s.attach(conn)
	go s.listen(o.hub)
	welcome := connection{
		ConnectionID: uuid.NewString(), ActiveConnections: active, HeartbeatSeconds: int(heartbeatEvery / time.Second),
	}
	switch {
	case !resuming:
		st.run(began, welcome, nil)
	case !valid:
		st.run(began, welcome, st.reset)
	default:
		st.resume(r.Context(), last, welcome)
	}
	return nil
}

// lastEventID returns the id of the last event that the client has received: from the header, or from the query for
// clients that cannot set headers. given reports whether there is an id. text is "" if it cannot be decoded.
func lastEventID(r *http.Request) (text string, given bool) {
	if text = r.Header.Get("Last-Event-ID"); text != "" {
		return text, true
	}
	if text = r.URL.Query().Get(queryLastEventID); text != "" {
		return text, true
	}
	// net/url drops a parameter with a raw semicolon or an invalid escape, but the client has sent an id.
	for pair := range strings.FieldsFuncSeq(r.URL.RawQuery, func(c rune) bool { return c == '&' || c == ';' }) {
		key, value, _ := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(key); err == nil && name == queryLastEventID && value != "" {
			return "", true
		}
	}
	return "", false
}

const queryLastEventID = "last_event_id"

// verifyAgain verifies the session again after the stream has joined the hub. A revocation that was published between
// the first verification and the join has not closed the stream.
func (o *streams) verifyAgain(r *http.Request, first identity.Caller) error {
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
	case caller.ID != first.ID || caller.Role != first.Role:
		return fault.ErrForbidden
	}
	return nil
}

// stream is an open stream before it is passed to the pump. It sends the connection frame and the replay.
type stream struct {
	hub   *Hub
	sub   *subscriber
	began position
	head  []byte // status line and header of the response, sent with the connection frame
}

// resume replays from the client's position, or sends a reset. The connection frame repeats the client's own position,
// so that a client that loses the connection during the replay resumes from there again.
func (st *stream) resume(ctx context.Context, last position, welcome connection) {
	missed, err := st.hub.missed(ctx, last, st.began)
	if err != nil {
		st.hub.log.InfoContext(ctx, "a stream is reset", "cause", err)
		st.run(last, welcome, st.reset)
		return
	}
	welcome.Resumed = true
	st.run(last, welcome, func() error { return st.replay(last, missed) })
}

// run sends the connection frame with the given position, then the replay or reset, and passes the stream to the pump.
func (st *stream) run(at position, welcome connection, catchUp func() error) {
	kind := beganNew
	if welcome.Resumed {
		kind = beganResumed
	}
	st.hub.metrics.opened.WithLabelValues(kind).Inc()
	frame := render(at, st.hub.sources, encode(typeConnection, welcome), "")
	err := st.write(slices.Concat(st.head, frame))
	if err == nil && catchUp != nil {
		err = catchUp()
	}
	st.finish(err)
}

// hijack takes the connection over from the HTTP server, so that an idle stream does not keep the goroutines and
// buffers that serve a request. It returns the connection and the head of the response. The body ends when the
// connection is closed.
func hijack(w http.ResponseWriter) (net.Conn, []byte, error) {
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store, no-transform") // a proxy that compresses could hold back events
	header.Set("X-Accel-Buffering", "no")
	header.Set("Connection", "close")
	header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	head := bytes.NewBufferString("HTTP/1.1 200 OK\r\n")
	_ = header.Write(head) // a bytes.Buffer returns no error
	head.WriteString("\r\n")
	conn, _, err := http.NewResponseController(w).Hijack()
	return conn, head.Bytes(), err
}

// reset sends the frame after which the client refetches everything.
func (st *stream) reset() error {
	st.hub.metrics.resets.Inc()
	return st.write(render(st.began, st.hub.sources, resetFrame().data, ""))
}

// replay writes the missed changes, source after source. The id of each frame has the position that the replay has
// reached in each source, so a stream can be resumed from any frame without missing a change.
func (st *stream) replay(last position, missed [][]change) error {
	at := last.clone()
	var text []byte
	flush := func() error {
		err := st.write(text)
		text = text[:0]
		return err
	}
	for i, changes := range missed {
		for _, change := range changes {
			at[i].Seq = change.seq
			for _, f := range change.frames {
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

func (st *stream) write(text []byte) error {
	return st.sub.during(func() error { return st.sub.write(text) })
}

// finish passes the opened stream to the pump, or closes it if err is not nil.
func (st *stream) finish(err error) {
	switch {
	case err == nil:
		_ = st.sub.conn.SetWriteDeadline(time.Time{})
		st.sub.release(nil)
	case errors.Is(err, errEnded) && st.sub.reason() == endedDrain:
		_ = st.sub.write(retryField())
		st.sub.hangUp()
	default:
		st.sub.broke(st.hub, err)
	}
}
