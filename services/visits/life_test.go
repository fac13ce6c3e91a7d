package visits_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"baari.dev/services/platform/testkit"
)

func (d *desk) act(person, id, action, body string, headers ...string) answer {
	d.t.Helper()
	return d.as(person, http.MethodPost, "/api/visits/"+id+"/"+action, body, headers...)
}

func (d *desk) next(consultant string, headers ...string) answer {
	d.t.Helper()
	return d.as(consultant, http.MethodPost, "/api/visits/next", `{}`, headers...)
}

// lined registers a visitor and approves the visit for the line.
func (d *desk) lined(name string) *visitBody {
	d.t.Helper()
	v := d.arrive(name)
	if a := d.set("pa", v.ID, "approved", `"line":true`); a.status != http.StatusOK {
		d.t.Fatalf("sending %s to the line answered %d %s", name, a.status, a.text)
	}
	return v
}

// must fails the test unless the response is 200 and has a visit in the given stage.
func (d *desk) must(what string, got answer, stage string) answer {
	d.t.Helper()
	if got.status != http.StatusOK || got.Visit == nil || got.Visit.Queue.Stage != stage {
		d.t.Fatalf("%s answered %d %s", what, got.status, got.text)
	}
	return got
}

func (d *desk) rejects(what string, got answer, status int, code string) {
	d.t.Helper()
	if got.status != status || got.Code != code {
		d.t.Errorf("%s answered %d %s, want %d %s", what, got.status, got.text, status, code)
	}
}

// wait moves a visit's last call and its events some seconds into the past.
func (d *desk) wait(id string, seconds int) {
	d.t.Helper()
	exec(d.t, d.owner, fmt.Sprintf(`UPDATE visits SET called_at = called_at - interval '%d s' WHERE id = $1`, seconds), id)
	exec(d.t, d.owner, fmt.Sprintf(
		`UPDATE outbox SET created_at = created_at - interval '%d s' WHERE entity_id = $1`, seconds), id)
}

// Next calls the visitor who is due first. A consultant in a session cannot use it, and a second Next returns the open
// call.
func TestTheLineServesWhoIsDueFirst(t *testing.T) {
	d := newDesk(t)
	d.inSession("Busy")
	first, second, third := d.lined("First"), d.lined("Second"), d.lined("Third")
	d.rejects("next during a session", d.next("consultant"), http.StatusConflict, "session_active")
	got := d.must("next", d.next("consultant2"), "called")
	if got.Visit.ID != first.ID || *got.Visit.AssignedConsultantID != testkit.ID("consultant2") || got.Again {
		t.Errorf("next called %s", got.text)
	}
	if again := d.next("consultant2"); again.Visit.ID != first.ID || !again.Again {
		t.Errorf("a second press called %s", again.text)
	}
	if got.Waiting != 2 || len(got.Reasons) == 0 {
		t.Errorf("next answered %s", got.text)
	}
	d.act("pa", third.ID, "class", `{"class":"priority"}`)
	line := d.as("pa", http.MethodGet, "/api/visits/line", "")
	if len(line.Line) != 2 || line.Line[0].VisitID != third.ID || line.Line[1].VisitID != second.ID {
		t.Errorf("the line is %s", line.text)
	}
	if own := d.as("consultant", http.MethodGet, "/api/visits/line", ""); strings.Contains(own.text, "Second") {
		t.Errorf("a consultant's line has names: %s", own.text)
	}
}

// Next with a repeated key returns the first response, even if the visit has changed since.
func TestNextIsRepeatedByItsKey(t *testing.T) {
	d := newDesk(t)
	v := d.lined("First")
	one := d.next("consultant", "Idempotency-Key", "key-of-next-1")
	d.must("start", d.set("consultant", v.ID, "in-session"), "in-session")
	again := d.next("consultant", "Idempotency-Key", "key-of-next-1")
	if again.status != http.StatusOK || again.text != one.text || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("the repetition answered %d %s", again.status, again.text)
	}
	empty := d.next("consultant2", "Idempotency-Key", "key-of-next-2")
	if empty.status != http.StatusOK || empty.Visit != nil || empty.Waiting != 0 {
		t.Errorf("an empty line answered %d %s", empty.status, empty.text)
	}
}

