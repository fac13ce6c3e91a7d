package realtime

import (
	"context"
	"errors"
	"sync"
	"syscall"
	"time"
)

// A pass of a pump that takes longer than lightPass writes to many streams. The next pass then begins no earlier than
// passEvery after that pass began, so that one write sends all frames queued meanwhile.
const (
	lightPass = time.Millisecond
	passEvery = 20 * time.Millisecond
)

// pump writes to a part of the streams from one goroutine, so that a stream whose client keeps up needs no goroutine or
// timer for its writes. The pump never waits for a client.
type pump struct {
	hub  *Hub
	wake chan struct{} // has at most one value

	mu    sync.Mutex
	ready []*subscriber // streams with something to write

	once func(fd uintptr) bool // the method value attempt, allocated once
	text []byte                // input of attempt
	sent int                   // output of attempt
	err  error                 // output of attempt
}

func newPump(h *Hub) *pump {
	p := &pump{hub: h, wake: make(chan struct{}, 1)}
	p.once = p.attempt
	return p
}

// add appends a stream to the list of streams with something to write, and wakes the pump.
func (p *pump) add(s *subscriber) {
	p.mu.Lock()
	p.ready = append(p.ready, s)
	first := len(p.ready) == 1
	p.mu.Unlock()
	if !first {
		return
	}
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *pump) run(ctx context.Context) {
	var list []*subscriber
	var scratch []byte
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.wake:
		}
		began := time.Now()
		p.mu.Lock()
		list, p.ready = p.ready, list[:0]
		p.mu.Unlock()
		for _, s := range list {
			scratch = p.serve(s, scratch[:0])
		}
		clear(list)
		if took := time.Since(began); took > lightPass {
			time.Sleep(passEvery - took)
		}
	}
}

// serve writes all queued frames of a stream in one write. If the write would block, a separate goroutine continues it
// and writes until the client has caught up. scratch is a buffer; serve returns the buffer for the next stream.
func (p *pump) serve(s *subscriber, scratch []byte) []byte {
	frames, why := s.take()
	if why != notEnded && why != endedDrain {
		return scratch // the stream's connection is closed
	}
	text := textOf(scratch, frames, why)
	if len(frames) > 1 || why == endedDrain {
		scratch = text
	}
	sent, err := p.try(s, text)
	switch {
	case err != nil:
		s.hangUp()
	case sent < len(text):
		go s.catchUp(p.hub, frames, append([]byte(nil), text[sent:]...), why)
	case why != notEnded:
		s.hangUp()
	default:
		s.release(frames)
	}
	return scratch
}

// try writes as much of text as the socket accepts without blocking, and returns the number of bytes written.
func (p *pump) try(s *subscriber, text []byte) (int, error) {
	if s.raw == nil || len(text) == 0 {
		return 0, nil
	}
	p.text, p.sent, p.err = text, 0, nil
	if err := s.raw.Write(p.once); err != nil {
		return 0, err
	}
	return p.sent, p.err
}

func (p *pump) attempt(fd uintptr) bool {
	for {
		sent, err := syscall.Write(int(fd), p.text)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EAGAIN):
		case err != nil:
			p.err = err
		default:
			p.sent = sent
		}
		return true
	}
}
