package visits_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/visits"
)

// beforeSeries is the newest migration of the release without series.
const beforeSeries = "0016_"

// Replicas of the release without series register visitors during and after the upgrade: none of their statements
// fails, the series T has no gaps, and a paired desk begins its own series. The schema is that of a new database.
func TestTheReleaseWithoutSeriesRegistersDuringTheUpgrade(t *testing.T) {
	const replicas = 4
	db := testkit.NewDatabase(t, upTo(t, beforeSeries)...)
	d := newDeskOn(t, db)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var busy sync.WaitGroup
	var made atomic.Int64
	for range replicas {
		busy.Go(func() {
			for ctx.Err() == nil {
				var id string
				if err := d.db.Pool.QueryRow(context.Background(), oldInsert, d.offered).Scan(&id); err != nil {
					t.Errorf("a registration of the release before failed: %v", err)
					return
				}
				made.Add(1)
				time.Sleep(2 * time.Millisecond) // limits the number of visits on a fast machine
			}
		})
	}
	until := func(n int64) {
		for end := time.Now().Add(30 * time.Second); made.Load() < n && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
	}
	until(50)
	if err := postgres.Migrate(t.Context(), db.OwnerURL, "baari_test_app", visits.Migrations()...); err != nil {
		t.Fatal(err)
	}
	until(made.Load() + 50)
	pairDesks(d)
	day := d.lease(t, "A", 0).Days[0].Day
	for n := 1; n <= 3; n++ { // the series T has tokens with these numbers, too
		if done, a := d.send(t, "reception", "A", day, noteOf("A", n)); len(done) != 1 || done[0].State != "created" {
			t.Errorf("A-%03d was answered %s", n, a.text)
		}
	}
	until(made.Load() + 50)
	stop()
	busy.Wait()

	tokens := count(t, d, `
		SELECT count(*) FROM visits WHERE token_series = 'T' AND arrived_at IS NULL AND token_also = ''`)
	highest := count(t, d, `SELECT max(token_no) FROM visits WHERE token_series = 'T'`)
	if int64(tokens) != made.Load() || highest != tokens {
		t.Errorf("%d visitors were registered; T has %d tokens, the highest is %d", made.Load(), tokens, highest)
	}
	fresh := testkit.NewDatabase(t, visits.Migrations()...)
	testkit.SameCatalog(t, testkit.Catalog(t, d.owner), testkit.Catalog(t, fresh.Owner(t)))
	if a := d.as("reception", http.MethodGet, "/api/visits/today", ""); len(a.Visits) != tokens+3 {
		t.Errorf("today's list has %d visits, want %d", len(a.Visits), tokens+3)
	}
}

// An upgrade that was interrupted during the build of the index of tokens continues with a valid index.
func TestAnInterruptedIndexOfTokensIsBuiltAgain(t *testing.T) {
	db := testkit.NewDatabase(t, upTo(t, "0017_")...)
	d := newDeskOn(t, db)
	writing, err := db.Owner(t).Begin(t.Context()) // the index waits for this transaction
	if err != nil {
		t.Fatal(err)
	}
	var id string
	if err := writing.QueryRow(t.Context(), oldInsert, d.offered).Scan(&id); err != nil {
		t.Fatal(err)
	}
	built := make(chan error, 1)
	go func() {
		_, err := d.owner.Exec(t.Context(), `
			CREATE UNIQUE INDEX CONCURRENTLY visits_token ON visits (office_day, token_series, token_no)`)
		built <- err
	}()
	testkit.Eventually(t, "the index waits for the transaction", func() bool {
		return count(t, d, `SELECT count(*) FROM pg_index WHERE NOT indisvalid`) == 1
	})
	exec(t, db.Owner(t), `SELECT pg_cancel_backend($1::int)`, int(d.owner.PgConn().PID()))
	if testkit.Receive(t, "the end of the build", built) == nil {
		t.Fatal("the index is not interrupted")
	}
	if err := writing.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := count(t, d, `SELECT count(*) FROM pg_index WHERE NOT indisvalid`); n != 1 {
		t.Fatalf("%d indexes are not valid", n)
	}
	if err := postgres.Migrate(t.Context(), db.OwnerURL, "baari_test_app", visits.Migrations()...); err != nil {
		t.Fatal(err)
	}
	fresh := testkit.NewDatabase(t, visits.Migrations()...)
	testkit.SameCatalog(t, testkit.Catalog(t, d.owner), testkit.Catalog(t, fresh.Owner(t)))
}
