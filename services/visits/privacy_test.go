package visits_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/testkit"
)

// The visitors of these tests; the last one is not the subject.
const (
	ashasPhone, ashasName   = "9811122233", "Asha Parvati Deshpande"
	ashasNotes              = "canary-reception canary-pa canary-session"
	othersPhone, othersName = "9822233344", "Ravi Kumaraswamy"
)

var ashasTraces = append([]string{ashasPhone, ashasName, "Parvati"}, strings.Fields(ashasNotes)...)

func ashasRegistration(service string) string {
	return fmt.Sprintf(`{"name":%q,"phone":%q,"service_id":%q,"language":"kn","notes":%q}`,
		ashasName, ashasPhone, service, strings.Fields(ashasNotes)[0])
}

// aDayOfAsha registers and completes a visit, with a key and with notes of every stage, and registers another visitor.
func (d *desk) aDayOfAsha() (id string) {
	d.t.Helper()
	notes := strings.Fields(ashasNotes)
	made := d.as("reception", http.MethodPost, "/api/visits", ashasRegistration(d.offered),
		"Idempotency-Key", "asha-came-once")
	id = made.Visit.ID
	for _, step := range []struct{ person, status, more string }{
		{"pa", contract.StatusApproved, to("consultant") + `,"notes":"` + notes[1] + `"`},
		{"consultant", contract.StatusInSession, `"notes":""`},
		{"consultant", contract.StatusCompleted, `"notes":"` + notes[2] + `"`},
	} {
		if a := d.set(step.person, id, step.status, step.more); a.status != http.StatusOK {
			d.t.Fatalf("%s answered %d %s", step.status, a.status, a.text)
		}
	}
	other := fmt.Sprintf(`{"name":%q,"phone":%q,"service_id":%q}`, othersName, othersPhone, d.offered)
	if a := d.as("reception", http.MethodPost, "/api/visits", other); a.status != http.StatusCreated {
		d.t.Fatalf("the other visitor answered %d %s", a.status, a.text)
	}
	return id
}

func (d *desk) erasedInFull(id string) {
	d.t.Helper()
	if found := d.db.Find(d.t, ashasTraces...); len(found) > 0 {
		d.t.Errorf("left of the visitor: %v", found)
	}
	found := d.db.Find(d.t, othersPhone, othersName)
	if !slices.Contains(found, "visits: "+othersPhone) || !slices.Contains(found, "outbox: "+othersName) {
		d.t.Errorf("of the other visitor only %v is left", found)
	}
	if n := count(
		d.t, d, `SELECT count(*) FROM visits
			WHERE id = $1 AND status = 'completed' AND token_no = 1
			  AND language = '' AND erased_at IS NOT NULL AND started_at IS NOT NULL`, id,
	); n != 1 {
		d.t.Error("the visit itself is gone")
	}
	if n := count(
		d.t, d, `SELECT count(*) FROM outbox
			WHERE entity_id = $1 AND type = 'visit_erased' AND before IS NULL
			  AND (actor IS NULL OR actor->>'name' = 'operator') AND version = 5`, id,
	); n != 1 {
		d.t.Errorf("%d events of the erasure", n)
	}
	if n := count(d.t, d, `SELECT count(*) FROM outbox WHERE entity_id = $1`, id); n != 5 {
		d.t.Errorf("%d events are left, want 5", n)
	}
}

// The personal data of a visit that has not changed for RETENTION_DAYS is erased.
func TestAnOldVisitorIsErased(t *testing.T) {
	d := newDesk(t)
	id := d.aDayOfAsha()
	exec(t, d.owner, `UPDATE visits SET updated_at = now() - interval '401 days' WHERE id = $1`, id)
	exec(
		t,
		d.owner,
		`INSERT INTO access_log (at, user_id, role, call, visit_ids)
			VALUES (now() - interval '401 days', 'former', 'admin', 'today', '{}')`,
	)
	for _, task := range d.service.Retention() {
		for n := int64(1); n > 0; {
			var err error
			if n, err = task.Erase(t.Context(), time.Now().AddDate(0, 0, -400)); err != nil {
				t.Fatalf("%s: %v", task.Name, err)
			}
		}
	}
	// ASVS 14.2.4, 14.2.7
	d.erasedInFull(id)
	if n := count(t, d, `SELECT count(*) FROM access_log WHERE user_id = 'former'`); n != 0 {
		t.Error("the access log keeps what is too old")
	}
	if again, err := d.service.Retention()[0].Erase(t.Context(), time.Now().Add(time.Hour)); err != nil || again != 1 {
		t.Errorf("an hour from now %d visits are erased, %v; want the other one only", again, err)
	}
}

