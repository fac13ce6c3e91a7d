package outbox_test

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

func TestMain(m *testing.M) { testkit.VerifyNoLeaks(m) }

const source = "shop"

// shop is a service with an outbox. Its events are about things, which have versions.
type shop struct {
	*outbox.Outbox
	db    *testkit.Database
	redis *testkit.Redis // nil if the test has another bus
	bus   bus.Bus
}

// open returns a shop whose relays publish on a Redis of its own.
func open(t *testing.T) shop {
	t.Helper()
	server := testkit.NewRedis(t)
	s := openOn(t, server.Bus)
	s.redis = server
	return s
}

func openOn(t *testing.T, messages bus.Bus) shop {
	t.Helper()
	db := testkit.NewDatabase(t, outbox.Migrations())
	owner := db.Owner(t)
	if _, err := owner.Exec(
		t.Context(),
		`CREATE TABLE thing (id integer PRIMARY KEY, version bigint NOT NULL);
		 GRANT ALL ON thing TO PUBLIC;
		 INSERT INTO thing SELECT n, 0 FROM generate_series(1, 10) n`,
	); err != nil {
		t.Fatal(err)
	}
	if err := outbox.EnsureStream(t.Context(), db.Pool, source); err != nil {
		t.Fatal(err)
	}
	return shop{Outbox: outbox.New(source, db.Pool), db: db, bus: messages}
}

// relay creates the relay of one more replica, with an outbox of its own.
func (s shop) relay(t *testing.T) *outbox.Relay {
	t.Helper()
	pool, err := postgres.OpenRelay(t.Context(), s.db.URL, s.db.Settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return outbox.NewRelay(
		outbox.New(source, s.db.Pool), pool, s.bus, testkit.Keys(source),
		prometheus.NewRegistry(), slog.New(slog.DiscardHandler),
	)
}

// bump changes a thing and appends its event; if fail is not nil, the transaction is rolled back.
func bump(ctx context.Context, tx pgx.Tx, id int, fail error) error {
	var version int64
	if err := tx.QueryRow(
		ctx, `UPDATE thing SET version = version + 1 WHERE id = $1 RETURNING version`, id,
	).Scan(&version); err != nil {
		return err
	}
	if err := outbox.Append(ctx, tx, outbox.Change{
		Type: "thing_changed", Entity: "thing", EntityID: string(rune('a' + id)), Version: version,
		After: map[string]int64{"version": version},
	}); err != nil {
		return err
	}
	return fail
}

func (s shop) sell(t *testing.T, o *outbox.Outbox, count int) {
	t.Helper()
	for range count {
		if err := o.InTx(t.Context(), func(tx pgx.Tx) error {
			return bump(t.Context(), tx, 1+rand.IntN(10), nil)
		}); err != nil {
			t.Fatal(err)
		}
	}
}

func (s shop) head(t *testing.T) (epoch string, head int64) {
	t.Helper()
	var begins int64
	if err := s.db.Pool.QueryRow(t.Context(), outbox.ReadHead, source).Scan(&epoch, &head, &begins); err != nil {
		t.Fatal(err)
	}
	return epoch, head
}

func (s shop) awaitHead(t *testing.T, want int64) {
	t.Helper()
	testkit.Eventually(t, "everything is numbered", func() bool { _, head := s.head(t); return head == want })
}

// listen subscribes to a channel and waits until the subscription is connected.
func (s shop) listen(t *testing.T, channel string) <-chan bus.Notice {
	t.Helper()
	joined, messages := make(chan struct{}, 1), make(chan bus.Notice, 10_000)
	testkit.Background(t, func(ctx context.Context) error {
		s.bus.Subscribe(ctx, func(notice bus.Notice) {
			if notice.Joined {
				select {
				case joined <- struct{}{}:
				default:
				}
				return
			}
			messages <- notice
		}, channel)
		return nil
	})
	testkit.Receive(t, "the subscription is connected", joined)
	return messages
}
