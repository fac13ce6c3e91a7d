package visits_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/platform/testkit"
)

func (d *desk) asLobby(method, path, body string, headers ...string) (status int, header http.Header, text string) {
	d.t.Helper()
	return d.asService(contract.SourceLobby, method, path, body, headers...)
}

// asService sends a request to the internal listener as another service, or as the operator.
func (d *desk) asService(caller, method, path, body string, headers ...string) (int, http.Header, string) {
	d.t.Helper()
	token, err := testkit.Keys(caller).Token(contract.SourceVisits)
	if err != nil {
		d.t.Fatal(err)
	}
	w := testkit.Call(d.t, d.internal(d.t), token, method, path, body, headers...)
	return w.Code, w.Header(), w.Body.String()
}

func (d *desk) tap(id, action, more string) (status int, text string) {
	d.t.Helper()
	status, _, text = d.asLobby(http.MethodPost, "/internal/visits/"+id+"/visitor",
		fmt.Sprintf(`{"action":%q%s}`, action, more))
	return status, text
}

func (d *desk) taps(id, action, more, stage string) {
	d.t.Helper()
	status, text := d.tap(id, action, more)
	if status != http.StatusOK || !strings.Contains(text, fmt.Sprintf(`"stage":%q`, stage)) ||
		!strings.Contains(text, `"version":`) {
		d.t.Fatalf("%s answered %d %s, want the stage %s", action, status, text, stage)
	}
}

type places struct {
	Places []struct {
		VisitID  string `json:"visit_id"`
		Ahead    *int
		Forecast *forecastBody
	}
	Now []struct{ Token, Counter, At string }
}

func (d *desk) places() (found places, ahead map[string]int) {
	d.t.Helper()
	status, _, text := d.asLobby(http.MethodGet, "/internal/line", "")
	if err := json.Unmarshal([]byte(text), &found, json.MatchCaseInsensitiveNames(true)); err != nil || status != 200 {
		d.t.Fatalf("the places: %d %s: %v", status, text, err)
	}
	ahead = map[string]int{}
	for _, p := range found.Places {
		if p.Ahead != nil {
			ahead[p.VisitID] = *p.Ahead
		}
	}
	return found, ahead
}

func TestAVisitorsActionsAreRecordedOnceAsTheVisitors(t *testing.T) {
	d := newDesk(t)
	d = d.replica(d.zoneWhereMidnightIsIn(12 * time.Hour))
	v := d.lined("Asha")
	for range 2 {
		d.taps(v.ID, "late", `,"minutes":20`, "held")
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE entity_id = $1 AND type = 'visit_held'
		AND actor->>'name' = 'Visitor' AND actor->>'role' = 'visitor' AND actor->>'id' = ''
		AND (after->>'heldUntil')::timestamptz BETWEEN now() + interval '18 min' AND now() + interval '20 min'`,
		v.ID); n != 1 {
		t.Errorf("%d records of the hold", n)
	}
	d.taps(v.ID, "here", "", "waiting")
	for range 2 {
		d.taps(v.ID, "left", "", "left")
	}
	if n := count(t, d, `SELECT count(*) FROM visits WHERE id = $1 AND ended_by = 'visitor'`, v.ID); n != 1 {
		t.Error("the visitor is not stored as who ended the visit")
	}
	for range 2 {
		d.taps(v.ID, "here", "", "waiting")
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE entity_id = $1`, v.ID); n != 6 {
		t.Errorf("%d events, want created, approved, held, resumed, left, reopened", n)
	}
}

// A quarter of an hour before midnight a visitor can still be 20 minutes late. The hold ends with the day.
func TestALateVisitorsHoldEndsWithTheDay(t *testing.T) {
	d := newDesk(t)
	late := d.replica(d.zoneWhereMidnightIsIn(15 * time.Minute))
	v := late.lined("Asha")
	late.taps(v.ID, "late", `,"minutes":20`, "held")
	if n := count(t, d, `SELECT count(*) FROM visits WHERE id = $1
		AND held_until BETWEEN now() + interval '14 min' AND now() + interval '15 min'`, v.ID); n != 1 {
		t.Error("the hold does not end with the day")
	}
}

func TestAVisitorComesBackAfterAMissedCall(t *testing.T) {
	d := newDesk(t)
	v := d.lined("Asha")
	d.next("consultant")
	if status, text := d.tap(v.ID, "left", ""); status != http.StatusForbidden {
		t.Errorf("a called visitor who leaves: %d %s", status, text)
	}
	d.wait(v.ID, 90)
	d.must("miss", d.act("consultant", v.ID, "miss", `{}`), "missed")
	d.taps(v.ID, "back", "", "waiting")
}

