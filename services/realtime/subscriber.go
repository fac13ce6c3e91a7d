package realtime

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"baari.dev/services/platform/identity"
)

// A stream that has more than this waiting is too slow and is cut.
const (
	queueEvents = 256
	queueBytes  = 256 << 10
)

// keptQueue is the longest list that an idle stream keeps for its next frames.
const keptQueue = 8

// writeLimit is how long a write may take; a reader that is slower is cut.
const writeLimit = 5 * time.Second

// ending is why a stream is closed.
type ending int

const (
	goesOn       ending = iota
	endedSlow           // the client did not read fast enough; it reconnects and resumes
	endedRevoked        // its session, account or role is no longer what it was opened with
	endedDrain          // this replica stops, or can no longer tell which sessions are valid
)

// endings names the reasons as the metric does.
var endings = map[ending]string{endedSlow: "slow", endedRevoked: "revoked", endedDrain: "drain"}

var errEnded = errors.New("the stream has ended")

// subscriber is one open stream. The hub appends frames to its queue and never blocks. Only the holder of the turn
// writes: first the request that opens the stream, then the pump and, while a write blocks, a separate goroutine until
// the client has caught up.
type subscriber struct {
	role      string // label of the metric
	topics    []topic
	userID    string
	sessionID string
	expires   time.Time // when the session ends by itself; zero: not known
	slot      int       // index in the hub's streams
	pump      *pump
	raw       syscall.RawConn // for writes that do not wait; nil: the connection has none

	mu      sync.Mutex
	conn    net.Conn // nil until the opening request has taken it over
	queue   [][]byte // the bytes are shared by all recipients of a frame
	events  int      // queued or being written
	bytes   int
	ended   ending
	taken   bool      // the turn is held
	marked  bool      // it waits for the pump
	writing time.Time // start of the write in progress; zero: none
}

// newSubscriber returns a stream of the caller's session, in the turn of the request that opens it.
func newSubscriber(caller identity.Caller) *subscriber {
	return &subscriber{
		role: caller.Role, topics: subscriptions(caller.Role, caller.ID), userID: caller.ID,
		sessionID: caller.SessionID, expires: caller.ExpiresAt, taken: true,
	}
}

// push queues a frame. It reports false when the stream is too slow for it; the caller then ends it.
func (s *subscriber) push(text []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != goesOn {
		return true
	}
	if s.events >= queueEvents || s.bytes+len(text) > queueBytes {
		return false
	}
	s.queue = append(s.queue, text)
	s.events++
	s.bytes += len(text)
	s.mark()
	return true
}

// mark wakes the pump unless the turn is held; the caller holds mu.
func (s *subscriber) mark() {
	if s.taken || s.marked {
		return
	}
	s.marked = true
	s.pump.add(s)
}

// end closes the stream and reports whether it was open. Except in a drain, queued frames are dropped and a blocked
// write is aborted.
func (s *subscriber) end(why ending) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != goesOn {
		return false
	}
	s.ended = why
	if why == endedDrain {
		s.mark()
		return true
	}
	s.queue = nil
	if s.conn != nil {
		_ = s.conn.Close()
	}
	return true
}

// attach gives the stream its connection.
func (s *subscriber) attach(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn, s.raw = conn, rawOf(conn)
}

// rawOf is the way to write without waiting, past what wraps the connection.
func rawOf(conn net.Conn) syscall.RawConn {
	for {
		wrapped, ok := conn.(interface{ NetConn() net.Conn })
		if !ok {
			break
		}
		conn = wrapped.NetConn()
	}
	direct, ok := conn.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := direct.SyscallConn()
	if err != nil {
		return nil
	}
	return raw
}

// take takes the turn and returns all queued frames and the reason for the stream's end, if any. The caller calls wrote
// when they are sent.
func (s *subscriber) take() (frames [][]byte, why ending) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.marked, s.taken = false, true
	frames, s.queue = s.queue, nil
	if len(frames) > 0 {
		s.writing = time.Now()
	}
	return frames, s.ended
}

