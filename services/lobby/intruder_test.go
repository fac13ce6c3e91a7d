package lobby

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/platform/testkit"
)

// intrudes sends a request of an attacker. testkit.Call does not require that the API document allows the request.
func (p *porch) intrudes(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	p.t.Helper()
	return testkit.Call(p.t, p.table, "", method, path, body, headers...)
}

// Addresses similar to a link's, and other methods, get a response with 4xx that does not have the token.
func TestNoSpellingOfAnAddressLeadsToAPage(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	code := codeOf(id)
	p.limiter = nil
	for _, segment := range []string{
		code + "%00", code + "%20", "%20" + code, code + "%0a", code[:19], code + "0", code[:19] + "%75",
		code[:10] + "-" + code[10:], "%EF%BC%A1" + code[1:], strings.Repeat("0", 4000), "%2e%2e%2f" + code,
		code + "%2f..", "..%5c" + code, "*", "'%20OR%201=1--", "%25%30%30", "%ff%fe", id, strings.ToUpper(id),
	} {
		for _, call := range []string{"", "/state", "/data"} {
			if w := p.intrudes(http.MethodGet, "/q/"+segment+call, ""); w.Code/100 != 4 ||
				strings.Contains(w.Body.String(), "T-014") {
				t.Errorf("/q/%.40s%s answered %d", segment, call, w.Code)
			}
		}
	}
	for _, method := range []string{http.MethodPut, http.MethodPatch, http.MethodDelete, "TRACE", "PROPFIND"} {
		if w := p.intrudes(method, "/q/"+code, "", "Origin", base); w.Code/100 != 4 {
			t.Errorf("%s answered %d", method, w.Code)
		}
	}
	p.shows(id, "waiting")
}

// Headers of an attacker change neither the state, nor an address in the response, nor which client is limited.
func TestHeadersOfAnIntruderAreNotBelieved(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	plain := p.get("/q/" + codeOf(id) + "/state").Body.String()
	for _, header := range [][]string{
		{"X-Original-Url", "/api/lobby/messages"}, {"X-Rewrite-Url", "/q/join"}, {"X-Http-Method-Override", "POST"},
		{"X-Forwarded-Host", "evil.example"}, {"Forwarded", "host=evil.example"}, {"Authorization", "Bearer x"},
		{"Cookie", "baari_lang=../../etc; baari_lang=hi"}, {"Accept-Language", strings.Repeat("a,", 2000)},
		{"If-None-Match", strings.Repeat(`"x",`, 500)}, {"Range", "bytes=0-3"},
	} {
		w := p.intrudes(http.MethodGet, "/q/"+codeOf(id)+"/state", "", header...)
		if w.Code != http.StatusOK || len(w.Body.String()) != len(plain) && header[0] != "Cookie" {
			t.Errorf("with %s it answered %d %s", header[0], w.Code, w.Body)
		}
	}
	w := p.intrudes(http.MethodPost, "/q/"+codeOf(id)+"/lang", "lang=hi", "Origin", base, "Content-Type",
		"application/x-www-form-urlencoded", "X-Forwarded-Host", "evil.example", "Referer", "https://evil.example/")
	if got := w.Header().Get("Location"); got != "/q/"+codeOf(id) {
		t.Errorf("the answer leads to %q", got)
	}
	for range 40 {
		w = p.intrudes(http.MethodGet, "/q/00000000000000000000", "", "X-Forwarded-For", "203.0.113.7")
	}
	if w.Code != http.StatusTooManyRequests {
		t.Errorf("with another address each time, 40 guesses end with %d", w.Code)
	}
}

