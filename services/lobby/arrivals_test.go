package lobby

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"baari.dev/services/contract"
	"baari.dev/services/platform/wire"
)

// joins sends the form that requests a token; edits replace its fields.
func (p *porch) joins(edits ...string) *httptest.ResponseRecorder {
	p.t.Helper()
	form := url.Values{
		"language": {"kn"}, "name": {personal[0]}, "phone": {personal[1]}, "service_id": {itrFiling},
		"notice_version": {"2026-11"},
	}
	for i := 0; i+1 < len(edits); i += 2 {
		form.Set(edits[i], edits[i+1])
	}
	return p.post("/q/join", form.Encode())
}

func (p *porch) arrivals(role string) (answer arrivalsAnswer) {
	p.t.Helper()
	w := p.contract.Call(p.t, p.table, "token-"+role, http.MethodGet, "/api/lobby/arrivals", "")
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusOK {
		p.t.Fatalf("the arrivals: %d %s: %v", w.Code, w.Body, err)
	}
	return answer
}

func (p *porch) replies(role, id, state string) *httptest.ResponseRecorder {
	p.t.Helper()
	return p.contract.Call(p.t, p.table, "token-"+role, http.MethodPut, "/api/lobby/arrivals/"+id,
		fmt.Sprintf(`{"state":%q}`, state))
}

func (p *porch) events(entity string) (events string) {
	p.t.Helper()
	if err := p.db.Pool.QueryRow(p.t.Context(), `
SELECT coalesce(string_agg(type || ' ' || coalesce(actor->>'name', '-') || ' ' || coalesce(after->>'state', ''),
	', ' ORDER BY id), '')
FROM outbox WHERE entity = $1`, entity).Scan(&events); err != nil {
		p.t.Fatal(err)
	}
	return events
}

// The page first asks for the language, and then shows the privacy notice in this language. It works without a script.
func TestAVisitorAsksForAToken(t *testing.T) {
	p := newPorch(t)
	first := p.get("/Q/JOIN").Body.String()
	for language, name := range map[string]string{"hi": "हिन्दी", "ta": "தமிழ்"} {
		choice := fmt.Sprintf(`<a class="choice" href="/q/join?lang=%s" lang="%s">%s`, language, language, name)
		if !strings.Contains(first, choice) {
			t.Errorf("%s is not offered:\n%s", language, first)
		}
	}
	if strings.Contains(first, "<form") {
		t.Error("the form is shown before the language is chosen")
	}
	w := p.get("/q/join?lang=hi")
	html := w.Body.String()
	for _, want := range []string{
		`<html lang="hi">`, "हम आपकी जानकारी", `<section lang="hi">`, "आईटीआर", `name="messages" value="true">`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not have %q:\n%s", want, html)
		}
	}
	if !strings.HasPrefix(w.Header().Get("Set-Cookie"), "baari_lang=hi;") || strings.Contains(html, "GST") {
		t.Errorf("the language is not kept, or a service that is not on offer is shown: %v", w.Header())
	}
	sent := p.joins("phone", "\u202a+91-098765 43210\u202c", "messages", "true")
	if sent.Code != http.StatusSeeOther || sent.Header().Get("Location") != "/q/join?sent&lang=kn" {
		t.Fatalf("it answered %d %v\n%s", sent.Code, sent.Header(), sent.Body)
	}
	if html := p.get("/q/join?sent&lang=kn").Body.String(); strings.Contains(html, "<form") ||
		!strings.Contains(html, "ಡೆಸ್ಕ್") {
		t.Errorf("after it:\n%s", html)
	}
	waiting := p.arrivals("reception").Arrivals
	if len(waiting) != 1 || waiting[0].Name != personal[0] || waiting[0].Phone != "98******10" || !waiting[0].Messages ||
		waiting[0].Service.Name != "ITR Filing" || waiting[0].Language != "kn" {
		t.Errorf("at the door: %+v", waiting)
	}
	if got := p.events("arrival"); got != "arrival_requested Visitor waiting" {
		t.Errorf("the events are %s", got)
	}
	if found := p.db.Find(t, personal...); len(found) > 0 {
		t.Errorf("the database has what it must encrypt: %v", found)
	}
}

