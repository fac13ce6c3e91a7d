// Package bus is Redis publish and subscribe: a fast path that may forget. Whoever must not miss a
// message reads the source's feed as well.
package bus

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// Open makes a client of Redis at url (a single server, or several addresses for Sentinel and Cluster as
// go-redis reads them). It does not wait for the server.
func Open(url string) (redis.UniversalClient, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, fmt.Errorf("read the Redis address: %w", err)
	}
	options.ContextTimeoutEnabled = true
	return redis.NewClient(options), nil
}

// Notice is what a subscription hears: a message, or Joined after each (re)connection, when messages
// may have been missed.
type Notice struct {
	Joined  bool
	Channel string
	Payload string
}

// Subscribe listens to channels until ctx ends and hands each notice to hear, one at a time. Connections
// that break are made again by go-redis.
func Subscribe(ctx context.Context, client redis.UniversalClient, hear func(Notice), channels ...string) {
	subscription := client.Subscribe(ctx, channels...)
	defer subscription.Close()
	notices := subscription.ChannelWithSubscriptions(redis.WithChannelSize(1024))
	for {
		select {
		case <-ctx.Done():
			return
		case got, open := <-notices:
			if !open {
				return
			}
			switch m := got.(type) {
			case *redis.Subscription:
				hear(Notice{Joined: true, Channel: m.Channel})
			case *redis.Message:
				hear(Notice{Channel: m.Channel, Payload: m.Payload})
			}
		}
	}
}
