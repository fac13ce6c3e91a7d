package lobby

import (
	"crypto/rand"
	"encoding/base32"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/page"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/wire"
)

// T24: a database upgraded from the last release's schema equals a new one.
func TestUpgradedSchemaEqualsNewSchema(t *testing.T) { testkit.MigratesToTheSame(t, Migrations()...) }

func TestTheRoutesAreThoseOfTheDocument(t *testing.T) {
	p := newPorch(t)
	p.contract.SameRoutes(t, p.table)
}

// The page follows the visit, in the visit's or the chosen language, and contains no personal data.
func TestThePageFollowsTheVisit(t *testing.T) {
	p := newPorch(t)
	id := p.arrive(func(v *contract.Visit) { v.Stage = contract.StageNew })
	p.shows(id, "received")
	from, to := time.Now().Add(time.Hour), time.Now().Add(90*time.Minute)
	p.mu.Lock()
	p.places = fmt.Sprintf(`{"places":[{"visit_id":%q,"ahead":4,"forecast":{"from":%q,"to":%q,"early":false,"note":null}}],
		"now":[{"token":"T-011","counter":"7","at":"2026-11-25T00:00:00.000Z"}]}`,
		id, from.UTC().Format(time.RFC3339), to.UTC().Format(time.RFC3339))
	p.mu.Unlock()
	p.Service.places.forget()
	p.change(contract.VisitApproved, id, func(v *contract.Visit) { v.Stage = contract.StageWaiting })
	html := p.shows(id, "waiting")
	for _, want := range []string{"T-014", "4 people are before you.", "T-011 → 7", "ITR Filing", "080 0000 0142",
		from.In(kolkata).Format("15:04") + " - " + to.In(kolkata).Format("15:04")} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not have %q:\n%s", want, html)
		}
	}
	hindi := p.get("/q/" + codeOf(id) + "?lang=hi").Body.String()
	if !strings.Contains(hindi, `<html lang="hi">`) || !strings.Contains(hindi, "आईटीआर") {
		t.Errorf("in Hindi:\n%s", hindi)
	}
	called := wire.Time(time.Now())
	p.change(contract.VisitCalled, id, func(v *contract.Visit) {
		v.Stage, v.Counter, v.CalledAt = contract.StageCalled, "3", &called
	})
	p.shows(id, "called")
	for _, text := range append([]string{html, hindi, p.get("/q/" + codeOf(id) + "/state").Body.String()},
		p.db.Find(t, personal...)...) {
		for _, secret := range personal {
			if strings.Contains(text, secret) {
				t.Errorf("%q is in\n%s", secret, text)
			}
		}
	}
}

// After two registrations of a visitor were merged, the page also shows the paired desk's token, which is on the slip.
func TestThePageHasBothTokensOfAMergedVisit(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	if html := p.shows(id, "waiting"); strings.Contains(html, "Your slip says") {
		t.Errorf("a visit with one token:\n%s", html)
	}
	p.change(contract.VisitMerged, id, func(v *contract.Visit) { v.TokenAlso = "A-003" })
	html := p.shows(id, "waiting")
	for _, want := range []string{"<h1>T-014</h1>", "Your slip says A-003."} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not have %q:\n%s", want, html)
		}
	}
}

func TestAPageHasTheHeadersThatProtectIt(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	for _, path := range []string{"/q/" + codeOf(id), "/Q/" + codeOf(id), "/q/" + strings.ToLower(codeOf(id))} {
		w := p.get(path)
		nonce, _, _ := strings.Cut(strings.SplitAfter(w.Body.String(), `nonce="`)[1], `"`)
		for name, want := range map[string]string{
			"Content-Security-Policy": page.Policy("nonce-" + nonce), "Referrer-Policy": "same-origin",
			"X-Robots-Tag": "noindex", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
			"Content-Type": "text/html; charset=utf-8",
		} {
			if got := w.Header().Get(name); w.Code != http.StatusOK || got != want {
				t.Errorf("%s: %d, %s is %q, want %q", path, w.Code, name, got, want)
			}
		}
		if again := p.get(path).Body.String(); strings.Contains(again, nonce) {
			t.Errorf("%s has the nonce %s twice", path, nonce)
		}
	}
	script := p.get(page.ScriptPath)
	if script.Code != http.StatusOK || script.Header().Get("Cache-Control") != "public, max-age=31536000, immutable" {
		t.Errorf("the script: %d %v", script.Code, script.Header())
	}
}

