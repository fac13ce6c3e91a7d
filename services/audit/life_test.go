package audit

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/wire"
)

// visitor is one visit whose changes a test publishes.
type visitor struct {
	contract.Visit
	published bool
}

func newVisitor(token string) *visitor {
	return &visitor{Visit: contract.Visit{
		ID: uuid.Must(uuid.NewV7()).String(), TokenNo: 1, Token: token, Day: "2026-11-20", Name: "Asha",
		Phone: "9876543210", ServiceName: "ITR Filing", Class: "normal", CreatedAt: wire.Time(noon),
		UpdatedAt: wire.Time(noon), CreatedByName: "Meena",
	}}
}

// become returns the event that moves the visitor to a stage. If stage is "", the event is that of a release without
// stages.
func (v *visitor) become(kind, stage, status string, edits ...func(*contract.Visit)) outbox.Change {
	change := outbox.Change{Type: kind, Entity: contract.EntityVisit, EntityID: v.ID}
	if v.published {
		change.Before = v.Visit
	}
	v.published = true
	v.Stage, v.Status = stage, status
	v.Version++
	for _, edit := range edits {
		edit(&v.Visit)
	}
	change.After, change.Version = v.Visit, v.Version
	return change
}

// publish publishes one change after another, so that each is projected separately.
func (o *office) publish(t *testing.T, visits *testkit.Source, changes ...outbox.Change) {
	t.Helper()
	for _, change := range changes {
		visits.Publish(t, change)
		o.caughtUp(t, visits)
	}
}

// After an undo or a reopening, a visit is counted only in its new stage. A visitor who left, did not come or was
// cancelled is not counted as denied.
func TestStagesOfTodayAreCounted(t *testing.T) {
	o := newOffice(t)
	o.store.clock = at(noon)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	v := newVisitor("T-001")
	for i, c := range []struct {
		change outbox.Change
		stages stagesBody
		today  todayBody
	}{
		{v.become(contract.VisitCreated, "new", "new"), stagesBody{}, todayBody{Total: 1, New: 1}},
		{v.become(contract.VisitApproved, "waiting", "approved"), stagesBody{Waiting: 1}, todayBody{Total: 1, Approved: 1}},
		{v.become(contract.VisitCalled, "called", "approved"), stagesBody{Called: 1}, todayBody{Total: 1, Approved: 1}},
		{v.become(contract.VisitMissed, "missed", "approved"), stagesBody{Missed: 1}, todayBody{Total: 1, Approved: 1}},
		{v.become(contract.VisitUndone, "called", "approved"), stagesBody{Called: 1}, todayBody{Total: 1, Approved: 1}},
		{v.become(contract.VisitNoShow, "no-show", "denied"), stagesBody{NoShow: 1}, todayBody{Total: 1}},
		{v.become(contract.VisitReopened, "waiting", "approved"), stagesBody{Waiting: 1}, todayBody{Total: 1, Approved: 1}},
		{v.become(contract.VisitHeld, "held", "approved"), stagesBody{Held: 1}, todayBody{Total: 1, Approved: 1}},
		{v.become(contract.VisitLeft, "left", "denied"), stagesBody{Left: 1}, todayBody{Total: 1}},
		{v.become(contract.VisitUndone, "held", "approved"), stagesBody{Held: 1}, todayBody{Total: 1, Approved: 1}},
		{v.become(contract.VisitCancelled, "cancelled", "denied"), stagesBody{Cancelled: 1}, todayBody{Total: 1}},
		{v.become(contract.VisitReopened, "new", "new"), stagesBody{}, todayBody{Total: 1, New: 1}},
		{v.become(contract.VisitDenied, "denied", "denied"), stagesBody{}, todayBody{Total: 1, Denied: 1}},
		{v.become(contract.VisitUndone, "new", "new"), stagesBody{}, todayBody{Total: 1, New: 1}},
		{v.become(contract.VisitApproved, "", "approved"), stagesBody{Waiting: 1}, todayBody{Total: 1, Approved: 1}},
		{v.become(contract.VisitDenied, "", "denied"), stagesBody{}, todayBody{Total: 1, Denied: 1}},
	} {
		o.publish(t, visits, c.change)
		if got := o.dashboard(t); got.Stages != c.stages || got.Today != c.today {
			t.Errorf("after %d, %s: %+v %+v", i+1, c.change.Type, got.Stages, got.Today)
		}
	}
	o.checkVisits(t, visits)
}

