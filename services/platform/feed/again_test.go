package feed_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// Reread applies the newest version of each subject of an entity, also one behind the position, in order and without a
// change of the position. In a new epoch that is not applied yet, it applies none.
func TestEventsAboutAnEntityAreAppliedAgain(t *testing.T) {
	shop := testkit.NewSource(t, source, testkit.NewRedis(t).Bus)
	db := testkit.NewDatabase(t, feed.Migrations())
	var applied []int64
	p := &feed.Projection{
		Pool: db.Pool, Source: source,
		Apply: func(_ context.Context, _ pgx.Tx, event outbox.Event) error {
			applied = append(applied, event.Version)
			return nil
		},
		Empty: func(context.Context, pgx.Tx) error { return nil },
	}
	price := func(id string, version int64) outbox.Change {
		return outbox.Change{Type: "priced", Entity: "price", EntityID: id, Version: version, After: version}
	}
	shop.Publish(t, append(sold(outbox.MaxPage), price("1", 1), price("1", 3))...)
	shop.Publish(t, append(sold(2), price("2", 1), price("1", 2))...)
	testkit.Eventually(t, "the events are numbered", func() bool { return shop.Head(t).Seq == outbox.MaxPage+6 })
	reader := feed.NewReader(shop.Client("reader"))
	reread := func(want int) {
		t.Helper()
		applied = nil
		if err := p.Reread(t.Context(), reader, "price"); err != nil || len(applied) != want {
			t.Errorf("%v are applied again, want %d: %v", applied, want, err)
		}
	}
	reread(0) // no event was applied yet
	at, err := p.Restart(t.Context(), shop.Head(t))
	if err != nil {
		t.Fatal(err)
	}
	reread(2)
	if len(applied) == 2 && (applied[0] != 3 || applied[1] != 1) {
		t.Errorf("applied again in the order %v", applied)
	}
	if now, err := p.Position(t.Context()); err != nil || now != at {
		t.Errorf("the position is %v, was %v: %v", now, at, err)
	}
	shop.BeginEpoch(t)
	reread(0)
}
