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
	location, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	return contracttest.NewOffice(seed, noon, location, testkit.ID("anand"), testkit.ID("rao"), testkit.ID("sen"))
}

// I5: the trail has each change of a visit once, in order.
func TestTrailHasEachChangeOfAVisit(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	day := newDay(t, 3)
	changes := day.Events(400)
	visits.Publish(t, changes...)
	o.caughtUp(t, visits)

	want := map[string][]string{}
	actions := map[string]string{contract.VisitCreated: "created", contract.VisitApproved: "approved",
		contract.VisitDenied: "denied", contract.VisitInSession: "started", contract.VisitCompleted: "completed"}
	for _, change := range changes {
		want[change.EntityID] = append(want[change.EntityID], fmt.Sprintf("%d %s", change.Version, actions[change.Type]))
	}
	rows, err := o.db.Pool.Query(t.Context(), `
SELECT entity_id, array_agg(version || ' ' || action ORDER BY n) FROM audit_records WHERE entity = 'visit' GROUP BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	type history struct {
		ID    string
		Steps []string
	}
	histories, err := pgx.CollectRows(rows, pgx.RowToStructByPos[history])
	if err != nil || len(histories) != len(want) {
		t.Fatalf("%d visits are in the trail, want %d: %v", len(histories), len(want), err)
	}
	for _, h := range histories {
		if !reflect.DeepEqual(h.Steps, want[h.ID]) {
			t.Errorf("visit %s: %v, want %v", h.ID, h.Steps, want[h.ID])
		}
	}
	if report, err := o.verify(t); err != nil || report.Head.N != 400 {
		t.Errorf("the chain: %+v, %v", report, err)
	}
}

// When five sources publish at the same time, the numbers of the records have no gaps, and each event is copied once.
func TestFiveSourcesExtendOneDenseChain(t *testing.T) {
	o := newOffice(t)
	day := newDay(t, 5)
	sources := []*testkit.Source{o.own(t)}
	for _, name := range []string{contract.SourceAuth, contract.SourceVisits, contract.SourceDirectory,
		contract.SourceRealtime} {
		sources = append(sources, o.source(t, name))
	}
	total, each := 0, testkit.Volume(700, 200)
	for _, source := range sources {
		o.follow(t, source)
		changes := make([]outbox.Change, each)
		for i := range changes {
			changes[i] = outbox.Change{Type: contract.AccessDenied, Entity: contract.EntityAccess, EntityID: "GET /api/users",
				After: map[string]any{"route": "GET /api/users", "count": i}}
		}
		if source.Name == contract.SourceVisits {
			changes = day.Events(each)
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

// Events that another replica has copied, or that a source publishes again in a new epoch, are copied once.
func TestRepeatedEventsAreOneRecord(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	stop := o.follow(t, visits)
	day := newDay(t, 9)
	visits.Publish(t, day.Events(300)...)
	o.caughtUp(t, visits)
	stop()

	for what, again := range map[string]func(){
		"the cursor lost": func() {
			sql[int](t, o.db, `WITH gone AS (DELETE FROM feed_cursor RETURNING 1) SELECT 1`)
			o.emptyVisits(t)
		},
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
	o.checkVisits(t, visits)
}

// After the service visits was restored from a backup without its last events, the projection is rebuilt from the
// remaining events, and the trail keeps its records.
func TestNewEpochRebuildsVisitsAndKeepsRecords(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	day := newDay(t, 23)
	visits.Publish(t, day.Events(200)...)
	o.caughtUp(t, visits)
	testkit.Exec(t, visits.DB.Owner(t), `DELETE FROM outbox WHERE seq > 150`)
	testkit.Exec(t, visits.DB.Owner(t), `UPDATE stream_head SET head = 150, epoch = gen_random_uuid()`)
	o.caughtUp(t, visits)
	o.checkVisits(t, visits)
	if report, err := o.verify(t); err != nil || report.Head.N != 200 {
		t.Errorf("the chain: %+v, %v", report, err)
	}
}

func (o *office) emptyVisits(t *testing.T) {
	t.Helper()
	testkit.Exec(t, o.db.Owner(t), truncateVisits)
}

// I8, I13: after a stop, with empty tables and an empty Redis, the trail and the visits are rebuilt from the events.
// Events of a release without stages come first, events with stages later.
func TestTrailAndVisitsAreRebuiltFromThousandsOfEvents(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	day := newDay(t, 13)
	stop := o.follow(t, visits)
	first, then := testkit.Volume(500, 150), testkit.Volume(3_000, 900)
	visits.Publish(t, day.Events(first)...)
	o.caughtUp(t, visits)
	stop()

	day.Lives = true
	visits.Publish(t, day.Events(then)...)
	o.emptyVisits(t)
	o.emptyTrail(t)
	o.redis.Stop()
	o.redis.Start(t)
	o.follow(t, visits)
	o.caughtUp(t, visits)
	o.checkVisits(t, visits)
	if report, err := o.verify(t); err != nil || report.Head.N != int64(first+then) {
		t.Errorf("the chain: %+v, %v", report, err)
	}
}

// truthOfVisits hashes the rows of the table visits, or of publishedVisits, which has the rows as they should be: the
// last event of each visit.
const (
	truthOfVisits = `
SELECT count(*) || ' ' || md5(string_agg(concat_ws('|', id, day, token_no, token, name, phone, service_name, status,
  consultant_name, reception_notes, pa_notes, session_notes, created_at, decided_at, started_at, completed_at,
  wait_minutes, duration_minutes, created_by_name, decided_by_name, stage, class, called_at, call_count,
  session_seconds), E'\n' ORDER BY id))
FROM `
	publishedVisits = `(
  SELECT DISTINCT ON (entity_id) entity_id::uuid AS id, (after->>'day')::date AS day,
    (after->>'tokenNo')::int AS token_no, after->>'token' AS token, after->>'name' AS name, after->>'phone' AS phone,
    after->>'serviceName' AS service_name, after->>'status' AS status, after->>'consultantName' AS consultant_name,
    after->>'receptionNotes' AS reception_notes, after->>'paNotes' AS pa_notes,
    after->>'sessionNotes' AS session_notes, (after->>'createdAt')::timestamptz AS created_at,
    (after->>'decidedAt')::timestamptz AS decided_at, (after->>'startedAt')::timestamptz AS started_at,
    (after->>'completedAt')::timestamptz AS completed_at, (after->>'waitMinutes')::int AS wait_minutes,
    (after->>'durationMinutes')::int AS duration_minutes, after->>'createdByName' AS created_by_name,
    after->>'decidedByName' AS decided_by_name, after->>'stage' AS stage, after->>'class' AS class,
    (after->>'calledAt')::timestamptz AS called_at, (after->>'callCount')::int AS call_count,
    (after->>'sessionSeconds')::int AS session_seconds
  FROM outbox WHERE entity = 'visit' ORDER BY entity_id, seq DESC) visits`
	truthOfDays = `
SELECT string_agg(
  concat_ws(' ', day, new, approved, in_session, completed, denied, waited, seconds,
    waiting, called, held, missed, gone, no_show, cancelled), E'\n' ORDER BY day)
FROM (
  SELECT day, count(*) FILTER (WHERE status = 'new') AS new, count(*) FILTER (WHERE status = 'approved') AS approved,
    count(*) FILTER (WHERE status = 'in-session') AS in_session,
    count(*) FILTER (WHERE status = 'completed') AS completed, count(*) FILTER (WHERE status = 'denied') AS denied,
    count(started_at) AS waited,
    round(coalesce(sum(extract(epoch FROM started_at - created_at)), 0)) AS seconds,
    count(*) FILTER (WHERE status = 'approved' AND coalesce(stage, 'waiting') = 'waiting') AS waiting,
    count(*) FILTER (WHERE stage = 'called') AS called, count(*) FILTER (WHERE stage = 'held') AS held,
    count(*) FILTER (WHERE stage = 'missed') AS missed, count(*) FILTER (WHERE stage = 'left') AS gone,
    count(*) FILTER (WHERE stage = 'no-show') AS no_show, count(*) FILTER (WHERE stage = 'cancelled') AS cancelled
  FROM visits GROUP BY day) d`
	keptDays = `
SELECT string_agg(concat_ws(' ', day, new_visits, approved_visits, in_session_visits, completed_visits, denied_visits,
  waited_visits, round(waited_seconds), waiting_visits, called_visits, held_visits, missed_visits, left_visits,
  no_show_visits, cancelled_visits), E'\n' ORDER BY day)
FROM daily_statistics`
	truthOfHours = `
SELECT string_agg(concat_ws(' ', day, hour, visits), E'\n' ORDER BY day, hour) FROM (
  SELECT day, extract(hour FROM created_at AT TIME ZONE 'Asia/Kolkata')::int AS hour, count(*) AS visits
  FROM visits GROUP BY 1, 2) h`
	keptHours = `
SELECT string_agg(concat_ws(' ', day, hour, visits), E'\n' ORDER BY day, hour) FROM daily_arrivals WHERE visits <> 0`
)

func (o *office) emptyTrail(t *testing.T) {
	t.Helper()
	testkit.Exec(t, o.db.Owner(t), `TRUNCATE audit_records, chain_anchors, feed_cursor`)
	testkit.Exec(t, o.db.Owner(t), `UPDATE chain_head SET n = 0, digest = decode(repeat('00', 32), 'hex')`)
}

// checkVisits compares the projection with the events of visits, and the statistics with the projection.
func (o *office) checkVisits(t *testing.T, visits *testkit.Source) {
	t.Helper()
	kept := sql[string](t, o.db, truthOfVisits+`visits`)
	published := sql[string](t, visits.DB, truthOfVisits+publishedVisits)
	if kept != published {
		t.Errorf("the projection is %s\nby the events %s", kept, published)
	}
	if kept, counted := sql[string](t, o.db, keptDays), sql[string](t, o.db, truthOfDays); kept != counted {
		t.Errorf("the days are\n%s\nby the visits\n%s", kept, counted)
	}
	if kept, counted := sql[string](t, o.db, keptHours), sql[string](t, o.db, truthOfHours); kept != counted {
		t.Errorf("the hours are\n%s\nby the visits\n%s", kept, counted)
	}
}

// An erasure of a visit also erases its data in the projection; the counts are unchanged.
func TestErasureIsProjected(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	arrival := newDay(t, 1).Arrive()
	erased := arrival.After.(contract.Visit)
	erased.Name, erased.Phone, erased.ReceptionNotes, erased.Version = "Erased", "", "", 2
	visits.Publish(t, arrival, outbox.Change{Type: contract.VisitErased, Entity: contract.EntityVisit, EntityID: erased.ID,
		Version: 2, After: erased})
	o.caughtUp(t, visits)
	const selectErased = `SELECT name || '|' || phone || '|' || reception_notes || '|' || status FROM visits`
	if got := sql[string](t, o.db, selectErased); got != "Erased|||new" {
		t.Errorf("the visit is %s", got)
	}
	if got := sql[int](t, o.db, `SELECT new_visits FROM daily_statistics`); got != 1 {
		t.Errorf("%d new visits", got)
	}
}

// If one event of a delivery cannot be copied, the delivery fails: none of its events is applied, and none is skipped.
func TestFailedEventIsNotSkipped(t *testing.T) {
	o := newOffice(t)
	sink := o.Follow(contract.SourceVisits)
	good := outbox.Event{ID: "0198f3a0-0000-7000-8000-000000000001", Source: "visits",
		Epoch: "0198f3a0-0000-7000-8000-0000000000e0", Seq: 1, Type: contract.AccessDenied,
		Subject: outbox.Subject{Entity: "access", ID: "x"}, After: []byte(`{"count":1}`)}
	bad := good
	bad.ID, bad.Seq, bad.After = "0198f3a0-0000-7000-8000-000000000002", 2, []byte(`[1]`)
	if err := sink.Deliver(t.Context(), feed.Following(good, bad)); err == nil {
		t.Fatal("it was copied")
	}
	if n := sql[int](t, o.db, `SELECT count(*) FROM audit_records`); n != 0 {
		t.Errorf("%d records were added", n)
	}
	if at, err := sink.Position(t.Context()); err != nil || at != (feed.Position{}) {
		t.Errorf("the position is %v, %v", at, err)
	}
}
