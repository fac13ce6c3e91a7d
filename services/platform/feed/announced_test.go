package feed_test

import (
	"fmt"
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

// A follower at the announced head does not read the feed; otherwise it would read the feed four times in two seconds.
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

// A client of Redis can publish an announcement of a source again. This does not stop followers from reading the feed:
// an announcement is used only if it is newer than all earlier ones.
func TestAnAnnouncementThatIsReplayedIsIgnored(t *testing.T) {
	var a feed.Announced
	announce := func(read, head int64) {
		a.Set(fmt.Appendf(nil, `{"epoch":"e","read":%d,"head":%d}`, read, head))
	}
	at := func(head int64) bool { return a.At(feed.Position{Epoch: "e", Seq: head}) }
	announce(20, 5)
	for _, replayed := range []int64{10, 20} {
		if announce(replayed, 4); at(4) || !at(5) {
			t.Errorf("after an announcement of %d the one of %d counts", 20, replayed)
		}
	}
	if a.Set([]byte(`{"epoch":"e","head":4}`)); at(4) {
		t.Error("an announcement without its time counts")
	}
	if announce(21, 6); !at(6) {
		t.Error("a new announcement does not count")
	}
}