func TestAVisitorsActionThatTheRulesDoNotGrantIsRejected(t *testing.T) {
	d := newDesk(t)
	v := d.arrive("Asha")
	d.wait(v.ID, 0)
	for _, c := range []struct {
		id, action, more string
		status           int
	}{
		{v.ID, "late", `,"minutes":10`, http.StatusConflict}, // not decided yet
		{v.ID, "late", `,"minutes":60`, http.StatusBadRequest},
		{v.ID, "late", ``, http.StatusBadRequest},
		{v.ID, "here", `,"minutes":10`, http.StatusBadRequest},
		{v.ID, "here", ``, http.StatusConflict},
		{v.ID, "complete", ``, http.StatusBadRequest},
		{lateService, "left", ``, http.StatusNotFound},
		{"nothing", "left", ``, http.StatusNotFound},
	} {
		if status, text := d.tap(c.id, c.action, c.more); status != c.status {
			t.Errorf("%s%s answered %d %s, want %d", c.action, c.more, status, text, c.status)
		}
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE actor->>'role' = 'visitor'`); n != 0 {
		t.Errorf("%d events of the visitor", n)
	}
	w := testkit.Call(t, d.internal(t), "token-admin", http.MethodPost, "/internal/visits/"+v.ID+"/visitor", `{}`)
	if w.Code != http.StatusUnauthorized {
		t.Errorf("a user at the internal listener: %d", w.Code)
	}
}

// The field ahead counts the earlier visitors who share a possible consultant. The response keeps its ETag until
// something changes, and contains neither names nor phones.
func TestThePlacesAreThoseOfTheLine(t *testing.T) {
	d := newDesk(t)
	first, second, third := d.lined("Asha"), d.lined("Bina"), d.lined("Chitra")
	d.must("pin", d.act("pa", first.ID, "pin", fmt.Sprintf(`{"consultant_id":%q}`, testkit.ID("consultant2"))), "waiting")
	d.must("pin", d.act("pa", second.ID, "pin", fmt.Sprintf(`{"consultant_id":%q}`, testkit.ID("consultant"))), "waiting")
	if _, ahead := d.places(); ahead[first.ID] != 0 || ahead[second.ID] != 0 || ahead[third.ID] != 2 {
		t.Errorf("ahead: %v", ahead)
	}
	_, header, text := d.asLobby(http.MethodGet, "/internal/line", "")
	if strings.Contains(text, "Asha") || strings.Contains(text, "9876543210") {
		t.Errorf("the places have personal data: %s", text)
	}
	tag := header.Get("ETag")
	if status, _, _ := d.asLobby(http.MethodGet, "/internal/line", "", "If-None-Match", tag); status != 304 {
		t.Errorf("the same places answered %d", status)
	}
	d.taps(first.ID, "left", "", "left")
	status, header, _ := d.asLobby(http.MethodGet, "/internal/line", "", "If-None-Match", tag)
	if status != 200 || header.Get("ETag") == tag {
		t.Errorf("a shorter line answered %d with the tag %s", status, header.Get("ETag"))
	}
	if _, ahead := d.places(); len(ahead) != 2 || ahead[third.ID] != 1 {
		t.Errorf("after one has left: %v", ahead)
	}
	d.next("consultant")
	if found, _ := d.places(); len(found.Now) != 1 || found.Now[0].Token != second.Token || found.Now[0].At == "" {
		t.Errorf("the last calls: %+v", found.Now)
	}
}

func TestTheLastCallsAreThoseOfToday(t *testing.T) {
	d := newDesk(t)
	v := d.lined("Asha")
	d.must("next", d.next("consultant"), "called")
	d.must("start", d.set("consultant", v.ID, "in-session"), "in-session")
	exec(t, d.owner, `UPDATE visits SET called_at = called_at - interval '1 day' WHERE id = $1`, v.ID)
	if found, _ := d.places(); len(found.Now) != 0 {
		t.Errorf("a session that yesterday has left open is among the last calls: %+v", found.Now)
	}
}

// The events of a visitor's actions have the digest that lobby sends in place of the address. An address is dropped.
func TestWhatAVisitorDoesHasTheDigestOfTheAddress(t *testing.T) {
	d := newDesk(t)
	const from = "digest-ABCDEFGHIJKLMN23"
	sender := func(value string) string { return fmt.Sprintf(`,"from":%q`, value) }
	acted, agreed, forged := d.lined("Asha"), d.lined("Meena"), d.lined("Ravi")
	d.taps(acted.ID, "left", sender(from), "left")
	d.taps(forged.ID, "left", sender("203.0.113.7"), "left")
	d.as("reception", http.MethodPost, "/api/visits/"+agreed.ID+"/consents",
		`{"purpose":"messages","means":"aloud","given":true}`)
	for path, body := range map[string]string{
		"withdraw": `{"purpose":"messages"` + sender(from) + `}`,
		"requests": `{"kind":"access","last4":"3210"` + sender(from) + `}`,
	} {
		status, _, text := d.asLobby(http.MethodPost, "/internal/visits/"+agreed.ID+"/"+path, body)
		if status != http.StatusOK {
			t.Fatalf("%s answered %d %s", path, status, text)
		}
	}
	for digest, want := range map[string]int{from: 3, "": 1} {
		n := count(t, d, `SELECT count(*) FROM outbox WHERE actor->>'role' = 'visitor' AND actor->>'ip' = $1
			AND type IN ('visit_left', 'consent_withdrawn', 'privacy_request_received')`, digest)
		if n != want {
			t.Errorf("%d events from %q, want %d", n, digest, want)
		}
	}
}
