package visits_test

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/contract/registry"
	"baari.dev/services/operate"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/visits"
)

// neighbours are the other services that this one calls.
type neighbours struct {
	mu      sync.Mutex
	asked   []string // service and path
	trailed bool     // the trail has applied the erasure
	away    string   // the service that does not respond
}

var neighbourAnswers = map[string]string{
	"directory /internal/subject/export": `{"appointments":[{"id":"a1","name":"Asha"}],"access":[]}`,
	"directory /internal/subject/erase":  `{"erased":["a1"]}`,
	"lobby /internal/subject/export":     `{"arrivals":[]}`,
	"lobby /internal/subject/erase":      `{"erased":[]}`,
	"realtime /internal/subject/export":  `{"notifications":[]}`,
	"realtime /internal/subject/erase":   `{"erased":[]}`,
	"directory /internal/breach":         `{"readers":[],"affected":[]}`,
	"audit /internal/breach":             `{"exports":[],"reads":[]}`,
	"audit /internal/people":             `{"people":[{"id":"ravi","name":"Ravi"}]}`,
	"directory /internal/uses": `{"uses":[{"day":"2026-11-20","userId":"ravi","role":"reception","call":"appointments",` +
		`"times":2,"records":40}]}`,
	"audit /internal/uses": `{"uses":[{"day":"2026-11-21","userId":"ravi","role":"admin","call":"export","times":1,` +
		`"records":900}]}`,
	"auth /internal/retention": `{"night":{"day":"2026-11-20","olderThan":"2025-10-16T18:30:00.000Z",` +
		`"startedAt":"2026-11-19T18:40:00.000Z","finishedAt":"2026-11-19T18:40:01.000Z","erased":{"users":3}}}`,
	"realtime /internal/retention": `{"night":null}`,
	"lobby /internal/retention":    `{"night":null}`,
}

// withNeighbours connects the service to all others, and signs the admin in at the current time.
func (d *desk) withNeighbours(t *testing.T) *neighbours {
	t.Helper()
	n := &neighbours{}
	services := operate.Installation{Addresses: map[string]string{}, Keys: testkit.Keys(contract.SourceVisits)}
	for _, name := range registry.Names() {
		var handler http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { n.answer(w, r, name) })
		if name == contract.SourceVisits {
			handler = d.internal(t)
		}
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		services.Addresses[name] = server.URL
	}
	exec(t, d.owner, `INSERT INTO office (notice_version, brand, contact) VALUES ('', 'Lekha & Co', 'privacy@example.com')
		ON CONFLICT (only_row) DO UPDATE SET brand = EXCLUDED.brand, contact = EXCLUDED.contact`)
	d.with(func(deps *visits.Deps) { deps.Services = services })
	t.Cleanup(d.service.AwaitErasures)
	d.sessionAge(0)
	return n
}

func (d *desk) sessionAge(age time.Duration) {
	d.people.SignIn("admin", contract.RoleAdmin, func(c *identity.Caller) { c.CreatedAt = time.Now().Add(-age) })
}

func (n *neighbours) answer(w http.ResponseWriter, r *http.Request, service string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	call := service + " " + r.URL.Path
	n.asked = append(n.asked, call)
	switch {
	case service == n.away:
		w.WriteHeader(http.StatusServiceUnavailable)
	case call == "audit /internal/subject/export" && n.trailed:
		_, _ = io.WriteString(w, `{"records":[]}`)
	case call == "audit /internal/subject/export":
		n.trailed = slices.Contains(n.asked, "directory /internal/subject/erase")
		_, _ = io.WriteString(w, `{"records":[{"entityId":"a1"}]}`)
	default:
		_, _ = io.WriteString(w, neighbourAnswers[call])
	}
}

type usedSubject struct {
	Found    *struct{ Visits, Appointments, Requests int }
	Document *string
	Erasure  *shownErasure
}

