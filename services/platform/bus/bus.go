// Package bus is Redis publish and subscribe: a fast path that may forget. Whoever must not miss a
// message reads the source's feed as well.
package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/redis/go-redis/v9"
)

// Open makes a client of Redis at address, a redis:// URL. It does not wait for the server. While the server is away a command fails
// at once instead of trying for seconds: everybody here has a way to go on without it.
func Open(address string) (redis.UniversalClient, error) {
	options, err := redis.ParseURL(address)
	if err != nil {
		var broken *url.Error
		if errors.As(err, &broken) {
			err = broken.Err // without the address, which may hold a password
		}
		return nil, fmt.Errorf("read the Redis address: %w", err)
	}
	options.ContextTimeoutEnabled = true
	options.DialTimeout = time.Second
	options.DialerRetries = 1
	options.MaxRetries = 1
	return redis.NewClient(options), nil
}

// driverLog takes the driver's own lines into the service's log: whoever meets an error reports it anyway.
type driverLog struct{}

func init() { redis.SetLogger(driverLog{}) }

// Printf implements the driver's logger.
func (driverLog) Printf(ctx context.Context, format string, values ...any) {
	slog.DebugContext(ctx, fmt.Sprintf(format, values...))
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
