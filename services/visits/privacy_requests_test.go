package visits_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

const otherPhone = "9822200011"

// heldRequest is a privacy request of the register, as the API returns it.
type heldRequest struct {
	ID, Kind, Phone, Text, State, Answer string
	Overdue                              bool
	AnsweredBy                           *string
	Version                              int64
}

func (d *desk) register(person string) []heldRequest {
	d.t.Helper()
	var got struct{ Requests []heldRequest }
	d.decode(d.as(person, http.MethodGet, "/api/privacy/requests", ""), &got)
	return got.Requests
}

func (d *desk) decode(a answer, into any) {
	d.t.Helper()
	if err := json.Unmarshal([]byte(a.text), into, json.MatchCaseInsensitiveNames(true)); err != nil {
		d.t.Fatalf("%d %s: %v", a.status, a.text, err)
	}
}

func (d *desk) receive(person, kind, phone string) heldRequest {
	d.t.Helper()
	body := `{"kind":"` + kind + `","phone":"` + phone + `","text":"canary-request of Asha"}`
	a := d.as(person, http.MethodPost, "/api/privacy/requests", body)
	if a.status != http.StatusCreated {
		d.t.Fatalf("answered %d %s", a.status, a.text)
	}
	var got struct{ Request heldRequest }
	d.decode(a, &got)
	return got.Request
}

// A privacy request is received by reception, due in thirty days, and answered by an admin. The events have no data of
// the person.
func TestARequestIsReceivedAndAnswered(t *testing.T) {
	for _, kind := range []string{"access", "correction", "erasure", "grievance", "nomination"} {
		t.Run(kind, func(t *testing.T) { receivedAndAnswered(t, kind) })
	}
}

func receivedAndAnswered(t *testing.T, kind string) {
	d := newDesk(t)
	made := d.receive("reception", kind, ashasPhone)
	if made.Kind != kind {
		t.Errorf("a request for %s is one for %s", kind, made.Kind)
	}
	if made.State != "open" || made.Phone != ashasPhone[:2]+"******"+ashasPhone[8:] || made.Overdue {
		t.Errorf("received %+v", made)
	}
	if n := count(t, d, `SELECT count(*) FROM privacy_requests WHERE due_at = received_at + interval '30 days'`); n != 1 {
		t.Error("it is not due in thirty days")
	}
	path := "/api/privacy/requests/" + made.ID
	answered := d.as("admin", http.MethodPut, path, `{"state":"answered","answer":"Sent by post"}`, "If-Match", `"1"`)
	if answered.status != http.StatusOK {
		t.Fatalf("answered %d %s", answered.status, answered.text)
	}
	d.rejects("an old version",
		d.as("admin", http.MethodPut, path, `{"state":"refused","answer":"No"}`, "If-Match", `"1"`),
		http.StatusPreconditionFailed, "stale_version")
	if got := d.register("admin"); len(got) != 1 || got[0].State != "answered" || *got[0].AnsweredBy != "The admin" ||
		got[0].Version != 2 {
		t.Errorf("the register is %+v", got)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE entity = 'privacy'
		AND type IN ('privacy_request_received', 'privacy_request_answered')`); n != 2 {
		t.Errorf("%d events", n)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE entity = 'privacy'
		AND (after::text LIKE '%canary%' OR after::text LIKE '%post%' OR after::text LIKE '%' || $1 || '%')`,
		ashasPhone); n != 0 {
		t.Error("an event has data of the person")
	}
	d.as("admin", http.MethodPut, path, `{"state":"open"}`)
	if got := d.register("admin"); got[0].State != "open" || got[0].Answer != "" || got[0].AnsweredBy != nil {
		t.Errorf("opened again: %+v", got[0])
	}
}

// Open privacy requests are first, by the day on which they are due; overdue ones are marked and counted.
func TestOverdueRequestsAreMarkedAndCounted(t *testing.T) {
	d := newDesk(t)
	answered := d.receive("admin", "grievance", otherPhone)
	d.as("admin", http.MethodPut, "/api/privacy/requests/"+answered.ID, `{"state":"refused","answer":"Not ours"}`)
	later := d.receive("admin", "correction", "9811122234")
	late := d.receive("admin", "erasure", ashasPhone)
	exec(t, d.owner, `UPDATE privacy_requests SET due_at = now() - interval '1 hour' WHERE id = $1`, late.ID)
	got := d.register("admin")
	if len(got) != 3 || got[0].ID != late.ID || !got[0].Overdue || got[1].ID != later.ID || got[1].Overdue ||
		got[2].ID != answered.ID {
		t.Errorf("the register is %+v", got)
	}
	registry := d.registry
	const want = `
# HELP baari_privacy_requests_open Persons' requests about their data without an answer.
# TYPE baari_privacy_requests_open gauge
baari_privacy_requests_open 2
# HELP baari_privacy_requests_overdue Persons' requests about their data whose answer is overdue.
# TYPE baari_privacy_requests_overdue gauge
baari_privacy_requests_overdue 1
`
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want), "baari_privacy_requests_open",
		"baari_privacy_requests_overdue"); err != nil {
		t.Error(err)
	}
}

