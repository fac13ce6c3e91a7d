package directory

import (
	"testing"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// step is one event of a visit, and the load of the consultant rao after the event.
type step struct {
	kind, stage, status string
	pinned              bool
	consultant          string // argument of testkit.ID, "" without a consultant
	waiting             int
	running             bool
}

// lives has events of some visits, in order. A consultant's queue has the visitors who wait for that consultant alone
// or whom that consultant has called.
var lives = map[string][]step{
	"sent to the line, called, back in line": {
		{contract.VisitApproved, "waiting", "approved", false, "", 0, false},
		{contract.VisitCalled, "called", "approved", false, "rao", 1, false},
		{contract.VisitRecalled, "called", "approved", false, "rao", 1, false},
		{contract.VisitMissed, "missed", "approved", false, "rao", 0, false},
		{contract.VisitReturned, "waiting", "approved", false, "", 0, false},
	},
	"pinned, unpinned, pinned": {
		{contract.VisitApproved, "waiting", "approved", true, "rao", 1, false},
		{contract.VisitPinned, "waiting", "approved", false, "", 0, false},
		{contract.VisitPinned, "waiting", "approved", true, "rao", 1, false},
		{contract.VisitPinned, "waiting", "approved", true, "sen", 0, false},
	},
	"held out of a session, resumed, transferred": {
		{contract.VisitInSession, "in-session", "in-session", true, "rao", 0, true},
		{contract.VisitHeld, "held", "approved", true, "rao", 0, false},
		{contract.VisitResumed, "waiting", "approved", true, "rao", 1, false},
		{contract.VisitInSession, "in-session", "in-session", true, "rao", 0, true},
		{contract.VisitTransferred, "waiting", "approved", false, "", 0, false},
	},
	"undone and reopened": {
		{contract.VisitApproved, "waiting", "approved", true, "rao", 1, false},
		{contract.VisitUndone, "new", "new", false, "", 0, false},
		{contract.VisitApproved, "waiting", "approved", true, "rao", 1, false},
		{contract.VisitInSession, "in-session", "in-session", true, "rao", 0, true},
		{contract.VisitCompleted, "completed", "completed", true, "rao", 0, false},
		{contract.VisitUndone, "in-session", "in-session", true, "rao", 0, true},
		{contract.VisitCompleted, "completed", "completed", true, "rao", 0, false},
		{contract.VisitReopened, "waiting", "approved", true, "rao", 1, false},
	},
	"left":            {{contract.VisitLeft, "left", "denied", true, "rao", 0, false}},
	"did not come":    {{contract.VisitNoShow, "no-show", "denied", true, "rao", 0, false}},
	"cancelled":       {{contract.VisitCancelled, "cancelled", "denied", true, "rao", 0, false}},
	"an old approval": {{contract.VisitApproved, "", "approved", false, "rao", 1, false}},
	"mixed releases": {
		{contract.VisitHeld, "held", "approved", true, "rao", 0, false},
		{contract.VisitInSession, "", "in-session", false, "rao", 0, true},
	},
}

func TestAConsultantsQueueHasWhoWaitsForThemAloneOrIsCalled(t *testing.T) {
	f := newFront(t)
	f.addConsultants(t, testkit.ID("rao"))
	redis := testkit.NewRedis(t)
	visits := testkit.NewSource(t, contract.SourceVisits, redis.Bus)
	f.follow(t, visits, redis, f.FollowVisits())
	for name, life := range lives {
		id := uuid.Must(uuid.NewV7()).String()
		for i, one := range life {
			visits.Publish(t, one.change(id, int64(i+1)))
			f.caughtUp(t, visits)
			all, err := f.Consultants(t.Context(), nil, feed.Since{})
			if err != nil {
				t.Fatal(err)
			}
			if load := all.List[0].Load; load.Waiting != one.waiting || load.Running != one.running {
				t.Errorf("%s: after %d, %s: %+v", name, i+1, one.kind, load)
			}
		}
		testkit.Exec(t, f.db.Owner(t), `TRUNCATE assigned_visits`)
	}
}

func (s step) change(id string, version int64) outbox.Change {
	visit := contract.Visit{ID: id, Status: s.status, Stage: s.stage, Pinned: s.pinned, Version: version}
	if s.consultant != "" {
		consultant := testkit.ID(s.consultant)
		visit.ConsultantID = &consultant
	}
	return outbox.Change{
		Type: s.kind, Entity: contract.EntityVisit, EntityID: id, Version: version, After: visit,
	}
}

// A replica of an older release writes only the status. A visit whose stage no longer matches the status must be
// counted once.
func TestAStageOfBeforeDoesNotHideARowOfAnOldReplica(t *testing.T) {
	f := newFront(t)
	rao := testkit.ID("rao")
	f.addConsultants(t, rao)
	testkit.Exec(t, f.db.Pool, `INSERT INTO assigned_visits VALUES
		(gen_random_uuid(), $1, 'approved', NULL, 'in-session'), (gen_random_uuid(), $1, 'in-session', NULL, 'held')`, rao)
	all, err := f.Consultants(t.Context(), nil, feed.Since{})
	if err != nil || all.List[0].Load != (Load{Waiting: 1, Running: true}) {
		t.Errorf("%+v, %v", all.List, err)
	}
}

func TestEventsOfOtherEntitiesCountNothing(t *testing.T) {
	f := newFront(t)
	redis := testkit.NewRedis(t)
	visits := testkit.NewSource(t, contract.SourceVisits, redis.Bus)
	f.follow(t, visits, redis, f.FollowVisits())
	f.addConsultants(t, testkit.ID("rao"))
	visits.Publish(t, outbox.Change{Type: contract.DeskChanged, Entity: contract.EntityDesk, EntityID: testkit.ID("rao"),
		After: contract.Desk{ConsultantID: testkit.ID("rao"), State: "open"}})
	f.caughtUp(t, visits)
	if all, err := f.Consultants(t.Context(), nil, feed.Since{}); err != nil || all.List[0].Load != (Load{}) {
		t.Errorf("%+v, %v", all.List, err)
	}
}
