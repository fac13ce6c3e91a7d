package outbox_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/testkit"
)

var errChangedMind = errors.New("the writer changed its mind")

// Concurrent writers and two relays run. The relays' sessions are terminated repeatedly, and one relay often does not
// publish what it has numbered. Numbers have no gaps, the events of each thing are in the order of its versions, and
// each committed change has one event.
func TestEveryCommittedEventIsNumberedOnceAndInOrder(t *testing.T) {
	s := open(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	testkit.Background(t, s.relay(t).Run)
	testkit.Background(t, s.mortalRelay(t, seed))
	retire := testkit.Background(t, s.assassin(t))

	const writers, each = 8, 60
	var committed atomic.Int64
	var writing sync.WaitGroup
	for w := range writers {
		writing.Go(func() { committed.Add(s.scribble(t, rand.New(rand.NewPCG(seed, uint64(w))), each)) })
	}
	writing.Wait()
	if n := committed.Load(); n == 0 || n == writers*each {
		t.Fatalf("%d of %d were committed: some must be, and some not", n, writers*each)
	}
	retire() // otherwise a slow machine might number no row between two kills
	s.awaitHead(t, committed.Load())
	s.expectDense(t, committed.Load())
}

// scribble changes things at random, rolls back about every fifth time, and returns the number of committed changes.
func (s shop) scribble(t *testing.T, random *rand.Rand, changes int) (committed int64) {
	for range changes {
		var fail error
		if random.IntN(5) == 0 {
			fail = errChangedMind
		}
		err := s.InTx(t.Context(), func(tx pgx.Tx) error {
			first, second := 1+random.IntN(5), 6+random.IntN(5) // first < second, so that writers cannot deadlock
			if err := bump(t.Context(), tx, first, nil); err != nil {
				return err
			}
			time.Sleep(time.Duration(random.IntN(3)) * time.Millisecond) // commit order is not the order of ids
			return bump(t.Context(), tx, second, fail)
		})
		switch {
		case err == nil:
			committed += 2
		case !errors.Is(err, errChangedMind):
			t.Error(err)
		}
	}
	return committed
}

// mortalRelay numbers rows and half the time does not publish them, as if the process had been killed.
func (s shop) mortalRelay(t *testing.T, seed uint64) func(context.Context) error {
	relay, random := s.relay(t), rand.New(rand.NewPCG(seed, 99))
	return func(ctx context.Context) error {
		for ctx.Err() == nil {
			if events, err := relay.Number(ctx); err == nil && random.IntN(2) == 0 {
				relay.Publish(ctx, events)
			}
		}
		return nil
	}
}

// assassin terminates, every 20 ms, the sessions of relays that hold the lock.
func (s shop) assassin(t *testing.T) func(context.Context) error {
	owner := s.db.Owner(t)
	return func(ctx context.Context) error {
		for ctx.Err() == nil {
			_, _ = owner.Exec(
				ctx,
				`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
				 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
			)
			time.Sleep(20 * time.Millisecond)
		}
		return nil
	}
}

func (s shop) expectDense(t *testing.T, want int64) {
	t.Helper()
	rows, err := s.db.Pool.Query(t.Context(), `SELECT seq, entity_id, version FROM outbox ORDER BY seq`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	versions := map[string]int64{}
	var last int64
	for rows.Next() {
		var seq, version int64
		var id string
		if err := rows.Scan(&seq, &id, &version); err != nil {
			t.Fatal(err)
		}
		if seq != last+1 {
			t.Fatalf("%d follows %d", seq, last)
		}
		if last = seq; version != versions[id]+1 {
			t.Errorf("event %d has version %d of %s after version %d", seq, version, id, versions[id])
		}
		versions[id] = version
	}
	if last != want {
		t.Errorf("%d events of %d committed changes", last, want)
	}
	var published, changed int64
	for _, version := range versions {
		published += version
	}
	if err := s.db.Pool.QueryRow(t.Context(), `SELECT sum(version) FROM thing`).Scan(&changed); err != nil ||
		published != changed {
		t.Errorf("there are events of %d changes, the things have %d, %v", published, changed, err)
	}
}
