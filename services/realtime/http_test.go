package realtime

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

type api struct {
	db       *testkit.Database
	people   *testkit.People
	table    *endpoint.Table
	service  *Service
	document *testkit.Contract
	denied   []string
	registry *prometheus.Registry
}

func newAPI(t *testing.T, limiter *limit.Limiter) *api {
	t.Helper()
	a := &api{
		db: testkit.NewDatabase(t, Migrations()...), people: testkit.NewPeople(roleNames[:]...),
		document: testkit.LoadContract(t, "api.yaml"), registry: prometheus.NewRegistry(),
	}
	log := slog.New(slog.DiscardHandler)
	deps := endpoint.Deps{Service: "realtime", Verifier: a.people, Limiter: limiter, Log: log,
		Denied: func(_ context.Context, caller identity.Caller, route string) {
			a.denied = append(a.denied, caller.Role+" "+route)
		}}
	hub := NewHub(map[string]Pager{}, DefaultLimits, func(string) {}, a.registry, log)
	a.service = New(a.db.Pool, outbox.New(contract.SourceRealtime, a.db.Pool))
	var err error
	if a.table, err = Table(deps, hub, a.service, a.registry); err != nil {
		t.Fatal(err)
	}
	return a
}

// call sends a request as user ("" for no session) and validates the response against the API document.
func (a *api) call(
	t *testing.T, user, method, target, body string, headers ...string,
) (int, map[string]any, http.Header) {
	t.Helper()
	token := ""
	if user != "" {
		token = "token-" + user
	}
	w := a.document.Call(t, a.table, token, method, target, body, headers...)
	var answer map[string]any
	if w.Body.Len() > 0 {
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatalf("%s %s answered %s", method, target, w.Body)
		}
	}
	return w.Code, answer, w.Header()
}

