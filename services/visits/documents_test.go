package visits_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
)

type papers struct {
	Documents []contract.VisitDocument
	Version   int64
}

// papers reads the papers of a visit, or changes them if there is a body.
func (d *desk) papers(person, id string, body ...string) (papers, answer) {
	d.t.Helper()
	method, text := http.MethodGet, ""
	if len(body) > 0 {
		method, text = http.MethodPut, `{"documents":`+body[0]+`}`
	}
	var headers []string
	if len(body) > 1 {
		headers = []string{"If-Match", body[1]}
	}
	a := d.as(person, method, "/api/visits/"+id+"/documents", text, headers...)
	var got papers
	if err := json.Unmarshal([]byte(a.text), &got, json.MatchCaseInsensitiveNames(true)); err != nil {
		d.t.Fatal(err)
	}
	return got, a
}

const (
	panMissing   = `{"key":"pan","label":"PAN card","required":true,"state":"missing"}`
	form16Along  = `{"key":"form-16","label":"Form 16","state":"brought","form":"copy","pages":4}`
	photoMissing = `{"key":"photo","label":"Photograph","state":"missing"}`
)

// arriveWith registers a visitor with a list of checked papers.
func (d *desk) arriveWith(documents string) answer {
	d.t.Helper()
	body := strings.TrimSuffix(d.visitor("Asha"), "}") + `,"documents":` + documents + `}`
	return d.as("reception", http.MethodPost, "/api/visits", body)
}

// Missing papers are known before the visitor waits: the lists of reception, PA and consultant show them.
func TestMissingPapersAreSeenFromTheRegistrationOn(t *testing.T) {
	d := newDesk(t)
	made := d.arriveWith(`[` + panMissing + `,` + form16Along + `,` + photoMissing + `]`)
	if made.status != http.StatusCreated || !strings.Contains(made.text, `"missing":[{"key":"pan","label":"PAN card"}]`) {
		t.Fatalf("the registration answered %d %s", made.status, made.text)
	}
	id := made.Visit.ID
	sees := func(person, path string) {
		t.Helper()
		list := d.as(person, http.MethodGet, "/api/visits/"+path, "")
		if !strings.Contains(list.text, `"documents":{"missing":[{"key":"pan","label":"PAN card"}],"left":0}`) {
			t.Errorf("%s sees %s in %s", person, list.text, path)
		}
	}
	sees("reception", "today")
	sees("pa", "pending-approval")
	d.set("pa", id, "approved", `"line":true`)
	sees("consultant", "line")
	sees("pa", "line")
	d.must("next", d.next("consultant"), "called")
	sees("consultant", "today")

	got, _ := d.papers("consultant", id)
	if len(got.Documents) != 3 || got.Version != 1 || got.Documents[1].No != 2 || *got.Documents[1].Form != "copy" ||
		*got.Documents[1].Pages != 4 {
		t.Errorf("the papers are %+v", got)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'visit_documents_changed' AND entity_id = $1
		AND before IS NULL AND version = 1 AND after->>'token' = 'T-001'`, id); n != 1 {
		t.Errorf("%d events of the papers", n)
	}
}

// A visit without a checklist has no summary of papers, like a visit of an earlier release.
func TestAVisitWithoutPapersHasNoSummary(t *testing.T) {
	d := newDesk(t)
	v := d.arrive("Asha")
	list := d.as("reception", http.MethodGet, "/api/visits/today", "")
	if !strings.Contains(list.text, `"documents":null`) {
		t.Errorf("the list is %s", list.text)
	}
	if got, _ := d.papers("reception", v.ID); len(got.Documents) != 0 || got.Version != 0 {
		t.Errorf("the papers are %+v", got)
	}
}

// A paper can be brought later, left at the office, and returned on another day. The version of the visit does not
// change.
func TestPapersAreBroughtLeftAndReturned(t *testing.T) {
	d := newDesk(t)
	id := d.arriveWith(`[` + panMissing + `]`).Visit.ID
	pan := func(state string) string {
		return `[{"no":1,"key":"pan","label":"PAN card","required":true,"state":"` + state + `","form":"original"}]`
	}
	d.rejects("returning what was never left", second(d.papers("pa", id, pan("returned"))), http.StatusBadRequest,
		"validation")
	for _, state := range []string{"brought", "left", "returned"} {
		got, a := d.papers("reception", id, pan(state))
		if a.status != http.StatusOK || got.Documents[0].State != state || *got.Documents[0].Form != "original" {
			t.Fatalf("%s answered %d %s", state, a.status, a.text)
		}
		exec(t, d.owner, `UPDATE visits SET office_day = office_day - 1 WHERE id = $1`, id)
	}
	if n := count(t, d, `SELECT version FROM visits WHERE id = $1`, id); n != 1 {
		t.Errorf("the visit has version %d", n)
	}
	got, _ := d.papers("reception", id)
	if got.Version != 4 {
		t.Errorf("the papers have version %d", got.Version)
	}
	again, _ := d.papers("reception", id, pan("returned"))
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE entity = 'visit_documents'`); n != 4 || again.Version != 4 {
		t.Errorf("equal papers were published: %d events, version %d", n, again.Version)
	}
}

