package lobby

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"baari.dev/services/contract"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/wire"
)

// After each missed call the visitor can announce the return, also by another link of the visit. Reception sees the
// visitor once.
func TestAVisitorIsBackAfterEachMissedCall(t *testing.T) {
	p := newPorch(t)
	miss := func(v *contract.Visit) {
		called := wire.Time(time.Now())
		v.Stage, v.CalledAt = contract.StageMissed, &called
	}
	id := p.arrive(miss)
	p.post("/q/"+codeOf(id)+"/back", "")
	another := p.contract.Call(t, p.table, "token-reception", http.MethodPost, "/api/lobby/visits/"+id+"/link", "")
	_, code, _ := strings.Cut(another.Body.String(), "/Q/")
	code = code[:20]
	if returns := p.arrivals("reception").Returns; len(returns) != 1 || returns[0].VisitID != id {
		t.Errorf("with another link reception sees %+v", returns)
	}
	if html := p.get("/q/" + code).Body.String(); strings.Contains(html, "/back") {
		t.Errorf("it can be said again on another link:\n%s", html)
	}
	p.change(contract.VisitMissed, id, miss)
	if returns := p.arrivals("reception").Returns; len(returns) != 0 {
		t.Errorf("after a second missed call reception sees %+v", returns)
	}
	p.post("/q/"+code+"/back", "")
	if returns := p.arrivals("reception").Returns; len(returns) != 1 {
		t.Errorf("after the second answer reception sees %+v", returns)
	}
	if got := p.events("link"); strings.Count(got, "link_back_requested") != 2 {
		t.Errorf("the events are %s", got)
	}
}

// Arrivals and pages are shown even if lobby does not know the services yet.
func TestWithoutTheServicesNobodyIsHidden(t *testing.T) {
	p := newPorch(t)
	p.joins()
	id := p.arrive()
	testkit.Exec(t, p.db.Owner(t), `DELETE FROM services`)
	if waiting := p.arrivals("reception").Arrivals; len(waiting) != 1 || waiting[0].Service.ID != itrFiling {
		t.Errorf("at the door: %+v", waiting)
	}
	if html := p.shows(id, "waiting"); !strings.Contains(html, "ITR Filing") {
		t.Errorf("the page does not have the visit's own name of the service:\n%s", html)
	}
}

// The poster's page uses the language chosen before, unless the address names another language or asks for the choice.
func TestThePosterKnowsTheLanguageOfLastTime(t *testing.T) {
	p := newPorch(t)
	kept := []string{"Cookie", "baari_lang=ta"}
	for path, want := range map[string]string{
		"/q/join": `<html lang="ta">`, "/q/join?lang=hi": `<html lang="hi">`, "/q/join?choose=1": `class="choice"`,
	} {
		if html := p.get(path, kept...).Body.String(); !strings.Contains(html, want) {
			t.Errorf("%s does not have %s:\n%s", path, want, html)
		}
	}
	if w := p.get("/q/join?lang=xx"); w.Header().Get("Set-Cookie") != "" || strings.Contains(w.Body.String(), "<form") {
		t.Errorf("an unknown language: %v", w.Header())
	}
	p.publishOffice("confirm", func(document map[string]any) { document["languages"] = []string{"hi"} })
	if html := p.get("/q/join").Body.String(); !strings.Contains(html, "<form") {
		t.Errorf("an office with one language asks for it:\n%s", html)
	}
}

// Self check-in is closed while mostWaiting requests wait. Sixty do not close it, and one answer opens it again.
func TestOnlyRequestsThatWaitCloseTheDoor(t *testing.T) {
	p := newPorch(t)
	p.limiter = nil
	flood := func(from, to int) {
		for i := from; i < to; i++ {
			err := p.Join(t.Context(), arrival{
				Language: "en", Person: person{Name: "Nobody", Phone: fmt.Sprintf("9%09d", i)}, ServiceID: itrFiling,
			})
			if err != nil {
				t.Fatalf("request %d: %v", i, err)
			}
		}
	}
	flood(0, 60)
	if w := p.joins(); w.Code != http.StatusSeeOther {
		t.Errorf("after sixty requests of strangers it answered %d", w.Code)
	}
	flood(60, mostWaiting-1)
	if w := p.joins("phone", "9000000001"); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("while %d wait it answered %d %v", mostWaiting, w.Code, w.Header())
	}
	p.replies("reception", p.arrivals("reception").Arrivals[0].ID, arrivalRefused)
	if w := p.joins("phone", "9000000001"); w.Code != http.StatusSeeOther {
		t.Errorf("after an answer it answered %d", w.Code)
	}
}

// A stranger asks for a token with the phone number of a visitor. The visitor's own request is kept beside it, once.
func TestAStrangersRequestDoesNotSwallowThatOfTheNumbersOwner(t *testing.T) {
	p := newPorch(t)
	p.limiter = nil
	p.joins("name", "A Stranger")
	for range 2 {
		p.joins()
	}
	waiting := p.arrivals("reception").Arrivals
	if len(waiting) != 2 || waiting[0].Name != "A Stranger" || waiting[1].Name != personal[0] ||
		waiting[1].Phone != waiting[0].Phone {
		t.Fatalf("at the door: %+v", waiting)
	}
	got := p.subject("export", personal[1])
	if !strings.Contains(got, "A Stranger") || !strings.Contains(got, personal[0]) {
		t.Errorf("the export is %s", got)
	}
	p.replies("reception", waiting[0].ID, arrivalRefused)
	if w := p.replies("reception", waiting[1].ID, arrivalAccepted); w.Code != http.StatusOK {
		t.Errorf("it answered %d %s", w.Code, w.Body)
	}
	p.joins()
	p.joins("name", "A Stranger")
	p.subject("erase", personal[1])
	var left int
	err := p.db.Pool.QueryRow(t.Context(), `
SELECT count(*) FROM arrivals WHERE state = 'waiting' OR num_nonnulls(person, phone_mark, beside_mark) > 0`).Scan(&left)
	if err != nil || left != 0 {
		t.Errorf("after the erasure %d requests are kept: %v", left, err)
	}
}