// An accepted arrival has one visit, even if the response of the service visits or of lobby was lost.
func TestAnAcceptedArrivalIsAVisit(t *testing.T) {
	p := newPorch(t)
	p.joins()
	id := p.arrivals("admin").Arrivals[0].ID
	p.status = http.StatusServiceUnavailable
	if w := p.replies("reception", id, arrivalAccepted); w.Code != http.StatusServiceUnavailable {
		t.Errorf("without visits: %d %s", w.Code, w.Body)
	}
	if w := p.replies("admin", id, arrivalRefused); w.Code != http.StatusServiceUnavailable {
		t.Errorf("an arrival that may have a visit is refused: %d %s", w.Code, w.Body)
	}
	p.status = 0
	w := p.replies("reception", id, arrivalAccepted)
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"token":"T-042"`) {
		t.Fatalf("it answered %d %s", w.Code, w.Body)
	}
	again := p.replies("admin", id, arrivalAccepted)
	if again.Code != http.StatusOK || !strings.Contains(again.Body.String(), `"visit":null`) {
		t.Errorf("a second answer: %d %s", again.Code, again.Body)
	}
	if len(p.arrived) != 1 || p.arrived[0].Name != personal[0] || p.arrived[0].Phone != personal[1] ||
		p.arrived[0].By.Name != "The reception" || p.arrived[0].Language != "kn" {
		t.Errorf("visits got %+v", p.arrived)
	}
	if len(p.arrivals("reception").Arrivals) != 0 {
		t.Error("it still waits")
	}
	var person int
	if err := p.db.Pool.QueryRow(t.Context(),
		`SELECT count(*) FROM arrivals WHERE person IS NOT NULL OR phone_mark IS NOT NULL`,
	).Scan(&person); err != nil || person != 0 {
		t.Errorf("%d arrivals have a person: %v", person, err)
	}
	if got := p.events("arrival"); got != "arrival_requested Visitor waiting, arrival_answered The reception accepted" {
		t.Errorf("the events are %s", got)
	}
}

func TestOneOfTwoDesksHasTheTicket(t *testing.T) {
	p := newPorch(t)
	p.joins()
	id := p.arrivals("reception").Arrivals[0].ID
	var both sync.WaitGroup
	both.Add(2)
	p.meet = func() {
		both.Done()
		both.Wait()
	}
	answers := make(chan string, 2)
	for _, role := range []string{"reception", "admin"} {
		go func() { answers <- p.replies(role, id, arrivalAccepted).Body.String() }()
	}
	got := []string{<-answers, <-answers}
	if tickets := strings.Count(strings.Join(got, ""), `"token":"T-042"`); tickets != 1 {
		t.Errorf("%d of two desks have the ticket: %v", tickets, got)
	}
}

// An acceptance without a response can be repeated, or the arrival can be refused. On a refusal, visits returns the
// arrival's visit if there is one, and does not register the arrival later.
func TestAnArrivalWhoseAcceptanceHadNoAnswerCanBeRefused(t *testing.T) {
	for _, c := range []struct {
		name              string
		status            int
		lost              bool
		refused, accepted int
		state             string
	}{
		{"visits was away", http.StatusServiceUnavailable, false, 200, 412, arrivalRefused},
		{"visits has rejected it", http.StatusBadRequest, false, 200, 412, arrivalRefused},
		{"the answer was lost", 0, true, 412, 200, arrivalAccepted},
	} {
		p := newPorch(t)
		p.joins()
		id := p.arrivals("reception").Arrivals[0].ID
		p.status, p.lost = c.status, c.lost
		if w := p.replies("reception", id, arrivalAccepted); w.Code < 400 {
			t.Errorf("%s: accepted with %d", c.name, w.Code)
		}
		p.status, p.lost = 0, false
		if w := p.replies("admin", id, arrivalRefused); w.Code != c.refused {
			t.Errorf("%s: refused with %d %s", c.name, w.Code, w.Body)
		}
		if w := p.replies("reception", id, arrivalAccepted); w.Code != c.accepted {
			t.Errorf("%s: accepted then with %d %s", c.name, w.Code, w.Body)
		}
		if got := p.events("arrival"); !strings.HasSuffix(got, c.state) || strings.Count(got, "answered") != 1 {
			t.Errorf("%s: the events are %s", c.name, got)
		}
	}
}

func TestAnArrivalIsAnsweredOnce(t *testing.T) {
	p := newPorch(t)
	p.joins()
	id := p.arrivals("reception").Arrivals[0].ID
	for _, step := range []struct {
		role, id, state string
		want            int
	}{
		{"pa", id, arrivalRefused, 403}, {"consultant", id, arrivalAccepted, 403},
		{"reception", "x", arrivalRefused, 404}, {"reception", itrFiling, arrivalRefused, 404},
		{"reception", id, "waiting", 400}, {"reception", id, arrivalRefused, 200}, {"admin", id, arrivalRefused, 200},
		{"admin", id, arrivalGone, 412}, {"admin", id, arrivalAccepted, 412},
	} {
		if w := p.replies(step.role, step.id, step.state); w.Code != step.want {
			t.Errorf("%s answers %s with %s: %d %s, want %d", step.role, step.id, step.state, w.Code, w.Body, step.want)
		}
	}
	if len(p.arrived) != 0 || strings.Count(p.events("arrival"), "answered") != 1 {
		t.Errorf("visits got %v, the events are %s", p.arrived, p.events("arrival"))
	}
}

// If the service was deactivated, reception gets the error service_unknown. The arrival waits and can be refused.
func TestAnArrivalOfAClosedServiceWaitsOn(t *testing.T) {
	p := newPorch(t)
	p.joins()
	id := p.arrivals("reception").Arrivals[0].ID
	p.status = http.StatusUnprocessableEntity
	if w := p.replies("reception", id, arrivalAccepted); w.Code != 422 ||
		!strings.Contains(w.Body.String(), "service_unknown") {
		t.Errorf("it answered %d %s", w.Code, w.Body)
	}
	if w := p.replies("reception", id, arrivalRefused); w.Code != http.StatusOK {
		t.Errorf("it cannot be refused: %d %s", w.Code, w.Body)
	}
}

func TestAWrongFormIsShownAgain(t *testing.T) {
	p := newPorch(t)
	for _, pair := range [][2]string{
		{"name", " "}, {"name", strings.Repeat("x", longestName+1)}, {"phone", "12345"},
		{"service_id", "01890000-0000-7000-8000-0000000000aa"}, {"notice_version", "2025-01"}, {"language", "xx"},
	} {
		field, wrong := pair[0], pair[1]
		w := p.joins(field, wrong)
		if w.Code != http.StatusBadRequest {
			t.Errorf("%s %q: %d", field, wrong, w.Code)
		}
		marked := strings.Contains(w.Body.String(), `aria-invalid="true"`)
		if is := field == "name" || field == "phone" || field == "service_id"; marked != is {
			t.Errorf("%s %q: marked %v\n%s", field, wrong, marked, w.Body)
		}
	}
	w := p.joins("name", `"><script>alert(1)</script>`, "phone", "x")
	if strings.Contains(w.Body.String(), "<script") || !strings.Contains(w.Body.String(), "&lt;script&gt;") {
		t.Errorf("a value is markup, or not kept:\n%s", w.Body)
	}
	foreign := p.post("/q/join", "name=a", "Origin", "https://evil.example")
	if foreign.Code != http.StatusForbidden || len(p.arrivals("reception").Arrivals) != 0 {
		t.Errorf("a form of another site: %d", foreign.Code)
	}
}

