package system

import (
	"encoding/csv"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"baari.dev/services/platform/testkit"
)

// gateway returns a new office that is reached through the gateway.
func gateway(t *testing.T) *office {
	t.Helper()
	return newOffice(t, ways(running)[1])
}

// 4.1.3: only the session identifies the caller, through the gateway and without it.
func TestOnlyTheSessionIdentifiesTheCaller(t *testing.T) {
	for _, w := range ways(running) {
		o := newOffice(t, w)
		admin := o.shared["admin"][0]
		forged := http.Header{}
		for _, name := range []string{
			"X-User-Id", "X-User-Role", "X-User-Email", "X-User-Active", "X_User_Role", "X-Forwarded-User", "X-Remote-User",
			"X-Role", "X-Auth-Request-User",
		} {
			forged[name] = []string{"admin"}
		}
		forged["X-User-Id"] = []string{admin.id}
		forged["X-Original-Url"], forged["X-Rewrite-Url"] = []string{"/api/office"}, []string{"/api/office"}
		forged["X-Http-Method-Override"] = []string{"PUT"}
		for sender, want := range map[*person]int{
			nil: http.StatusUnauthorized, o.shared["reception"][0]: http.StatusForbidden,
		} {
			// ASVS 4.1.3
			if got := w.send(t, sender, ask{method: "GET", path: "/api/users", header: forged}); got.status != want {
				t.Errorf("%s: %d, want %d", w.name, got.status, want)
			}
		}
	}
}

func TestASessionTokenInTheURLIsIgnored(t *testing.T) {
	o := gateway(t)
	admin := o.shared["admin"][0]
	for _, name := range []string{
		"token", "access_token", "bearer", "session", "auth_token", "better-auth.session_token",
	} {
		for _, path := range []string{"/api/users", "/api/stream"} {
			got := o.way.send(t, nil, ask{
				method: "GET", path: path + query(name, admin.token, "role", "admin", "user_id", admin.id),
			})
			// ASVS 14.2.1
			if got.status != http.StatusUnauthorized {
				t.Errorf("%s?%s: %d", path, name, got.status)
			}
		}
	}
}

// Outside /api/auth, only the stream and POST /api/users read the cookie, which another site can make a browser send.
func TestACookieAloneIsNotAcceptedByProductRoutes(t *testing.T) {
	o := gateway(t)
	for _, a := range []ask{
		{method: "GET", path: "/api/users"}, {
			method: "POST", path: "/api/visits", body: o.visitor(),
		}, {method: "GET", path: "/api/analytics/export"},
		{method: "PUT", path: "/api/users/" + o.consultant.id, body: object{"role": "admin"}},
		{method: "POST", path: "/api/stream/notify", body: object{"message": "hello"}},
	} {
		a.byCookie, a.origin = true, o.way.system.URL()
		// ASVS 3.5.1
		if got := o.way.send(t, o.shared["admin"][0], a); got.status != http.StatusUnauthorized {
			t.Errorf("%s %s by cookie: %d", a.method, a.path, got.status)
		}
	}
}

// A page of another origin, or a request without an origin, cannot change anything with the cookie.
func TestAnotherSiteChangesNothing(t *testing.T) {
	o := gateway(t)
	victim := o.shared["reception"][0]
	own := o.way.system.URL()
	for _, origin := range []string{
		foreign, "null", "", own + ".evil.example", strings.Replace(own, "http://", "http://evil.", 1),
		own + "@evil.example", strings.Replace(own, "http:", "https:", 1), "http://localhost", "file://", own + "/",
		"javascript:" + own,
	} {
		for _, path := range []string{
			"/api/auth/update-user", "/api/auth/sign-out", "/api/auth/change-email", "/api/auth/revoke-sessions",
			"/api/users",
		} {
			header := http.Header{}
			if origin != "" {
				header["Origin"] = []string{origin}
			}
			// ASVS 3.4.2
			got := o.way.send(t, victim, ask{method: "POST", path: path, byCookie: true, header: header,
				body: object{"name": "Taken over", "email": victim.email, "newEmail": address(), "role": "pa"}})
			// ASVS 3.5.1, 3.5.2
			if got.status != http.StatusForbidden {
				t.Errorf("%s from %q: %d %.100s", path, origin, got.status, got.body)
			}
		}
	}
}