// A visitor who misses a call returns to the third place in the line. The response with the line announces it.
func TestAMissedVisitorComesBackAfterTwoOthers(t *testing.T) {
	d := newDesk(t)
	v := d.lined("Missed")
	others := []*visitBody{d.lined("A"), d.lined("B"), d.lined("C")}
	d.must("next", d.next("consultant"), "called")
	d.rejects("a recall at once", d.act("reception", v.ID, "recall", `{}`), http.StatusConflict, "too_soon")
	d.rejects("a miss at once", d.act("consultant", v.ID, "miss", `{}`), http.StatusConflict, "too_soon")
	d.wait(v.ID, 11)
	recalled := d.must("recall", d.act("consultant", v.ID, "recall", `{}`), "called")
	if recalled.Visit.Queue.CallCount != 2 {
		t.Errorf("the recall answered %s", recalled.text)
	}
	d.must("miss", d.act("consultant", v.ID, "miss", `{}`), "missed")
	if line := d.as("reception", http.MethodGet, "/api/visits/line", ""); line.ReturnPositions[v.ID] != 3 {
		t.Errorf("the announced place is in %s", line.text)
	}
	d.must("back", d.act("reception", v.ID, "back", `{}`), "waiting")
	line := d.as("pa", http.MethodGet, "/api/visits/line", "")
	if len(line.Line) != 4 || line.Line[2].VisitID != v.ID || line.Line[3].VisitID != others[2].ID {
		t.Errorf("the line is %s", line.text)
	}
}

// A hold during a session frees the consultant and keeps the session's duration. After the hold, the visitor waits for
// the same consultant.
func TestAHoldKeepsTheSessionsTime(t *testing.T) {
	d := newDesk(t)
	v := d.inSession("Papers")
	exec(t, d.owner, `UPDATE visits SET sat_since = sat_since - interval '10 minutes',
		started_at = started_at - interval '10 minutes' WHERE id = $1`, v.ID)
	held := d.must("hold", d.act("consultant", v.ID, "hold", `{"reason":"papers","note":"Form 16"}`), "held")
	if held.Visit.Status != "approved" || held.Visit.Queue.SessionSeconds < 600 || held.Visit.Queue.SatSince != nil {
		t.Errorf("on hold: %s", held.text)
	}
	other := d.lined("Other")
	d.must("next", d.next("consultant"), "called")
	early := d.set("consultant", v.ID, "in-session")
	d.rejects("starting while another is called", early, http.StatusConflict, "call_open")
	d.must("start", d.set("consultant", other.ID, "in-session"), "in-session")
	d.must("complete", d.set("consultant", other.ID, "completed"), "completed")
	resumed := d.must("resume", d.act("reception", v.ID, "resume", `{}`), "waiting")
	if !resumed.Visit.Queue.Pinned || *resumed.Visit.AssignedConsultantID != testkit.ID("consultant") {
		t.Errorf("resumed: %s", resumed.text)
	}
	d.must("start again", d.set("consultant", v.ID, "in-session"), "in-session")
	done := d.must("complete", d.set("consultant", v.ID, "completed", `"notes":"filed"`), "completed")
	if *done.Visit.SessionDuration != 10 || done.Visit.Queue.Sittings != 2 {
		t.Errorf("completed: %s", done.text)
	}
	d.must("reopen", d.act("consultant", v.ID, "reopen", `{"note":"one more form"}`), "waiting")
	d.rejects("a reopening of what waits", d.act("pa", v.ID, "reopen", `{}`), http.StatusConflict, "illegal_action")
}

func TestATransferKeepsThePlaceInTheLine(t *testing.T) {
	d := newDesk(t)
	v := d.inSession("Wrong desk")
	waiting := d.lined("Later")
	moved := d.must("transfer", d.act("consultant", v.ID, "transfer",
		`{"consultant_id":null,"note":"needs GST"}`), "waiting")
	if moved.Visit.Queue.Pinned || moved.Visit.AssignedConsultantID != nil || moved.Visit.Queue.Transfers != 1 {
		t.Errorf("transferred: %s", moved.text)
	}
	if got := d.must("next", d.next("consultant2"), "called"); got.Visit.ID != v.ID {
		t.Errorf("next called %s before %s", got.Visit.ID, waiting.ID)
	}
	d.rejects("a transfer to an unknown service",
		d.act("pa", waiting.ID, "transfer", fmt.Sprintf(`{"service_id":%q}`, waiting.ID)),
		http.StatusUnprocessableEntity, "service_unknown")
}

