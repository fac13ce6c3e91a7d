package feed_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// mischief forwards a source's messages from one Redis to another, and drops, repeats, reorders and replaces some.
func mischief(t *testing.T, from, to *testkit.Redis) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	subscription := from.Client.Subscribe(t.Context(), outbox.Channel(source))
	t.Cleanup(func() { _ = subscription.Close() })
	if _, err := subscription.Receive(t.Context()); err != nil {
		t.Fatal(err)
	}
	messages := subscription.Channel(redis.WithChannelSize(10_000))
	testkit.Background(t, func(ctx context.Context) error {
		random, kept := rand.New(rand.NewPCG(seed, 0)), ""
		say := func(payload string) { to.Client.Publish(ctx, outbox.Channel(source), payload) }
		for {
			select {
			case <-ctx.Done():
				return nil
			case message := <-messages:
				switch random.IntN(5) {
				case 0: // lost
				case 1:
					say(message.Payload)
					say(message.Payload)
				case 2:
					kept = message.Payload
				case 3:
					say("no event at all")
				default:
					say(message.Payload)
					if kept != "" {
						say(kept)
						kept = ""
					}
				}
			}
		}
	})
}

func TestEventsAreAppliedInOrderWhenMessagesAreDroppedRepeatedAndReordered(t *testing.T) {
	honest, other := testkit.NewRedis(t), testkit.NewRedis(t)
	shop := testkit.NewSource(t, source, honest.Bus)
	l := newLedger(t)
	mischief(t, honest, other)
	l.follow(t, shop.Client("reader"), other.Bus)
	const sales = 300
	for range sales {
		shop.Publish(t, sold(1)...)
	}
	l.await(t, sales)
}

func TestEventsArriveAfterRedisRestartsEmpty(t *testing.T) {
	redis := testkit.NewRedis(t)
	shop := testkit.NewSource(t, source, redis.Bus)
	l := newLedger(t)
	l.follow(t, shop.Client("reader"), redis.Bus)
	var total int64
	for range 2 {
		shop.Publish(t, sold(20)...)
		redis.Stop()
		shop.Publish(t, sold(20)...)
		total += 40
		l.await(t, total)
		redis.Start(t)
		shop.Publish(t, sold(20)...)
		total += 20
		l.await(t, total)
	}
}

// The loss of the last message leaves no gap; the periodic read of the feed detects it.
func TestTheLossOfTheLastMessageIsRepaired(t *testing.T) {
	elsewhere, redis := testkit.NewRedis(t), testkit.NewRedis(t)
	shop := testkit.NewSource(t, source, elsewhere.Bus)
	l := newLedger(t)
	_, registry, _ := l.follow(t, shop.Client("reader"), redis.Bus)
	testkit.Eventually(t, "the follower listens", func() bool {
		return redis.Client.PubSubNumSub(t.Context(), outbox.Channel(source)).Val()[outbox.Channel(source)] == 1
	})
	// Another read of the feed, such as the first one, may find a sale before a periodic read does. So the test makes
	// one sale after another until a periodic read has found one.
	sales := int64(0)
	testkit.Eventually(t, "a periodic read found one", func() bool {
		started := time.Now()
		shop.Publish(t, sold(1)...)
		sales++
		l.await(t, sales)
		testkit.AtMost(t, "finding it", time.Since(started), 3*time.Second)
		return repairs(t, registry)["head"] > 0
	})
}

func repairs(t *testing.T, registry *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]float64{}
	for _, family := range families {
		if family.GetName() != "baari_feed_repairs_total" {
			continue
		}
		for _, metric := range family.GetMetric() {
			for _, label := range metric.GetLabel() {
				if label.GetName() == "reason" {
					counts[label.GetValue()] = metric.GetCounter().GetValue()
				}
			}
		}
	}
	return counts
}

func TestRepairsAreCountedFromZero(t *testing.T) {
	redis := testkit.NewRedis(t)
	shop := testkit.NewSource(t, source, redis.Bus)
	_, registry, _ := newLedger(t).follow(t, shop.Client("reader"), redis.Bus)
	if counts := repairs(t, registry); len(counts) != 3 || counts["gap"]+counts["head"]+counts["reconnect"] != 0 {
		t.Errorf("the counters are %v", counts)
	}
}

func TestARestartedFollowerCatchesUp(t *testing.T) {
	testkit.OnEachBus(t, func(t *testing.T, messages bus.Bus) {
		shop := testkit.NewSource(t, source, messages)
		l := newLedger(t)
		_, _, stop := l.follow(t, shop.Client("reader"), messages)
		shop.Publish(t, sold(10)...)
		l.await(t, 10)
		stop()
		shop.Publish(t, sold(10_000)...)
		l.follow(t, shop.Client("reader"), messages)
		l.await(t, 10_010)
	})
}

func TestAFailedDeliveryIsRetried(t *testing.T) {
	redis := testkit.NewRedis(t)
	shop := testkit.NewSource(t, source, redis.Bus)
	l := newLedger(t)
	follower, _, _ := l.follow(t, shop.Client("reader"), redis.Bus)
	shop.Publish(t, sold(3)...)
	l.await(t, 3)
	l.broken.Store(true)
	shop.Publish(t, sold(3)...)
	testkit.Eventually(t, "the source is ahead", func() bool { return shop.Head(t).Seq == 6 })
	l.await(t, 3)
	if at := follower.Position().Seq; at != 3 {
		t.Errorf("the follower says it is at %d", at)
	}
	l.broken.Store(false)
	l.await(t, 6)
}
