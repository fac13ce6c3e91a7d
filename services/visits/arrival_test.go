package visits_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/platform/testkit"
)

// accept sends the request that lobby sends when a user accepts an arrival.
func (d *desk) accept(id, person, role, more string) (status int, header http.Header, text string) {
	d.t.Helper()
	return d.asLobby(http.MethodPost, "/internal/arrivals/"+id+"/visit", fmt.Sprintf(
		`{"name":"Asha Rao","phone":"9876543210","service_id":%q,"language":"kn","messages":true,`+
			`"notice_version":"2026-10","requested_at":"2026-11-26T04:30:00Z","by":{"id":%q,"name":"The %s","role":%q}%s}`,
		d.offered, testkit.ID(person), person, role, more))
}

// An accepted arrival has one visit, registered by the user who accepted the arrival, however often the request is
// sent.
func TestAnArrivalIsOneVisit(t *testing.T) {
	d := newDesk(t)
	id := uuid.Must(uuid.NewV7()).String()
	var group sync.WaitGroup
	answers := make([]string, 4)
	for i := range answers {
		group.Go(func() {
			status, _, text := d.accept(id, "reception", contract.RoleReception, "")
			if status == http.StatusCreated {
				answers[i] = text
			} else if status != http.StatusConflict {
				t.Errorf("it answered %d %s", status, text)
			}
		})
	}
	group.Wait()
	_, header, again := d.accept(id, "admin", contract.RoleAdmin, "")
	if header.Get("Idempotency-Replayed") != "true" || !strings.Contains(again, `"token":"T-001"`) ||
		!strings.Contains(again, `"language":"kn"`) {
		t.Errorf("a repetition: %v %s", header, again)
	}
	var consents string
	if err := d.owner.QueryRow(t.Context(), `
SELECT string_agg(concat_ws(' ', purpose, means, given_by, given_by_name, notice_version, given_at AT TIME ZONE 'UTC'),
	', ' ORDER BY id) FROM consents`,
	).Scan(&consents); err != nil || consents != "serve page visitor Visitor 2026-10 2026-11-26 04:30:00, "+
		"messages page visitor Visitor 2026-10 2026-11-26 04:30:00" {
		t.Errorf("the consents are %s: %v", consents, err)
	}
	for _, text := range answers {
		if text != "" && text != again {
			t.Errorf("one answer is\n%s\nanother\n%s", text, again)
		}
	}
	var visits, events int
	var by string
	if err := d.owner.QueryRow(t.Context(), `
SELECT (SELECT count(*) FROM visits), count(*), min(actor->>'id') || ' ' || min(actor->>'name') || ' ' ||
	min(after->>'createdByName')
FROM outbox WHERE type = 'visit_created'`).Scan(&visits, &events, &by); err != nil {
		t.Fatal(err)
	}
	if want := testkit.ID("reception") + " The reception The reception"; visits != 1 || events != 1 || by != want {
		t.Errorf("%d visits, %d events, by %s, want one by %s", visits, events, by, want)
	}
}