type shownErasure struct {
	ID, State string
	Services  []struct {
		Name   string
		Done   bool
		Erased int
	}
}

func (d *desk) use(action, of string) (usedSubject, answer) {
	d.t.Helper()
	a := d.as("admin", http.MethodPost, "/api/privacy/subject", `{"action":"`+action+`","reason":"request",`+of+`}`)
	var got usedSubject
	d.decode(a, &got)
	return got, a
}

const byPhone = `"phone":"` + ashasPhone + `"`

// An admin finds and exports a person. The access log and the outbox record both uses.
func TestAPersonIsFoundAndExported(t *testing.T) {
	d := newDesk(t)
	d.withNeighbours(t)
	d.aDayOfAsha()
	made := d.receive("reception", "access", ashasPhone)
	if got, a := d.use("find", byPhone); a.status != http.StatusOK || got.Found.Visits != 1 ||
		got.Found.Appointments != 1 || got.Found.Requests != 1 || strings.Contains(a.text, ashasName) {
		t.Errorf("found: %d %s", a.status, a.text)
	}
	got, a := d.use("export", `"request_id":"`+made.ID+`"`)
	if a.status != http.StatusOK || !strings.Contains(*got.Document, ashasName) {
		t.Errorf("exported: %d %s", a.status, a.text)
	}
	for _, call := range []string{"subject_find", "subject_export"} {
		if n := count(t, d, `SELECT count(*) FROM access_log WHERE call = $1 AND user_id = $2 AND role = 'admin'`, call,
			testkit.ID("admin")); n != 1 {
			t.Errorf("%s is %d times in the access log", call, n)
		}
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE entity = 'privacy'
		AND type IN ('privacy_found', 'privacy_exported')
		AND after->>'reason' = 'request' AND after->>'visits' = '1'`); n != 2 {
		t.Errorf("%d events", n)
	}
}

// An erasure shows which services are done, and the database keeps nothing of the person.
func TestAPersonIsErasedWithProgress(t *testing.T) {
	d := newDesk(t)
	d.withNeighbours(t)
	d.aDayOfAsha()
	made := d.receive("reception", "erasure", ashasPhone)
	got, a := d.use("erase", `"request_id":"`+made.ID+`"`)
	if a.status != http.StatusAccepted || got.Erasure.State != "running" || len(got.Erasure.Services) != 5 {
		t.Fatalf("answered %d %s", a.status, a.text)
	}
	d.service.AwaitErasures()
	var seen struct{ Erasure shownErasure }
	d.decode(d.as("admin", http.MethodGet, "/api/privacy/subject/"+got.Erasure.ID, ""), &seen)
	if seen.Erasure.State != "done" || !seen.Erasure.Services[4].Done || seen.Erasure.Services[3].Name != "visits" ||
		seen.Erasure.Services[3].Erased != 1 || seen.Erasure.Services[1].Erased != 1 {
		t.Errorf("the erasure is %+v", seen.Erasure)
	}
	if found := d.db.Find(t, append(ashasTraces, "canary-request")...); len(found) != 0 {
		t.Errorf("left: %v", found)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'privacy_erasure_finished'
		AND after->>'requestId' = $1 AND after->>'visits' = '1' AND actor->>'name' = 'The admin'`, made.ID); n != 1 {
		t.Errorf("%d events of the end", n)
	}
	d.rejects("an erased person", second(d.use("find", `"request_id":"`+made.ID+`"`)), http.StatusConflict, "no_person")
}

