package feed_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

func events(epoch string, from, to int64) []outbox.Event {
	var all []outbox.Event
	for seq := from; seq <= to; seq++ {
		all = append(all, outbox.Event{Source: source, Epoch: epoch, Seq: seq, Type: "sold"})
	}
	return all
}

// A delivery that fails half-way changes neither tables nor position. A batch that does not follow the position is
// rejected.
func TestTheCursorMovesInTheTransactionOfTheEffect(t *testing.T) {
	db := testkit.NewDatabase(t, feed.Migrations())
	broken := errors.New("broken")
	var deliveries [][]outbox.Event
	fail := false
	p := &feed.Projection{Pool: db.Pool, Source: source,
		ApplyAll: func(_ context.Context, _ pgx.Tx, events []outbox.Event) error {
			if fail {
				return broken
			}
			deliveries = append(deliveries, events)
			return nil
		},
		Empty: func(context.Context, pgx.Tx) error { return nil },
	}
	if err := p.Deliver(t.Context(), feed.Following(events("one", 1, 500)...)); err != nil {
		t.Fatal(err)
	}
	fail = true
	if err := p.Deliver(t.Context(), feed.Following(events("one", 501, 600)...)); !errors.Is(err, broken) {
		t.Fatalf("a broken delivery answered %v", err)
	}
	fail = false
	for _, gap := range [][]outbox.Event{events("one", 502, 503), events("one", 500, 501), events("two", 501, 502)} {
		if err := p.Deliver(t.Context(), feed.Following(gap...)); !errors.Is(err, feed.ErrMoved) {
			t.Fatalf("events %s:%d after one:500 answered %v", gap[0].Epoch, gap[0].Seq, err)
		}
	}
	if at, err := p.Position(t.Context()); err != nil || at != (feed.Position{Epoch: "one", Seq: 500}) {
		t.Fatalf("the position is %v, %v", at, err)
	}
	if len(deliveries) != 1 || len(deliveries[0]) != 500 {
		t.Fatalf("%d deliveries were applied", len(deliveries))
	}
	if at, err := p.Restart(t.Context(), feed.Position{
		Epoch: "two", Seq: 7,
	}); err != nil || at != (feed.Position{Epoch: "two"}) {
		t.Fatalf("a new epoch begins at %v, %v", at, err)
	}
}

func TestThePositionBeforeTheFirstReadHasNoEpoch(t *testing.T) {
	if header := (feed.Position{}).Header("shop"); header != "shop=none:0" {
		t.Fatal(header)
	}
	if header := (feed.Position{Epoch: "e", Seq: 3}).Header("shop"); header != "shop=e:3" {
		t.Fatal(header)
	}
}

func TestReachedComparesPositionsOfOneEpoch(t *testing.T) {
	for _, c := range []struct {
		at, min feed.Position
		reached bool
	}{
		{feed.Position{Epoch: "e", Seq: 3}, feed.Position{Epoch: "e", Seq: 3}, true},
		{feed.Position{Epoch: "e", Seq: 2}, feed.Position{Epoch: "e", Seq: 3}, false},
		{feed.Position{Epoch: "f", Seq: 2}, feed.Position{Epoch: "e", Seq: 3}, true},
		{feed.Position{}, feed.Position{Epoch: "e", Seq: 1}, false},
		{feed.Nowhere, feed.Position{Epoch: "e", Seq: 1}, false},
		{feed.Position{}, feed.Position{Epoch: "e"}, true},
	} {
		if c.at.Reached(c.min) != c.reached {
			t.Errorf("%v has reached %v: %v", c.at, c.min, !c.reached)
		}
	}
}
