package bus_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"go.uber.org/goleak"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/testkit"
)

func TestMain(m *testing.M) { testkit.VerifyNoLeaks(m) }

func open(t *testing.T, url string) *bus.Redis {
	t.Helper()
	opened, err := bus.Open(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.Close() })
	return opened
}

// subscriber records the notices of a channel in the background until the test ends.
type subscriber struct {
	mu       sync.Mutex
	joined   int
	received []string
}

func listen(t *testing.T, messages bus.Bus) *subscriber {
	t.Helper()
	e := &subscriber{}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); messages.Subscribe(ctx, e.receive, "news") }()
	t.Cleanup(func() { cancel(); <-done })
	return e
}

func (e *subscriber) receive(notice bus.Notice) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if notice.Joined {
		e.joined++
		return
	}
	e.received = append(e.received, notice.Channel+":"+notice.Payload)
}

func (e *subscriber) state() (joined int, received string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.joined, strings.Join(e.received, " ")
}

func (e *subscriber) awaitJoined(t *testing.T, atLeast int) {
	t.Helper()
	testkit.Eventually(t, "the subscription is connected", func() bool {
		joined, _ := e.state()
		return joined >= atLeast
	})
}

// A subscription must not leave a goroutine of the driver behind if its queue is full when it ends. The test ends eight
// subscriptions, because a subscription may receive another message first, which makes room in its queue.
func TestSubscriptionsWithFullBuffersLeaveNoGoroutine(t *testing.T) {
	messages := open(t, testkit.NewRedis(t).URL)
	others := goleak.IgnoreCurrent()
	const count = 8
	var joined, ended sync.WaitGroup
	joined.Add(count)
	goOn := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	for range count {
		ended.Go(func() {
			var once sync.Once
			messages.Subscribe(ctx, func(bus.Notice) { once.Do(joined.Done); <-goOn }, "news")
		})
	}
	joined.Wait()
	if err := messages.Publish(t.Context(), "news", make([][]byte, 2000)...); err != nil {
		t.Fatal(err)
	}
	waiting := "[select]:\ngithub.com/redis/go-redis/v9.(*channel).initAllChan"
	testkit.Eventually(t, "the driver waits for room in all queues", func() bool {
		return strings.Count(stacks(), waiting) == count
	})
	cancel()
	close(goOn)
	ended.Wait()
	goleak.VerifyNone(t, others)
}

func stacks() string {
	buffer := make([]byte, 1<<20)
	return string(buffer[:runtime.Stack(buffer, true)])
}

func TestMessagesAreReceivedInOrder(t *testing.T) {
	testkit.OnEachBus(t, func(t *testing.T, messages bus.Bus) {
		one, other := listen(t, messages), listen(t, messages)
		one.awaitJoined(t, 1)
		other.awaitJoined(t, 1)
		err := messages.Publish(t.Context(), "news", []byte("a"), []byte("b"))
		err = errors.Join(err, messages.Publish(t.Context(), "weather", []byte("rain")),
			messages.Publish(t.Context(), "news", []byte("c")), messages.Available(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []*subscriber{one, other} {
			testkit.Eventually(t, "all three are received", func() bool {
				_, received := e.state()
				return received == "news:a news:b news:c"
			})
		}
	})
}

// Subscribers are notified of each new connection, because messages may have been lost before it.
func TestSubscribersAreNotifiedOfANewConnection(t *testing.T) {
	server := testkit.NewRedis(t)
	e := listen(t, open(t, server.URL))
	e.awaitJoined(t, 1)
	server.Stop()
	server.Start(t)
	e.awaitJoined(t, 2)
	if err := server.Client.Publish(t.Context(), "news", "after").Err(); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "the later message is received", func() bool {
		_, received := e.state()
		return received == "news:after"
	})
}

func TestASubscriptionConnectsWhenRedisStarts(t *testing.T) {
	server := testkit.NewRedis(t)
	server.Stop()
	e := listen(t, open(t, server.URL))
	server.Start(t)
	e.awaitJoined(t, 1)
}

func TestWithoutRedisACommandFailsFast(t *testing.T) {
	server := testkit.NewRedis(t)
	messages := open(t, server.URL)
	server.Stop()
	started := time.Now()
	if err := messages.Publish(t.Context(), "news", []byte("a")); err == nil {
		t.Error("published without a subscriber")
	}
	testkit.AtMost(t, "the error", time.Since(started), 500*time.Millisecond)
}

func TestTheErrorOfAnInvalidAddressDoesNotRepeatIt(t *testing.T) {
	for _, address := range []string{"redis://:hunter2@host:port", "http://:hunter2@host", "hunter2"} {
		if _, err := bus.Open(address); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v", err)
		}
	}
}

func TestThePoolExportsItsStatistics(t *testing.T) {
	over := open(t, testkit.NewRedis(t).URL)
	if err := over.Available(t.Context()); err != nil {
		t.Fatal(err)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(bus.NewCollector(over))
	const want = "# HELP baari_redis_pool_conns Connections of the pool by state.\n# TYPE baari_redis_pool_conns gauge\n" +
		"baari_redis_pool_conns{state=\"idle\"} 1\nbaari_redis_pool_conns{state=\"used\"} 0\n"
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want), "baari_redis_pool_conns"); err != nil {
		t.Error(err)
	}
}
