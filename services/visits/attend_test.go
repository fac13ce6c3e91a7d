package visits_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"baari.dev/services/platform/testkit"
)

// draftOf reads the draft of a visit or, if notes are given, saves them as the draft.
func (d *desk) draftOf(person, id string, notes ...string) (draft struct{ Notes, SavedAt string }, a answer) {
	d.t.Helper()
	method, body := http.MethodGet, ""
	if len(notes) > 0 {
		method, body = http.MethodPut, fmt.Sprintf(`{"notes":%q}`, notes[0])
	}
	a = d.as(person, method, "/api/visits/"+id+"/draft", body)
	var read struct {
		Draft *struct{ Notes, SavedAt string } `json:"draft"`
	}
	read.Draft = &draft
	if err := json.Unmarshal([]byte(a.text), &read, json.MatchCaseInsensitiveNames(true)); err != nil {
		d.t.Fatal(err)
	}
	return draft, a
}

func (d *desk) inSession(name string) *visitBody {
	d.t.Helper()
	v := d.arrive(name)
	d.set("pa", v.ID, "approved", to("consultant"))
	return d.set("consultant", v.ID, "in-session").Visit
}

// A draft is stored for the visit's consultant, publishes no event, and is deleted when the session is completed.
func TestADraftIsKeptUntilTheSessionIsCompleted(t *testing.T) {
	d := newDesk(t)
	v := d.inSession("Asha")
	events := count(t, d, `SELECT count(*) FROM outbox`)
	draft, a := d.draftOf("consultant", v.ID)
	if a.status != http.StatusOK || draft.Notes != "" || draft.SavedAt != "" {
		t.Errorf("before anything was typed: %s", a.text)
	}
	d.draftOf("consultant", v.ID, "Form 26AS")
	saved, a := d.draftOf("consultant", v.ID, "Form 26AS matches")
	if a.status != http.StatusOK || saved.SavedAt == "" {
		t.Errorf("saving answered %d %s", a.status, a.text)
	}
	for _, person := range []string{"consultant", "admin"} {
		if draft, a := d.draftOf(person, v.ID); draft.Notes != "Form 26AS matches" {
			t.Errorf("%s reads %s", person, a.text)
		}
	}
	if n := count(t, d, `SELECT count(*) FROM access_log WHERE call = 'draft' AND user_id = $1
		AND visit_ids = ARRAY[$2::uuid]`, testkit.ID("admin"), v.ID); n != 1 {
		t.Errorf("the admin's reading of a draft is in %d entries of the access log", n)
	}
	if n := count(t, d, `SELECT count(*) FROM access_log WHERE call = 'draft'`); n != 1 {
		t.Errorf("%d entries of drafts, want the one of another than the consultant", n)
	}
	if seen := d.as("consultant", http.MethodGet, "/api/visits/today", ""); strings.Contains(seen.text, "26AS") {
		t.Errorf("the list has the draft: %s", seen.text)
	}
	if now := count(t, d, `SELECT count(*) FROM outbox`); now != events {
		t.Errorf("drafts were published: %d events, before %d", now, events)
	}
	d.set("consultant", v.ID, "completed", `"notes":"filed"`)
	if left := count(t, d, `SELECT count(*) FROM session_drafts`); left != 0 {
		t.Errorf("%d drafts outlived the session", left)
	}
	if _, a := d.draftOf("consultant", v.ID, "late"); a.status != http.StatusConflict || a.Code != "visit_over" {
		t.Errorf("a draft after the session answered %d %s", a.status, a.text)
	}
}

// matrix.csv: until the visit ends, the assigned consultant and admins use the draft and read earlier visits.
func TestOnlyTheConsultantAndAdminsReadOrWriteNotes(t *testing.T) {
	d := newDesk(t)
	v := d.inSession("Asha")
	for person, status := range map[string]int{
		"": 401, "reception": 403, "pa": 403, "consultant": 200, "consultant2": 403, "admin": 200,
	} {
		_, read := d.draftOf(person, v.ID)
		_, save := d.draftOf(person, v.ID, "x")
		earlier := d.as(person, http.MethodGet, "/api/visits/"+v.ID+"/earlier", "")
		if read.status != status || save.status != status || earlier.status != status {
			t.Errorf(
				"%s: read %d, save %d, earlier %d, want %d",
				person,
				read.status,
				save.status,
				earlier.status,
				status,
			)
		}
		if person == "consultant2" && (read.Code != "not_assigned" || earlier.Code != "not_assigned") {
			t.Errorf("another consultant: %s, %s", read.text, earlier.text)
		}
	}
	for _, id := range []string{"01890000-0000-7000-8000-00000000ffff", "no-id"} {
		if _, a := d.draftOf("consultant", id); a.status != http.StatusNotFound {
			t.Errorf("the draft of %s answered %d", id, a.status)
		}
		if a := d.as("admin", http.MethodGet, "/api/visits/"+id+"/earlier", ""); a.status != http.StatusNotFound {
			t.Errorf("visits before %s answered %d", id, a.status)
		}
	}
}

