package feed_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/testkit"
)

// A new epoch has another history: the projection is emptied and built again.
func TestANewEpochIsProjectedFromItsBeginning(t *testing.T) {
	redis := testkit.NewRedis(t)
	shop := testkit.NewSource(t, source, redis.Bus)
	l := newLedger(t)
	follower, _, _ := l.follow(t, shop.Client("reader"), redis.Bus)
	shop.Publish(t, sold(600)...)
	l.await(t, 600)
	shop.BeginEpoch(t)
	testkit.Eventually(t, "the old past is forgotten", func() bool { return l.emptied.Load() == 1 })
	l.await(t, 600)
	shop.Publish(t, sold(5)...)
	l.await(t, 605)
	testkit.Eventually(t, "the follower has its position", func() bool {
		return follower.Position() == shop.Head(t)
	})
}

// The loss of a source's newest rows is detected, even in the same epoch.
func TestASourceWithASmallerHeadIsProjectedAgain(t *testing.T) {
	redis := testkit.NewRedis(t)
	shop := testkit.NewSource(t, source, redis.Bus)
	l := newLedger(t)
	l.follow(t, shop.Client("reader"), redis.Bus)
	shop.Publish(t, sold(10)...)
	l.await(t, 10)
	if _, err := shop.DB.Owner(t).Exec(
		t.Context(), `WITH lost AS (DELETE FROM outbox WHERE seq > 4) UPDATE stream_head SET head = 4`,
	); err != nil {
		t.Fatal(err)
	}
	l.await(t, 4)
	shop.Publish(t, sold(2)...)
	l.await(t, 6)
}

// Each event takes effect once although a projection has two replicas.
func TestTwoReplicasOfAProjection(t *testing.T) {
	redis := testkit.NewRedis(t)
	shop := testkit.NewSource(t, source, redis.Bus)
	l := newLedger(t)
	one, _, _ := l.follow(t, shop.Client("reader"), redis.Bus)
	two, _, _ := l.follow(t, shop.Client("reader"), redis.Bus)
	const sales = 150
	for range sales {
		shop.Publish(t, sold(1)...)
	}
	l.await(t, sales)
	shop.BeginEpoch(t)
	shop.Publish(t, sold(1)...)
	l.await(t, sales+1)
	for name, follower := range map[string]*feed.Follower{"one": one, "two": two} {
		testkit.Eventually(t, name+" is at the head", func() bool {
			return follower.Position() == shop.Head(t)
		})
	}
	l.await(t, sales+1)
}

