package feed_test

import (
	"encoding/json"
	"testing"
	"time"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/wire"
)

// forged returns the message of an event that the source has not published. The event claims to be the next one after a
// position.
func forged(t *testing.T, after feed.Position) []byte {
	t.Helper()
	message, err := json.Marshal(outbox.Event{
		ID: "1", Source: source, Epoch: after.Epoch, Seq: after.Seq + 1, Type: "sold", Time: wire.Time(time.Now()),
		Subject: outbox.Subject{Entity: "thing", ID: "false"}, Version: 1,
		Before: []byte("null"), After: []byte("null"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return message
}

// Any client of Redis can publish on the channel of a source. A message that the source has not signed is not applied;
// the source's own event with the same number is applied.
func TestAMessageThatItsSourceHasNotSignedIsNoEvent(t *testing.T) {
	channel := outbox.Channel(source)
	for what, message := range map[string]func(event []byte) []byte{
		"without a signature": func(event []byte) []byte { return event },
		"signed by another service": func(event []byte) []byte {
			return outbox.Signed(testkit.Keys("till"), channel, event)
		},
		"signed for another channel": func(event []byte) []byte {
			return outbox.Signed(testkit.Keys(source), "other", event)
		},
		"with another event's signature": func(event []byte) []byte {
			signed := outbox.Signed(testkit.Keys(source), channel, []byte(`{"a":1}`))
			return append(signed[:len(signed)-len(`"a":1}`)], event[1:]...)
		},
		"no JSON": func([]byte) []byte { return []byte(`{"signature":"`) },
	} {
		t.Run(what, func(t *testing.T) {
			redis := testkit.NewRedis(t)
			shop := testkit.NewSource(t, source, redis.Bus)
			shop.Publish(t, sold(1)...)
			ledger := newLedger(t)
			ledger.follow(t, shop.Client("reader"), redis.Bus)
			ledger.await(t, 1)

			forgery := message(forged(t, shop.Head(t)))
			if err := redis.Client.Publish(t.Context(), channel, forgery).Err(); err != nil {
				t.Fatal(err)
			}
			shop.Publish(t, sold(1)...)
			ledger.await(t, 2)
			var found int
			const count = `SELECT count(*) FROM entry WHERE thing = 'false'`
			if err := ledger.db.Pool.QueryRow(t.Context(), count).Scan(&found); err != nil || found != 0 {
				t.Errorf("%d false entries, %v", found, err)
			}
		})
	}
}

// A replica of the previous release does not sign. Its messages make a follower read the feed.
func TestAMessageWithoutASignatureIsAHint(t *testing.T) {
	redis := testkit.NewRedis(t)
	s := openShop(t, redis.Bus)
	l := listen(t, s, redis.Bus)
	if err := redis.Client.Publish(t.Context(), outbox.Channel(source), forged(t, s.head(t))).Err(); err != nil {
		t.Fatal(err)
	}
	s.sell(t, 1)
	testkit.Eventually(t, "the sale is received", func() bool {
		_, _, received := l.state()
		return len(received) == 1
	})
}