// A person's export has the privacy requests. An erasure or the end of the retention period anonymizes them.
func TestRequestsAreExportedAndErased(t *testing.T) {
	d := newDesk(t)
	d.receive("reception", "access", ashasPhone)
	other := d.receive("reception", "access", otherPhone)
	if got := d.ask(t, "export"); len(got.Requests) != 1 || got.Requests[0].Text != "canary-request of Asha" {
		t.Errorf("exported %+v", got.Requests)
	}
	d.ask(t, "erase")
	got := d.register("admin")
	if got[0].Phone != "" || got[0].Text != "" || got[1].ID != other.ID || got[1].Phone == "" {
		t.Errorf("left are %+v", got)
	}
	d.as("admin", http.MethodPut, "/api/privacy/requests/"+other.ID, `{"state":"answered","answer":"canary-answer"}`)
	exec(t, d.owner, `UPDATE privacy_requests SET answered_at = now() - interval '500 days' WHERE id = $1`, other.ID)
	for _, task := range d.service.Retention() {
		if _, err := task.Erase(t.Context(), time.Now().AddDate(0, 0, -400)); err != nil {
			t.Fatal(err)
		}
	}
	if found := d.db.Find(t, "canary-request", "canary-answer", otherPhone); len(found) != 0 {
		t.Errorf("left after the retention period: %v", found)
	}
}

func TestInvalidRequestsAreRejected(t *testing.T) {
	d := newDesk(t)
	for body, field := range map[string]string{
		`{"kind":"gossip","phone":"9822200011","text":"x"}`:                                "kind",
		`{"kind":"access","phone":"98111","text":"x"}`:                                     "phone",
		`{"kind":"access","phone":"9822200011","text":" "}`:                                "text",
		`{"kind":"access","phone":"9822200011","text":"` + strings.Repeat("x", 501) + `"}`: "text",
	} {
		if a := d.as("admin", http.MethodPost, "/api/privacy/requests", body); a.status != http.StatusBadRequest ||
			a.Fields[field] == "" {
			t.Errorf("%s answered %d %s", body, a.status, a.text)
		}
	}
	made := d.receive("admin", "access", otherPhone)
	for body, field := range map[string]string{`{"state":"lost"}`: "state", `{"state":"answered"}`: "answer"} {
		if a := d.as("admin", http.MethodPut, "/api/privacy/requests/"+made.ID, body); a.Fields[field] == "" {
			t.Errorf("%s answered %d %s", body, a.status, a.text)
		}
	}
	d.rejects("a consultant", d.as("consultant", http.MethodPost, "/api/privacy/requests", `{}`),
		http.StatusForbidden, "forbidden")
}

// A privacy request without an answer is kept, however old it is; the progress of old erasures is deleted.
func TestAnOpenRequestIsNotForgotten(t *testing.T) {
	d := newDesk(t)
	d.receive("reception", "access", otherPhone)
	d.arrive("Asha")
	d.ask(t, "erase")
	exec(t, d.owner, `UPDATE privacy_requests SET received_at = now() - interval '500 days'`)
	exec(t, d.owner, `UPDATE privacy_erasures SET started_at = now() - interval '500 days'`)
	for _, task := range d.service.Retention() {
		if _, err := task.Erase(t.Context(), time.Now().AddDate(0, 0, -400)); err != nil {
			t.Fatal(err)
		}
	}
	if n := count(t, d, `SELECT count(*) FROM privacy_requests WHERE phone = $1 AND text <> ''`, otherPhone); n != 1 {
		t.Error("an open privacy request is erased")
	}
	if n := count(t, d, `SELECT count(*) FROM privacy_erasures`); n != 0 {
		t.Errorf("%d erasures of long ago are still known", n)
	}
}
