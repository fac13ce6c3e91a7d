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

// Redis is a Bus over the publish/subscribe of a Redis server, for services in several processes.
type Redis struct {
	// Client runs other commands at the same server, such as the scripts of limits.
	Client redis.UniversalClient
}

// Open returns a Bus over the Redis server at address. It does not connect. A command is retried once and a dial ends
// after a second, so that callers soon use their fallback while the server is unavailable.
//
// The address is redis:// or rediss://. With master_name in its query the hosts are Sentinels, with addr they are nodes
// of a cluster:
//
//	redis://:password@cache:6379/0
//	redis://sentinel-0:26379?master_name=baari&addr=sentinel-1:26379&password=…
//	redis://:password@node-0:6379?addr=node-1:6379&addr=node-2:6379
func Open(address string) (*Redis, error) {
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
			err = broken.Err // the address is left out, since it may hold a password
		}
		return nil, fmt.Errorf("read the Redis address: %w", err)
	}
	return &Redis{Client: client}, nil
}

// Check returns the error that Open would return for the address.
func Check(address string) error {
	opened, err := Open(address)
	if err != nil {
		return err
	}
	return opened.Close()
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
	dialLimit    = time.Second
	dialAttempts = 1
	retries      = 1
)

// driverLog writes go-redis' own log lines to the default logger at debug level.
type driverLog struct{}

func init() { redis.SetLogger(driverLog{}) }

// Printf implements the driver's logger.
func (driverLog) Printf(ctx context.Context, format string, values ...any) {
	slog.DebugContext(ctx, fmt.Sprintf(format, values...))
}

// Publish implements Bus. Several messages are sent in one round trip.
func (r *Redis) Publish(ctx context.Context, channel string, messages ...[]byte) error {
	pipe := r.Client.Pipeline()
	for _, message := range messages {
		pipe.Publish(ctx, channel, message)
	}
	_, err := pipe.Exec(ctx)
	return err
}

// Subscribe implements Bus. go-redis reconnects after connection errors.
func (r *Redis) Subscribe(ctx context.Context, handle func(Notice), channels ...string) {
	subscription := r.Client.Subscribe(ctx, channels...)
	notices := subscription.ChannelWithSubscriptions(redis.WithChannelSize(queued))
	defer func() {
		_ = subscription.Close()
		// The loop drains the queue. If the queue is full, go-redis waits up to a minute before it ends its goroutine.
		for range notices {
		}
	}()
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

// Available implements Bus.
func (r *Redis) Available(ctx context.Context) error { return r.Client.Ping(ctx).Err() }

// Close implements Bus.
func (r *Redis) Close() error { return r.Client.Close() }
