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

// A stream is disconnected when its queue would exceed one of these limits.
const (
	queueEvents = 256
	queueBytes  = 256 << 10
)

// keptQueue is the capacity up to which a stream keeps the memory of an empty queue.
const keptQueue = 8

// writeLimit is the timeout of a write. If a client reads too slowly for this timeout, its stream is disconnected.
const writeLimit = 5 * time.Second

// ending is the reason why a stream is closed.
type ending int

const (
	notEnded     ending = iota
	endedSlow           // the client read too slowly; it will reconnect and resume
	endedRevoked        // the session ended, or the user's account or role changed
	endedDrain          // this replica stops, or cannot know which sessions are still valid
)

// endings are the values of the label "reason".
var endings = map[ending]string{endedSlow: "slow", endedRevoked: "revoked", endedDrain: "drain"}

var errEnded = errors.New("the stream has ended")

// subscriber is one open stream. The hub appends frames to its queue and never blocks. Only the holder of the turn
// writes: first the request that opens the stream, then the pump and, while a write blocks, a separate goroutine until
// the client has caught up.
type subscriber struct {
	role      string // value of the metric's label
	topics    []topic
	userID    string
	sessionID string
	newcomer  bool      // see identity.Caller
	expires   time.Time // expiry of the session; zero if unknown
	slot      int       // index in Hub.streams
	pump      *pump
	raw       syscall.RawConn // connection for writes that do not block; nil if conn has none

	mu      sync.Mutex
	conn    net.Conn // nil until the connection is hijacked
	queue   [][]byte // the frames' bytes are shared by all their recipients
	events  int      // number of frames queued or being written
	bytes   int
	ended   ending
	taken   bool      // the turn to write is held
	marked  bool      // the stream is on the pump's list
	writing time.Time // start of the write in progress; zero if there is none
}

// newSubscriber returns a stream of the caller's session. The calling request holds the turn.
func newSubscriber(caller identity.Caller) *subscriber {
	return &subscriber{
		role: caller.Role, topics: subscriptions(caller.Role, caller.ID), userID: caller.ID,
		sessionID: caller.SessionID, newcomer: caller.Newcomer, expires: caller.ExpiresAt, taken: true,
	}
}

// push queues a frame. It returns false when the queue is full; the caller must then end the stream.
func (s *subscriber) push(text []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != notEnded {
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

// mark adds the stream to the pump's list unless the turn is held; the caller holds mu.
func (s *subscriber) mark() {
	if s.taken || s.marked {
		return
	}
	s.marked = true
	s.pump.add(s)
}

// end closes the stream and reports whether it was open. Unless the reason is a drain, queued frames are dropped and a
// blocked write is aborted.
func (s *subscriber) end(why ending) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != notEnded {
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

func (s *subscriber) attach(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn, s.raw = conn, rawOf(conn)
}

// rawOf returns the raw connection inside the wrappers of conn, for writes that do not block; nil if there is none.
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

// take takes the turn. It returns all queued frames and the reason for the stream's end, if any. The caller must call
// wrote or release after it has sent the frames.
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

// wrote updates the counts of the queue after frames were sent.
func (s *subscriber) wrote(frames [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent(frames)
}

// sent does what wrote does; the caller holds mu.
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

// release ends the turn after frames were sent. The pump sends the frames that were queued meanwhile.
func (s *subscriber) release(frames [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent(frames)
	s.taken = false
	if len(s.queue) > 0 || s.ended == endedDrain {
		s.mark()
	}
}

// during calls write, for data that is not queued. If the stream has ended, it returns errEnded without calling write.
func (s *subscriber) during(write func() error) error {
	s.mu.Lock()
	if s.ended != notEnded {
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

// write writes text. It blocks for at most writeLimit.
func (s *subscriber) write(text []byte) error {
	if err := s.conn.SetWriteDeadline(time.Now().Add(writeLimit)); err != nil {
		return err
	}
	_, err := s.conn.Write(text)
	return err
}

// catchUp finishes a blocked write and then writes queued frames until the queue is empty, and releases the turn.
func (s *subscriber) catchUp(h *Hub, frames [][]byte, rest []byte, why ending) {
	for {
		if err := s.write(rest); err != nil {
			s.broke(h, err)
			return
		}
		s.wrote(frames)
		if why != notEnded {
			s.hangUp()
			return
		}
		if frames, why = s.take(); len(frames) == 0 && why == notEnded {
			break
		}
		rest = textOf(nil, frames, why)
	}
	_ = s.conn.SetWriteDeadline(time.Time{})
	s.release(nil)
}

// textOf appends the encoded frames to a buffer, and after them the retry field if the stream is drained. One frame
// without the retry field is returned without being copied.
func textOf(into []byte, frames [][]byte, why ending) []byte {
	if len(frames) == 1 && why != endedDrain {
		return frames[0]
	}
	for _, frame := range frames {
		into = append(into, frame...)
	}
	if why == endedDrain {
		into = append(into, retryField()...)
	}
	return into
}

// retryField returns the retry field with a random delay of 1 to 4 seconds, so that clients do not all reconnect at the
// same time.
func retryField() []byte { return fmt.Appendf(nil, "retry: %d\n\n", 1000+rand.IntN(3001)) }

// broke closes a stream after a failed write. A write that timed out is counted as a slow client.
func (s *subscriber) broke(h *Hub, err error) {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		h.end(s, endedSlow)
	}
	s.hangUp()
}

// hangUp closes the connection. That makes listen remove the stream from the hub.
func (s *subscriber) hangUp() { _ = s.conn.Close() }

func (s *subscriber) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		s.hangUp()
	}
}

// listen discards received bytes until either side closes the connection, and then removes the stream from the hub.
func (s *subscriber) listen(h *Hub) {
	var discarded [16]byte
	for {
		if _, err := s.conn.Read(discarded[:]); err != nil {
			break
		}
	}
	h.leave(s)
	s.hangUp()
}

// behind reports whether an open stream has more than paceEvents queued. A stream whose write has been blocked for
// stalledAfter is not counted as behind, because its client does not read.
func (s *subscriber) behind(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	stalled := !s.writing.IsZero() && now.Sub(s.writing) >= stalledAfter
	return s.ended == notEnded && s.events > paceEvents && !stalled
}

func (s *subscriber) reason() ending {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}