func TestADraftHasTheRulesOfNotes(t *testing.T) {
	d := newDesk(t)
	v := d.inSession("Asha")
	for body, status := range map[string]int{
		`{}`: 400, `{"notes":""}`: 200, `{"notes":"a\n\tb"}`: 200, `{"notes":5}`: 400,
		`{"notes":"a` + "\\u0000" + `"}`: 400, `[]`: 400,
		`{"notes":"` + strings.Repeat("a", 2000) + `"}`: 200, `{"notes":"` + strings.Repeat("a", 2001) + `"}`: 400,
	} {
		if a := d.as("consultant", http.MethodPut, "/api/visits/"+v.ID+"/draft", body); a.status != status {
			t.Errorf("%.40s answered %d %s, want %d", body, a.status, a.text, status)
		}
	}
}

// The response has date, service and session notes of the visitor's completed visits. The access log records who read
// them, not what they contain.
func TestEarlierListsTheCompletedVisitsOfAPhone(t *testing.T) {
	d := newDesk(t)
	first, second := d.inSession("Asha"), (*visitBody)(nil)
	d.set("consultant", first.ID, "completed", `"notes":"return filed"`)
	second = d.inSession("Asha Rao")
	d.set("consultant", second.ID, "completed", `"notes":"notice answered"`)
	d.set("pa", d.arrive("Asha").ID, "denied")
	other := d.as(
		"reception",
		http.MethodPost,
		"/api/visits",
		strings.Replace(d.visitor("Ravi"), "9876543210", "9876543299", 1),
	).Visit
	d.set("pa", other.ID, "approved", to("consultant"))

	now := d.inSession("Asha")
	a := d.as("consultant", http.MethodGet, "/api/visits/"+now.ID+"/earlier", "")
	if a.status != http.StatusOK || len(a.Visits) != 2 || a.header.Get("X-Feed-Seq") == "" {
		t.Fatalf("earlier visits answered %d %s", a.status, a.text)
	}
	latest, before := a.Visits[0], a.Visits[1]
	if latest.SessionNotes != "notice answered" || latest.Name != "Asha Rao" || latest.Service.Name != "ITR Filing" ||
		before.SessionNotes != "return filed" ||
		before.Day != first.Day {
		t.Errorf("earlier visits are %s", a.text)
	}
	if strings.Contains(a.text, "98765") {
		t.Errorf("a phone stands in %s", a.text)
	}
	none := d.as("consultant", http.MethodGet, "/api/visits/"+other.ID+"/earlier", "")
	if none.status != http.StatusOK || len(none.Visits) != 0 {
		t.Errorf("a new visitor's earlier visits: %s", none.text)
	}
	if n := count(
		t, d, `SELECT count(*) FROM access_log
			WHERE call = 'earlier' AND user_id = $1 AND cardinality(visit_ids) = 2`, testkit.ID("consultant"),
	); n != 1 {
		t.Errorf("%d readings were recorded", n)
	}
	d.set("consultant", now.ID, "completed")
	over := d.as("consultant", http.MethodGet, "/api/visits/"+now.ID+"/earlier", "")
	if over.status != http.StatusConflict {
		t.Errorf("after the visit earlier ones answered %d", over.status)
	}
}

// A draft stays while the visitor is on hold and while the visitor waits again.
func TestADraftStaysUntilTheSessionIsCompleted(t *testing.T) {
	d := newDesk(t)
	v := d.inSession("Asha")
	d.draftOf("consultant", v.ID, "Form 26AS matches")
	d.must("hold", d.act("consultant", v.ID, "hold", `{"reason":"papers"}`), "held")
	d.must("resume", d.act("reception", v.ID, "resume", `{}`), "waiting")
	d.must("start", d.set("consultant", v.ID, "in-session"), "in-session")
	if draft, a := d.draftOf("consultant", v.ID); draft.Notes != "Form 26AS matches" {
		t.Errorf("after the hold the draft is %s", a.text)
	}
}
