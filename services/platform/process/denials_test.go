package process

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/request"
	"baari.dev/services/platform/testkit"
)

// watch is a clock that a test advances.
type watch struct {
	mu  sync.Mutex
	now time.Time
}

func (w *watch) Now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *watch) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

type recording struct {
	*denials
	db    *testkit.Database
	clock *watch
}

func newRecording(t *testing.T) recording {
	t.Helper()
	db := testkit.NewDatabase(t, outbox.Migrations())
	d := recording{
		newDenials(outbox.New("shop", db.Pool), slog.New(slog.DiscardHandler)), db, &watch{now: time.Unix(1_700_000_000, 0)},
	}
	d.now = d.clock.Now
	return d
}

// start runs the recorder; the returned function stops it and waits.
func (d recording) start(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = d.run(ctx) }()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

func (d recording) deny(user, route string, times int) {
	ctx := request.With(context.Background(), request.Info{Address: "203.0.113.9"})
	for range times {
		d.note(ctx, identity.Caller{ID: user, Name: "Asha", Email: "a@example.com", Role: "clerk"}, route)
	}
}

// recorded lists "user route count" of each record, oldest first.
func (d recording) recorded(t *testing.T) []string {
	t.Helper()
	rows, err := d.db.Pool.Query(t.Context(), `SELECT actor, after, type, entity, entity_id FROM outbox ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		var actor, after []byte
		var kind, entity, id string
		if err := rows.Scan(&actor, &after, &kind, &entity, &id); err != nil {
			t.Fatal(err)
		}
		var who outbox.Actor
		var what struct {
			Route string
			Count int
		}
		if json.Unmarshal(actor, &who) != nil || json.Unmarshal(after, &what) != nil {
			t.Fatalf("%s %s", actor, after)
		}
		if kind != "access_denied" || entity != "access" || id != what.Route || who.IP != "203.0.113.9" ||
			who.Role != "clerk" {
			t.Errorf("recorded %s of %s %s by %+v", kind, entity, id, who)
		}
		list = append(list, fmt.Sprint(who.ID, " ", what.Route, " ", what.Count))
	}
	return list
}

func (d recording) await(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	defer func() {
		if t.Failed() {
			t.Logf("recorded %q", got)
		}
	}()
	testkit.Eventually(t, fmt.Sprintf("%q is recorded", want), func() bool {
		got = d.recorded(t)
		return fmt.Sprint(got) == fmt.Sprint(want)
	})
}

// The first denial is recorded at once. The others within the minute are one record with their count.
func TestOneRecordPerUserRouteAndMinute(t *testing.T) {
	d := newRecording(t)
	d.start(t)
	d.deny("1", "GET /a", 5)
	d.await(t, "1 GET /a 1")
	d.clock.pass(59 * time.Second)
	d.deny("1", "GET /a", 1000)
	d.deny("2", "GET /a", 1)
	d.await(t, "1 GET /a 1", "2 GET /a 1")
	d.deny("1", "GET /b", 1)
	d.await(t, "1 GET /a 1", "2 GET /a 1", "1 GET /b 1")
	d.clock.pass(time.Second)
	// ASVS 16.3.2
	d.await(t, "1 GET /a 1", "2 GET /a 1", "1 GET /b 1", "1 GET /a 1004")
}

func TestTheFirstDenialAfterAMinuteIsRecordedImmediately(t *testing.T) {
	d := newRecording(t)
	d.start(t)
	d.deny("1", "GET /a", 1)
	d.await(t, "1 GET /a 1")
	d.clock.pass(time.Minute)
	testkit.Eventually(t, "the minute is over", func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		return len(d.windows) == 0
	})
	d.deny("1", "GET /a", 1)
	d.await(t, "1 GET /a 1", "1 GET /a 1")
}

func TestAStopRecordsPendingCounts(t *testing.T) {
	d := newRecording(t)
	stop := d.start(t)
	d.deny("1", "GET /a", 1)
	d.await(t, "1 GET /a 1")
	d.deny("1", "GET /a", 7)
	stop()
	d.await(t, "1 GET /a 1", "1 GET /a 7")
}

func TestNoteDoesNotBlock(t *testing.T) {
	d := newRecording(t)
	for user := range 1000 { // no recorder runs, so the test would hang if a denial waited for one
		d.deny(fmt.Sprint(user), "GET /a", 1)
	}
	if waiting := len(d.due); waiting != cap(d.due) {
		t.Errorf("%d wait for their record, want the %d that fit", waiting, cap(d.due))
	}
}