func second[A, B any](_ A, b B) B { return b }

// If two users change the papers of a visit, neither overwrites the other's change.
func TestAChangeOfPapersNamesTheVersionThatWasSeen(t *testing.T) {
	d := newDesk(t)
	id := d.arrive("Asha").ID
	if got, a := d.papers("reception", id, `[`+panMissing+`]`, `"0"`); got.Version != 1 {
		t.Fatalf("the first change answered %d %s", a.status, a.text)
	}
	d.rejects("a second first change", second(d.papers("pa", id, `[`+photoMissing+`]`, `"0"`)),
		http.StatusPreconditionFailed, "stale_version")
	got, a := d.papers("pa", id, `[`+strings.Replace(panMissing, `"key"`, `"no":1,"key"`, 1)+`,`+photoMissing+`]`, `"1"`)
	if got.Version != 2 || len(got.Documents) != 2 || got.Documents[1].No != 2 {
		t.Errorf("the next change answered %d %s", a.status, a.text)
	}
}

// matrix.csv: reception, PAs, admins and the assigned consultant read and change papers.
func TestPapersAreForTheDeskAndTheAssignedConsultant(t *testing.T) {
	d := newDesk(t)
	v := d.inSession("Asha")
	for person, status := range map[string]int{
		"": 401, "reception": 200, "pa": 200, "consultant": 200, "consultant2": 403, "admin": 200,
	} {
		_, read := d.papers(person, v.ID)
		_, change := d.papers(person, v.ID, `[]`)
		if read.status != status || change.status != status {
			t.Errorf("%s: read %d, change %d, want %d", person, read.status, change.status, status)
		}
		if person == "consultant2" && (read.Code != "not_assigned" || change.Code != "not_assigned") {
			t.Errorf("another consultant: %s, %s", read.text, change.text)
		}
	}
	for _, id := range []string{"01890000-0000-7000-8000-00000000ffff", "no-id"} {
		if _, a := d.papers("pa", id); a.status != http.StatusNotFound {
			t.Errorf("the papers of %s answered %d", id, a.status)
		}
		if _, a := d.papers("pa", id, `[]`); a.status != http.StatusNotFound {
			t.Errorf("a change of the papers of %s answered %d", id, a.status)
		}
	}
}

func TestInvalidPapersAreRejected(t *testing.T) {
	d := newDesk(t)
	v := d.arrive("Asha")
	many := `[` + strings.Repeat(photoMissing+`,`, 40) + photoMissing + `]`
	for _, documents := range []string{
		`5`, `null`, `["pan"]`, `[{"label":"","state":"brought"}]`, `[{"label":"PAN"}]`, `[{"label":"PAN","state":"lost"}]`,
		`[{"label":"a\u0000b","state":"brought"}]`, `[{"label":"PAN","state":"brought","form":"scan"}]`,
		`[{"label":"PAN","state":"brought","pages":0}]`, `[{"label":"PAN","state":"brought","pages":10000}]`,
		`[{"label":"PAN","state":"brought","key":"A B"}]`, `[{"label":"` + strings.Repeat("x", 121) + `","state":"left"}]`,
		`[{"no":7,"label":"PAN","state":"brought"}]`, many,
	} {
		_, a := d.papers("reception", v.ID, documents)
		if a.status != http.StatusBadRequest || a.Fields["documents"] == "" {
			t.Errorf("%.60s answered %d %s", documents, a.status, a.text)
		}
		if documents == `null` {
			continue // a registration may omit the papers
		}
		if a := d.arriveWith(documents); a.status != http.StatusBadRequest || a.Fields["documents"] == "" {
			t.Errorf("%.60s at a registration answered %d %s", documents, a.status, a.text)
		}
	}
	if n := count(t, d, `SELECT count(*) FROM visit_documents`); n != 0 {
		t.Errorf("%d rows were stored", n)
	}
}