func TestAnArrivalIsRejectedAsARegistrationIs(t *testing.T) {
	d := newDesk(t)
	id := uuid.Must(uuid.NewV7()).String()
	for name, call := range map[string]struct {
		id, role, more string
		want           int
	}{
		"no id":        {"arrival-1", contract.RoleReception, "", http.StatusNotFound},
		"a consultant": {id, contract.RoleConsultant, "", http.StatusBadRequest},
	} {
		if status, _, text := d.accept(call.id, "reception", call.role, call.more); status != call.want {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	status, _, text := d.asLobby(http.MethodPost, "/internal/arrivals/"+id+"/visit", fmt.Sprintf(
		`{"name":"A","phone":"9876543210","service_id":%q,"language":"en","by":{"id":"x","name":"X","role":"admin"}}`,
		uuid.NewString()))
	if status != http.StatusUnprocessableEntity || !strings.Contains(text, "service_unknown") {
		t.Errorf("an unknown service: %d %s", status, text)
	}
}

// A refused arrival cannot be accepted later. The refusal of an arrival with a visit changes nothing and returns the
// visit's id.
func TestARefusedArrivalHasNoVisit(t *testing.T) {
	d := newDesk(t)
	made, refused := uuid.NewString(), uuid.NewString()
	if status, _, text := d.accept(made, "reception", "reception", ""); status != http.StatusCreated {
		t.Fatalf("accepting answered %d %s", status, text)
	}
	for id, has := range map[string]bool{made: true, refused: false} {
		status, _, text := d.asLobby(http.MethodPost, "/internal/arrivals/"+id+"/refusal", `{}`)
		if status != http.StatusOK || strings.Contains(text, `"visitId":null`) == has {
			t.Errorf("refusing answered %d %s", status, text)
		}
	}
	if status, _, text := d.accept(refused, "reception", "reception", ""); status != http.StatusPreconditionFailed {
		t.Errorf("accepting what was refused answered %d %s", status, text)
	}
	if n := count(t, d, `SELECT count(*) FROM visits`); n != 1 {
		t.Errorf("there are %d visits", n)
	}
}

// If a person is erased between the request and its acceptance, the visit has its token but no personal data. A request
// after the erasure is treated as a new visitor's.
func TestAPersonErasedWhileTheArrivalIsAcceptedStaysErased(t *testing.T) {
	d := newDesk(t)
	asked := func(at string) *visitBody {
		t.Helper()
		status, _, text := d.asLobby(http.MethodPost, "/internal/arrivals/"+uuid.NewString()+"/visit", fmt.Sprintf(
			`{"name":"Meera Nair","phone":"9876543210","service_id":%q,"language":"kn","messages":true,
			"requested_at":%q,"by":{"id":%q,"name":"The reception","role":"reception"}}`,
			d.offered, at, testkit.ID("reception")))
		var got struct{ Visit *visitBody }
		err := json.Unmarshal([]byte(text), &got, json.MatchCaseInsensitiveNames(true))
		if err != nil || status != http.StatusCreated {
			t.Fatalf("answered %d %s", status, text)
		}
		return got.Visit
	}
	before := time.Now().UTC().Format(time.RFC3339Nano)
	d.erasePhone(t, "9876543210")
	if v := asked(before); v.Name != "Erased" || v.Phone != "" || v.Token != "T-001" {
		t.Errorf("registered as %+v", v)
	}
	if found := d.db.Find(t, "Meera", "9876543210"); len(found) > 0 {
		t.Errorf("the person is in %v", found)
	}
	if v := asked(time.Now().UTC().Add(time.Second).Format(time.RFC3339Nano)); v.Name != "Meera Nair" {
		t.Errorf("who asks again is %+v", v)
	}
}

// An earlier release of lobby does not send the time at which the notice was read. The consent records are then those
// of a registration.
func TestAnArrivalOfTheReleaseBeforeHasTheReceiptsOfARegistration(t *testing.T) {
	d := newDesk(t)
	exec(t, d.owner, `INSERT INTO office (notice_version) VALUES ('2026-11')`)
	status, _, text := d.asLobby(http.MethodPost, "/internal/arrivals/"+uuid.NewString()+"/visit", fmt.Sprintf(
		`{"name":"Asha Rao","phone":"9876543210","service_id":%q,"language":"kn","messages":true,
		"by":{"id":%q,"name":"The reception","role":"reception"}}`, d.offered, testkit.ID("reception")))
	if status != http.StatusCreated {
		t.Fatalf("answered %d %s", status, text)
	}
	if n := count(t, d, `SELECT count(*) FROM consents c JOIN visits v ON v.id = c.visit_id
		WHERE c.given_by = $1 AND c.given_at = v.created_at
			AND c.notice_version = '2026-11'`, testkit.ID("reception")); n != 2 {
		t.Errorf("%d receipts of the person who accepted it", n)
	}
	status, _, text = d.asLobby(http.MethodPost, "/internal/arrivals/"+uuid.NewString()+"/visit", fmt.Sprintf(
		`{"name":"Asha","phone":"9876543210","service_id":%q,"language":"kn","by":{"id":"","name":"X","role":"admin"}}`,
		d.offered))
	if status != http.StatusBadRequest {
		t.Errorf("accepted without an actor: %d %s", status, text)
	}
}