// wrote gives back the room of frames that were sent.
func (s *subscriber) wrote(frames [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent(frames)
}

func (s *subscriber) sent(frames [][]byte) {
	s.writing = time.Time{}
	s.events -= len(frames)
	for _, text := range frames {
		s.bytes -= len(text)
	}
	if s.queue == nil && cap(frames) <= keptQueue {
		clear(frames)
		s.queue = frames[:0]
	}
}

// release gives the turn back once frames were sent. What came meanwhile is for the pump.
func (s *subscriber) release(frames [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent(frames)
	s.taken = false
	if len(s.queue) > 0 || s.ended == endedDrain {
		s.mark()
	}
}

// during runs a write that does not come from the queue. It returns errEnded without calling write when the stream has
// ended.
func (s *subscriber) during(write func() error) error {
	s.mu.Lock()
	if s.ended != goesOn {
		s.mu.Unlock()
		return errEnded
	}
	s.writing = time.Now()
	s.mu.Unlock()
	err := write()
	s.mu.Lock()
	s.writing = time.Time{}
	s.mu.Unlock()
	return err
}

// write writes text and waits for the reader, no longer than the limit.
func (s *subscriber) write(text []byte) error {
	if err := s.conn.SetWriteDeadline(time.Now().Add(writeLimit)); err != nil {
		return err
	}
	_, err := s.conn.Write(text)
	return err
}

// catchUp finishes a blocked write and then writes queued frames until the queue is empty. It holds the turn.
func (s *subscriber) catchUp(h *Hub, frames [][]byte, rest []byte, why ending) {
	for {
		if err := s.write(rest); err != nil {
			s.broke(h, err)
			return
		}
		s.wrote(frames)
		if why != goesOn {
			s.hangUp()
			return
		}
		if frames, why = s.take(); len(frames) == 0 && why == goesOn {
			break
		}
		rest = textOf(nil, frames, why)
	}
	_ = s.conn.SetWriteDeadline(time.Time{})
	s.release(nil)
}

// textOf appends the encoded frames, and the farewell at a stream's end, to into. A single frame is not copied.
func textOf(into []byte, frames [][]byte, why ending) []byte {
	if len(frames) == 1 && why != endedDrain {
		return frames[0]
	}
	for _, frame := range frames {
		into = append(into, frame...)
	}
	if why == endedDrain {
		into = append(into, farewell()...)
	}
	return into
}

// farewell returns the retry field with a random delay of 1 to 4 seconds, so that clients do not reconnect at once.
func farewell() []byte { return fmt.Appendf(nil, "retry: %d\n\n", 1000+rand.IntN(3001)) }

// broke ends a stream that could not be written to; a reader that let a write wait too long is counted as slow.
func (s *subscriber) broke(h *Hub, err error) {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		h.end(s, endedSlow)
	}
	s.hangUp()
}

// hangUp closes the connection; listen notices and leaves the hub.
func (s *subscriber) hangUp() { _ = s.conn.Close() }

// cut closes the connection of a stream that may still be opening.
func (s *subscriber) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		s.hangUp()
	}
}

// listen waits until the connection is closed by either side and then leaves the hub. It discards what the client sends.
func (s *subscriber) listen(h *Hub) {
	var unheard [16]byte
	for {
		if _, err := s.conn.Read(unheard[:]); err != nil {
			break
		}
	}
	h.leave(s)
	s.hangUp()
}

// behind reports whether an open stream has much waiting and will soon have less: a write that has
// waited for its reader longer than the patience is not waited for.
func (s *subscriber) behind(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	stalled := !s.writing.IsZero() && now.Sub(s.writing) >= readerPatience
	return s.ended == goesOn && s.events > paceEvents && !stalled
}

// reason is why the stream was ended, goesOn while it was not.
func (s *subscriber) reason() ending {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}