func TestAnErasureThatFailsIsRepeated(t *testing.T) {
	d := newDesk(t)
	n := d.withNeighbours(t)
	d.aDayOfAsha()
	n.away = "directory"
	got, _ := d.use("erase", byPhone)
	d.service.AwaitErasures()
	var seen struct{ Erasure shownErasure }
	d.decode(d.as("admin", http.MethodGet, "/api/privacy/subject/"+got.Erasure.ID, ""), &seen)
	if seen.Erasure.State != "failed" {
		t.Errorf("the erasure is %+v", seen.Erasure)
	}
	d.rejects("a find", second(d.use("find", byPhone)), http.StatusServiceUnavailable, "unavailable")
	n.mu.Lock()
	n.away = ""
	n.mu.Unlock()
	again, _ := d.use("erase", byPhone)
	d.service.AwaitErasures()
	d.decode(d.as("admin", http.MethodGet, "/api/privacy/subject/"+again.Erasure.ID, ""), &seen)
	if seen.Erasure.State != "done" {
		t.Errorf("repeated: %+v", seen.Erasure)
	}
	exec(t, d.owner, `UPDATE privacy_erasures SET state = 'running', changed_at = now() - interval '1 hour'`)
	d.decode(d.as("admin", http.MethodGet, "/api/privacy/subject/"+again.Erasure.ID, ""), &seen)
	if seen.Erasure.State != "failed" {
		t.Errorf("an erasure that lost its replica is %s", seen.Erasure.State)
	}
}

// The data of one person and the kit after a breach need a session that is at most ten minutes old.
func TestThePersonsDataNeedAFreshSession(t *testing.T) {
	d := newDesk(t)
	d.withNeighbours(t)
	d.sessionAge(10*time.Minute + time.Second)
	id := testkit.ID("x")
	for _, call := range []struct{ method, path, body string }{
		{http.MethodPost, "/api/privacy/subject", `{"action":"find","reason":"request",` + byPhone + `}`},
		{http.MethodGet, "/api/privacy/subject/" + id, ""},
		{http.MethodPost, "/api/privacy/breach", `{}`},
	} {
		a := d.as("admin", call.method, call.path, call.body)
		d.rejects(call.path, a, http.StatusForbidden, "session_not_fresh")
		if a.Error != "Please sign in again for this." {
			t.Errorf("it says %s", a.Error)
		}
	}
	d.sessionAge(9 * time.Minute)
	if _, a := d.use("find", byPhone); a.status != http.StatusOK {
		t.Errorf("a fresh session is answered %d %s", a.status, a.text)
	}
	for _, body := range []string{
		`{"action":"sell","reason":"request",` + byPhone + `}`, `{"action":"find","reason":"Asha wants it",` + byPhone + `}`,
		`{"action":"find","reason":"request"}`, `{"action":"find","reason":"request","request_id":"7"}`,
	} {
		d.rejects(body, d.as("admin", http.MethodPost, "/api/privacy/subject", body), http.StatusBadRequest, "validation")
	}
}

