package lobby

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// askedOfVisits is the body of a privacy request that lobby sends to visits.
type askedOfVisits struct{ Kind, Text, Last4 string }

func consentOf(id, kind string) outbox.Change {
	return outbox.Change{Type: kind, Entity: contract.EntityConsent, EntityID: id, After: contract.Consent{
		ID: id, VisitID: id, Token: "T-014", Purpose: contract.PurposeMessages, Means: "page",
	}}
}

// answerRights stands in for visits: it responds to a withdrawal of a consent and to a privacy request.
func (p *porch) answerRights(w http.ResponseWriter, r *http.Request) bool {
	id, call, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/internal/visits/"), "/")
	switch call {
	case "withdraw":
		p.visits.Publish(p.t, consentOf(id, contract.ConsentWithdrawn))
		_, _ = io.WriteString(w, `{"changed":true}`)
	case "requests":
		var got askedOfVisits
		if err := json.UnmarshalRead(r.Body, &got, json.MatchCaseInsensitiveNames(true)); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return true
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		result := "received"
		switch {
		case !strings.HasSuffix(personal[1], got.Last4):
			result = "wrong"
		case slices.Contains(p.asks, got):
			result = "repeated"
		default:
			p.asks = append(p.asks, got)
		}
		_, _ = io.WriteString(w, `{"result":"`+result+`"}`)
	default:
		return false
	}
	return true
}

func (p *porch) asksOffice(id, form string) *httptest.ResponseRecorder {
	p.t.Helper()
	return p.post("/q/"+codeOf(id)+"/request?lang=hi", form)
}

func TestThePageSaysWhatIsHeldWithoutAValue(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	for language, words := range map[string]string{
		"en": "The office has your name", "hi": "कार्यालय के पास", "ta": "அலுவலகத்திடம்",
	} {
		w := p.get("/q/" + codeOf(id) + "/data?lang=" + language)
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), words) ||
			!strings.Contains(w.Body.String(), "Grievance desk") {
			t.Errorf("in %s: %d\n%s", language, w.Code, w.Body)
		}
		for _, secret := range personal {
			if strings.Contains(w.Body.String(), secret) {
				t.Errorf("in %s it has %q", language, secret)
			}
		}
	}
	page := p.shows(id, "waiting")
	if !strings.Contains(page, `href="/q/`+codeOf(id)+`/data?lang=en"`) ||
		!strings.Contains(page, `href="/q/notice?lang=en"`) {
		t.Errorf("the visit's page does not lead there:\n%s", page)
	}
	if w := p.get("/q/00000000000000000000/data"); w.Code != http.StatusNotFound {
		t.Errorf("no link: %d", w.Code)
	}
}

func TestAWithdrawalOnThePageEndsMessages(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	id := p.arrive()
	p.agrees(id, contract.ConsentGiven)
	p.subscribes(id)
	p.calls(id, "3")
	page := p.get("/q/" + codeOf(id) + "/data").Body.String()
	if strings.Count(page, "/withdraw?lang=en") != 2 || !strings.Contains(page, "You agreed to messages") {
		t.Errorf("the page does not offer it:\n%s", page)
	}
	w := p.post("/q/"+codeOf(id)+"/withdraw?lang=kn", "purpose=messages")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/q/"+codeOf(id)+"/data?lang=kn" {
		t.Errorf("it answered %d %v", w.Code, w.Header())
	}
	if page := p.get("/q/" + codeOf(id) + "/data").Body.String(); !strings.Contains(page, "No messages are sent") {
		t.Errorf("the page after it:\n%s", page)
	}
	p.post("/q/"+codeOf(id)+"/withdraw", "purpose=push")
	p.change(contract.VisitRecalled, id, func(v *contract.Visit) { v.CallCount = 2 })
	p.sends()
	if got := p.outcomes(id); got != "push called dropped withdrawn, sms called dropped withdrawn" {
		t.Errorf("it is recorded as %s", got)
	}
	if p.phone.Count() != 0 || len(p.aggregator.got()) != 0 {
		t.Errorf("%d pushes, %q", p.phone.Count(), p.aggregator.got())
	}
}

func TestAWithdrawalWithoutVisitsSaysSo(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	p.agrees(id, contract.ConsentGiven)
	p.status = http.StatusServiceUnavailable
	if w := p.post("/q/"+codeOf(id)+"/withdraw", "purpose=messages"); w.Code != http.StatusServiceUnavailable {
		t.Errorf("it answered %d", w.Code)
	}
	if w := p.asksOffice(id, "kind=access&last4=3210"); w.Code != http.StatusServiceUnavailable {
		t.Errorf("a request answered %d", w.Code)
	}
	p.status = 0
	for range mostAsked {
		if w := p.asksOffice(id, "kind=access&last4=3210"); w.Code != http.StatusSeeOther {
			t.Errorf("later it answered %d", w.Code)
		}
	}
	if len(p.asks) != 1 {
		t.Errorf("visits got %v", p.asks)
	}
}

