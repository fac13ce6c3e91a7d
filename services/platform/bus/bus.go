// Package bus is Redis publish/subscribe: a fast path that may lose messages. Consumers that must not miss a message
// read the source's feed as well. It owns the settings of the Redis client and its metrics.
//
// Start with Open and Subscribe.
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

// Open returns a client for the Redis server at address. It does not connect. A command is retried once and a dial ends
// after a second, so that a caller soon takes its fallback while the server is unavailable.
//
// The address is redis:// or rediss://. With master_name in its query the hosts are Sentinels, with addr they are nodes
// of a cluster:
//
//	redis://:password@cache:6379/0
//	redis://sentinel-0:26379?master_name=baari&addr=sentinel-1:26379&password=…
//	redis://:password@node-0:6379?addr=node-1:6379&addr=node-2:6379
func Open(address string) (redis.UniversalClient, error) {
	kind := single
	if parsed, err := url.Parse(address); err == nil {
		switch {
		case parsed.Query().Has("master_name"):
			kind = sentinel
		case parsed.Query().Has("addr"):
			kind = cluster
		}
	}
	client, err := kind(address)
	if err != nil {
		var broken *url.Error
		if errors.As(err, &broken) {
			err = broken.Err // without the address, which may hold a password
		}
		return nil, fmt.Errorf("read the Redis address: %w", err)
	}
	return client, nil
}

// Check returns the error that Open would return for the address.
func Check(address string) error {
	client, err := Open(address)
	if err != nil {
		return err
	}
	return client.Close()
}

func single(address string) (redis.UniversalClient, error) {
	options, err := redis.ParseURL(address)
	if err != nil {
		return nil, err
	}
	options.ContextTimeoutEnabled, options.DialTimeout = true, dialLimit
	options.DialerRetries, options.MaxRetries = dialAttempts, retries
	return redis.NewClient(options), nil
}

func sentinel(address string) (redis.UniversalClient, error) {
	options, err := redis.ParseFailoverURL(address)
	if err != nil {
		return nil, err
	}
	options.ContextTimeoutEnabled, options.DialTimeout = true, dialLimit
	options.DialerRetries, options.MaxRetries = dialAttempts, retries
	return redis.NewFailoverClient(options), nil
}

func cluster(address string) (redis.UniversalClient, error) {
	options, err := redis.ParseClusterURL(address)
	if err != nil {
		return nil, err
	}
	options.ContextTimeoutEnabled, options.DialTimeout = true, dialLimit
	options.DialerRetries, options.MaxRetries = dialAttempts, retries
	return redis.NewClusterClient(options), nil
}

const (
	dialLimit    = time.Second // the timeout of a new connection
	dialAttempts = 1
	retries      = 1 // of a command
)

// driverLog writes go-redis' own log lines to the default logger at debug level.
type driverLog struct{}

func init() { redis.SetLogger(driverLog{}) }

// Printf implements the driver's logger.
func (driverLog) Printf(ctx context.Context, format string, values ...any) {
	slog.DebugContext(ctx, fmt.Sprintf(format, values...))
}

// Notice is one message of a subscription, or Joined after each connection, when messages may have been lost.
type Notice struct {
	Joined  bool
	Channel string
	Payload string
}

// Subscribe subscribes to channels until ctx ends and calls handle with each notice, one at a time. go-redis reconnects
// after connection errors.
func Subscribe(ctx context.Context, client redis.UniversalClient, handle func(Notice), channels ...string) {
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
				handle(Notice{Joined: true, Channel: m.Channel})
			case *redis.Message:
				handle(Notice{Channel: m.Channel, Payload: m.Payload})
			}
		}
	}
}
