package visits_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"baari.dev/services/platform/testkit"
)

func TestABodyThatSaysNothingIsRefused(t *testing.T) {
	d := newDesk(t)
	d.sessionAge(0)
	id := d.arrive("Asha").ID
	d.contract.RefusesBodiesThatSayNothing(t, map[string]string{"id": id},
		func(role, method, path, body string) (int, string) {
			a := d.as(role, method, path, body, "Baari-Device", "device-A", "Idempotency-Key", uuid.NewString())
			return a.status, a.text
		})
	if n := count(t, d, `SELECT count(*) FROM outbox`); n != 1 {
		t.Errorf("bodies that say nothing published %d events", n-1)
	}
}

// A transfer has no target if the key is missing or misspelt, or if its value is empty. The transfer is rejected, and
// the session goes on.
func TestATransferWithoutATargetLeavesTheSession(t *testing.T) {
	d := newDesk(t)
	v := d.inSession("Asha")
	for _, body := range []string{
		`"consultantId":null`, `"note":"to the colleague"`, `"before":null`, `"consultant_id":""`,
		`"service_id":null`,
	} {
		d.rejects("a transfer of "+body, d.act("consultant", v.ID, "transfer", "{"+body+`,"version":3}`), 400, "validation")
	}
	if stage := d.queued(v.ID).Queue.Stage; stage != "in-session" {
		t.Errorf("the visit is %s", stage)
	}
	d.must("a transfer to the line", d.act("consultant", v.ID, "transfer", `{"consultant_id":null}`), "waiting")
}

func TestOnlyNullTakesAPinOrAMoveBack(t *testing.T) {
	d := newDesk(t)
	first, v := d.lined("Ravi"), d.lined("Asha")
	pa := func(action, body string) answer { return d.act("pa", v.ID, action, body) }
	d.must("a pin", pa("pin", `{"consultant_id":"`+testkit.ID("consultant")+`"}`), "waiting")
	d.must("a move", pa("move", `{"before":"`+first.ID+`","reason":"ill"}`), "waiting")
	d.rejects("a pin without a consultant", pa("pin", `{"version":4}`), 400, "validation")
	d.rejects("an empty pin", pa("pin", `{"consultant_id":""}`), 400, "validation")
	d.rejects("a move to nowhere", pa("move", `{"reason":"a mistake"}`), 400, "validation")
	d.must("a move back", pa("move", `{"before":null}`), "waiting")
	if a := d.must("unpin", pa("pin", `{"consultant_id":null}`), "waiting"); a.Visit.Queue.Pinned {
		t.Error("null left the pin")
	}
}

// A body with a misspelt key does not change the draft. null or an empty text deletes the draft.
func TestAMisspeltDraftLeavesTheDraft(t *testing.T) {
	d := newDesk(t)
	v := d.inSession("Asha")
	path := "/api/visits/" + v.ID + "/draft"
	d.draftOf("consultant", v.ID, "two papers are missing")
	if a := d.as("consultant", http.MethodPut, path, `{"note":"all there"}`); a.status != http.StatusBadRequest {
		t.Errorf("a misspelt key answered %d %s", a.status, a.text)
	}
	if draft, _ := d.draftOf("consultant", v.ID); draft.Notes != "two papers are missing" {
		t.Errorf("the draft is %q", draft.Notes)
	}
	d.as("consultant", http.MethodPut, path, `{"notes":null}`)
	if draft, _ := d.draftOf("consultant", v.ID); draft.Notes != "" {
		t.Errorf("null left %q", draft.Notes)
	}
}
