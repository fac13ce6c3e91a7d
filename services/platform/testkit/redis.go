package testkit

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/testkit/port"
)

// Redis is a Redis server for one test, on its own port, so that the test can stop, flush and start it.
type Redis struct {
	URL    string
	Client redis.UniversalClient
	Bus    bus.Bus // uses Client

	port int
	cmd  *exec.Cmd
}

// NewRedis starts a server, which ends with the test.
func NewRedis(t testing.TB) *Redis {
	t.Helper()
	port := port.Free(t)
	r := &Redis{URL: fmt.Sprintf("redis://127.0.0.1:%d", port), port: port}
	r.Client = redis.NewClient(&redis.Options{Addr: fmt.Sprintf("127.0.0.1:%d", port)})
	r.Bus = &bus.Redis{Client: r.Client}
	t.Cleanup(func() {
		_ = r.Client.Close()
		r.Stop()
	})
	r.Start(t)
	return r
}

// Start starts an empty server on the same port as before.
func (r *Redis) Start(t testing.TB) {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatal("redis-server is not installed: run `go run ./tools/baari test go`, which installs it")
	}
	r.cmd = exec.Command(path, "--port", strconv.Itoa(r.port), "--bind", "127.0.0.1",
		"--save", "", "--appendonly", "no", "--dir", t.TempDir())
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	Eventually(t, "Redis answers", func() bool {
		return r.Client.Ping(context.Background()).Err() == nil
	})
}

// Stop kills the server, as a crash would.
func (r *Redis) Stop() {
	if r.cmd == nil {
		return
	}
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
	r.cmd = nil
}

// Hang makes the server unresponsive while its connections stay open, until the test ends.
func (r *Redis) Hang(t testing.TB) {
	t.Helper()
	if err := r.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
}

// OnEachBus runs a test with both implementations of bus.Bus.
func OnEachBus(t *testing.T, run func(*testing.T, bus.Bus)) {
	t.Run("redis", func(t *testing.T) { run(t, NewRedis(t).Bus) })
	t.Run("local", func(t *testing.T) { run(t, &bus.Local{}) })
}