// A body that is no form, is too large, or has an invalid value changes nothing, even if a valid value follows.
func TestBodiesOfAnIntruderDoNothing(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	const form = "application/x-www-form-urlencoded"
	for _, c := range []struct {
		kind, body string
		status     int
	}{
		{"application/json", `{"minutes":10}`, http.StatusSeeOther},
		{form, "minutes=99999999999999999999", http.StatusSeeOther},
		{form, "minutes=9&minutes=10", http.StatusSeeOther}, {form, "minutes=%zz", http.StatusForbidden},
		{form, "x=" + strings.Repeat("a", 2<<10) + "&minutes=10", http.StatusForbidden},
		{"multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"minutes\"\r\n\r\n10\r\n--b--",
			http.StatusSeeOther},
		{"text/plain", "minutes=10", http.StatusSeeOther}, {form, strings.Repeat("&", 900), http.StatusSeeOther},
	} {
		w := p.intrudes(http.MethodPost, "/q/"+codeOf(id)+"/late", c.body, "Content-Type", c.kind, "Origin", base)
		if w.Code != c.status {
			t.Errorf("%s %.30q answered %d, want %d", c.kind, c.body, w.Code, c.status)
		}
	}
	if len(p.acts) != 0 {
		t.Errorf("visits got %v", p.acts)
	}
	p.shows(id, "waiting")
}

// A stranger supplies the endpoint of a push subscription. An endpoint that is not of a known push service is not
// stored, so it is never called.
func TestNoEndpointOfAnIntruderIsStored(t *testing.T) {
	p := newPorch(t)
	endpoints := []string{
		"https://127.0.0.1/a", "https://localhost/a", "https://[::ffff:127.0.0.1]/a",
		"https://169.254.169.254/latest/meta-data", "https://2130706433/", "https://0x7f000001/",
		"https://fcm.googleapis.com.evil.example/a", "https://fcm.googleapis.com@127.0.0.1/",
		"https://evil.example/?fcm.googleapis.com", "https://fcm.googleapis.com:8443/a", "http://fcm.googleapis.com/a",
		"file:///etc/passwd", "gopher://fcm.googleapis.com:6379/_FLUSHALL", "//fcm.googleapis.com/a",
		"https://fcm。googleapis。com/a",
		"https://fcm.googleapis.com%2eevil.example/a", "https://fcm.googleapis.com\\@evil.example/a", "",
	}
	_, key, secret := p.phone.Subscription()
	for _, endpoint := range endpoints {
		id := p.arrive() // each visit allows six tries an hour
		if w := p.subscribesTo(id, endpoint, key, secret); w.Code != http.StatusBadRequest {
			t.Errorf("%s answered %d", endpoint, w.Code)
		}
		if _, pushed, err := p.store.tellableBy(t.Context(), id); err != nil || pushed {
			t.Errorf("%s is stored: %v", endpoint, err)
		}
	}
}

// The holder of one link sees the last four calls, which the board shows too, and nothing else of other visits.
func TestALinkShowsNothingOfOthers(t *testing.T) {
	p := newPorch(t)
	mine := p.arrive()
	other := p.arrive(func(v *contract.Visit) { v.TokenNo, v.Token, v.ServiceName = 77, "T-077", "Secret Search" })
	p.mu.Lock()
	p.places = `{"places":[{"visit_id":"` + mine + `","ahead":3},{"visit_id":"` + other + `","ahead":4}],"now":[]}`
	p.mu.Unlock()
	p.Service.places.forget()
	for _, call := range []string{"", "/state", "/data"} {
		text := p.get("/q/" + codeOf(mine) + call).Body.String()
		for _, secret := range []string{"T-077", "Secret Search", other, codeOf(other), mine} {
			if strings.Contains(text, secret) {
				t.Errorf("%q is in the answer of %s:\n%s", secret, call, text)
			}
		}
	}
	var state map[string]any
	if err := json.Unmarshal(p.get("/q/"+codeOf(mine)+"/state").Body.Bytes(), &state); err != nil || len(state) != 8 {
		t.Errorf("the state is %v: %v", state, err)
	}
	for _, path := range []string{"/api/lobby/messages", "/api/lobby/arrivals", "/api/lobby/visits/" + mine + "/link"} {
		w := p.intrudes(http.MethodGet, path, "", "Authorization", "Bearer "+codeOf(mine))
		if w.Code != http.StatusUnauthorized {
			t.Errorf("a code as a session at %s: %d", path, w.Code)
		}
	}
}