func TestPapersOfABatchStayWithTheirVisits(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	answers := make(chan answer, 12)
	for i := range cap(answers) {
		go func() {
			answers <- retried(func() answer {
				return d.arriveWith(fmt.Sprintf(`[{"label":"Paper %d","required":true,"state":"missing"}]`, i))
			})
		}()
	}
	for range cap(answers) {
		a := <-answers
		got, _ := d.papers("reception", a.Visit.ID)
		if a.status != http.StatusCreated || len(got.Documents) != 1 || !strings.Contains(a.text, got.Documents[0].Label) {
			t.Errorf("%s has the papers %+v", a.text, got)
		}
	}
}

// The erasure of a visitor includes papers, their events and stored responses. After it, no papers can be added.
func TestTheErasureOfAVisitorReachesPapers(t *testing.T) {
	d := newDesk(t)
	id := d.aDayOfAsha()
	const canary = "Will of canary-papers"
	d.papers("reception", id, `[{"label":"`+canary+`","required":true,"state":"missing"}]`)
	body := fmt.Sprintf(
		`{"name":%q,"phone":%q,"service_id":%q,"documents":[{"label":%q,"required":true,"state":"missing"}]}`,
		ashasName, ashasPhone, d.offered, canary)
	key := []string{"Idempotency-Key", "asha-came-again"}
	d.as("reception", http.MethodPost, "/api/visits", body, key...)
	if exported := d.ask(t, "export"); len(exported.Documents) != 2 || exported.Documents[0].Documents[0].Label != canary {
		t.Errorf("exported %+v", exported.Documents)
	}
	d.ask(t, "erase")
	if found := d.db.Find(t, canary); len(found) > 0 {
		t.Errorf("left of the papers: %v", found)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'visit_documents_erased' AND version = 2`); n != 2 {
		t.Errorf("%d events of the erasure", n)
	}
	d.rejects("a paper of an erased visitor", second(d.papers("reception", id, `[`+panMissing+`]`)),
		http.StatusConflict, "visit_over")
	replayed := d.as("reception", http.MethodPost, "/api/visits", body, key...)
	if !strings.Contains(replayed.text, `"documents":null`) {
		t.Errorf("the repeated request answered %s", replayed.text)
	}
	if got, _ := d.papers("admin", id); len(got.Documents) != 0 {
		t.Errorf("the papers are %+v", got)
	}
	if !slices.Contains(d.db.Find(t, othersName), "visits: "+othersName) {
		t.Error("the other visitor was erased, too")
	}
}

// A client that follows a list by its changes also receives changes of papers.
func TestAChangeOfPapersIsAChangeOfTheLists(t *testing.T) {
	d := newDesk(t)
	v := d.arrive("Asha")
	screen := &follower{d: d, person: "reception", path: todayPath, rows: map[string]map[string]any{}}
	screen.follow()
	d.papers("pa", v.ID, `[`+panMissing+`]`)
	if list := screen.follow(); list.Reset || len(list.Visits) != 1 || list.Visits[0]["documents"] == nil {
		t.Errorf("the changes are %+v", list)
	}
	screen.agrees()
}

// A paper has a note, and the user and time of its last change. The note is in the subject's export but not in events,
// because these reach every dashboard.
func TestAPaperHasANoteAndItsLastChange(t *testing.T) {
	d := newDesk(t)
	id := d.arriveWith(`[` + panMissing + `]`).Visit.ID
	note := `[{"no":1,"key":"pan","label":"PAN card","required":true,"state":"left","note":" in the blue folder "}]`
	_, a := d.papers("pa", id, note)
	if a.status != http.StatusOK || !strings.Contains(a.text, `"note":"in the blue folder","by":"The pa","at":"20`) {
		t.Fatalf("it answered %d %s", a.status, a.text)
	}
	d.acknowledge("reception", id)
	if _, a = d.papers("reception", id); !strings.Contains(a.text, `"by":"The pa"`) ||
		!strings.Contains(a.text, `"acknowledgement":{"no":"ACK-`) {
		t.Errorf("the papers are %s", a.text)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE after::text LIKE '%blue folder%'`); n != 0 {
		t.Errorf("%d events have the note", n)
	}
	_, _, export := d.asService(contract.CallerOperator, http.MethodPost, "/internal/subject/export",
		`{"phone":"9876543210"}`)
	if !strings.Contains(export, "in the blue folder") {
		t.Errorf("the export is %s", export)
	}
	long := strings.Replace(note, " in the blue folder ", strings.Repeat("x", 201), 1)
	d.rejects("a note of 201 letters", second(d.papers("reception", id, long)), http.StatusBadRequest, "validation")
}
