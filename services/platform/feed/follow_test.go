package feed_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

const source = "shop"

// listener is a Sink that stores nothing: it begins at the source's head.
type listener struct {
	mu       sync.Mutex
	begun    []feed.Position
	received []int64
}

func (l *listener) Position(context.Context) (feed.Position, error) { return feed.Nowhere, nil }

func (l *listener) Deliver(_ context.Context, batch feed.Batch) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, event := range batch.Events {
		l.received = append(l.received, event.Seq)
	}
	return nil
}

func (l *listener) Restart(_ context.Context, head feed.Position) (feed.Position, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begun, l.received = append(l.begun, head), nil
	return head, nil
}

// state returns how often the listener has begun, its last beginning, and what it has received since.
func (l *listener) state() (begun int, at feed.Position, received []int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.begun) > 0 {
		at = l.begun[len(l.begun)-1]
	}
	return len(l.begun), at, append([]int64(nil), l.received...)
}

// listen starts a follower of a shop and waits until it has reached the shop's head.
func listen(t *testing.T, s shop, messages bus.Bus) *listener {
	t.Helper()
	l := &listener{}
	follower := feed.NewFollower(
		source, s.client, messages, l, prometheus.NewRegistry(), slog.New(slog.DiscardHandler),
	)
	inBackground(t, follower.Run)
	testkit.Eventually(t, "the listener has begun at the head", func() bool {
		begun, _, _ := l.state()
		return begun == 1
	})
	return l
}

// shop is a source: an outbox with its relay and its feed over HTTP.
type shop struct {
	db     *testkit.Database
	outbox *outbox.Outbox
	client *identity.Client
}

func openShop(t *testing.T, messages bus.Bus) shop {
	t.Helper()
	db := testkit.NewDatabase(t, outbox.Migrations())
	if err := outbox.EnsureStream(t.Context(), db.Pool, source); err != nil {
		t.Fatal(err)
	}
	o := outbox.New(source, db.Pool)
	relay := outbox.NewRelay(
		o, db.Pool, messages, testkit.Keys(source),
		prometheus.NewRegistry(), slog.New(slog.DiscardHandler),
	)
	inBackground(t, relay.Run)
	server := httptest.NewServer(o.Feed(db.Pool))
	t.Cleanup(server.Close)
	return shop{db: db, outbox: o, client: identity.NewClient(server.URL, testkit.Keys("reader"), source)}
}

func (s shop) sell(t *testing.T, count int) {
	t.Helper()
	err := s.outbox.InTx(t.Context(), func(tx pgx.Tx) error {
		for range count {
			if err := outbox.Append(t.Context(), tx, outbox.Change{Type: "sold", Entity: "thing", EntityID: "1"}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (s shop) head(t *testing.T) feed.Position {
	t.Helper()
	var head feed.Position
	if err := s.db.Pool.QueryRow(
		t.Context(), `SELECT epoch::text, head FROM stream_head`,
	).Scan(&head.Epoch, &head.Seq); err != nil {
		t.Fatal(err)
	}
	return head
}

func inBackground(t *testing.T, work func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = work(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
}

func TestASinkWithoutPositionBeginsAtTheHead(t *testing.T) {
	testkit.OnEachBus(t, func(t *testing.T, messages bus.Bus) {
		s := openShop(t, messages)
		s.sell(t, 3)
		testkit.Eventually(t, "the past is numbered", func() bool { return s.head(t).Seq == 3 })

		l := listen(t, s, messages)
		s.sell(t, 2)
		testkit.Eventually(t, "the two new ones are received", func() bool {
			_, _, received := l.state()
			return len(received) == 2
		})
		if _, at, received := l.state(); at.Seq != 3 || received[0] != 4 || received[1] != 5 {
			t.Errorf("began at %d and received %v, want 3 and [4 5]", at.Seq, received)
		}
	})
}

func TestASinkWithoutPositionBeginsANewEpochAtItsHead(t *testing.T) {
	redis := testkit.NewRedis(t)
	s := openShop(t, redis.Bus)
	l := listen(t, s, redis.Bus)
	s.sell(t, 4)
	testkit.Eventually(t, "four are received", func() bool {
		_, _, received := l.state()
		return len(received) == 4
	})

	if _, err := s.db.Owner(t).Exec(t.Context(), `UPDATE stream_head SET epoch = gen_random_uuid()`); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "the listener begins again", func() bool {
		begun, _, _ := l.state()
		return begun == 2
	})
	if _, at, _ := l.state(); at != s.head(t) {
		t.Errorf("began at %v, the head is %v", at, s.head(t))
	}
}

func TestAPageOfAnotherEpochHasTheHead(t *testing.T) {
	s := openShop(t, testkit.NewRedis(t).Bus)
	s.sell(t, 2)
	testkit.Eventually(t, "the past is numbered", func() bool { return s.head(t).Seq == 2 })
	page, err := feed.NewReader(s.client).Read(t.Context(), feed.Nowhere, 10)
	if err != feed.ErrEpoch || page.Head != 2 || len(page.Events) != 0 {
		t.Errorf("answered %+v, %v; want the head 2, no events and ErrEpoch", page, err)
	}
}