// A repeated request is not stored again. An address can send three requests in ten minutes.
func TestAFloodDoesNotReachTheDoor(t *testing.T) {
	p := newPorch(t)
	for range 2 {
		if w := p.joins(); w.Code != http.StatusSeeOther {
			t.Fatalf("it answered %d", w.Code)
		}
	}
	if n := len(p.arrivals("reception").Arrivals); n != 1 {
		t.Errorf("%d requests of one phone wait", n)
	}
	if got := p.events("arrival"); got != "arrival_requested Visitor waiting" {
		t.Errorf("the events are %s", got)
	}
	if n := testutil.ToFloat64(p.metrics.arrivals.WithLabelValues(arrivalWaiting)); n != 1 {
		t.Errorf("the metric has %v requests", n)
	}
	p.joins("phone", "9000000001")
	if w := p.joins("phone", "9000000002"); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("a fourth request: %d %v", w.Code, w.Header())
	}
	p.limiter = nil
	for range 2 {
		p.joins("phone", "9000000003")
	}
	if n := len(p.arrivals("reception").Arrivals); n != 3 {
		t.Errorf("%d wait, want 3", n)
	}
}

func TestAnOfficeWithoutCheckInHasNoPage(t *testing.T) {
	p := newPorch(t)
	p.publishOffice("off")
	unknown := p.get("/q/00000000000000000000").Body.String()
	for _, w := range []*httptest.ResponseRecorder{p.get("/q/join"), p.joins()} {
		if w.Code != http.StatusNotFound || w.Body.String() != unknown {
			t.Errorf("it answered %d %s", w.Code, w.Body)
		}
	}
}

