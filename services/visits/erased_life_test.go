package visits_test

import (
	"fmt"
	"net/http"
	"testing"
)

// The erasure includes texts about a visitor that were typed between the decision and the end of the visit, also in
// stored responses.
func TestAnErasureReachesHoldsMovesDraftsAndStoredCalls(t *testing.T) {
	d := newDesk(t)
	before := d.lined("Before")
	asha := d.as("reception", http.MethodPost, "/api/visits", ashasRegistration(d.offered)).Visit
	d.must("approve", d.set("pa", asha.ID, "approved", `"line":true`), "waiting")
	d.must("move", d.act("pa", asha.ID, "move",
		fmt.Sprintf(`{"before":%q,"reason":"canary-move of Parvati"}`, before.ID), "Idempotency-Key", "key-of-ashas-move"),
		"waiting")
	called := d.must("next", d.next("consultant", "Idempotency-Key", "key-of-ashas-call"), "called")
	if called.Visit.ID != asha.ID {
		t.Fatalf("the call is of %s", called.Visit.Name)
	}
	d.must("start", d.set("consultant", asha.ID, "in-session"), "in-session")
	d.draftOf("consultant", asha.ID, "canary-draft")
	d.must("hold", d.act("consultant", asha.ID, "hold", `{"reason":"papers","note":"canary-hold"}`,
		"Idempotency-Key", "key-of-ashas-hold"), "held")
	d.ask(t, "erase")
	if found := d.db.Find(t, append(ashasTraces, "canary-move", "canary-draft", "canary-hold")...); len(found) > 0 {
		t.Errorf("left of the visitor: %v", found)
	}
	if n := count(t, d, `SELECT count(*) FROM visits WHERE id = $1 AND stage = 'held'
		AND held_reason = 'papers'`, asha.ID); n != 1 {
		t.Error("the visit has another stage after the erasure")
	}
}
