package bus_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/testkit/port"
)

// server runs a Redis server with the given settings until the test ends, and returns its port.
func server(t *testing.T, args ...string) string {
	t.Helper()
	port := fmt.Sprint(port.Free(t))
	cmd := exec.Command(
		"redis-server", append(args, "--port", port, "--bind", "127.0.0.1", "--dir", t.TempDir(), "--save", "")...,
	)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	testkit.Eventually(t, "Redis listens", func() bool {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err != nil {
			return false
		}
		return conn.Close() == nil
	})
	return port
}

func receives(t *testing.T, over *bus.Redis) {
	t.Helper()
	e := listen(t, over)
	testkit.Eventually(t, "the subscription is connected", func() bool {
		joined, _ := e.state()
		return joined > 0
	})
	testkit.Eventually(t, "a message is received", func() bool {
		_, received := e.state()
		return over.Publish(t.Context(), "news", []byte("hello")) == nil && received != ""
	})
	if err := over.Client.Set(t.Context(), "rate:{someone}", "1", time.Minute).Err(); err != nil {
		t.Error(err)
	}
}

func TestRedisBehindSentinels(t *testing.T) {
	master := server(t, "--requirepass", "secret")
	file := filepath.Join(t.TempDir(), "sentinel.conf")
	settings := fmt.Sprintf("sentinel monitor baari 127.0.0.1 %s 1\nsentinel auth-pass baari secret\n", master)
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	watcher := server(t, file, "--sentinel")
	receives(t, open(t, "redis://127.0.0.1:"+watcher+"?master_name=baari&password=secret"))
}

func TestRedisAsACluster(t *testing.T) {
	// The default port of the cluster bus, the client port plus 10,000, may be in use by an outgoing connection.
	node := server(t, "--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1",
		"--cluster-port", fmt.Sprint(port.Free(t)))
	direct := open(t, "redis://127.0.0.1:"+node)
	if err := direct.Client.Do(t.Context(), "CLUSTER", "ADDSLOTSRANGE", 0, 16383).Err(); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "the cluster is whole", func() bool {
		return direct.Client.Set(t.Context(), "a", "b", 0).Err() == nil
	})
	over := open(t, "redis://127.0.0.1:"+node+"?addr=127.0.0.1:"+node)
	if _, ok := over.Client.(*redis.ClusterClient); !ok {
		t.Errorf("a %T", over.Client)
	}
	receives(t, over)
	if bus.Check("redis://:hunter2@host?addr=b&nothing=1") == nil {
		t.Error("an unknown setting is accepted")
	}
}