// A replica of an older release writes only the status. A stage that no longer matches the status is removed together
// with its count.
func TestAnOldReplicaLeavesNoStageBehind(t *testing.T) {
	o := newOffice(t)
	o.store.clock = at(noon)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	called, held, left := newVisitor("T-001"), newVisitor("T-002"), newVisitor("T-003")
	o.publish(t, visits, called.become(contract.VisitCalled, "called", "approved"),
		held.become(contract.VisitHeld, "held", "approved"), left.become(contract.VisitLeft, "left", "denied"))
	const oldReplica = `
WITH was AS (SELECT day, status FROM visits WHERE id = $1), kept AS (UPDATE visits SET status = $2 WHERE id = $1)
INSERT INTO daily_statistics (day, new_visits, approved_visits, in_session_visits, completed_visits, denied_visits,
  waited_visits, waited_seconds)
SELECT day, 0, ($2 = 'approved')::int - (status = 'approved')::int, 0, ($2 = 'completed')::int,
  ($2 = 'denied')::int - (status = 'denied')::int, 0, 0 FROM was
ON CONFLICT (day) DO UPDATE SET approved_visits = daily_statistics.approved_visits + EXCLUDED.approved_visits,
  completed_visits = daily_statistics.completed_visits + EXCLUDED.completed_visits,
  denied_visits = daily_statistics.denied_visits + EXCLUDED.denied_visits`
	testkit.Exec(t, o.db.Pool, oldReplica, called.ID, "completed")
	testkit.Exec(t, o.db.Pool, oldReplica, held.ID, "approved")
	testkit.Exec(t, o.db.Pool, oldReplica, left.ID, "approved")
	got := o.dashboard(t)
	if got.Stages != (stagesBody{Waiting: 1, Held: 1}) || got.Today != (todayBody{Total: 3, Approved: 2, Completed: 1}) {
		t.Errorf("%+v %+v", got.Stages, got.Today)
	}
	o.publish(t, visits, held.become(contract.VisitResumed, "waiting", "approved"),
		left.become(contract.VisitCalled, "called", "approved"))
	if got := o.dashboard(t); got.Stages != (stagesBody{Waiting: 1, Called: 1}) {
		t.Errorf("after the next events: %+v", got.Stages)
	}
}

// The detailed export has the columns of the visit's stages; the ordinary export does not.
func TestDetailedExportHasTheLifeOfEachVisit(t *testing.T) {
	o := newOffice(t)
	o.store.clock = at(noon)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	call := func(v *contract.Visit) {
		called := wire.Time(noon)
		v.Class, v.CalledAt, v.CallCount, v.TokenAlso = "priority", &called, 2, "A-007"
	}
	// If a paired desk noted a visit, the visit's first event names the sender. Its later events do not.
	sentBy := func(name string) func(*contract.Visit) { return func(v *contract.Visit) { v.SentBy = name } }
	v, old := newVisitor("T-001"), newVisitor("T-002")
	old.TokenNo = 2
	o.publish(t, visits, v.become(contract.VisitCalled, "called", "approved", call, sentBy("Ravi")),
		v.become(contract.VisitHeld, "held", "approved", sentBy("")), v.become(contract.VisitCorrected, "held", "approved"),
		v.become(contract.VisitResumed, "waiting", "approved"), v.become(contract.VisitHeld, "held", "approved"),
		v.become(contract.VisitLeft, "left", "denied"), old.become(contract.VisitApproved, "", "approved"))
	o.shiftTrail(t, v.ID, 2, 12*time.Minute)
	o.shiftTrail(t, v.ID, 5, 6*time.Minute)

	detail := o.call(t, "admin", "/api/analytics/export?detail=1")
	if got := sheetLines(detail); len(got) != 3 ||
		!strings.HasSuffix(got[0], `"Decided By","Stage","Class","Called","Calls","Held (min)","Other Token","Sent By"`) ||
		!strings.HasSuffix(got[1], `"","left","priority","2026-11-20 12:00","2","18","A-007","Ravi"`) ||
		!strings.HasSuffix(got[2], `"","waiting","normal","","0","","",""`) {
		t.Errorf("answered %d\n%s", detail.Code, strings.Join(got, "\n"))
	}
	entered := decode[registerAnswer](t, o.call(t, "admin", "/api/analytics/register?day=2026-11-20").Body.Bytes()).Entries
	if len(entered) != 2 || entered[0].Stage != "left" || entered[1].Stage != "waiting" {
		t.Errorf("the register has %+v", entered)
	}
	row := rows(t, o.call(t, "admin", "/api/analytics/export"))[0]
	if len(row) != len(exportColumns) || row[5] != "denied" {
		t.Errorf("without detail: %q", row)
	}
	w := o.call(t, "admin", "/api/analytics/export?detail=yes")
	if got := decode[fault.Body](t, w.Body.Bytes()); w.Code != http.StatusBadRequest || got.Error != detailWrong.Sentence {
		t.Errorf("answered %d %s", w.Code, w.Body)
	}
	v.ServiceName = "GST Registration"
	o.publish(t, visits, v.become(contract.VisitReopened, "waiting", "approved"), erasure(v.Visit))
	line := sheetLines(o.call(t, "admin", "/api/analytics/export?detail=1"))[1]
	if !strings.Contains(line, "GST Registration") || !strings.HasSuffix(line, `"18","A-007","Ravi"`) {
		t.Errorf("after a new service and an erasure: %s", line)
	}
	own := o.own(t)
	o.follow(t, own)
	o.caughtUp(t, own)
	if got := string(o.read(t, "?entity=export").Records[0].NewValues); !strings.Contains(got, `"detail":true`) {
		t.Errorf("recorded %s", got)
	}
}

