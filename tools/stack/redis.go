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

// startRedis uses the server of REDIS_URL if it is set, else it starts a Redis or Valkey of this machine on its own
// port, else one inside the launcher.
func (s *Stack) startRedis(ctx context.Context) (string, error) {
	if address := os.Getenv("REDIS_URL"); address != "" {
		return address, awaitRedis(ctx, address)
	}
	for _, name := range []string{"redis-server", "valkey-server"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		port, err := s.serverPort("redis")
		if err != nil {
			return "", err
		}
		if _, err := s.run(databases, redisSpec(path, port)); err != nil {
			return "", err
		}
		address := "redis://" + address(port)
		return address, awaitRedis(ctx, address)
	}
	return s.startMiniredis()
}

// redisSpec runs Redis in memory only: it carries wake-ups, while every event is stored in PostgreSQL.
func redisSpec(path string, port int) Spec {
	return Spec{
		Name: "redis", Path: path, Port: port, Env: os.Environ(),
		Args: []string{"--bind", loopback, "--port", strconv.Itoa(port), "--save", "", "--appendonly", "no"},
	}
}

// miniredisPorts is the number of ports that the built-in Redis tries: another program may take a port before it
// listens.
const miniredisPorts = 5

// startMiniredis runs Redis inside the launcher and returns its address. It is not in processes.json, since it is
// not a process.
func (s *Stack) startMiniredis() (string, error) {
	ports, err := FreePorts(miniredisPorts)
	if err != nil {
		return "", err
	}
	server := miniredis.NewMiniRedis()
	for _, port := range ports {
		if err = server.StartAddr(address(port)); err == nil {
			running, stop := context.WithCancel(context.Background())
			s.onStop(server.Close)
			s.onStop(stop)
			go func() { // miniredis does not expire keys by itself
				for begun := time.Now(); Pause(running, 100*time.Millisecond) == nil; begun = time.Now() {
					server.FastForward(time.Since(begun))
				}
			}()
			return "redis://" + address(port), nil
		}
	}
	return "", fmt.Errorf("start the built-in Redis: %w", err)
}

func awaitRedis(ctx context.Context, address string) error {
	options, err := redis.ParseURL(address)
	if err != nil {
		return advise("REDIS_URL is not an address like redis://host:6379.")
	}
	options.MaxRetries = -1
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	err = Await(ctx, 10*time.Second, func(ctx context.Context) error {
		reached, err := (&net.Dialer{}).DialContext(ctx, options.Network, options.Addr) // the driver logs each failed dial
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
