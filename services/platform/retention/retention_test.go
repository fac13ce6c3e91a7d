package retention

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"baari.dev/services/platform/testkit"
)

func TestMain(m *testing.M) { testkit.VerifyNoLeaks(m) }

const zone = "Asia/Kolkata"

// pile counts rows. Its method take is a task that erases two of them in each call.
type pile struct {
	rows   atomic.Int64
	before atomic.Value // argument of the last call
	calls  atomic.Int32
	fail   error
}

func (p *pile) take(_ context.Context, before time.Time) (int64, error) {
	p.before.Store(before)
	p.calls.Add(1)
	if p.fail != nil {
		return 0, p.fail
	}
	n := min(2, p.rows.Load())
	p.rows.Add(-n)
	return n, nil
}

func newJob(t *testing.T, db *testkit.Database, at time.Time, log *slog.Logger, p *pile) *Job {
	t.Helper()
	j := New(db.Pool, zone, 400, prometheus.NewRegistry(), log, Task{"rows", p.take})
	j.clock = func() *time.Time { return &at }
	return j
}

var silent = slog.New(slog.DiscardHandler)

func TestOldDataIsErasedOnceANight(t *testing.T) {
	db := testkit.NewDatabase(t, Migrations())
	var log bytes.Buffer
	p := &pile{}
	p.rows.Store(5)
	late := time.Date(2026, 11, 20, 18, 29, 0, 0, time.UTC) // a minute before the office's midnight
	night := func(at time.Time) *Job {
		t.Helper()
		j := newJob(t, db, at, slog.New(slog.NewTextHandler(&log, nil)), p)
		if err := j.Night(t.Context()); err != nil {
			t.Fatal(err)
		}
		return j
	}
	first := night(late)
	// ASVS 14.2.7
	if p.rows.Load() != 0 || !p.before.Load().(time.Time).Equal(late.AddDate(0, 0, -400)) {
		t.Errorf("%d rows are left, older than %v", p.rows.Load(), p.before.Load())
	}
	if erased := testutil.ToFloat64(first.erased.WithLabelValues("rows")); erased != 5 ||
		testutil.ToFloat64(first.last) == 0 || !strings.Contains(log.String(), "rows=5") {
		t.Errorf("%v are counted, the log is %s", erased, log.String())
	}
	recorded, err := last(t.Context(), db.Pool)
	if err != nil || recorded == nil || recorded.Day != "2026-11-20" || recorded.Erased["rows"] != 5 ||
		!time.Time(recorded.OlderThan).Equal(late.AddDate(0, 0, -400)) {
		t.Errorf("the night is recorded as %+v, %v", recorded, err)
	}
	calls := p.calls.Load()
	night(late.Add(30 * time.Second))
	if p.calls.Load() != calls {
		t.Error("it ran twice in a night")
	}
	p.rows.Store(1)
	night(late.Add(2 * time.Minute))
	if p.rows.Load() != 0 {
		t.Error("the next night was left out")
	}
}

func TestOneReplicaErases(t *testing.T) {
	db := testkit.NewDatabase(t, Migrations())
	p := &pile{}
	p.rows.Store(2)
	at := time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)
	var replicas sync.WaitGroup
	for range 6 {
		j := newJob(t, db, at, silent, p)
		replicas.Go(func() {
			if err := j.Night(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	replicas.Wait()
	if p.calls.Load() != 2 { // one call that erases and one that finds nothing
		t.Errorf("the task was called %d times", p.calls.Load())
	}
}

func TestAFailedNightIsTriedAgain(t *testing.T) {
	db := testkit.NewDatabase(t, Migrations())
	p := &pile{fail: errors.New("the disk is full")}
	p.rows.Store(1)
	j := newJob(t, db, time.Now(), silent, p)
	if err := j.Night(t.Context()); !errors.Is(err, p.fail) {
		t.Fatalf("answered %v", err)
	}
	if testutil.ToFloat64(j.last) != 0 {
		t.Error("a failure counts as success")
	}
	p.fail = nil
	if err := j.Night(t.Context()); err != nil || p.rows.Load() != 0 {
		t.Errorf("%d rows are left, %v", p.rows.Load(), err)
	}
}

func TestTheJobRunsWhileTheServiceDoes(t *testing.T) {
	db := testkit.NewDatabase(t, Migrations())
	p := &pile{}
	p.rows.Store(3)
	j := New(db.Pool, zone, 400, prometheus.NewRegistry(), silent, Task{"rows", p.take})
	testkit.Background(t, j.Run)
	testkit.Eventually(t, "what is old is erased", func() bool { return p.rows.Load() == 0 })
}
