package feed_test

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

func TestMain(m *testing.M) {
	testkit.VerifyNoLeaks(m)
}

// A ledger is a projection in which mistakes are visible: an event that is applied twice adds a second row, and the
// rows have the order in which events were applied.
const ledgerTables = `-- +goose Up
CREATE TABLE entry (at bigint GENERATED ALWAYS AS IDENTITY, seq bigint NOT NULL, thing text NOT NULL);
GRANT ALL ON entry TO PUBLIC;
`

type ledger struct {
	db      *testkit.Database
	emptied atomic.Int32
	broken  atomic.Bool
}

func newLedger(t *testing.T) *ledger {
	t.Helper()
	tables := postgres.Set{Name: "ledger", Files: fstest.MapFS{"0001_ledger.sql": {Data: []byte(ledgerTables)}}}
	return &ledger{db: testkit.NewDatabase(t, feed.Migrations(), tables)}
}

var errBroken = errors.New("the ledger is closed")

func (l *ledger) projection() *feed.Projection {
	return &feed.Projection{Pool: l.db.Pool, Source: source,
		Apply: func(ctx context.Context, tx pgx.Tx, event outbox.Event) error {
			if _, err := tx.Exec(
				ctx, `INSERT INTO entry (seq, thing) VALUES ($1, $2)`, event.Seq, event.Subject.ID,
			); err != nil {
				return err
			}
			if l.broken.Load() {
				return errBroken
			}
			return nil
		},
		Empty: func(ctx context.Context, tx pgx.Tx) error {
			l.emptied.Add(1)
			_, err := tx.Exec(ctx, `DELETE FROM entry`)
			return err
		}}
}

// follow runs a follower of one more replica; stop ends it.
func (l *ledger) follow(t *testing.T, client *identity.Client, messages bus.Bus) (
	follower *feed.Follower, registry *prometheus.Registry, stop func(),
) {
	t.Helper()
	registry = prometheus.NewRegistry()
	follower = feed.NewFollower(source, client, messages, l.projection(), registry, slog.New(slog.DiscardHandler))
	return follower, registry, testkit.Background(t, follower.Run)
}

// await waits until the ledger holds events 1 to n, each once and in order.
func (l *ledger) await(t *testing.T, n int64) {
	t.Helper()
	var rows, last int64
	var ordered bool
	look := func() bool {
		err := l.db.Pool.QueryRow(
			context.Background(),
			`SELECT count(*), coalesce(max(seq), 0), coalesce(bool_and(seq = n), true)
			 FROM (SELECT seq, row_number() OVER (ORDER BY at) AS n FROM entry) e`,
		).Scan(&rows, &last, &ordered)
		return err == nil && rows == n && last == n
	}
	defer func() {
		if t.Failed() {
			t.Logf("%d entries, the last is %d, in order: %v", rows, last, ordered)
		}
	}()
	for !look() && last < n { // the nightly test has many more events, so the time limit is per step
		before := last
		testkit.Eventually(t, "the ledger holds "+strconv.FormatInt(n, 10)+" entries", func() bool {
			return look() || last > before
		})
	}
	testkit.Eventually(t, "the ledger holds "+strconv.FormatInt(n, 10)+" entries", look)
	if !ordered {
		t.Error("the entries are not in order")
	}
}

func sold(count int) []outbox.Change {
	changes := make([]outbox.Change, count)
	for i := range changes {
		changes[i] = outbox.Change{Type: "sold", Entity: "thing", EntityID: strconv.Itoa(i % 7)}
	}
	return changes
}
