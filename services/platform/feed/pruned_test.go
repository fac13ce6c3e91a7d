package feed_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

// pruneAll makes a source prune its events as if more than a year had passed: the newest event of each thing is left.
func pruneAll(t *testing.T, shop *testkit.Source) {
	t.Helper()
	if _, err := shop.DB.Owner(t).Exec(
		t.Context(), `UPDATE outbox SET created_at = created_at - interval '400 days'`,
	); err != nil {
		t.Fatal(err)
	}
	for {
		var n int64
		// On a busy machine a statement can exceed its time limit. It is then repeated, as in the retention job.
		err := postgres.AtStart(t.Context(), func(ctx context.Context) (err error) {
			n, err = shop.Outbox.Prune(ctx, time.Now().AddDate(0, 0, -366), "thing")
			return postgres.Classify(err)
		})
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
}

func sum(t *testing.T, registry *prometheus.Registry, name string) (total float64) {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			if family.GetName() == name {
				total += metric.GetCounter().GetValue()
			}
		}
	}
	return total
}

func (l *ledger) newest(t *testing.T) (things int) {
	t.Helper()
	if err := l.db.Pool.QueryRow(t.Context(), `SELECT count(DISTINCT thing) FROM entry`).Scan(&things); err != nil {
		t.Fatal(err)
	}
	return things
}

// A projection that begins after old events were pruned is built from the newest event of each thing, and then
// continues.
func TestAProjectionIsRebuiltFromAPrunedStream(t *testing.T) {
	redis := testkit.NewRedis(t)
	shop := testkit.NewSource(t, source, redis.Bus)
	shop.Publish(t, sold(1200)...)
	testkit.Eventually(t, "the past is numbered", func() bool { return shop.Head(t).Seq == 1200 })
	pruneAll(t, shop)

	l := newLedger(t)
	follower, registry, _ := l.follow(t, shop.Client("reader"), redis.Bus)
	testkit.Eventually(t, "the follower is at the head", func() bool {
		return follower.Position() == shop.Head(t)
	})
	if things := l.newest(t); things != 7 {
		t.Errorf("%d of 7 things are known", things)
	}
	if n := sum(t, registry, "baari_feed_pruned_total"); n != 1 {
		t.Errorf("it was said %v times that events are gone", n)
	}
	shop.Publish(t, sold(3)...)
	testkit.Eventually(t, "the new events are applied", func() bool {
		return follower.Position() == shop.Head(t)
	})
}

// A source whose events were all pruned is followed from its head.
func TestAProjectionSkipsAStreamThatWasPrunedEntirely(t *testing.T) {
	redis := testkit.NewRedis(t)
	shop := testkit.NewSource(t, source, redis.Bus)
	shop.Publish(t, outbox.Change{Type: "rung", Entity: "bell", EntityID: "1"}, outbox.Change{
		Type: "rung", Entity: "bell", EntityID: "2",
	})
	testkit.Eventually(t, "the past is numbered", func() bool { return shop.Head(t).Seq == 2 })
	pruneAll(t, shop)
	l := newLedger(t)
	follower, _, _ := l.follow(t, shop.Client("reader"), redis.Bus)
	testkit.Eventually(t, "the follower is at the head", func() bool {
		return follower.Position() == shop.Head(t)
	})
	shop.Publish(t, sold(1)...)
	testkit.Eventually(t, "the later events are applied", func() bool { return l.newest(t) == 1 })
}

type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// If a follower was stopped for longer than the source keeps events, it logs a warning and continues with what is left.
func TestAProjectionBehindThePrunedStreamLogsAWarning(t *testing.T) {
	redis := testkit.NewRedis(t)
	shop := testkit.NewSource(t, source, redis.Bus)
	l := newLedger(t)
	_, _, stop := l.follow(t, shop.Client("reader"), redis.Bus)
	shop.Publish(t, sold(10)...)
	l.await(t, 10)
	stop()
	shop.Publish(t, sold(30)...)
	testkit.Eventually(t, "the past is numbered", func() bool { return shop.Head(t).Seq == 40 })
	pruneAll(t, shop)

	var log lines
	follower := feed.NewFollower(
		source, shop.Client("reader"), redis.Bus, l.projection(), prometheus.NewRegistry(),
		slog.New(slog.NewTextHandler(&log, nil)),
	)
	testkit.Background(t, follower.Run)
	testkit.Eventually(t, "the follower is at the head", func() bool {
		return follower.Position() == shop.Head(t)
	})
	if !strings.Contains(log.String(), "events were pruned before they were applied") ||
		!strings.Contains(log.String(), "after=10 begins=41") {
		t.Errorf("the log is %s", log.String())
	}
	if l.emptied.Load() != 0 {
		t.Error("it forgot what it knew")
	}
}