func TestTheStateIsSentOnce(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	first := p.get("/q/" + codeOf(id) + "/state")
	tag := first.Header().Get("ETag")
	w := p.get("/q/"+codeOf(id)+"/state", "If-None-Match", tag)
	if w.Code != http.StatusNotModified || w.Body.Len() != 0 || len(w.Header().Get("X-Checked")) != len("11:28") {
		t.Errorf("the same state: %d %v %s", w.Code, w.Header(), w.Body)
	}
	p.change(contract.VisitInSession, id, func(v *contract.Visit) { v.Stage = contract.StageInSession })
	w = p.get("/q/"+codeOf(id)+"/state", "If-None-Match", tag)
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"state":"in_session"`) || w.Body.Len() > 300 {
		t.Errorf("another state: %d %s", w.Code, w.Body)
	}
	if w.Body.String() == first.Body.String() {
		t.Error("the state did not change")
	}
}

// The reason and the end of a hold, and a second token, reach an open page, because the state gets another tag.
func TestAChangeOfWhatThePageShowsIsAnotherState(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	until := wire.Time(time.Now().Add(time.Hour))
	tag := ""
	for name, change := range map[string]func(v *contract.Visit){
		"held for papers": func(v *contract.Visit) { v.Stage, v.HeldReason = contract.StageHeld, "papers" },
		"with an end":     func(v *contract.Visit) { v.Stage, v.HeldUntil = contract.StageHeld, &until },
		"second token":    func(v *contract.Visit) { v.Stage, v.TokenAlso = contract.StageHeld, "A-003" },
	} {
		p.change(contract.VisitHeld, id, change)
		w := p.get("/q/"+codeOf(id)+"/state", "If-None-Match", tag)
		if w.Code != http.StatusOK || w.Header().Get("ETag") == tag {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		tag = w.Header().Get("ETag")
	}
}

// However many states are read within five seconds, lobby asks visits for the line once.
func TestTheLineIsAskedForOnce(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	for range 50 {
		p.get("/q/" + codeOf(id) + "/state")
	}
	if p.asked != 1 {
		t.Errorf("visits was asked %d times", p.asked)
	}
}

func TestRandomCodesFindNothing(t *testing.T) {
	p := newPorch(t)
	p.arrive()
	tries := testkit.Volume(100_000, 8_000)
	p.limiter = nil
	alphabet := base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range tries / 8 {
				random := make([]byte, 13)
				_, _ = rand.Read(random)
				path := "/q/" + alphabet.EncodeToString(random)[:20]
				if w := testkit.Call(t, p.table, "", http.MethodGet, path, ""); w.Code != http.StatusNotFound {
					t.Errorf("%s answered %d", path, w.Code)
					return
				}
			}
		})
	}
	group.Wait()
}

func TestUnknownAndMalformedAddressesAreTheSamePage(t *testing.T) {
	p := newPorch(t)
	p.arrive()
	unknown := p.get("/q/00000000000000000000")
	for _, path := range []string{
		"/q/0", "/q/not-a-code", "/q/" + strings.Repeat("0", 500), "/Q/00000000000000000000", "/q/U0000000000000000000",
		"/q/00000000000000000000/state", "/q/%20",
	} {
		w := p.get(path)
		w.Header().Set("X-Request-Id", unknown.Header().Get("X-Request-Id"))
		if w.Code != http.StatusNotFound || w.Body.String() != unknown.Body.String() ||
			fmt.Sprint(w.Header()) != fmt.Sprint(unknown.Header()) {
			t.Errorf("%s: %d %v\n%s\nwant %v\n%s", path, w.Code, w.Header(), w.Body, unknown.Header(), unknown.Body)
		}
	}
}

func TestMissesOfOneAddressAreLimitedAndItsLinkIsNot(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	limited := 0
	for range 35 {
		w := p.get("/q/00000000000000000000")
		if w.Code == http.StatusTooManyRequests && w.Header().Get("Retry-After") != "" {
			limited++
		}
	}
	if limited != 5 {
		t.Errorf("%d of 35 misses were limited, want 5", limited)
	}
	p.shows(id, "waiting")
}

func TestReadsAndActionsOfAVisitAreLimited(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	limited := 0
	for range 10 {
		if w := p.post("/q/"+codeOf(id)+"/left", ""); w.Code == http.StatusTooManyRequests {
			limited++
		}
	}
	if limited != 4 {
		t.Errorf("%d of 10 actions were limited, want 4", limited)
	}
	for range 600 { // the limit allows one more read each second, so a slow machine needs many reads
		if w := p.get("/q/" + codeOf(id) + "/state"); w.Code == http.StatusTooManyRequests {
			return
		}
	}
	t.Error("600 reads in a row were not limited")
}

// The page shows the result of each action at once. "I will be late" is possible once.
func TestAVisitorsActionsAreOnThePageAtOnce(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	for _, step := range []struct{ action, form, state string }{
		{actionLate, "minutes=20", "held"}, {actionLate, "minutes=20", "held"}, {actionHere, "", "waiting"},
		{actionLate, "minutes=20", "waiting"}, {actionLeft, "", "left"}, {actionHere, "", "waiting"},
	} {
		w := p.post("/q/"+codeOf(id)+"/"+step.action, step.form)
		if w.Code != http.StatusSeeOther && w.Code != http.StatusTooManyRequests || w.Code == http.StatusSeeOther &&
			w.Header().Get("Location") != "/q/"+codeOf(id) {
			t.Fatalf("%s answered %d %v", step.action, w.Code, w.Header())
		}
		html := p.shows(id, step.state)
		if strings.Contains(html, "/late") {
			t.Errorf("late is offered again after %s", step.action)
		}
	}
	if got := strings.Join(p.acts, " "); got != "late here left here" {
		t.Errorf("visits got %s", got)
	}
}

func TestTwoTapsOnLateAreOne(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() { p.post("/q/"+codeOf(id)+"/late", "minutes=10") })
	}
	group.Wait()
	if len(p.acts) != 1 {
		t.Errorf("visits got %v", p.acts)
	}
}

func TestARefusedRequestToBeLateCanBeMadeAgain(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	p.status = http.StatusConflict
	if w := p.post("/q/"+codeOf(id)+"/late", "minutes=10"); w.Code != http.StatusSeeOther {
		t.Errorf("a refused request: %d", w.Code)
	}
	if html := p.shows(id, "waiting"); !strings.Contains(html, "/late") {
		t.Error("late is not offered again")
	}
	p.status = http.StatusServiceUnavailable
	w := p.post("/q/"+codeOf(id)+"/left", "")
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("without visits: %d %v", w.Code, w.Header())
	}
	p.status = 0
	for _, form := range []string{"", "minutes=5", "minutes=x"} {
		p.post("/q/"+codeOf(id)+"/late", form)
	}
	if len(p.acts) != 0 {
		t.Errorf("visits got %v", p.acts)
	}
}

func TestAFormOfAnotherSiteIsRejected(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	for _, origin := range []string{
		"https://evil.example", "null", "", "http://baari.test.evil.example", "http://baari.test:81",
	} {
		for _, action := range []string{"late", "left", "here", "lang"} {
			w := p.post("/q/"+codeOf(id)+"/"+action, "minutes=10&lang=hi", "Origin", origin)
			if w.Code != http.StatusForbidden || w.Header().Get("Set-Cookie") != "" {
				t.Errorf("%s from %q: %d", action, origin, w.Code)
			}
		}
	}
	if len(p.acts) != 0 {
		t.Errorf("visits got %v", p.acts)
	}
}

func TestTheLanguageIsKept(t *testing.T) {
	p := newPorch(t)
	id := p.arrive(func(v *contract.Visit) { v.Language = "kn" })
	if html := p.shows(id, "waiting"); !strings.Contains(html, `lang="kn"`) {
		t.Error("the page is not in the visit's language")
	}
	w := p.post("/q/"+codeOf(id)+"/lang", "lang=ta")
	cookie := w.Header().Get("Set-Cookie")
	if w.Code != http.StatusSeeOther || !strings.HasPrefix(cookie, "baari_lang=ta; Path=/; Max-Age=31536000") {
		t.Errorf("%d %q", w.Code, cookie)
	}
	html := p.get("/q/"+codeOf(id), "Cookie", "baari_lang=ta").Body.String()
	if !strings.Contains(html, `<html lang="ta">`) {
		t.Error("the chosen language is not kept")
	}
	if w := p.post("/q/"+codeOf(id)+"/lang", "lang=xx"); w.Header().Get("Set-Cookie") != "" {
		t.Error("an unknown language is kept")
	}
}

func TestABodyThatSaysNothingIsRefused(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	p.contract.RefusesBodiesThatSayNothing(t, map[string]string{"id": id, "code": codeOf(id)},
		func(role, method, path, body string) (int, string) {
			token := ""
			if role != "" {
				token = "token-" + role
			}
			w := p.contract.Call(t, p.table, token, method, path, body, "Origin", base)
			return w.Code, w.Body.String()
		})
}

// While visits confirms the line, its places are shown. Places not confirmed for a minute are not shown.
func TestTheLineIsKeptWhileItIsConfirmed(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	p.mu.Lock()
	p.places = fmt.Sprintf(`{"places":[{"visit_id":%q,"ahead":4}],"now":[]}`, id)
	p.mu.Unlock()
	for range 2 {
		p.Service.places.forget()
		if html := p.shows(id, "waiting"); !strings.Contains(html, "4 people are before you.") {
			t.Errorf("the page does not have the place:\n%s", html)
		}
	}
	lines := p.Service.places
	lines.mu.Lock()
	lines.asked, lines.at = time.Now(), time.Now().Add(-tooOld-time.Second)
	lines.mu.Unlock()
	if html := p.shows(id, "waiting"); strings.Contains(html, "people are before you") {
		t.Errorf("an old place is shown:\n%s", html)
	}
}