func TestASubjectIsErasedOnRequest(t *testing.T) {
	d := newDesk(t)
	id := d.aDayOfAsha()
	first := d.ask(t, "erase")
	if first.Erased == nil || len(first.Erased) != 1 || first.Erased[0] != id {
		t.Errorf("erased %v", first.Erased)
	}
	if second := d.ask(t, "erase"); second.Erased == nil || len(second.Erased) != 0 {
		t.Errorf("the second request erased %v", second.Erased)
	}
	d.erasedInFull(id)

	replayed := d.as(
		"reception",
		http.MethodPost,
		"/api/visits",
		ashasRegistration(d.offered),
		"Idempotency-Key",
		"asha-came-once",
	)
	if replayed.status != http.StatusCreated || replayed.Visit.Name != "Erased" || replayed.Visit.Phone != "" ||
		replayed.Visit.Language != "" {
		t.Errorf("the repeated request answered %d %s", replayed.status, replayed.text)
	}
	for _, role := range []string{"reception", "admin", "consultant"} {
		seen := d.as(role, http.MethodGet, "/api/visits/today", "").Visits[0]
		if seen.Name != "Erased" || seen.Phone != "" || seen.Notes != "" || seen.Token != "T-001" {
			t.Errorf("%s sees %+v", role, seen)
		}
	}
}

// An erased visitor who waits for a decision still gets one.
func TestAnErasedVisitorIsStillDecided(t *testing.T) {
	d := newDesk(t)
	waiting := d.as("reception", http.MethodPost, "/api/visits", ashasRegistration(d.offered)).Visit
	if erased := d.ask(t, "erase").Erased; len(erased) != 1 || erased[0] != waiting.ID {
		t.Fatalf("erased %v", erased)
	}
	denied := d.set("pa", waiting.ID, "denied")
	if denied.status != http.StatusOK || denied.Visit.Name != "Erased" || denied.Visit.Phone != "" {
		t.Errorf("the decision was answered %d %s", denied.status, denied.text)
	}
	if n := count(t, d, `SELECT count(*) FROM visits WHERE phone IS NULL AND stage = 'denied'`); n != 1 {
		t.Errorf("%d erased visits are denied", n)
	}
}

func TestASubjectExportHasDataAndDisclosures(t *testing.T) {
	d := newDesk(t)
	id := d.aDayOfAsha()
	d.as("admin", http.MethodGet, "/api/visits/today", "")
	got := d.ask(t, "export")
	if len(got.Visits) != 1 || got.Visits[0].ID != id || got.Visits[0].Phone != ashasPhone ||
		got.Visits[0].PANotes != "canary-pa" ||
		got.Visits[0].NoticeVersion != "" {
		t.Errorf("exported %+v", got.Visits)
	}
	if len(got.Access) != 1 || got.Access[0].Role != "admin" || got.Access[0].Call != "today" {
		t.Errorf("disclosed to %+v", got.Access)
	}
	if n := count(
		t, d, `SELECT count(*) FROM access_log WHERE call = 'subject_export' AND visit_ids = ARRAY[$1::uuid]`, id,
	); n != 1 {
		t.Errorf("the export was recorded %d times", n)
	}
}

type subjectAnswer struct {
	Erased []string         `json:"erased"`
	Visits []contract.Visit `json:"visits"`

	Documents []contract.VisitDocuments `json:"documents"`
	Requests  []struct {
		Text string `json:"text"`
	} `json:"requests"`
	Consents []struct {
		Purpose string `json:"purpose"`
	} `json:"consents"`
	Receipts []struct {
		Documents []contract.VisitDocument `json:"documents"`
	} `json:"acknowledgements"`

	Access []struct {
		Role string `json:"role"`
		Call string `json:"call"`
	} `json:"access"`
}