// An arrival without an answer is gone after two hours. The office sets when the person's data is removed.
func TestOldArrivalsAreClosedAndForgotten(t *testing.T) {
	p := newPorch(t)
	p.limiter = nil
	p.joins()
	p.joins("phone", "9000000001")
	refused := p.arrivals("reception").Arrivals[1].ID
	p.replies("reception", refused, arrivalRefused)
	now := time.Now()
	tidy := func(after time.Duration) (waiting, persons, rows int) {
		if err := p.tidy(t.Context(), now.Add(after), 400*24*time.Hour); err != nil {
			t.Fatal(err)
		}
		if err := p.db.Pool.QueryRow(t.Context(), `
SELECT count(*) FILTER (WHERE state = 'waiting'), count(person), count(*) FROM arrivals`,
		).Scan(&waiting, &persons, &rows); err != nil {
			t.Fatal(err)
		}
		return waiting, persons, rows
	}
	for _, step := range []struct {
		after                  time.Duration
		waiting, persons, rows int
	}{
		{119 * time.Minute, 1, 2, 2}, {121 * time.Minute, 0, 2, 2}, {5 * time.Hour, 0, 1, 2}, {8 * time.Hour, 0, 0, 2},
		{401 * 24 * time.Hour, 0, 0, 0},
	} {
		if waiting, persons, rows := tidy(step.after); waiting != step.waiting || persons != step.persons ||
			rows != step.rows {
			t.Errorf("after %v: %d wait, %d persons, %d rows, want %+v", step.after, waiting, persons, rows, step)
		}
	}
	if n := testutil.ToFloat64(p.metrics.arrivals.WithLabelValues(arrivalGone)); n != 1 {
		t.Errorf("the metric has %v that are gone", n)
	}
	if got := p.events("arrival"); !strings.HasSuffix(got,
		"arrival_answered The reception refused, arrival_answered - gone") {
		t.Errorf("the events are %s", got)
	}
}

func TestASubjectsArrivalsAreExportedAndErased(t *testing.T) {
	p := newPorch(t)
	p.limiter = nil
	p.joins()
	p.joins("phone", "9000000001", "name", "Another")
	ask := func(what string) string { return p.subject(what, personal[1]) }
	if got := ask("export"); !strings.Contains(got, `"name":"Asha Rao"`) || strings.Contains(got, "Another") {
		t.Errorf("the export is %s", got)
	}
	if got := ask("erase"); strings.Count(got, "-") != 4 {
		t.Errorf("the erasure is %s", got)
	}
	if got := ask("export") + ask("erase"); got != `{"arrivals":[]}`+"\n"+`{"erased":[]}`+"\n" &&
		got != `{"arrivals":[]}{"erased":[]}` {
		t.Errorf("after the erasure: %s", got)
	}
	if waiting := p.arrivals("reception").Arrivals; len(waiting) != 1 || waiting[0].Name != "Another" {
		t.Errorf("at the door: %+v", waiting)
	}
}

// After a missed call the visitor can announce the return once. Reception sees it until the visitor is in line.
func TestAVisitorSaysToBeBack(t *testing.T) {
	p := newPorch(t)
	called := wire.Time(time.Now().Add(-time.Minute))
	id := p.arrive(func(v *contract.Visit) { v.Stage, v.CalledAt = contract.StageMissed, &called })
	if html := p.shows(id, "missed"); !strings.Contains(html, "/back") {
		t.Errorf("it cannot be said:\n%s", html)
	}
	for range 2 {
		if w := p.post("/q/"+codeOf(id)+"/back", ""); w.Code != http.StatusSeeOther {
			t.Errorf("it answered %d", w.Code)
		}
	}
	if html := p.shows(id, "missed"); strings.Contains(html, "/back") || !strings.Contains(html, "The desk knows") {
		t.Errorf("after it:\n%s", html)
	}
	returns := p.arrivals("reception").Returns
	if len(returns) != 1 || returns[0].VisitID != id || returns[0].Token != "T-014" {
		t.Errorf("reception sees %+v", returns)
	}
	p.replies("reception", id, "accepted")
	if got := p.events("link"); strings.Count(got, "link_back_requested Visitor") != 1 {
		t.Errorf("the events are %s", got)
	}
	p.change(contract.VisitReturned, id, func(v *contract.Visit) { v.Stage = contract.StageWaiting })
	if returns := p.arrivals("reception").Returns; len(returns) != 0 {
		t.Errorf("after the return reception sees %+v", returns)
	}
	again := wire.Time(time.Now())
	p.change(contract.VisitMissed, id, func(v *contract.Visit) { v.Stage, v.CalledAt = contract.StageMissed, &again })
	if html := p.shows(id, "missed"); !strings.Contains(html, "/back") {
		t.Errorf("after another missed call it cannot be said:\n%s", html)
	}
}