// When the second replica restarts in a new epoch, it keeps what the first has projected of that epoch.
func TestReplicasBeginOneEpoch(t *testing.T) {
	l := newLedger(t)
	p := l.projection()
	deliver := func(epoch string, from, to int64) {
		if err := p.Deliver(t.Context(), feed.Following(events(epoch, from, to)...)); err != nil {
			t.Fatal(err)
		}
	}
	restart := func(epoch string, head int64) feed.Position {
		at, err := p.Restart(t.Context(), feed.Position{Epoch: epoch, Seq: head})
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	deliver("one", 1, 9)
	if at := restart("two", 7); at != (feed.Position{Epoch: "two"}) {
		t.Errorf("the first began at %v", at)
	}
	deliver("two", 1, 3)
	if at := restart("two", 7); at != (feed.Position{Epoch: "two", Seq: 3}) || l.emptied.Load() != 1 {
		t.Errorf("the second began at %v, emptied %d times", at, l.emptied.Load())
	}
	l.await(t, 3)
	if at := restart("two", 2); at != (feed.Position{Epoch: "two"}) || l.emptied.Load() != 2 {
		t.Errorf("a source that lost events began at %v, emptied %d times", at, l.emptied.Load())
	}
}

// Tables that were emptied together with their cursor are rebuilt at the next event.
func TestEmptiedTablesAreRebuilt(t *testing.T) {
	redis := testkit.NewRedis(t)
	shop := testkit.NewSource(t, source, redis.Bus)
	l := newLedger(t)
	l.follow(t, shop.Client("reader"), redis.Bus)
	shop.Publish(t, sold(20)...)
	l.await(t, 20)
	if _, err := l.db.Owner(t).Exec(t.Context(), `TRUNCATE entry, feed_cursor`); err != nil {
		t.Fatal(err)
	}
	shop.Publish(t, sold(1)...)
	l.await(t, 21)
}

// Events that a rebuild applies again do not count as lag. New events count, also after an outage.
func TestARebuildDoesNotCountAsLag(t *testing.T) {
	redis := testkit.NewRedis(t)
	shop := testkit.NewSource(t, source, redis.Bus)
	shop.Publish(t, sold(20)...)
	testkit.Eventually(t, "the events are numbered", func() bool { return shop.Head(t).Seq == 20 })
	l := newLedger(t)
	follower, registry, stop := l.follow(t, shop.Client("reader"), redis.Bus)
	lags := func(name string, want uint64) {
		t.Helper()
		testkit.Eventually(t, name, func() bool {
			return follower.Position() == shop.Head(t) && counted(t, registry) >= want
		})
		if got := counted(t, registry); got != want {
			t.Errorf("%s: %d lags, want %d", name, got, want)
		}
	}
	l.await(t, 20)
	lags("a projection that is new", 0)
	shop.Publish(t, sold(3)...)
	l.await(t, 23)
	lags("what happens from then on", 3)
	shop.BeginEpoch(t)
	testkit.Eventually(t, "the old past is forgotten", func() bool { return l.emptied.Load() == 1 })
	l.await(t, 23)
	lags("a new epoch", 3)
	if _, err := l.db.Owner(t).Exec(t.Context(), `TRUNCATE entry, feed_cursor`); err != nil {
		t.Fatal(err)
	}
	shop.Publish(t, sold(1)...)
	l.await(t, 24)
	shop.Publish(t, sold(2)...)
	l.await(t, 26)
	testkit.Eventually(t, "events after the tables were emptied count", func() bool {
		return counted(t, registry) >= 5
	})
	if got := counted(t, registry); got > 6 { // 5, or 6 with the event that reveals the empty tables
		t.Errorf("%d lags of six new events", got)
	}
	stop()
	shop.Publish(t, sold(4)...)
	follower, registry, _ = l.follow(t, shop.Client("reader"), redis.Bus)
	l.await(t, 30)
	lags("what has waited for a follower", 4)
}

func counted(t *testing.T, registry *prometheus.Registry) uint64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == "baari_event_lag_seconds" {
			return family.GetMetric()[0].GetHistogram().GetSampleCount()
		}
	}
	t.Fatal("no lags are exported")
	return 0
}

// A response is delayed until the projection has reached the requested position, for at most a second.
func TestAwaitBlocksUntilThePosition(t *testing.T) {
	redis := testkit.NewRedis(t)
	shop := testkit.NewSource(t, source, redis.Bus)
	l := newLedger(t)
	follower, _, _ := l.follow(t, shop.Client("reader"), redis.Bus)
	shop.Publish(t, sold(1)...)
	l.await(t, 1)
	head := shop.Head(t)
	testkit.Eventually(t, "the follower is at the head", func() bool { return follower.Position() == head })
	next := feed.Position{Epoch: head.Epoch, Seq: head.Seq + 1}
	set := feed.Set{source: follower}

	for name, c := range map[string]struct {
		min      string
		at, most time.Duration
	}{
		"nothing asked":      {"", 0, 500 * time.Millisecond},
		"reached":            {head.Header(source), 0, 500 * time.Millisecond},
		"another epoch":      {feed.Position{Epoch: "old", Seq: 99}.Header(source), 0, 500 * time.Millisecond},
		"another source":     {next.Header("other"), 0, 500 * time.Millisecond},
		"malformed":          {"shop", 0, 500 * time.Millisecond},
		"not reached":        {next.Header(source), time.Second, 3 * time.Second},
		"one of two reached": {head.Header("other") + ";" + next.Header(source), time.Second, 3 * time.Second},
	} {
		started := time.Now()
		set.Await(t.Context(), http.Header{feed.HeaderMin: {c.min}})
		took := time.Since(started)
		if took < c.at {
			t.Errorf("%s: held back %v, want %v", name, took, c.at)
		}
		testkit.AtMost(t, name, took, c.most)
	}

	usual := feed.WaitLimit
	feed.WaitLimit = time.Minute
	t.Cleanup(func() { feed.WaitLimit = usual })
	reached := make(chan feed.Position)
	go func() {
		set.Await(context.Background(), http.Header{feed.HeaderMin: {next.Header(source)}})
		reached <- follower.Position()
	}()
	shop.Publish(t, sold(1)...)
	if at := <-reached; at != next {
		t.Errorf("answered at %v, want %v", at, next)
	}
}
