package outbox_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

// fleet runs the relays of replicas and returns a counter of how often they have used their database.
func (s shop) fleet(t *testing.T, replicas int) (uses func() int64) {
	t.Helper()
	counts := make([]func() int64, replicas)
	for i := range replicas {
		pool, err := postgres.OpenRelay(t.Context(), s.db.URL, s.db.Settings)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(pool.Close)
		relay := outbox.NewRelay(
			outbox.New(source, s.db.Pool), pool, s.bus, testkit.Keys(source),
			prometheus.NewRegistry(), slog.New(slog.DiscardHandler),
		)
		testkit.Background(t, relay.Run)
		counts[i] = func() int64 { return pool.Stat().AcquireCount() }
	}
	return func() (sum int64) {
		for _, count := range counts {
			sum += count()
		}
		return sum
	}
}

func duringTwoSeconds(uses func() int64) int64 {
	before := uses()
	time.Sleep(2 * time.Second)
	return uses() - before
}

// One relay uses the database eight times in two seconds; ten that do not share their state would use it eighty times.
func TestAnIdleFleetIsReadByOneReplica(t *testing.T) {
	s := open(t)
	ten := s.fleet(t, 10)
	testkit.Eventually(t, "ten idle replicas use the database rarely", func() bool { return duringTwoSeconds(ten) <= 40 })
	s.redis.Stop()
	five := s.fleet(t, 5)
	testkit.Eventually(t, "without Redis each replica reads", func() bool { return duringTwoSeconds(five) >= 10 })
}

// Another replica takes over when the replica that reads stops, and a row whose writer has woken no relay is numbered.
func TestAnotherReplicaReadsWhenTheFirstStops(t *testing.T) {
	s := open(t)
	first, second := s.relay(t), s.relay(t)
	stop := testkit.Background(t, first.Run)
	testkit.Background(t, second.Run)
	time.Sleep(2 * outbox.RelayEvery)
	stop()
	s.sell(t, outbox.New(source, s.db.Pool), 1) // wakes neither
	s.awaitHead(t, 1)
}

// later is a time after every read of an outbox in the tests.
var later = time.Now().Add(time.Hour).UnixMicro()

// A replica that does not read the outbox has the metrics of the replica that reads it.
func TestAStateIsShownByEveryReplica(t *testing.T) {
	s := open(t)
	relay := s.relay(t)
	relay.Measure(t.Context())
	epoch, _ := s.head(t)
	for _, state := range []outbox.State{
		{By: "another", Epoch: "of another installation", Read: later, Unnumbered: 9, Oldest: 9},
		{By: "another", Epoch: epoch, Read: later, Unnumbered: 2, Oldest: 5},
	} {
		relay.Hear(t, state)
	}
	if count, age := testutil.ToFloat64(relay.Unnumbered()), testutil.ToFloat64(relay.Oldest()); count != 2 || age != 5 {
		t.Errorf("%v wait, the oldest for %v s", count, age)
	}
	if !relay.Knows() {
		t.Error("it reads what another has read a moment ago")
	}
}

// A client of Redis without the source's key cannot publish a state that stops replicas from reading the outbox.
func TestAStateWithoutASignatureIsIgnored(t *testing.T) {
	s := open(t)
	relay := s.relay(t)
	relay.Measure(t.Context())
	epoch, _ := s.head(t)
	relay.HearForged(t, outbox.State{By: "another", Epoch: epoch, Read: later, Unnumbered: 2, Oldest: 5})
	if relay.Knows() || testutil.ToFloat64(relay.Unnumbered()) != 0 {
		t.Error("the relay believes a state that its source has not signed")
	}
}

// A client of Redis can replay a state that a relay has signed. Replicas ignore it, because it is not newer than what
// they have read or received: they still read the outbox and see the waiting rows.
func TestAStateThatIsReplayedIsIgnored(t *testing.T) {
	s := open(t)
	relay := s.relay(t)
	relay.Measure(t.Context())
	epoch, _ := s.head(t)
	state := func(read, unnumbered int64) outbox.State {
		return outbox.State{By: "another", Epoch: epoch, Read: read, Unnumbered: unnumbered}
	}
	for what, read := range map[string]int64{
		"of before": time.Now().Add(-time.Minute).UnixMicro(), "of the release before": 0,
	} {
		if relay.Hear(t, state(read, 3)); relay.Knows() || testutil.ToFloat64(relay.Unnumbered()) != 0 {
			t.Errorf("a state %s is used", what)
		}
	}
	if relay.Hear(t, state(later, 2)); !relay.Knows() {
		t.Error("a new state is not used")
	}
	for _, replayed := range []int64{later, later - 1} {
		relay.Hear(t, state(replayed, 0))
	}
	if n := testutil.ToFloat64(relay.Unnumbered()); n != 2 {
		t.Errorf("after states of before %v rows wait, want 2", n)
	}
}

// A promoted standby reuses numbers of lost events for other events, so it must not continue the epoch.
func TestNumbersOnANewTimelineBelongToANewEpoch(t *testing.T) {
	s := open(t)
	relay := s.relay(t)
	s.sell(t, relay.Outbox(), 1)
	if _, err := relay.Number(t.Context()); err != nil {
		t.Fatal(err)
	}
	before, _ := s.head(t)
	const promoted = `UPDATE stream_head SET timeline_id = timeline_id - 1` // the state of a promoted standby
	if _, err := s.db.Owner(t).Exec(context.Background(), promoted); err != nil {
		t.Fatal(err)
	}
	s.sell(t, relay.Outbox(), 1)
	events, err := relay.Number(t.Context())
	if err != nil || len(events) != 1 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	if now, head := s.head(t); now == before || events[0].Epoch != now || head != 2 {
		t.Errorf("the event at %d is of %s, the epoch before was %s", head, events[0].Epoch, before)
	}
}

func TestRelaysBehindAPoolerNumberEachEventOnce(t *testing.T) {
	s := open(t)
	s.db = &testkit.Database{URL: s.db.URL, OwnerURL: s.db.OwnerURL, Pool: s.db.Pool}
	behind := testkit.NewPooler(t, 2, testkit.Timeouts).Before(t, s.db)
	s.db.URL, s.db.Settings = behind.URL, behind.Settings
	s.fleet(t, 4)
	s.sell(t, outbox.New(source, s.db.Pool), 60)
	s.awaitHead(t, 60)
	s.expectDense(t, 60)
}