// Three privacy requests of a visit are forwarded. A later link of the visit does not allow more.
func TestAVisitorsRequestsAreSentOnThreeTimes(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	w := p.asksOffice(id, "kind=correction&last4=3210&text=+My+name%0D%0Ais+wrong+")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/q/"+codeOf(id)+"/data?sent&lang=hi" {
		t.Errorf("it answered %d %v", w.Code, w.Header())
	}
	sent := p.get(w.Header().Get("Location")).Body.String()
	if !strings.Contains(sent, "30 दिनों") {
		t.Errorf("the page after it:\n%s", sent)
	}
	p.asksOffice(id, "kind=access&last4=3210")
	p.asksOffice(id, "kind=grievance&last4=3210&text=x")
	if w := p.asksOffice(id, "kind=erasure&last4=3210"); w.Code != http.StatusTooManyRequests {
		t.Errorf("a fourth one answered %d", w.Code)
	}
	want := []askedOfVisits{
		{"correction", "My name\nis wrong", "3210"}, {"access", "", "3210"}, {"grievance", "x", "3210"},
	}
	if !slices.Equal(p.asks, want) {
		t.Errorf("visits got %q", p.asks)
	}
	again := testkit.Call(t, p.table, "token-reception", http.MethodPost, "/api/lobby/visits/"+id+"/link", "")
	_, code, _ := strings.Cut(again.Body.String(), "/Q/")
	page := p.get("/q/" + code[:20] + "/data").Body.String()
	if !strings.Contains(page, "No more requests") || strings.Contains(page, "<textarea") {
		t.Errorf("another link of the visit:\n%s", page)
	}
}

// A visit allows five requests with wrong digits of the phone. An incomplete request is shown again and not forwarded.
func TestARequestNeedsTheDigitsOfThePhone(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	for _, form := range []string{
		"kind=access", "kind=access&last4=321", "kind=access&last4=32100", "kind=access&last4=abcd",
		"kind=gossip&last4=3210", "kind=grievance&last4=3210", "kind=grievance&last4=3210&text=+",
		"kind=access&last4=3210&text=" + strings.Repeat("x", 501), "kind=access&last4=3210&text=a%E2%80%AEb",
	} {
		w := p.asksOffice(id, form)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), `role="alert"`) {
			t.Errorf("%.40s answered %d", form, w.Code)
		}
	}
	w := p.asksOffice(id, "kind=access&last4=0000&text=%3Cb%3Emine")
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "&lt;b&gt;mine</textarea>") ||
		!strings.Contains(w.Body.String(), `aria-describedby="last4-wrong"`) {
		t.Errorf("wrong digits: %d\n%s", w.Code, w.Body)
	}
	for range 4 {
		p.asksOffice(id, "kind=access&last4=0000")
	}
	if w := p.asksOffice(id, "kind=access&last4=3210"); w.Code != http.StatusTooManyRequests || len(p.asks) != 0 {
		t.Errorf("after five wrong tries the right digits answered %d, visits got %v", w.Code, p.asks)
	}
	for _, call := range []string{"request", "withdraw"} {
		w := p.post("/q/"+codeOf(id)+"/"+call, "purpose=messages", "Origin", "https://evil.example")
		if w.Code != http.StatusForbidden {
			t.Errorf("%s from another site: %d", call, w.Code)
		}
	}
}

func TestTheNoticeIsInEachOfItsLanguages(t *testing.T) {
	p := newPorch(t)
	for path, want := range map[string]string{
		"/q/notice":         `<html lang="en" dir="ltr">`,
		"/q/notice?lang=hi": "आपको बुलाने के लिए।",
		"/q/notice?lang=ur": `<html lang="ur" dir="rtl">`,
		"/q/notice?lang=ta": "A parent registers a child.",
	} {
		w := p.get(path)
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) ||
			!strings.Contains(w.Body.String(), "Grievance desk") || !strings.Contains(w.Body.String(), "हिन्दी") {
			t.Errorf("%s: %d\n%s", path, w.Code, w.Body)
		}
	}
	testkit.Exec(t, p.db.Owner(t), `DELETE FROM office`)
	if w := p.get("/q/notice"); w.Code != http.StatusServiceUnavailable {
		t.Errorf("without the office: %d", w.Code)
	}
}

func TestAnotherLinkHasNoMoreTries(t *testing.T) {
	p := newPorch(t)
	p.limiter = nil
	id := p.arrive()
	for range mostWrong {
		p.asksOffice(id, "kind=access&last4=0000")
	}
	again := testkit.Call(t, p.table, "token-reception", http.MethodPost, "/api/lobby/visits/"+id+"/link", "")
	_, code, _ := strings.Cut(again.Body.String(), "/Q/")
	w := p.post("/q/"+code[:20]+"/request?lang=hi", "kind=access&last4=3210")
	if w.Code != http.StatusTooManyRequests || len(p.asks) != 0 {
		t.Errorf("it answered %d, visits got %v", w.Code, p.asks)
	}
}

func TestARepeatedRequestIsNotOneOfTheThree(t *testing.T) {
	p := newPorch(t)
	p.limiter = nil
	id := p.arrive()
	for range mostAsked + 1 {
		if w := p.asksOffice(id, "kind=access&last4=3210"); w.Code != http.StatusSeeOther {
			t.Errorf("a repetition answered %d", w.Code)
		}
	}
	if w := p.asksOffice(id, "kind=grievance&last4=3210&text=x"); w.Code != http.StatusSeeOther || len(p.asks) != 2 {
		t.Errorf("another request answered %d, visits got %v", w.Code, p.asks)
	}
}

// Lobby asks visits to withdraw a consent only if it was given. A withdrawal for another purpose changes nothing.
func TestOnlyAGivenConsentIsWithdrawn(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	p.subscribes(id)
	p.post("/q/"+codeOf(id)+"/withdraw", "purpose=messages")
	p.agrees(id, contract.ConsentGiven)
	p.post("/q/"+codeOf(id)+"/withdraw", "purpose=later")
	p.caughtUp()
	var withdrawn int
	if err := p.visits.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM outbox WHERE type = $1`,
		contract.ConsentWithdrawn).Scan(&withdrawn); err != nil || withdrawn != 0 {
		t.Errorf("%d consents were withdrawn: %v", withdrawn, err)
	}
	if agreed, pushed, err := p.store.tellableBy(t.Context(), id); err != nil || !agreed || !pushed {
		t.Errorf("agreed %v, pushed %v: %v", agreed, pushed, err)
	}
}
