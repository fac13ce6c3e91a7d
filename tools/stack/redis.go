package stack

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

// startRedis takes REDIS_URL when it is given, else a Redis or Valkey of this machine on a port of its own, else one inside the launcher.
func (s *Stack) startRedis(ctx context.Context) (string, error) {
	if address := os.Getenv("REDIS_URL"); address != "" {
		return address, awaitRedis(ctx, address)
	}
	ports, err := FreePorts(1)
	if err != nil {
		return "", err
	}
	address := "redis://" + address(ports[0])
	for _, name := range []string{"redis-server", "valkey-server"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if _, err := s.run(databases, redisSpec(path, ports[0])); err != nil {
			return "", err
		}
		return address, awaitRedis(ctx, address)
	}
	return address, s.startMiniredis(ports[0])
}

// redisSpec runs Redis in memory only: it carries wake-ups, every event is kept in PostgreSQL.
func redisSpec(path string, port int) Spec {
	return Spec{
		Name: "redis", Path: path, Port: port, Env: os.Environ(),
		Args: []string{"--bind", loopback, "--port", strconv.Itoa(port), "--save", "", "--appendonly", "no"},
	}
}

// startMiniredis runs Redis inside the launcher. It is not in the list of processes: nobody can kill it alone.
func (s *Stack) startMiniredis(port int) error {
	server := miniredis.NewMiniRedis()
	if err := server.StartAddr(address(port)); err != nil {
		return fmt.Errorf("start the built-in Redis: %w", err)
	}
	s.onStop(server.Close)
	s.every(100*time.Millisecond, server.FastForward) // its keys expire only when they are told the time
	return nil
}

func awaitRedis(ctx context.Context, address string) error {
	options, err := redis.ParseURL(address)
	if err != nil {
		return advise("REDIS_URL is not an address like redis://host:6379.")
	}
	options.MaxRetries = -1
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	err = await(ctx, 10*time.Second, func(ctx context.Context) error {
		reached, err := (&net.Dialer{}).DialContext(ctx, options.Network, options.Addr) // the driver prints each dial that fails
		if err != nil {
			return err
		}
		_ = reached.Close()
		return client.Ping(ctx).Err()
	})
	if err != nil {
		return advise("Redis at %s does not answer: start it, or unset REDIS_URL. (%v)", options.Addr, err)
	}
	return nil
}
