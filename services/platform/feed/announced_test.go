package feed_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/testkit"
)

// Each follower by itself would read it four times in two seconds.
func TestAFollowerAtTheAnnouncedHeadDoesNotReadTheFeed(t *testing.T) {
	redis := testkit.NewRedis(t)
	s := openShop(t, redis.Bus)
	var reads atomic.Int64
	events := s.outbox.Feed(s.db.Pool)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reads.Add(1)
		events(w, r)
	}))
	t.Cleanup(server.Close)
	l := &listener{}
	follower := feed.NewFollower(source, identity.NewClient(server.URL, testkit.Keys("reader"), source), redis.Bus, l,
		prometheus.NewRegistry(), slog.New(slog.DiscardHandler))
	inBackground(t, follower.Run)
	duringTwoSeconds := func() int64 {
		time.Sleep(time.Second)
		before := reads.Load()
		time.Sleep(2 * time.Second)
		return reads.Load() - before
	}
	testkit.Eventually(t, "the feed is not read", func() bool { return duringTwoSeconds() == 0 })
	s.sell(t, 3)
	testkit.Eventually(t, "what is sold is received", func() bool {
		_, _, received := l.state()
		return len(received) == 3
	})
	redis.Stop()
	testkit.Eventually(t, "without Redis it is read", func() bool { return duringTwoSeconds() > 2 })
}
