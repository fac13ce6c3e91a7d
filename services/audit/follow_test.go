package audit

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/contract/contracttest"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

func newDay(t *testing.T, seed uint64) *contracttest.Office {
	t.Helper()
	where, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	return contracttest.NewOffice(seed, noon, where, testkit.ID("anand"), testkit.ID("rao"), testkit.ID("sen"))
}

// I5: a visit has exactly the records of its changes, each once, in order, by who made them.
func TestAVisitsLifeIsInTheTrail(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	day := newDay(t, 3)
	changes := day.Events(400)
	visits.Publish(t, changes...)
	o.caughtUp(t, visits)

	want := map[string][]string{}
	actions := map[string]string{contract.VisitCreated: "created", contract.VisitApproved: "approved", contract.VisitDenied: "denied", contract.VisitInSession: "started", contract.VisitCompleted: "completed"}
	for _, change := range changes {
		want[change.EntityID] = append(want[change.EntityID], fmt.Sprintf("%d %s", change.Version, actions[change.Type]))
	}
	rows, err := o.db.Pool.Query(t.Context(), `SELECT entity_id, array_agg(version || ' ' || action ORDER BY n) FROM audit_records WHERE entity = 'visit' GROUP BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	type life struct {
		ID    string
		Steps []string
	}
	lives, err := pgx.CollectRows(rows, pgx.RowToStructByPos[life])
	if err != nil || len(lives) != len(want) {
		t.Fatalf("%d visits are in the trail, want %d: %v", len(lives), len(want), err)
	}
	for _, l := range lives {
		if !reflect.DeepEqual(l.Steps, want[l.ID]) {
			t.Errorf("visit %s: %v, want %v", l.ID, l.Steps, want[l.ID])
		}
	}
	if report, err := o.verify(t); err != nil || report.Head.N != 400 {
		t.Errorf("the chain: %+v, %v", report, err)
	}
}

// All services at once: the numbers stay dense, and each event is copied once.
func TestFiveSourcesMakeOneDenseChain(t *testing.T) {
	o := newOffice(t)
	day := newDay(t, 5)
	sources := []*testkit.Source{o.own(t)}
	for _, name := range []string{contract.SourceAuth, contract.SourceVisits, contract.SourceDirectory, contract.SourceRealtime} {
		sources = append(sources, o.source(t, name))
	}
	total := 0
	for _, source := range sources {
		o.follow(t, source)
		changes := make([]outbox.Change, 700)
		for i := range changes {
			changes[i] = outbox.Change{Type: contract.AccessDenied, Entity: contract.EntityAccess, EntityID: "GET /api/users", After: map[string]any{"route": "GET /api/users", "count": i}}
		}
		if source.Name == contract.SourceVisits {
			changes = day.Events(700)
		}
		source.Publish(t, changes...)
		total += len(changes)
	}
	for _, source := range sources {
		o.caughtUp(t, source)
	}
	if n := sql[int](t, o.db, `SELECT count(*) FROM audit_records`); n != total {
		t.Errorf("%d records of %d events", n, total)
	}
	if n := sql[int](t, o.db, `SELECT max(n) FROM audit_records`); n != total {
		t.Errorf("the last of %d records is %d", total, n)
	}
	if _, err := o.verify(t); err != nil {
		t.Error(err)
	}
}

// Events that another replica has copied, or that a source publishes again in a new epoch, are not copied twice.
func TestTheSameEventIsOneRecord(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	stop := o.follow(t, visits)
	day := newDay(t, 9)
	visits.Publish(t, day.Events(300)...)
	o.caughtUp(t, visits)
	stop()

	for what, again := range map[string]func(){
		"the cursor lost":  func() { sql[int](t, o.db, `WITH gone AS (DELETE FROM feed_cursor RETURNING 1) SELECT 1`); o.forget(t) },
		"a new epoch":      func() { visits.BeginEpoch(t) },
		"two replicas":     func() { o.follow(t, visits) },
		"nothing happened": func() {},
	} {
		again()
		stop := o.follow(t, visits)
		visits.Publish(t, day.Events(10)...)
		o.caughtUp(t, visits)
		stop()
		published := sql[int](t, visits.DB, `SELECT count(*) FROM outbox`)
		if copied := sql[int](t, o.db, `SELECT count(*) FROM audit_records`); copied != published {
			t.Errorf("%s: %d records of %d events", what, copied, published)
		}
	}
	if _, err := o.verify(t); err != nil {
		t.Error(err)
	}
	o.sameAsTruth(t, visits)
}

// A visits that was restored from a backup has lost its last events: its visits are what it tells now, the trail stays.
func TestANewEpochForgetsWhatTheSourceForgot(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	day := newDay(t, 23)
	visits.Publish(t, day.Events(200)...)
	o.caughtUp(t, visits)
	if _, err := visits.DB.Owner(t).Exec(t.Context(), `DELETE FROM outbox WHERE seq > 150`); err != nil {
		t.Fatal(err)
	}
	if _, err := visits.DB.Owner(t).Exec(t.Context(), `UPDATE stream_head SET head = 150, epoch = gen_random_uuid()`); err != nil {
		t.Fatal(err)
	}
	o.caughtUp(t, visits)
	o.sameAsTruth(t, visits)
	if report, err := o.verify(t); err != nil || report.Head.N != 200 {
		t.Errorf("the chain: %+v, %v", report, err)
	}
}

// forget empties the projections of visits, as whoever rebuilds them does.
func (o *office) forget(t *testing.T) {
	t.Helper()
	if _, err := o.db.Owner(t).Exec(t.Context(), truncateVisits); err != nil {
		t.Fatal(err)
	}
}

// I8, I13: stopped, emptied, with a Redis that forgot everything, audit keeps what SQL makes of all that visits told.
func TestEverythingIsRebuiltFromTenThousandEvents(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	day := newDay(t, 13)
	stop := o.follow(t, visits)
	visits.Publish(t, day.Events(500)...)
	o.caughtUp(t, visits)
	stop()

	visits.Publish(t, day.Events(10_000)...)
	o.forget(t)
	if _, err := o.db.Owner(t).Exec(t.Context(), `TRUNCATE audit_records, chain_anchors, feed_cursor; UPDATE chain_head SET n = 0, digest = decode(repeat('00', 32), 'hex')`); err != nil {
		t.Fatal(err)
	}
	o.redis.Stop()
	o.redis.Start(t)
	o.follow(t, visits)
	o.caughtUp(t, visits)
	o.sameAsTruth(t, visits)
	if report, err := o.verify(t); err != nil || report.Head.N != 10_500 {
		t.Errorf("the chain: %+v, %v", report, err)
	}
}

// The expected state is that of the events of visits: the last event of each visit.
const (
	truthOfVisits = `
SELECT count(*) || ' ' || md5(string_agg(concat_ws('|', id, day, token_no, token, name, phone, service_name, status, consultant_name, reception_notes, pa_notes, session_notes,
  created_at, decided_at, started_at, completed_at, wait_minutes, duration_minutes, created_by_name, decided_by_name), E'\n' ORDER BY id))
FROM `
	toldVisits = `(SELECT DISTINCT ON (entity_id) entity_id::uuid AS id, (after->>'day')::date AS day, (after->>'tokenNo')::int AS token_no, after->>'token' AS token,
  after->>'name' AS name, after->>'phone' AS phone, after->>'serviceName' AS service_name, after->>'status' AS status, after->>'consultantName' AS consultant_name,
  after->>'receptionNotes' AS reception_notes, after->>'paNotes' AS pa_notes, after->>'sessionNotes' AS session_notes, (after->>'createdAt')::timestamptz AS created_at,
  (after->>'decidedAt')::timestamptz AS decided_at, (after->>'startedAt')::timestamptz AS started_at, (after->>'completedAt')::timestamptz AS completed_at,
  (after->>'waitMinutes')::int AS wait_minutes, (after->>'durationMinutes')::int AS duration_minutes, after->>'createdByName' AS created_by_name, after->>'decidedByName' AS decided_by_name
  FROM outbox WHERE entity = 'visit' ORDER BY entity_id, seq DESC) visits`
	truthOfDays = `
SELECT string_agg(concat_ws(' ', day, new, approved, in_session, completed, denied, waited, seconds), E'\n' ORDER BY day) FROM (
  SELECT day, count(*) FILTER (WHERE status = 'new') AS new, count(*) FILTER (WHERE status = 'approved') AS approved, count(*) FILTER (WHERE status = 'in-session') AS in_session,
    count(*) FILTER (WHERE status = 'completed') AS completed, count(*) FILTER (WHERE status = 'denied') AS denied, count(started_at) AS waited,
    round(coalesce(sum(extract(epoch FROM started_at - created_at)), 0)) AS seconds
  FROM visits GROUP BY day) d`
	keptDays = `
SELECT string_agg(concat_ws(' ', day, new_visits, approved_visits, in_session_visits, completed_visits, denied_visits, waited_visits, round(waited_seconds)), E'\n' ORDER BY day)
FROM daily_statistics`
	truthOfHours = `
SELECT string_agg(concat_ws(' ', day, hour, visits), E'\n' ORDER BY day, hour) FROM (
  SELECT day, extract(hour FROM created_at AT TIME ZONE 'Asia/Kolkata')::int AS hour, count(*) AS visits FROM visits GROUP BY 1, 2) h`
	keptHours = `SELECT string_agg(concat_ws(' ', day, hour, visits), E'\n' ORDER BY day, hour) FROM daily_arrivals WHERE visits <> 0`
)

func (o *office) sameAsTruth(t *testing.T, visits *testkit.Source) {
	t.Helper()
	if kept, published := sql[string](t, o.db, truthOfVisits+`visits`), sql[string](t, visits.DB, truthOfVisits+toldVisits); kept != published {
		t.Errorf("audit keeps %s\nvisits published %s", kept, published)
	}
	if kept, counted := sql[string](t, o.db, keptDays), sql[string](t, o.db, truthOfDays); kept != counted {
		t.Errorf("the days are kept as\n%s\nand counted as\n%s", kept, counted)
	}
	if kept, counted := sql[string](t, o.db, keptHours), sql[string](t, o.db, truthOfHours); kept != counted {
		t.Errorf("the hours are kept as\n%s\nand counted as\n%s", kept, counted)
	}
}

// A visit whose person was erased is erased in the projection; its counts stay.
func TestAnErasedVisitIsErasedHere(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	arrival := newDay(t, 1).Arrive()
	erased := arrival.After.(contract.Visit)
	erased.Name, erased.Phone, erased.ReceptionNotes, erased.Version = "Erased", "", "", 2
	visits.Publish(t, arrival, outbox.Change{Type: contract.VisitErased, Entity: contract.EntityVisit, EntityID: erased.ID, Version: 2, After: erased})
	o.caughtUp(t, visits)
	if got := sql[string](t, o.db, `SELECT name || '|' || phone || '|' || reception_notes || '|' || status FROM visits`); got != "Erased|||new" {
		t.Errorf("kept %s", got)
	}
	if got := sql[int](t, o.db, `SELECT new_visits FROM daily_statistics`); got != 1 {
		t.Errorf("%d new visits", got)
	}
}

// An event that cannot be copied stops the source before it: nothing is skipped.
func TestWhatCannotBeCopiedIsNotSkipped(t *testing.T) {
	o := newOffice(t)
	sink := o.Follow(contract.SourceVisits)
	good := outbox.Event{ID: "0198f3a0-0000-7000-8000-000000000001", Source: "visits", Epoch: "0198f3a0-0000-7000-8000-0000000000e0", Seq: 1, Type: contract.AccessDenied,
		Subject: outbox.Subject{Entity: "access", ID: "x"}, After: []byte(`{"count":1}`)}
	bad := good
	bad.ID, bad.Seq, bad.After = "0198f3a0-0000-7000-8000-000000000002", 2, []byte(`[1]`)
	if err := sink.Deliver(t.Context(), feed.Following(good, bad)); err == nil {
		t.Fatal("it was copied")
	}
	if n := sql[int](t, o.db, `SELECT count(*) FROM audit_records`); n != 0 {
		t.Errorf("%d records were kept", n)
	}
	if at, err := sink.Position(t.Context()); err != nil || at != (feed.Position{}) {
		t.Errorf("the position is %v, %v", at, err)
	}
}