// Unknown fields of a body are ignored. A known key that is repeated, or has other capitals, is rejected.
func TestUnknownFieldsOfABodyAreIgnored(t *testing.T) {
	o := gateway(t)
	answer := o.way.send(t, nil, ask{method: "POST", path: "/api/auth/sign-up/email", body: object{
		"name": "Climber", "email": address(), "password": password, "role": "admin", "isActive": true,
		"emailVerified": true, "id": o.consultant.id,
	}})
	var entered struct {
		User struct {
			ID, Role      string
			EmailVerified bool
		}
	}
	if answer.json(t, &entered); entered.User.Role != "reception" || entered.User.ID == o.consultant.id ||
		entered.User.EmailVerified {
		t.Errorf("signed up as %s", answer.body)
	}

	var made struct {
		Visit struct {
			ID, Status, Token, Day string
			Version                int
			AssignedConsultantID   *string
		}
	}
	body := o.visitor()
	for key, value := range map[string]any{
		"id": unknownRecord, "status": "completed", "token": "T-999", "day": "2020-01-01", "version": 9,
		"assignedConsultantId": o.consultant.id, "assigned_consultant_id": o.consultant.id,
		"createdAt": "2020-01-01T00:00:00Z",
	} {
		body[key] = value
	}
	o.way.must(t, o.shared["reception"][0], http.MethodPost, "/api/visits", body, &made)
	// ASVS 8.2.3, 15.3.3
	if v := made.Visit; v.ID == unknownRecord || v.Status != "new" || v.Token == "T-999" || v.Day == "2020-01-01" ||
		v.Version != 1 || v.AssignedConsultantID != nil {
		t.Errorf("registered %+v", v)
	}

	climber := newUser(t, o, "reception")
	for _, disguised := range []string{
		`{"role":"pa","ROLE":"admin"}`, `{"role":"pa","role":"admin"}`, `{"Role":"admin"}`,
		`{"role":"pa","isActive":true,"ISACTIVE":true}`, `{"rol\u0065":"pa","role":"admin"}`,
	} {
		if got := o.way.send(t, climber, ask{
			method: "PUT", path: "/api/users/" + climber.id, body: []byte(disguised),
		}); got.status != http.StatusBadRequest {
			t.Errorf("%s: %d %.100s", disguised, got.status, got.body)
		}
	}
}

func TestNoSpellingOfAPathBypassesItsRole(t *testing.T) {
	o := gateway(t)
	for _, path := range []string{
		"/api/users", "/api/api/users", "//api/users", "/api//users", "/api/./users", "/api/%75sers", "/%61pi/users",
		"/api/users/", "/api/users%2f", "/api/users%2F",
		"/API/users", "/api/USERS", "/api/users;x=1", "/api/users;/", "/api/office/../users", "/api/office/%2e%2e/users",
		"/api/office/..%2fusers", "/api/office;/../users",
		"/api/users%00", "/api/users%20", "/api/users.json", "/api/users%3fx", "/api/users#", "/api/api/api/users",
		"/api/users/.", "/api/users/consultants/../",
		"/api/services/../analytics/export", "/api/analytics/export/", "/api/analytics//export",
		"/api/analytics/dashboard/../export", "/api/analytics/dashboard/..%2fexport",
	} {
		for _, sender := range []*person{nil, o.shared["reception"][0], o.shared["inactive"][3]} {
			got := o.way.send(t, sender, ask{method: "GET", path: path})
			if got.status < 400 {
				t.Errorf("%s: %d %.100s", path, got.status, got.body)
			}
		}
	}
}

func TestNoRedirectLeadsToAnotherSite(t *testing.T) {
	o := gateway(t)
	for _, target := range []string{
		"https://evil.example", "//evil.example", "/\\evil.example", "\\\\evil.example", "https:evil.example",
		"%2f%2fevil.example", "/%2fevil.example", "/%5cevil.example",
		"javascript:alert(1)", "data:text/html,x", "/a\r\nLocation: https://evil.example", "/\t/evil.example",
		"http://localhost@evil.example", o.way.system.URL() + ".evil.example",
		o.way.system.URL() + "@evil.example", " https://evil.example", "https://evil.example#" + o.way.system.URL(),
		strings.Repeat("/a", 1100),
	} {
		for _, a := range []ask{
			{
				method: "POST", path: "/api/auth/sign-in/email",
				body: object{"email": o.consultant.email, "password": password, "callbackURL": target},
			},
			{
				method: "POST", path: "/api/auth/sign-up/email",
				body: object{"name": "A", "email": address(), "password": password, "callbackURL": target},
			},
			{
				method: "POST", path: "/api/auth/request-password-reset",
				body: object{"email": o.consultant.email, "redirectTo": target},
			},
			{method: "GET", path: "/api/auth/reset-password/" + strings.Repeat("a", 24) + query("callbackURL", target)},
			{method: "GET", path: "/api/auth/verify-email" + query("token", "x", "callbackURL", target)},
		} {
			got := o.way.send(t, nil, a)
			// ASVS 3.7.2
			if got.status != http.StatusForbidden || got.header.Get("Location") != "" {
				t.Errorf("%s to %q: %d, Location %q", a.path, target, got.status, got.header.Get("Location"))
			}
		}
	}
}

