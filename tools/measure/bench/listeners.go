package bench

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// listeners are open streams that count events, and for some streams record the time of each.
type listeners struct {
	conns []net.Conn
	heard atomic.Int64
	over  atomic.Int64 // streams that ended by themselves
	done  sync.WaitGroup

	mu        sync.Mutex
	latencies []time.Duration
}

// Of so many streams one is timed, so that timing costs little.
const timedOf = 50

// openers is how many streams are opened at once.
const openers = 32

// streamRequest is the request for a user's stream.
func streamRequest(host, role, id, token string) string {
	return fmt.Sprintf("GET /api/stream?role=%s&user_id=%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", role, id, host, token)
}

// listen opens streams and returns when each was greeted.
func listen(ctx context.Context, host, request string, count int) (*listeners, error) {
	l := &listeners{conns: make([]net.Conn, count)}
	var opening sync.WaitGroup
	errs := make(chan error, openers)
	for worker := range openers {
		opening.Go(func() {
			for i := worker; i < count; i += openers {
				if err := l.open(ctx, i, host, request); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	opening.Wait()
	select {
	case err := <-errs:
		l.close()
		return nil, err
	default:
	}
	for i, conn := range l.conns {
		l.done.Go(func() { l.read(conn, i%timedOf == 0) })
	}
	return l, nil
}

// open opens a stream and reads its greeting.
func (l *listeners) open(ctx context.Context, i int, host, request string) error {
	conn, err := (&net.Dialer{Timeout: 10 * time.Second}).DialContext(ctx, "tcp", host)
	if err != nil {
		return err
	}
	l.conns[i] = conn
	if _, err := conn.Write([]byte(request)); err != nil {
		return err
	}
	_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	var head []byte
	for piece := make([]byte, 2048); !bytes.Contains(head, []byte(`"connection"`)) || !bytes.Contains(head, []byte("\n\n")); {
		n, err := conn.Read(piece)
		if err != nil {
			return fmt.Errorf("stream %d was not greeted but heard %q: %w", i, head, err)
		}
		head = append(head, piece[:n]...)
	}
	return conn.SetReadDeadline(time.Time{})
}

// read counts events until the stream ends.
func (l *listeners) read(conn net.Conn, timed bool) {
	buffer := make([]byte, 4<<10)
	if timed {
		buffer = make([]byte, 64<<10)
	}
	for {
		n, err := conn.Read(buffer)
		if err != nil {
			l.over.Add(1)
			return
		}
		l.heard.Add(int64(bytes.Count(buffer[:n], []byte{mark})))
		if timed {
			l.time(buffer[:n], time.Now())
		}
	}
}

// time notes how old the events of a piece are; one whose time is cut off is not timed.
func (l *listeners) time(piece []byte, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		at := bytes.IndexByte(piece, mark)
		if at < 0 {
			return
		}
		piece = piece[at+1:]
		end := bytes.IndexByte(piece, '"')
		if end < 0 {
			return
		}
		if made, err := strconv.ParseInt(string(piece[:end]), 10, 64); err == nil {
			l.latencies = append(l.latencies, now.Sub(time.Unix(0, made)))
		}
	}
}

// await returns when this many events have arrived, or none has arrived for a while.
func (l *listeners) await(wanted int64) {
	for last, quiet := int64(-1), 0; l.heard.Load() < wanted && quiet < 30; {
		time.Sleep(100 * time.Millisecond)
		now := l.heard.Load()
		if quiet++; now != last {
			last, quiet = now, 0
		}
	}
}

// quantile is the age that a share of the timed events did not exceed.
func (l *listeners) quantile(share float64) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	slices.Sort(l.latencies)
	return load{latencies: l.latencies}.quantile(share)
}

func (l *listeners) close() {
	for _, conn := range l.conns {
		if conn != nil {
			_ = conn.Close()
		}
	}
	l.done.Wait()
}
