package visits_test

import (
	"fmt"
	"net/http"
	"testing"

	"baari.dev/services/platform/testkit"
)

// An admin who starts a session from the line must name the consultant. A consultant always starts their own session.
func TestWhoseSessionStarts(t *testing.T) {
	d := newDesk(t)
	free, own := d.lined("Free"), d.arrive("Own")
	named := fmt.Sprintf(`"assigned_consultant_id":%q`, testkit.ID("consultant2"))
	d.rejects("without a consultant", d.set("admin", free.ID, "in-session"), http.StatusConflict, "illegal_transition")
	got := d.must("for a consultant", d.set("admin", free.ID, "in-session", named), "in-session")
	if *got.Visit.AssignedConsultantID != testkit.ID("consultant2") {
		t.Errorf("started for %s", *got.Visit.AssignedConsultantID)
	}
	d.must("approve", d.set("pa", own.ID, "approved", to("consultant")), "waiting")
	got = d.must("by the consultant, whomever the request names",
		d.set("consultant", own.ID, "in-session", to("who is gone")), "in-session")
	if *got.Visit.AssignedConsultantID != testkit.ID("consultant") {
		t.Errorf("started for %s", *got.Visit.AssignedConsultantID)
	}
	d.rejects("for one and for the line", d.set("pa", d.arrive("Both").ID, "approved", `"line":true`, named),
		http.StatusBadRequest, "validation")
}

// A change made by a release without stages cannot be undone, because the state before it is not known.
func TestAChangeOfTheReleaseWithoutStagesIsNotUndone(t *testing.T) {
	d := newDesk(t)
	v := d.lined("Asha")
	d.must("leave", d.act("pa", v.ID, "leave", `{}`), "left")
	exec(t, d.owner, `UPDATE outbox SET before = before - 'stage' WHERE entity_id = $1 AND type = 'visit_left'`, v.ID)
	d.rejects("undo", d.act("pa", v.ID, "undo", `{}`), http.StatusConflict, "undo_gone")
	for _, listed := range d.as("pa", http.MethodGet, "/api/visits/today", "").Visits {
		if listed.Queue.Undo != nil {
			t.Errorf("the list offers %+v", listed.Queue.Undo)
		}
	}
}
