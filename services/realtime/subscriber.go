package realtime

import (
	"sync"
	"time"
)

// A stream that has more than this waiting is too slow and is cut.
const (
	queueEvents = 256
	queueBytes  = 256 << 10
)

// keptQueue is the longest list that an idle stream keeps for its next frames.
const keptQueue = 8

// ending is why a stream is closed.
type ending int

const (
	goesOn       ending = iota
	endedSlow           // it did not read fast enough; it comes back and resumes
	endedRevoked        // its session, account or role is no longer what it was opened with
	endedDrain          // this replica stops, or lost sight of whose sessions hold
)

// endings names the reasons as the metric does.
var endings = map[ending]string{endedSlow: "slow", endedRevoked: "revoked", endedDrain: "drain"}

// subscriber is one open stream. The hub puts frames into its queue and never waits; the stream's own
// goroutine takes all of them at once.
type subscriber struct {
	role      roles
	userID    string
	sessionID string
	expires   time.Time // when the session ends by itself; zero: not known
	slot      int       // place in the hub's list of its role

	wake chan struct{} // one signal waits at most

	mu      sync.Mutex
	queue   [][]byte // the bytes are shared by all who hear the frame
	events  int      // queued or being written
	bytes   int
	ended   ending
	writing time.Time // when the write began that goes on; zero: none does
	unblock func()    // makes a blocked write fail
}

func newSubscriber(role roles, userID, sessionID string, expires time.Time) *subscriber {
	return &subscriber{role: role, userID: userID, sessionID: sessionID, expires: expires, wake: make(chan struct{}, 1)}
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
	s.signal()
	return true
}

// end closes the stream and reports whether it was open. But for a drain, what is queued is not sent any
// more and a write that blocks is broken off.
func (s *subscriber) end(why ending) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != goesOn {
		return false
	}
	s.ended = why
	if why != endedDrain {
		s.queue = nil
		if !s.writing.IsZero() && s.unblock != nil {
			s.unblock()
		}
	}
	s.signal()
	return true
}

func (s *subscriber) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// take hands out all that waits, and why the stream ends. The caller says wrote when it is sent.
func (s *subscriber) take() (frames [][]byte, why ending) {
	s.mu.Lock()
	defer s.mu.Unlock()
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

// during runs a write that does not come from the queue, so that end can break it off. It answers errEnded
// without running it when the stream has ended.
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

// behind reports whether an open stream has much waiting and will soon have less: a write that has
// waited for its reader longer than the patience is not waited for.
func (s *subscriber) behind(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	stalled := !s.writing.IsZero() && now.Sub(s.writing) >= readerPatience
	return s.ended == goesOn && s.events > paceEvents && !stalled
}

// breakOffBy says how a blocked write is made to fail.
func (s *subscriber) breakOffBy(unblock func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unblock = unblock
}

// reason is why the stream was ended, goesOn while it was not.
func (s *subscriber) reason() ending {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}
