package visits_test

import (
	"net/http"
	"strings"
	"testing"
)

func (d *desk) ofVisitor(id, call, body string) (status int, text string) {
	d.t.Helper()
	status, _, text = d.asLobby(http.MethodPost, "/internal/visits/"+id+"/"+call, body)
	return status, text
}

// A visitor withdraws the consent to messages once. The event has the actor "Visitor".
func TestAVisitorWithdrawsAConsent(t *testing.T) {
	d := newDesk(t)
	id := d.registered(`,"told_by":"slip","messages":true`)
	for _, want := range []string{`{"changed":true}`, `{"changed":false}`} {
		if status, text := d.ofVisitor(id, "withdraw", `{"purpose":"messages"}`); status != 200 || text != want {
			t.Errorf("it answered %d %s, want %s", status, text, want)
		}
	}
	got, _ := d.consents("admin", id)
	if len(got) != 2 || got[0].WithdrawnAt != nil || got[1].WithdrawnAt == nil || *got[1].WithdrawnBy != "Visitor" {
		t.Errorf("the receipts are %+v", got)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'consent_withdrawn' AND entity_id = $1
		AND actor->>'name' = 'Visitor' AND actor->>'role' = 'visitor'`, id); n != 1 {
		t.Errorf("%d events of the visitor", n)
	}
	for body, want := range map[string]int{`{"purpose":"serve"}`: 400, `{}`: 400, `{"purpose":"later"}`: 200} {
		if status, text := d.ofVisitor(id, "withdraw", body); status != want {
			t.Errorf("%s answered %d %s, want %d", body, status, text, want)
		}
	}
}

// A visitor's privacy request needs the last four digits of the phone, is stored once, and is due thirty days later.
func TestAVisitorsRequestIsInTheRegister(t *testing.T) {
	d := newDesk(t)
	id := d.arrive("Asha").ID
	for _, c := range []struct{ body, result string }{
		{`{"kind":"access","last4":"3211"}`, "wrong"},
		{`{"kind":"access","last4":"9876543210"}`, "wrong"},
		{`{"kind":"access","last4":""}`, "wrong"},
		{`{"kind":"access","last4":"3210"}`, "received"},
		{`{"kind":"access","last4":"3210"}`, "repeated"},
		{`{"kind":"correction","last4":"3210","text":"canary-request"}`, "received"},
	} {
		if status, text := d.ofVisitor(id, "requests", c.body); status != 200 || text != `{"result":"`+c.result+`"}` {
			t.Errorf("%s answered %d %s, want %s", c.body, status, text, c.result)
		}
	}
	got := d.register("admin")
	if len(got) != 2 || got[0].Kind != "access" || got[0].Phone != "98******10" || got[1].Text != "canary-request" {
		t.Errorf("the register is %+v", got)
	}
	if n := count(t, d, `SELECT count(*) FROM privacy_requests
		WHERE due_at = received_at + interval '30 days' AND received_by_name = 'Visitor'`); n != 2 {
		t.Errorf("%d requests of the visitor are due in thirty days", n)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'privacy_request_received'
		AND actor->>'name' = 'Visitor' AND after::text NOT LIKE '%canary%' AND after::text NOT LIKE '%9876543210%'`); n != 2 {
		t.Errorf("%d events of the visitor without the person", n)
	}
}

func TestAVisitorsInvalidRequestIsRejected(t *testing.T) {
	d := newDesk(t)
	id := d.arrive("Asha").ID
	for _, body := range []string{
		`{"kind":"gossip","last4":"3210"}`, `{"kind":"grievance","last4":"3210"}`,
		`{"kind":"grievance","last4":"3210","text":"` + strings.Repeat("x", 501) + `"}`,
		`{"kind":"access","last4":"3210","text":"a\u202eb"}`,
	} {
		if status, text := d.ofVisitor(id, "requests", body); status != http.StatusBadRequest {
			t.Errorf("%s answered %d %s", body, status, text)
		}
	}
	for _, call := range []string{"requests", "withdraw"} {
		body := `{"kind":"access","last4":"3210","purpose":"messages"}`
		if status, text := d.ofVisitor(lateService, call, body); status != http.StatusNotFound {
			t.Errorf("%s of an unknown visit answered %d %s", call, status, text)
		}
		exec(t, d.owner, `UPDATE visits SET phone = NULL, erased_at = now() WHERE id = $1`, id)
		if status, text := d.ofVisitor(id, call, body); status != http.StatusNotFound {
			t.Errorf("%s of an erased visit answered %d %s", call, status, text)
		}
	}
	if got := d.register("admin"); len(got) != 0 {
		t.Errorf("the register is %+v", got)
	}
}

// The register has at most one open privacy request of a visitor with the same kind and text. After an answer, or with
// another text, the visitor can send another.
func TestAVisitorAsksAgainAfterAnAnswer(t *testing.T) {
	d := newDesk(t)
	id := d.arrive("Asha").ID
	asks := func(of, body, want string) {
		t.Helper()
		if status, text := d.ofVisitor(of, "requests", body); status != 200 || text != `{"result":"`+want+`"}` {
			t.Errorf("%s answered %d %s, want %s", body, status, text, want)
		}
	}
	const access = `{"kind":"access","last4":"3210"}`
	asks(id, access, "received")
	asks(id, access, "repeated")
	path := "/api/privacy/requests/" + d.register("admin")[0].ID
	for range 2 {
		d.as("admin", http.MethodPut, path, `{"state":"answered","answer":"Sent by post"}`)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'privacy_request_answered'`); n != 1 {
		t.Errorf("one answer given twice is %d events", n)
	}
	d.as("admin", http.MethodPut, path, `{"state":"answered","answer":"Sent by post on Monday"}`)
	if n := count(t, d, `SELECT count(*) FROM privacy_requests WHERE answer = 'Sent by post on Monday'
		AND version = 3`); n != 1 {
		t.Error("the corrected answer is not kept")
	}
	asks(id, access, "received")
	asks(id, `{"kind":"correction","last4":"3210","text":"The name is Asha"}`, "received")
	asks(id, `{"kind":"correction","last4":"3210","text":"The phone is another"}`, "received")
	body := strings.Replace(d.visitor("Ravi"), "9876543210", "9811113210", 1)
	other := d.as("reception", http.MethodPost, "/api/visits", body).Visit.ID
	asks(other, access, "received")
}