// The kit after a breach has the report, the persons, and drafts with the deadlines.
func TestTheKitAfterABreach(t *testing.T) {
	d := newDesk(t)
	d.withNeighbours(t)
	d.aDayOfAsha()
	d.as("admin", http.MethodGet, "/api/visits/today", "")
	body := `{"from":"2020-01-01","to":"2099-12-31","what":"A list was sent to a wrong address",` +
		`"noticed_at":"2026-11-20T04:30:00.000Z"}`
	a := testkit.Call(t, d.table, "token-admin", http.MethodPost, "/api/privacy/breach", body)
	if a.Code != http.StatusOK || a.Header().Get("Baari-Persons") != "2" {
		t.Fatalf("answered %d %v", a.Code, a.Header())
	}
	files := unzip(t, a.Body.Bytes())
	for name, text := range map[string]string{
		"persons.csv": ashasPhone, "report.md": "2 visitors were read",
		"board.txt":      "due 2026-11-23 10:00 IST",
		"persons-en.txt": "A list was sent to a wrong address", "persons-hi.txt": "व्यक्तिगत डेटा",
		"persons-kn.txt": "Lekha & Co", "persons-ta.txt": "privacy@example.com", "persons-te.txt": "2020-01-01",
		"persons-mr.txt": "2099-12-31",
	} {
		if !strings.Contains(files[name], text) {
			t.Errorf("%s has no %q: %s", name, text, files[name])
		}
	}
	if !strings.Contains(files["board.txt"], "by 2026-11-20 16:00 IST") {
		t.Errorf("the draft to the Board is %s", files["board.txt"])
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'privacy_breach_reported'
		AND after->>'persons' = '2'`); n != 1 {
		t.Errorf("%d events", n)
	}
	for _, wrong := range []string{
		`{"from":"2026-11-02","to":"2026-11-01","what":"x","noticed_at":"2026-11-20T04:30:00.000Z"}`,
		`{"from":"today","to":"2026-11-01","what":"x","noticed_at":"2026-11-20T04:30:00.000Z"}`,
		`{"from":"2026-11-01","to":"2026-11-01","what":"","noticed_at":"2026-11-20T04:30:00.000Z"}`,
		`{"from":"2026-11-01","to":"2026-11-01","what":"x"}`,
	} {
		d.rejects(wrong, d.as("admin", http.MethodPost, "/api/privacy/breach", wrong), http.StatusBadRequest, "validation")
	}
}

func unzip(t *testing.T, packed []byte) map[string]string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, file := range archive.File {
		opened, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(opened)
		if err != nil {
			t.Fatal(err)
		}
		files[file.Name] = string(text)
	}
	return files
}

// The report of uses has accesses and exports by day and user. The report of retention has each service's last run.
func TestTheReportsOfThePage(t *testing.T) {
	d := newDesk(t)
	n := d.withNeighbours(t)
	exec(t, d.owner, `UPDATE office SET notice_version = '2026-11'`)
	d.aDayOfAsha()
	d.as("reception2", http.MethodGet, "/api/visits/today", "")
	exec(t, d.owner, `UPDATE access_log SET at = '2026-11-20T04:30:00Z'`)
	var uses struct {
		Uses []struct {
			Day, UserID, Name, Call string
			Times, Records          int
		}
	}
	d.decode(d.as("admin", http.MethodGet, "/api/privacy/uses?from=2026-11-01&to=2026-11-30", ""), &uses)
	if len(uses.Uses) < 3 || uses.Uses[0].Call != "export" || uses.Uses[0].Name != "Ravi" || uses.Uses[0].Records != 900 {
		t.Fatalf("the uses are %+v", uses)
	}
	if !slices.ContainsFunc(uses.Uses, func(u struct {
		Day, UserID, Name, Call string
		Times, Records          int
	}) bool {
		return u.UserID == testkit.ID("reception2") && u.Call == "today" && u.Times == 1 && u.Records == 2 &&
			u.Day == "2026-11-20"
	}) {
		t.Errorf("the uses are %+v", uses)
	}
	d.rejects("a year", d.as("admin", http.MethodGet, "/api/privacy/uses?from=2026-01-01&to=2026-12-31", ""),
		http.StatusBadRequest, "validation")

	n.away = "directory"
	var nights struct {
		Services []struct {
			Service  string
			Answered bool
			Night    *struct {
				Day    string
				Erased map[string]int
			}
		}
	}
	d.decode(d.as("admin", http.MethodGet, "/api/privacy/retention", ""), &nights)
	for _, s := range nights.Services {
		known := s.Night != nil
		if s.Answered != (s.Service != "directory" && s.Service != "visits" && s.Service != "audit") ||
			known != (s.Service == "auth") || known && s.Night.Erased["users"] != 3 {
			t.Errorf("the night of %+v", s)
		}
	}
	var notices struct {
		Notices []struct {
			Version string
			Visits  int
		}
	}
	d.decode(d.as("admin", http.MethodGet, "/api/privacy/notices", ""), &notices)
	if len(notices.Notices) != 1 || notices.Notices[0].Version != "2026-11" || notices.Notices[0].Visits != 2 {
		t.Errorf("the notices are %+v", notices)
	}
}
