package bench

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// streams are open live streams that count events, and some of which record the delay of each event.
type streams struct {
	conns    []net.Conn
	received atomic.Int64
	reading  sync.WaitGroup

	mu     sync.Mutex
	delays latencies
}

const (
	timedOf     = 50 // of this many streams one records delays, so that recording costs little
	openAtOnce  = 32
	openWithin  = 10 * time.Second
	quietStreak = 30 // tenths of a second without an event after which no more are expected
)

// openStreams opens streams of a user directly at a server and returns when each has received its first frame.
func openStreams(ctx context.Context, at target, role, user string, count int) (*streams, error) {
	request := fmt.Sprintf("GET /api/stream?role=%s&user_id=%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n",
		role, user, at.host, at.token)
	s := &streams{conns: make([]net.Conn, count)}
	opening, ctx := errgroup.WithContext(ctx)
	opening.SetLimit(openAtOnce)
	for i := range count {
		opening.Go(func() error { return s.open(ctx, i, at.host, request) })
	}
	if err := opening.Wait(); err != nil {
		s.close()
		return nil, err
	}
	for i, conn := range s.conns {
		s.reading.Go(func() { s.read(conn, i%timedOf == 0) })
	}
	return s, nil
}

func (s *streams) open(ctx context.Context, i int, host, request string) error {
	conn, err := (&net.Dialer{Timeout: openWithin}).DialContext(ctx, "tcp", host)
	if err != nil {
		return err
	}
	s.conns[i] = conn
	if _, err := conn.Write([]byte(request)); err != nil {
		return err
	}
	_ = conn.SetReadDeadline(time.Now().Add(openWithin))
	var head []byte
	piece := make([]byte, 2048)
	for !bytes.Contains(head, []byte(`"connection"`)) || !bytes.Contains(head, []byte("\n\n")) {
		n, err := conn.Read(piece)
		if err != nil {
			return fmt.Errorf("stream %d received %q and no first frame: %w", i, head, err)
		}
		head = append(head, piece[:n]...)
	}
	return conn.SetReadDeadline(time.Time{})
}

// read counts events until the stream ends.
func (s *streams) read(conn net.Conn, timed bool) {
	buffer := make([]byte, 4<<10)
	if timed {
		buffer = make([]byte, 64<<10)
	}
	for {
		n, err := conn.Read(buffer)
		if err != nil {
			return
		}
		s.received.Add(int64(bytes.Count(buffer[:n], []byte{mark})))
		if timed {
			s.record(buffer[:n], time.Now())
		}
	}
}

// record appends the delays of a piece's events; an event whose time is cut off is skipped.
func (s *streams) record(piece []byte, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, event := range bytes.Split(piece, []byte{mark})[1:] {
		text, _, whole := bytes.Cut(event, []byte{'"'})
		if sent, err := strconv.ParseInt(string(text), 10, 64); whole && err == nil {
			s.delays = append(s.delays, now.Sub(time.Unix(0, sent)))
		}
	}
}

// await returns when this many events have arrived, or none has arrived for a while.
func (s *streams) await(wanted int64) {
	for last, quiet := int64(-1), 0; s.received.Load() < wanted && quiet < quietStreak; {
		time.Sleep(100 * time.Millisecond)
		now := s.received.Load()
		if quiet++; now != last {
			last, quiet = now, 0
		}
	}
}

func (s *streams) quantile(share float64) float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.delays.quantile(share)
}

func (s *streams) close() {
	for _, conn := range s.conns {
		if conn != nil {
			_ = conn.Close()
		}
	}
	s.reading.Wait()
}
