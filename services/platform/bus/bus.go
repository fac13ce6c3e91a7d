// Package bus publishes messages to all services of an installation: a fast path that may lose messages. Consumers that
// must not miss a message read the source's feed as well.
//
// Start with Bus. Redis is the Bus for services in several processes, Local the Bus for a single process.
package bus

import "context"

// Bus publishes messages on channels.
type Bus interface {
	// Publish sends messages to the subscribers of channel, in the given order.
	Publish(ctx context.Context, channel string, messages ...[]byte) error
	// Subscribe calls handle with each notice of the channels, one at a time, until ctx ends.
	Subscribe(ctx context.Context, handle func(Notice), channels ...string)
	// Available returns an error while messages are not delivered.
	Available(ctx context.Context) error
	// Close ends the use of the bus.
	Close() error
}

// Notice is one message of a subscription, or Joined when messages may have been lost before it: after each connection,
// and when the queue of a subscriber of Local was full.
type Notice struct {
	Joined  bool
	Channel string
	Payload string
}

// queued is the size of a subscriber's queue of notices. Local loses notices while the queue is full.
const queued = 1024