// ask sends an internal request about Asha with a service token.
func (d *desk) ask(t *testing.T, call string) (answer subjectAnswer) {
	t.Helper()
	table := d.internal(t)
	server := httptest.NewServer(table)
	defer server.Close()
	client := identity.NewClient(server.URL, testkit.Keys("operator"), contract.SourceVisits)
	body := map[string]string{"phone": ashasPhone}
	status, err := client.Call(context.Background(), http.MethodPost, "/internal/subject/"+call, body, &answer)
	if err != nil || status != http.StatusOK {
		t.Fatalf("%s answered %d, %v", call, status, err)
	}
	return answer
}

func TestSubjectRoutesRequireAServiceToken(t *testing.T) {
	d := newDesk(t)
	for _, call := range []string{"export", "erase"} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(
			http.MethodPost,
			"/internal/subject/"+call,
			strings.NewReader(`{"phone":"`+ashasPhone+`"}`),
		)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer token-admin")
		d.internal(t).ServeHTTP(w, r)
		if w.Code != http.StatusUnauthorized {
			t.Errorf("%s answered %d %s", call, w.Code, w.Body)
		}
	}
}

// A user who reads the unmasked phone of a visit that others handle is recorded once a day, without the phone.
func TestDisclosuresOfUnmaskedPhonesAreRecorded(t *testing.T) {
	d := newDesk(t)
	first := d.arrive("Asha")
	looked := func(person, call string) int {
		return count(
			t,
			d,
			`SELECT count(*) FROM access_log WHERE user_id = $1 AND call = $2 AND visit_ids @> ARRAY[$3::uuid]`,
			testkit.ID(person),
			call,
			first.ID,
		)
	}
	for range 3 {
		for person, path := range map[string]string{
			"reception":  "today",
			"reception2": "today",
			"pa":         "pending-approval",
			"admin":      "pending-approval",
			"consultant": "today",
		} {
			d.as(person, http.MethodGet, "/api/visits/"+path, "")
		}
	}
	for person, want := range map[string]int{"reception": 0, "reception2": 1, "consultant": 0} {
		// ASVS 14.2.4, 16.3.3
		if n := looked(person, "today"); n != want {
			t.Errorf("%s is recorded %d times, want %d", person, n, want)
		}
	}
	if pa, admin := looked("pa", "pending"), looked("admin", "pending"); pa != 1 || admin != 1 {
		t.Errorf("the pa is recorded %d times, the admin %d times", pa, admin)
	}

	second := d.arrive("Ravi")
	d.as("reception2", http.MethodGet, "/api/visits/today", "")
	if n := count(
		t, d, `SELECT count(*) FROM access_log
			WHERE user_id = $1 AND visit_ids = ARRAY[$2::uuid]`, testkit.ID("reception2"), second.ID,
	); n != 1 {
		t.Errorf("the new visit is recorded %d times", n)
	}
	if found := d.db.Find(t, "9876543210"); slices.Contains(found, "access_log: 9876543210") {
		t.Error("the access log holds a phone")
	}
}

func TestAMaskedPhoneIsNotRecorded(t *testing.T) {
	d := newDesk(t)
	v := d.arrive("Asha")
	exec(t, d.owner, `UPDATE visits SET office_day = office_day - 1 WHERE id = $1`, v.ID)
	if a := d.as("pa", http.MethodGet, "/api/visits/pending-approval", ""); a.Visits[0].Phone != "98******10" {
		t.Fatalf("the pa sees %s", a.Visits[0].Phone)
	}
	if n := count(t, d, `SELECT count(*) FROM access_log`); n != 0 {
		t.Errorf("%d rows were written", n)
	}
}

func TestNoPhoneIsDisclosedWithoutARecord(t *testing.T) {
	d := newDesk(t)
	d.arrive("Asha")
	exec(t, d.owner, `ALTER TABLE access_log RENAME TO gone`)
	raw, err := json.Marshal(d.as("admin", http.MethodGet, "/api/visits/today", "").Visits)
	// ASVS 16.5.3
	if err != nil || strings.Contains(string(raw), "9876543210") {
		t.Errorf("shown: %s, %v", raw, err)
	}
}