func TestLinksInMailIgnoreTheHostHeader(t *testing.T) {
	o := gateway(t)
	p := signUp(t, o.way)
	o.way.send(t, nil, ask{
		method: "POST", path: "/api/auth/request-password-reset",
		body: object{"email": p.email, "redirectTo": "/reset-password"},
		header: http.Header{
			"Host": {"evil.example"}, "X-Forwarded-Host": {"evil.example"}, "Forwarded": {"host=evil.example"},
		},
	})
	link := mailed(t, o, p, regexp.MustCompile(`(https?://[^/ "\\]+)/api/auth/reset-password/`))
	if link != o.way.system.URL() {
		t.Errorf("the link leads to %s", link)
	}
}

// A sign-in creates a new session, unrelated to any token that was in the browser before.
func TestASessionCannotBePlanted(t *testing.T) {
	o := gateway(t)
	attacker, victim := o.hire(t, "reception"), o.hire(t, "pa")
	for _, planted := range []*person{attacker, {signed: strings.Repeat("a", 32) + ".forged"}} {
		got := o.way.send(t, planted, ask{
			method: "POST", path: "/api/auth/sign-in/email", byCookie: true, origin: o.way.system.URL(),
			body: object{"email": victim.email, "password": password},
		})
		var entered struct{ Token string }
		if got.json(t, &entered); got.status != http.StatusOK || entered.Token == attacker.token ||
			entered.Token == victim.token {
			t.Errorf("signed in with a planted cookie: %d", got.status)
		}
	}
	if got := o.way.send(t, attacker, ask{method: "GET", path: "/api/auth/get-session"}); string(got.body) != "null" {
		t.Errorf("the planted session outlives the sign-in: %.60s", got.body)
	}
	attacker = o.hire(t, "reception")
	ownSession(t, o, attacker, o.way.send(t, attacker, ask{method: "GET", path: "/api/auth/get-session"}))
	for _, cookie := range []string{
		attacker.token, attacker.token + ".", attacker.token + "." + strings.Repeat("A", 43) + "=", "." + attacker.signed,
		victim.token + attacker.signed[32:],
	} {
		got := o.way.send(t, &person{signed: cookie}, ask{method: "GET", path: "/api/auth/get-session", byCookie: true})
		if string(got.body) != "null" {
			t.Errorf("a cookie without a good signature has a user: %.60s", got.body)
		}
	}
}

func TestAVisitorsNameIsNoFormulaInTheExport(t *testing.T) {
	o := gateway(t)
	body := o.visitor()
	const formula = "=HYPERLINK(\"http://evil.example\",\"Asha\")"
	body["name"], body["notes"] = formula, "+1+cmd|' /C calc'!A0"
	o.way.must(t, o.admin, http.MethodPost, "/api/visits", body, nil)
	var cells []string
	testkit.Eventually(t, "the visit is in the export", func() bool {
		admin := o.shared["admin"][0].renewed(t, o.way)
		got := o.way.send(t, admin, ask{method: "GET", path: "/api/analytics/export"})
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(got.body), "\ufeff"))).ReadAll()
		if err != nil {
			t.Fatalf("%d: %v", got.status, err)
		}
		cells = slices.Concat(rows...)
		return slices.Contains(cells, "'"+formula)
	})
	for _, cell := range cells {
		// ASVS 1.2.10
		if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@\t\r") {
			t.Errorf("a cell begins as a formula: %q", cell)
		}
	}
}

func TestNoFileButTheWebApplicationIsServed(t *testing.T) {
	o := gateway(t)
	for _, path := range []string{
		"/.git/config", "/.env", "/package.json", "/../go.work", "/%2e%2e/go.work", "/..%2f..%2fgo.work",
		"/assets/../../package.json", "/assets/..%5c..%5cgo.work", "/index.html.br", "/secrets.json", "/accounts.json",
		"/debug/pprof/", "/debug/vars", "/__errors/500", "/src/main.tsx", "/assets/index.js.map",
	} {
		got := o.way.send(t, nil, ask{method: "GET", path: path})
		// ASVS 13.4.1, 13.4.3, 15.2.3
		if page := strings.Contains(string(got.body), `<div id="root">`); got.status == http.StatusOK && !page {
			t.Errorf("%s: %d %.80s", path, got.status, got.body)
		}
	}
}

// Visits rejects a user who lost the role PA, or was deactivated, within a second, with 403 and not 401.
func TestARemovedRoleIsRejectedWithinASecond(t *testing.T) {
	o := gateway(t)
	p := o.hire(t, "pa")
	pending := ask{method: "GET", path: "/api/visits/pending-approval"}
	if got := o.way.send(t, p, pending); got.status != http.StatusOK {
		t.Fatalf("before: %d", got.status)
	}
	for change, want := range map[string]object{"reception": {"role": "reception"}, "inactive": {"isActive": false}} {
		o.way.must(t, o.admin, http.MethodPut, "/api/users/"+p.id, want, nil)
		changed := time.Now()
		testkit.Eventually(t, "the PA is rejected", func() bool {
			return o.way.send(t, p, pending).status == http.StatusForbidden
		})
		// ASVS 8.3.2
		testkit.AtMost(t, change, time.Since(changed), time.Second)
	}
}