func (a *api) events(t *testing.T) (count int, last outbox.Event) {
	t.Helper()
	var before, after, actor []byte
	if err := a.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM outbox`).Scan(&count); err != nil {
		t.Fatal(err)
	}
	if count > 0 {
		err := a.db.Pool.QueryRow(t.Context(),
			`SELECT type, entity, entity_id, before, after, actor FROM outbox ORDER BY id DESC LIMIT 1`).
			Scan(&last.Type, &last.Subject.Entity, &last.Subject.ID, &before, &after, &actor)
		if err != nil {
			t.Fatal(err)
		}
		last.After, last.Actor = after, &outbox.Actor{}
		if err := json.Unmarshal(actor, last.Actor); err != nil {
			t.Fatal(err)
		}
	}
	return count, last
}

func TestRoutesMatchTheAPIDocument(t *testing.T) {
	a := newAPI(t, nil)
	a.document.SameRoutes(t, a.table)
}

// S7.stream.03 S7.stream.04
func TestNotificationIsStoredWithItsEvent(t *testing.T) {
	a := newAPI(t, nil)
	status, answer, _ := a.call(t, "pa", "POST", "/api/stream/notify",
		`{"message":"  Tea is ready ","target_roles":["admin","reception","admin"]}`)
	sent := answer["notification"].(map[string]any)
	if status != 202 || sent["message"] != "Tea is ready" || sent["type"] != "info" ||
		fmt.Sprint(sent["target_roles"]) != "[reception admin]" {
		t.Errorf("answered %d %v", status, answer)
	}
	count, event := a.events(t)
	var published contract.Notification
	if err := json.Unmarshal(event.After, &published); err != nil {
		t.Fatal(err)
	}
	if count != 1 || event.Type != contract.NotificationSent || event.Subject.ID != sent["id"] ||
		published.Sender != "The pa" || published.SenderRole != "pa" || event.Actor.ID != testkit.ID("pa") {
		t.Errorf("%d events, the last is %+v with %+v", count, event, published)
	}
}

func TestNotificationWithoutTargetsGoesToAllRoles(t *testing.T) {
	a := newAPI(t, nil)
	_, answer, _ := a.call(t, "admin", "POST", "/api/stream/notify",
		`{"message":"Closing early","type":"warning","target_roles":null}`)
	sent := answer["notification"].(map[string]any)
	if sent["type"] != "warning" || len(sent["target_roles"].([]any)) != 4 {
		t.Errorf("answered %v", answer)
	}
}

func TestInvalidNotificationIsRejected(t *testing.T) {
	a := newAPI(t, nil)
	for body, want := range map[string]string{
		`{}`:                               "Message is required",
		`{"message":" ‍ "}`:                "Message is required",
		`{"message":5}`:                    "Message is required",
		`{"message":"a` + "\u202e" + `b"}`: "Please remove the special characters from the message",
		`{"message":"a\u0000b"}`:           "Please remove the special characters from the message",
		`{"message":"` + strings.Repeat("é", 501) + `"}`: "Please shorten the message to 500 characters",
		`{"message":"m","type":"visit_created"}`:         "Please choose a type from the list",
		`{"message":"m","type":7}`:                       "Please choose a type from the list",
		`{"message":"m","target_roles":[]}`:              "Please choose roles from the list",
		`{"message":"m","target_roles":["gardener"]}`:    "Please choose roles from the list",
		`{"message":"m","target_roles":"admin"}`:         "Please choose roles from the list",
		`{"message":"m","MESSAGE":"n"}`:                  "The request could not be read. Please try again.",
		`{"message":"m","message":"n"}`:                  "The request could not be read. Please try again.",
		`["message"]`:                                    "The request could not be read. Please try again.",
	} {
		status, answer, _ := a.call(t, "pa", "POST", "/api/stream/notify", body)
		if status != 400 || answer["error"] != want {
			t.Errorf("%.60s answered %d %v, want 400 %q", body, status, answer, want)
		}
	}
	if count, _ := a.events(t); count != 0 {
		t.Errorf("%d events were published", count)
	}
	longest := strings.Repeat("é", 500)
	if status, _, _ := a.call(t, "pa", "POST", "/api/stream/notify", `{"message":"`+longest+`"}`); status != 202 {
		t.Errorf("500 characters are answered %d", status)
	}
}

func TestSameKeyReturnsTheSameNotification(t *testing.T) {
	a := newAPI(t, nil)
	const target, body, key = "/api/stream/notify", `{"message":"Tea"}`, "0190-first-key"
	_, first, header := a.call(t, "pa", "POST", target, body, "Idempotency-Key", key)
	if header.Get("Idempotency-Replayed") != "" {
		t.Error("the first answer is marked as replayed")
	}
	status, again, header := a.call(t, "pa", "POST", target, ` {"type":"info", "message":"Tea"}`, "Idempotency-Key", key)
	if status != 202 || header.Get("Idempotency-Replayed") != "true" || fmt.Sprint(first) != fmt.Sprint(again) {
		t.Errorf("answered %d %v, first %v", status, again, first)
	}
	status, answer, _ := a.call(t, "pa", "POST", target, `{"message":"Coffee"}`, "Idempotency-Key", key)
	if status != 422 || answer["code"] != "key_reused" {
		t.Errorf("another message with the key answered %d %v", status, answer)
	}
	if status, _, header := a.call(t, "admin", "POST", target, body, "Idempotency-Key", key); status != 202 ||
		header.Get("Idempotency-Replayed") != "" {
		t.Errorf("another user's key answered %d, replayed %q", status, header.Get("Idempotency-Replayed"))
	}
	for _, bad := range []string{"short", strings.Repeat("k", 129), "with a blank"} {
		if status, _, _ := a.call(t, "pa", "POST", target, body, "Idempotency-Key", bad); status != 400 {
			t.Errorf("the key %.20q answered %d", bad, status)
		}
	}
	if count, _ := a.events(t); count != 2 {
		t.Errorf("%d events were published, want 2", count)
	}
}

func TestConcurrentRepetitionsStoreOneNotification(t *testing.T) {
	a := newAPI(t, nil)
	var all sync.WaitGroup
	ids := make(chan any, 16)
	for range 16 {
		all.Go(func() {
			var status int
			answer := map[string]any{"code": "busy"}
			for answer["code"] == "busy" || answer["code"] == "busy_key" { // Clients repeat such calls.
				status, answer, _ = a.call(t, "pa", "POST", "/api/stream/notify", `{"message":"Tea"}`, "Idempotency-Key",
					"one-and-the-same")
			}
			if status != 202 {
				t.Errorf("answered %d %v", status, answer)
				return
			}
			ids <- answer["notification"].(map[string]any)["id"]
		})
	}
	all.Wait()
	close(ids)
	first := <-ids
	for id := range ids {
		if id != first {
			t.Errorf("%v and %v were stored", first, id)
		}
	}
	if count, _ := a.events(t); count != 1 {
		t.Errorf("%d events were published", count)
	}
}

// The sender's role is shown with the name, because users can choose their name. Notifications of a release that did
// not store roles have none.
func TestNotificationHasTheSendersRole(t *testing.T) {
	a := newAPI(t, nil)
	const older = `INSERT INTO notifications (id, message, type, target_roles, sender_id, sender)
		VALUES (gen_random_uuid(), 'old', 'info', '{pa}', 'r', 'The reception')`
	if _, err := a.db.Pool.Exec(t.Context(), older); err != nil {
		t.Fatal(err)
	}
	a.call(t, "reception", "POST", "/api/stream/notify", `{"message":"new"}`)
	_, answer, _ := a.call(t, "pa", "GET", "/api/stream/notifications", "")
	list := answer["notifications"].([]any)
	if role := list[0].(map[string]any)["senderRole"]; role != "reception" {
		t.Errorf("the new notification has the role %v", role)
	}
	if old := list[1].(map[string]any); old["senderRole"] != nil || old["sender"] != "The reception" {
		t.Errorf("the old notification is %v", old)
	}
}

func TestNotificationsOfTheRoleAreNewestFirst(t *testing.T) {
	a := newAPI(t, nil)
	for i, targets := range []string{`["pa"]`, `["pa","admin"]`, `["reception"]`, `["pa"]`} {
		a.call(t, "reception", "POST", "/api/stream/notify", fmt.Sprintf(`{"message":"no %d","target_roles":%s}`, i, targets))
	}
	messages := func(user, query string) (published []string) {
		_, answer, _ := a.call(t, user, "GET", "/api/stream/notifications"+query, "")
		for _, n := range answer["notifications"].([]any) {
			published = append(published, n.(map[string]any)["message"].(string)+" of "+n.(map[string]any)["sender"].(string))
		}
		return published
	}
	if got := messages("pa", ""); !slices.Equal(got,
		[]string{"no 3 of The reception", "no 1 of The reception", "no 0 of The reception"}) {
		t.Errorf("the pa reads %q", got)
	}
	if got := messages("pa", "?limit=1"); !slices.Equal(got, []string{"no 3 of The reception"}) {
		t.Errorf("with limit 1 the pa reads %q", got)
	}
	if got := messages("consultant", ""); len(got) != 0 {
		t.Errorf("the consultant reads %q", got)
	}
	for _, bad := range []string{"0", "51", "ten", "-1"} {
		if status, _, _ := a.call(t, "pa", "GET", "/api/stream/notifications?limit="+bad, ""); status != 400 {
			t.Errorf("limit=%s answered %d", bad, status)
		}
	}
}

func TestForbiddenCallsAreRejectedAndRecorded(t *testing.T) {
	a := newAPI(t, nil)
	a.people.SignIn("inactive", contract.RolePA, func(c *identity.Caller) { c.Active = false })
	own := func(role, name string) string { return "/api/stream?role=" + role + "&user_id=" + testkit.ID(name) }
	for _, c := range []struct {
		user, method, target, body string
		status                     int
		code                       string
	}{
		{"", "GET", own("pa", "pa"), "", 401, "unauthorized"},
		{"unknown", "GET", own("pa", "pa"), "", 401, "unauthorized"},
		{"inactive", "GET", own("pa", "inactive"), "", 403, "account_inactive"},
		{"pa", "GET", "/api/stream", "", 403, "forbidden"},
		{"pa", "GET", own("pa", "admin"), "", 403, "forbidden"},
		{"pa", "GET", own("admin", "pa"), "", 403, "forbidden"},
		{"admin", "GET", own("pa", "admin"), "", 403, "forbidden"},
		{"", "POST", "/api/stream/notify", `{"message":"m"}`, 401, "unauthorized"},
		{"consultant", "POST", "/api/stream/notify", `{"message":"m"}`, 403, "forbidden"},
		{"inactive", "POST", "/api/stream/notify", `{"message":"m"}`, 403, "account_inactive"},
		{"", "GET", "/api/stream/notifications", "", 401, "unauthorized"},
	} {
		status, answer, _ := a.call(t, c.user, c.method, c.target, c.body)
		// ASVS 4.4.3, 4.4.4
		if status != c.status || answer["code"] != c.code {
			t.Errorf("%s %s by %q answered %d %v, want %d %s", c.method, c.target, c.user, status, answer, c.status, c.code)
		}
	}
	want := []string{"pa GET /api/stream", "pa GET /api/stream", "pa GET /api/stream", "pa GET /api/stream",
		"admin GET /api/stream", "consultant POST /api/stream/notify", "pa POST /api/stream/notify"}
	// ASVS 16.3.2
	if !slices.Equal(a.denied, want) {
		t.Errorf("recorded %q", a.denied)
	}
}

func TestSeventhNotificationOfAMinuteIsLimited(t *testing.T) {
	usual := limit.Patience
	limit.Patience = time.Minute
	t.Cleanup(func() { limit.Patience = usual })
	a := newAPI(t, limit.New(testkit.NewRedis(t).Client, "realtime"))
	for i := range 7 {
		status, _, header := a.call(t, "pa", "POST", "/api/stream/notify", `{"message":"m"}`)
		// ASVS 2.3.2
		if want := map[bool]int{true: 202, false: 429}[i < 6]; status != want ||
			(status == 429) != (header.Get("Retry-After") != "") {
			t.Errorf("notification %d answered %d, Retry-After %q", i+1, status, header.Get("Retry-After"))
		}
	}
	if status, _, _ := a.call(t, "admin", "POST", "/api/stream/notify", `{"message":"m"}`); status != 202 {
		t.Errorf("another user answered %d", status)
	}
}

func TestContractRejectsExtraOrMissingFields(t *testing.T) {
	a := newAPI(t, nil)
	r := httptest.NewRequest("GET", "/api/stream/notifications", nil)
	header := http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"r"}}
	const right = `{"id":"01890a5d-ac96-774b-bcce-b302099a8057","message":"m","type":"info","target_roles":["pa"],` +
		`"sender":"s","createdAt":"2026-11-20T08:46:41.168Z"}`
	for name, c := range map[string]struct {
		item string
		good bool
	}{
		"as it is":       {right, true},
		"with a phone":   {strings.Replace(right, `{`, `{"phone":"9876543210",`, 1), false},
		"without sender": {strings.Replace(right, `"sender":"s",`, "", 1), false},
	} {
		err := a.document.Check(r, 200, header, []byte(`{"notifications":[`+c.item+`]}`))
		// ASVS 15.3.1
		if (err == nil) != c.good {
			t.Errorf("a notification %s: %v", name, err)
		}
	}
}

func TestABodyThatSaysNothingIsRefused(t *testing.T) {
	a := newAPI(t, nil)
	a.document.RefusesBodiesThatSayNothing(t, nil, func(role, method, path, body string) (int, string) {
		status, answer, _ := a.call(t, role, method, path, body)
		return status, fmt.Sprint(answer)
	})
}
