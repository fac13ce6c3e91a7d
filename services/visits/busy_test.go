package visits_test

import (
	"fmt"
	"net/http"
	"testing"

	"baari.dev/services/platform/testkit"
)

func named(consultant string) string {
	return fmt.Sprintf(`{"consultant_id":%q}`, testkit.ID(consultant))
}

func TestNobodyIsCalledToABusyConsultant(t *testing.T) {
	d := newDesk(t)
	d.inSession("In session")
	waits, called := d.lined("Waits"), d.lined("Called")
	d.rejects("a call beside a session", d.act("pa", waits.ID, "call", named("consultant")),
		http.StatusConflict, "session_active")
	d.must("a call to a free one", d.act("pa", called.ID, "call", named("consultant2")), "called")
	d.rejects("a second call", d.act("pa", waits.ID, "call", named("consultant2")), http.StatusConflict, "call_open")
}

func TestACompletionIsNotUndoneWhileAnotherVisitorIsCalled(t *testing.T) {
	d := newDesk(t)
	first := d.inSession("First")
	second := d.lined("Second")
	d.must("complete", d.set("consultant", first.ID, "completed"), "completed")
	if got := d.must("next", d.next("consultant"), "called"); got.Visit.ID != second.ID {
		t.Fatalf("next called %s", got.Visit.Token)
	}
	d.rejects("undo", d.act("consultant", first.ID, "undo", `{}`), http.StatusConflict, "call_open")
}

// A consultant always calls to their own desk, whatever the request says. An admin must name an active consultant.
func TestWhoseDeskAVisitorIsCalledTo(t *testing.T) {
	d := newDesk(t)
	first, second := d.lined("First"), d.lined("Second")
	next := d.as("consultant", http.MethodPost, "/api/visits/next", named("consultant2"))
	call := d.act("consultant2", second.ID, "call", named("consultant"))
	for who, got := range map[string]answer{"consultant": next, "consultant2": call} {
		if got.status != http.StatusOK || *got.Visit.AssignedConsultantID != testkit.ID(who) {
			t.Errorf("the call of %s answered %d %s", who, got.status, got.text)
		}
	}
	if next.Visit.ID != first.ID {
		t.Errorf("next called %s", next.Visit.Token)
	}
	d.rejects("an admin without a consultant", d.as("admin", http.MethodPost, "/api/visits/next", `{}`),
		http.StatusBadRequest, "validation")
	d.lined("Third")
	exec(t, d.owner, `UPDATE consultants SET is_active = false WHERE id = $1`, testkit.ID("consultant2"))
	for _, gone := range []string{"consultant2", "unknown"} {
		d.rejects("a call for "+gone, d.as("admin", http.MethodPost, "/api/visits/next", named(gone)),
			http.StatusUnprocessableEntity, "consultant_unavailable")
	}
}