// The export and the register list tokens of offline desks by arrival: each follows the last token of the series T that
// existed when its visitor arrived.
func TestTokensOfDesksStandByTheirArrival(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	at := func(series string, number, after, minute int) outbox.Change {
		v := newVisitor(fmt.Sprintf("%s-%03d", series, number))
		arrived := wire.Time(noon.Add(time.Duration(minute) * time.Minute))
		v.Series, v.TokenNo, v.Offline = series, number, series != "T"
		if v.Offline {
			v.AfterNo, v.ArrivedAt = &after, &arrived
		}
		return v.become(contract.VisitCreated, "new", "new")
	}
	o.publish(t, visits, at("T", 1, 0, 0), at("T", 2, 0, 5), at("B", 1, 1, 3), at("A", 2, 1, 4), at("A", 1, 1, 2),
		at("H", 1, 0, -1), at("T", 1000, 0, 9))
	const want = "H-001 T-001 A-001 B-001 A-002 T-002 T-1000"
	var exported, registered []string
	for _, row := range rows(t, o.call(t, "admin", "/api/analytics/export?start_date=2026-11-20&end_date=2026-11-20")) {
		exported = append(exported, row[1])
	}
	w := o.call(t, "admin", "/api/analytics/register?day=2026-11-20")
	for _, entry := range decode[registerAnswer](t, w.Body.Bytes()).Entries {
		registered = append(registered, entry.Token)
	}
	if got := strings.Join(exported, " "); got != want {
		t.Errorf("the export has %s, want %s", got, want)
	}
	if got := strings.Join(registered, " "); got != want {
		t.Errorf("the register has %s, want %s", got, want)
	}
}

func sheetLines(w *httptest.ResponseRecorder) []string {
	return strings.Split(strings.TrimSuffix(w.Body.String(), "\r\n"), "\r\n")
}

// shiftTrail makes the records of a visit older by a duration, up to the record with the given version.
func (o *office) shiftTrail(t *testing.T, id string, version int, back time.Duration) {
	t.Helper()
	testkit.Exec(t, o.db.Owner(t), `
UPDATE audit_records SET created_at = created_at - $3 * interval '1 second' WHERE entity_id = $1 AND version <= $2`,
		id, version, back.Seconds())
}

// The duration of a session that was interrupted by a hold does not include the hold.
func TestFiguresCountTheStretchesOfASession(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	change := completedVisit(noon, someService, "rao", 10, 90)
	visit := change.After.(contract.Visit)
	visit.Stage, visit.SessionSeconds = "completed", 20*60
	change.After = visit
	left := completedVisit(noon, someService, "rao", 0, 0)
	gone := left.After.(contract.Visit)
	gone.Stage = "left"
	left.After = gone
	again := completedVisit(noon, someService, "rao", 10, 30)
	goesOn := again.After.(contract.Visit)
	goesOn.Status, goesOn.Stage = contract.StatusInSession, "in-session"
	goesOn.SessionSeconds, goesOn.CompletedAt = 600, nil
	again.After, again.Type = goesOn, contract.VisitInSession
	o.publish(t, visits, change, left, completedVisit(noon, someService, "rao", 10, 30), again)
	got := o.figuresOf(t, "services/"+someService+"?start_date=2026-11-20&end_date=2026-11-20").Totals
	if *got.SessionMinutes != 25 || got.Total != 4 || got.Completed != 2 || got.Denied != 0 {
		t.Errorf("%+v, %v minutes", got, *got.SessionMinutes)
	}
}

// A correction, its undo, a priority or a second token does not end a hold. A hold that has not ended is not counted.
func TestAHoldEndsWhenTheVisitorDoesSomethingElse(t *testing.T) {
	o := newOffice(t)
	o.store.clock = at(noon)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	v, still := newVisitor("T-001"), newVisitor("T-002")
	still.TokenNo = 2
	o.publish(t, visits, v.become(contract.VisitHeld, "held", "approved"),
		v.become(contract.VisitPrioritised, "held", "approved"), v.become(contract.VisitCorrected, "held", "approved"),
		v.become(contract.VisitUndone, "held", "approved"), v.become(contract.VisitMerged, "held", "approved"),
		v.become(contract.VisitResumed, "waiting", "approved"), still.become(contract.VisitHeld, "held", "approved"))
	o.shiftTrail(t, v.ID, 3, 20*time.Minute)
	o.shiftTrail(t, v.ID, 4, 12*time.Minute)
	o.shiftTrail(t, v.ID, 5, 7*time.Minute)
	o.shiftTrail(t, still.ID, 1, 20*time.Minute)
	lines := sheetLines(o.call(t, "admin", "/api/analytics/export?detail=1"))
	if !strings.HasSuffix(lines[1], `"39","",""`) || !strings.HasSuffix(lines[2], `"","",""`) {
		t.Errorf("the export has\n%s", strings.Join(lines[1:], "\n"))
	}
}