func TestACapProtectsAPassedVisitor(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	normal := d.lined("Normal")
	for i := range 4 {
		v := d.lined("Priority")
		d.act("pa", v.ID, "class", `{"class":"priority"}`)
		got := d.must("next", d.next("consultant"), "called")
		if want := i == 3; (got.Visit.ID == normal.ID) != want {
			t.Errorf("call %d was of the normal visitor: %v", i+1, !want)
		}
		if i == 2 {
			last := d.lined("Last")
			d.rejects("a move past the capped visitor", d.act("pa", last.ID, "move",
				fmt.Sprintf(`{"before":%q,"reason":"known to the partner"}`, normal.ID)), http.StatusConflict, "would_bypass")
			d.act("pa", last.ID, "leave", `{}`)
		}
		d.set("consultant", got.Visit.ID, "in-session")
		d.set("consultant", got.Visit.ID, "completed")
	}
}

func TestACorrectionChangesThePersonAndIsUndone(t *testing.T) {
	d := newDesk(t)
	v := d.arrive("Asah")
	d.rejects("a correction by another receptionist", d.act("reception2", v.ID, "correct", `{"name":"Asha"}`),
		http.StatusForbidden, "forbidden")
	fixed := d.must("correct", d.act("reception", v.ID, "correct", `{"name":"Asha","phone":"9876543211"}`), "new")
	if fixed.Visit.Name != "Asha" || fixed.Visit.Phone != "9876543211" || fixed.Visit.Queue.CorrectedAt == nil {
		t.Errorf("corrected: %s", fixed.text)
	}
	d.rejects("a stale correction", d.act("pa", v.ID, "correct", `{"name":"Asha R","version":1}`),
		http.StatusPreconditionFailed, "stale_version")
	undone := d.must("undo", d.act("reception", v.ID, "undo", `{}`), "new")
	if undone.Visit.Name != "Asah" || undone.Visit.Phone != "9876543210" || undone.Visit.Queue.CorrectedAt != nil {
		t.Errorf("undone: %s", undone.text)
	}
}

// Undo restores the visit as it was before the last change. It is possible for 30 seconds, if the visit has not changed
// since.
func TestUndoRestoresTheStateBefore(t *testing.T) {
	d := newDesk(t)
	v := d.arrive("Asha")
	approved := d.must("approve", d.set("pa", v.ID, "approved", to("consultant")), "waiting")
	if u := approved.Visit.Queue.Undo; u == nil || u.Action != "approve" || u.By == "" {
		t.Errorf("the answer offers no undo: %s", approved.text)
	}
	d.rejects("undo by another", d.act("pa2", v.ID, "undo", `{}`), http.StatusForbidden, "forbidden")
	d.rejects("undo of an older version", d.act("pa2", v.ID, "undo", `{"version":1}`), http.StatusConflict, "undo_gone")
	d.must("undo", d.act("pa", v.ID, "undo", `{}`), "new")
	d.rejects("undo of undo", d.act("pa", v.ID, "undo", `{}`), http.StatusConflict, "undo_gone")
	d.must("approve", d.set("pa", v.ID, "approved", to("consultant")), "waiting")
	d.must("start", d.set("consultant", v.ID, "in-session"), "in-session")
	d.must("undo of start", d.act("consultant", v.ID, "undo", `{}`), "waiting")
	d.must("start", d.set("consultant", v.ID, "in-session"), "in-session")
	d.must("complete", d.set("consultant", v.ID, "completed", `"notes":"filed"`), "completed")
	back := d.must("undo of complete", d.act("consultant", v.ID, "undo", `{}`), "in-session")
	if back.Visit.SessionNotes != "" || back.Visit.CompletedAt != nil {
		t.Errorf("undone: %s", back.text)
	}
	draft := d.as("consultant", http.MethodGet, "/api/visits/"+v.ID+"/draft", "")
	if !strings.Contains(draft.text, "filed") {
		t.Errorf("the draft is %s", draft.text)
	}
	d.must("complete", d.set("consultant", v.ID, "completed"), "completed")
	d.wait(v.ID, 31)
	d.rejects("undo after 31 s", d.act("consultant", v.ID, "undo", `{}`), http.StatusConflict, "undo_gone")
	made := d.arrive("Mistake")
	cancelled := d.must("undo of a registration", d.act("reception", made.ID, "undo", `{}`), "cancelled")
	if cancelled.Visit.Status != "denied" {
		t.Errorf("undone: %s", cancelled.text)
	}
}

