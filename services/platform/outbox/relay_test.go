package outbox_test

import (
	"context"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

func receive(t *testing.T, messages <-chan bus.Notice) outbox.Event {
	t.Helper()
	message := testkit.Receive(t, "an event is published", messages)
	var event outbox.Event
	if err := json.Unmarshal([]byte(message.Payload), &event); err != nil {
		t.Fatal(err)
	}
	return event
}

func TestEventsArePublishedInOrder(t *testing.T) {
	testkit.OnEachBus(t, func(t *testing.T, on bus.Bus) {
		s := openOn(t, on)
		messages := s.listen(t, outbox.Channel(source))
		relay := s.relay(t)
		testkit.Background(t, relay.Run)
		s.sell(t, relay.Outbox(), 20)
		epoch, _ := s.head(t)
		for want := range int64(20) {
			got := receive(t, messages)
			if got.Seq != want+1 || got.Epoch != epoch || got.Source != source || got.Type != "thing_changed" {
				t.Fatalf("event %d came as %+v", want+1, got)
			}
		}
		if got := testutil.ToFloat64(relay.Head()); got != 20 {
			t.Errorf("the gauge says %v", got)
		}
	})
}

// A writer wakes the relay of its process after commit, so that publishing need not wait for the next poll.
func TestACommitWakesTheRelay(t *testing.T) {
	s := open(t)
	messages := s.listen(t, outbox.Channel(source))
	relay := s.relay(t)
	testkit.Background(t, relay.Run)
	s.sell(t, relay.Outbox(), 1)
	receive(t, messages)
	started := time.Now()
	const sales = 40
	for range sales {
		s.sell(t, relay.Outbox(), 1)
		receive(t, messages)
	}
	testkit.AtMost(t, "each sale of a row, which does not wait for the relay's next look,",
		time.Since(started)/sales, outbox.RelayEvery/2)
}

// An empty message wakes the relay of another replica, which may have read before the commit.
func TestACommitWakesTheRelayOfAnotherReplica(t *testing.T) {
	s := open(t)
	calls := s.listen(t, outbox.WakeChannel(source))
	holder, err := s.db.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = holder.Rollback(context.Background()) }()
	var held, same bool
	if err := holder.QueryRow(t.Context(), outbox.LockRelay, source).Scan(&held, &same); err != nil || !held {
		t.Fatalf("the lock is held: %v, %v", held, err)
	}
	relay := s.relay(t)
	testkit.Background(t, relay.Run)
	s.sell(t, relay.Outbox(), 1)
	if call := testkit.Receive(t, "a relay is woken", calls); call.Payload != "" {
		t.Errorf("the message says %q", call.Payload)
	}
	select {
	case <-calls:
		t.Error("the call was answered by a call")
	case <-time.After(3 * outbox.RelayEvery):
	}
	if err := holder.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.awaitHead(t, 1)
}

func TestWithoutRedisRowsAreNumbered(t *testing.T) {
	for name, take := range map[string]func(*testing.T, *testkit.Redis){
		"dead":    func(_ *testing.T, r *testkit.Redis) { r.Stop() },
		"hanging": func(t *testing.T, r *testkit.Redis) { r.Hang(t) },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			relay := s.relay(t)
			testkit.Background(t, relay.Run)
			s.sell(t, relay.Outbox(), 1)
			s.awaitHead(t, 1)
			take(t, s.redis)
			started := time.Now()
			for want := range int64(10) {
				s.sell(t, relay.Outbox(), 1)
				s.awaitHead(t, want+2)
			}
			testkit.AtMost(t, "ten sales", time.Since(started), 10*outbox.RelayEvery)
			testkit.Eventually(t, "what Redis did not take is counted", func() bool {
				return testutil.ToFloat64(relay.Unsent()) > 0
			})
		})
	}
}

func TestAStoppingRelayPublishesCommittedRows(t *testing.T) {
	s := open(t)
	messages := s.listen(t, outbox.Channel(source))
	relay := s.relay(t)
	stop := testkit.Background(t, relay.Run)
	s.sell(t, relay.Outbox(), 1)
	receive(t, messages)
	ctx := t.Context()
	for range 50 {
		// This transaction does not wake the relay.
		err := pgx.BeginFunc(ctx, s.db.Pool, func(tx pgx.Tx) error { return bump(ctx, tx, 1, nil) })
		if err != nil {
			t.Fatal(err)
		}
	}
	stop()
	if _, head := s.head(t); head != 51 {
		t.Errorf("stopped at %d of 51", head)
	}
	for want := range int64(50) {
		if got := receive(t, messages); got.Seq != want+2 {
			t.Fatalf("event %d came as %d", want+2, got.Seq)
		}
	}
}

// A restored database begins a new epoch without the operator's help.
func TestAnotherDatabaseIsANewEpoch(t *testing.T) {
	s := open(t)
	owner := s.db.Owner(t)
	epoch, _ := s.head(t)
	again := func() string {
		if err := outbox.EnsureStream(t.Context(), s.db.Pool, source); err != nil {
			t.Fatal(err)
		}
		now, _ := s.head(t)
		return now
	}
	if again() != epoch {
		t.Error("the epoch changed in the same database")
	}
	for _, column := range []string{"system_identifier", "timeline_id", "database_oid"} {
		// After a restore, this column has the value of the database in which the backup was made.
		if _, err := owner.Exec(t.Context(), `UPDATE stream_head SET `+column+` = '99', head = 7`); err != nil {
			t.Fatal(err)
		}
		before := epoch
		if epoch = again(); epoch == before {
			t.Errorf("another %s is the same epoch", column)
		}
		if again() != epoch {
			t.Errorf("another %s is noticed again and again", column)
		}
		if _, head := s.head(t); head != 7 {
			t.Errorf("the head became %d", head)
		}
	}
}

func TestARelayDetectsARestore(t *testing.T) {
	s := open(t)
	if _, err := s.db.Owner(t).Exec(t.Context(), `UPDATE stream_head SET system_identifier = 1`); err != nil {
		t.Fatal(err)
	}
	epoch, _ := s.head(t)
	testkit.Background(t, s.relay(t).Run)
	testkit.Eventually(t, "the epoch is another", func() bool { now, _ := s.head(t); return now != epoch })
}

// The gauges of the relay show how many rows wait for a number, and how long the oldest has waited.
func TestUnnumberedRowsAreMeasured(t *testing.T) {
	s := open(t)
	relay := s.relay(t)
	s.sell(t, relay.Outbox(), 3)
	relay.Measure(t.Context())
	if count, age := testutil.ToFloat64(relay.Unnumbered()), testutil.ToFloat64(relay.Oldest()); count != 3 || age <= 0 {
		t.Errorf("%v wait, the oldest for %v s", count, age)
	}
	relay.Drain(t.Context())
	relay.Measure(t.Context())
	if count, age := testutil.ToFloat64(relay.Unnumbered()), testutil.ToFloat64(relay.Oldest()); count != 0 || age != 0 {
		t.Errorf("then %v wait, the oldest for %v s", count, age)
	}
}