// asksAbout sends an internal request about a phone number, as the operator does.
func (p *porch) asksAbout(what, phone string) *httptest.ResponseRecorder {
	p.t.Helper()
	token, err := testkit.Keys(contract.CallerOperator).Token(contract.SourceLobby)
	if err != nil {
		p.t.Fatal(err)
	}
	return testkit.Call(p.t, p.internal(), token, http.MethodPost, "/internal/subject/"+what,
		fmt.Sprintf(`{"phone":%q}`, phone))
}

func (p *porch) subject(what, phone string) string {
	p.t.Helper()
	w := p.asksAbout(what, phone)
	if w.Code != http.StatusOK {
		p.t.Fatalf("%s: %d %s", what, w.Code, w.Body)
	}
	return w.Body.String()
}

// A refused visitor can ask again. Both requests are exported and erased, and the waiting request is closed.
func TestARefusedVisitorIsExportedAndErased(t *testing.T) {
	p := newPorch(t)
	p.limiter = nil
	p.joins()
	p.replies("reception", p.arrivals("reception").Arrivals[0].ID, arrivalRefused)
	p.joins()
	if got := p.subject("export", personal[1]); strings.Count(got, personal[0]) != 2 ||
		!strings.Contains(got, `"state":"refused"`) || !strings.Contains(got, `"state":"waiting"`) {
		t.Errorf("the export is %s", got)
	}
	p.subject("erase", personal[1])
	var persons int
	if err := p.db.Pool.QueryRow(t.Context(), `SELECT count(person) FROM arrivals`).Scan(&persons); err != nil ||
		persons != 0 {
		t.Errorf("%d persons are kept: %v", persons, err)
	}
	if n := testutil.ToFloat64(p.metrics.arrivals.WithLabelValues(arrivalGone)); n != 1 {
		t.Errorf("the metric has %v that are gone", n)
	}
	if got := p.events("arrival"); !strings.HasSuffix(got, "arrival_answered The reception refused, "+
		"arrival_requested Visitor waiting, arrival_answered operator gone") {
		t.Errorf("the events are %s", got)
	}
}

// If visits answers an acceptance with 409, the arrival keeps waiting and can be accepted later.
func TestAnArrivalThatVisitsRejectsForNowWaitsOn(t *testing.T) {
	p := newPorch(t)
	p.joins()
	id := p.arrivals("reception").Arrivals[0].ID
	p.status = http.StatusConflict
	if w := p.replies("reception", id, arrivalAccepted); w.Code != http.StatusServiceUnavailable {
		t.Errorf("it answered %d %s", w.Code, w.Body)
	}
	p.status = 0
	if w := p.replies("reception", id, arrivalAccepted); w.Code != http.StatusOK {
		t.Errorf("later it answered %d %s", w.Code, w.Body)
	}
}

// If the office sets no retention for the names and phones of arrivals, they are kept as long as other data.
func TestWithoutHoursPersonsAreKeptAsLongAsTheRest(t *testing.T) {
	p := newPorch(t)
	p.publishOffice("confirm", func(document map[string]any) { document["arrivalsKept"] = 0 })
	p.joins()
	p.replies("reception", p.arrivals("reception").Arrivals[0].ID, arrivalRefused)
	const retention = 24 * time.Hour
	if err := p.tidy(t.Context(), time.Now().Add(5*time.Hour), retention); err != nil {
		t.Fatal(err)
	}
	var persons int
	if err := p.db.Pool.QueryRow(t.Context(), `SELECT count(person) FROM arrivals`).Scan(&persons); err != nil ||
		persons != 1 {
		t.Errorf("%d persons are kept: %v", persons, err)
	}
}

func TestASubjectIsAPhoneNumber(t *testing.T) {
	p := newPorch(t)
	for _, what := range []string{"export", "erase"} {
		if w := p.asksAbout(what, "98765"); w.Code != http.StatusBadRequest {
			t.Errorf("%s answered %d %s", what, w.Code, w.Body)
		}
	}
}

// An arrival whose acceptance has failed with a 503 may have a visit, so it waits longer than two hours.
func TestAnArrivalThatMayHaveAVisitIsNotGone(t *testing.T) {
	p := newPorch(t)
	p.joins()
	p.status = http.StatusServiceUnavailable
	p.replies("reception", p.arrivals("reception").Arrivals[0].ID, arrivalAccepted)
	for _, step := range []struct {
		after   time.Duration
		waiting int
	}{{goneAfter + time.Minute, 1}, {acceptableFor + time.Minute, 0}} {
		if err := p.tidy(t.Context(), time.Now().Add(step.after), 400*24*time.Hour); err != nil {
			t.Fatal(err)
		}
		if n := len(p.arrivals("reception").Arrivals); n != step.waiting {
			t.Errorf("after %v %d wait, want %d", step.after, n, step.waiting)
		}
	}
}
