package bus

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// Local is a Bus within one process. The zero value is ready to use.
type Local struct {
	mu            sync.Mutex
	subscriptions []*subscription
}

type subscription struct {
	channels []string
	notices  chan Notice
	lost     atomic.Bool // a notice was lost because the queue was full
}

// Publish implements Bus. It does not wait for subscribers: a subscriber whose queue is full loses the message and
// receives Joined.
func (l *Local) Publish(_ context.Context, channel string, messages ...[]byte) error {
	l.mu.Lock() // held while sending, so that all subscribers receive messages in the same order
	defer l.mu.Unlock()
	for _, message := range messages {
		notice := Notice{Channel: channel, Payload: string(message)}
		for _, s := range l.subscriptions {
			if slices.Contains(s.channels, channel) {
				s.add(notice)
			}
		}
	}
	return nil
}

func (s *subscription) add(notice Notice) {
	select {
	case s.notices <- notice:
	default:
		s.lost.Store(true)
	}
}

// Subscribe implements Bus.
func (l *Local) Subscribe(ctx context.Context, handle func(Notice), channels ...string) {
	s := &subscription{channels: channels, notices: make(chan Notice, queued)}
	l.join(s)
	defer l.leave(s)
	for _, channel := range channels {
		handle(Notice{Joined: true, Channel: channel})
	}
	for {
		select {
		case <-ctx.Done():
			return
		case notice := <-s.notices:
			handle(notice)
			if s.lost.Swap(false) {
				handle(Notice{Joined: true, Channel: notice.Channel})
			}
		}
	}
}

func (l *Local) join(s *subscription) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.subscriptions = append(l.subscriptions, s)
}

func (l *Local) leave(s *subscription) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.subscriptions = slices.DeleteFunc(l.subscriptions, func(other *subscription) bool { return other == s })
}

// Available implements Bus. It returns nil, because delivery within a process needs no server.
func (*Local) Available(context.Context) error { return nil }

// Close implements Bus.
func (*Local) Close() error { return nil }