func TestDesksOpenAndClose(t *testing.T) {
	d := newDesk(t)
	path := "/api/visits/desks/" + testkit.ID("consultant")
	d.rejects("another's desk", d.as("consultant2", http.MethodPut, path, `{"state":"off"}`),
		http.StatusForbidden, "not_assigned")
	d.rejects("an unknown state", d.as("consultant", http.MethodPut, path, `{"state":"gone"}`),
		http.StatusBadRequest, "validation")
	d.rejects("a break until yesterday", d.as("consultant", http.MethodPut, path,
		`{"state":"break","backAt":"2020-01-01T10:00:00Z"}`), http.StatusBadRequest, "validation")
	open := d.as("consultant", http.MethodPut, path, `{"state":"last","counter":"3"}`)
	if open.status != http.StatusOK || !strings.Contains(open.text, `"counter":"3"`) {
		t.Fatalf("opening answered %d %s", open.status, open.text)
	}
	d.lined("Waits for any")
	if got := d.next("consultant"); got.status != http.StatusOK || got.Visit != nil {
		t.Errorf("a desk that takes its last visitors called %s", got.text)
	}
	pinned := d.arrive("Pinned")
	d.set("pa", pinned.ID, "approved", to("consultant"))
	got := d.must("next", d.next("consultant"), "called")
	if got.Visit.ID != pinned.ID || *got.Visit.Queue.Counter != "3" {
		t.Errorf("next called %s", got.text)
	}
	desks := d.as("reception", http.MethodGet, "/api/visits/desks", "")
	if !strings.Contains(desks.text, `"state":"last"`) || !strings.Contains(desks.text, pinned.ID) {
		t.Errorf("the desks are %s", desks.text)
	}
}

func TestAVisitorLeavesIsCancelledAndReopened(t *testing.T) {
	d := newDesk(t)
	v, mistake := d.lined("Leaves"), d.arrive("Mistake")
	for person, own := range map[string]bool{"reception": true, "reception2": false} {
		list := d.as(person, http.MethodGet, todayPath, "").text
		if n := strings.Count(list, fmt.Sprintf(`"registeredByCaller":%t`, own)); n != 2 {
			t.Errorf("%s reads %s", person, list)
		}
	}
	d.rejects("cancelling another's visit", d.act("reception2", mistake.ID, "cancel", `{}`),
		http.StatusForbidden, "forbidden")
	d.must("cancel", d.act("reception", mistake.ID, "cancel", `{}`), "cancelled")
	left := d.must("leave", d.act("reception", v.ID, "leave", `{}`), "left")
	if left.Visit.Status != "denied" || left.Visit.Queue.EndedAt == nil {
		t.Errorf("left: %s", left.text)
	}
	if again := d.act("reception", v.ID, "leave", `{}`); again.status != http.StatusOK ||
		again.Visit.Version != left.Visit.Version {
		t.Errorf("the repetition answered %d %s", again.status, again.text)
	}
	d.must("reopen", d.act("reception", v.ID, "reopen", `{}`), "waiting")
	d.must("reopen", d.act("pa", mistake.ID, "reopen", `{}`), "new")
	d.must("call by hand", d.act("consultant", v.ID, "call", `{"counter":"7"}`), "called")
	d.must("pin", d.act("pa", d.lined("Other").ID, "pin",
		fmt.Sprintf(`{"consultant_id":%q}`, testkit.ID("consultant2"))), "waiting")
}

// Session notes that were stored before a reopening are kept when the session is completed again. An undo returns only
// the new notes to the draft.
func TestACompletionAfterAReopeningKeepsTheFirstNotes(t *testing.T) {
	d := newDesk(t)
	v := d.inSession("Asha")
	d.must("complete", d.set("consultant", v.ID, "completed", `"notes":"filed"`), "completed")
	d.must("reopen", d.act("consultant", v.ID, "reopen", `{"note":"a paper came"}`), "waiting")
	d.must("start", d.set("consultant", v.ID, "in-session"), "in-session")
	done := d.must("complete", d.set("consultant", v.ID, "completed", `"notes":"filed again"`), "completed")
	for _, notes := range []string{"filed\n[", "] a paper came\n[", "] filed again"} {
		if !strings.Contains(done.Visit.SessionNotes, notes) {
			t.Errorf("%q is not in %q", notes, done.Visit.SessionNotes)
		}
	}
	d.must("undo", d.act("consultant", v.ID, "undo", `{}`), "in-session")
	if draft, _ := d.draftOf("consultant", v.ID); draft.Notes != "filed again" {
		t.Errorf("the draft is %q", draft.Notes)
	}
	long := d.set("consultant", v.ID, "completed", `"notes":"`+strings.Repeat("x", 2000)+`"`)
	d.rejects("notes that do not fit", long, http.StatusBadRequest, "validation")
}
