package auth

import (
	"strings"
	"testing"
	"time"

	"baari.dev/services/auth/data"
)

// list-sessions returns the session token of the current session only. For each other session it returns an id, with
// which the session can be revoked.
func TestListedSessionsCanBeRevoked(t *testing.T) {
	o := open(t)
	asha, bina := o.join("asha"), o.join("bina")
	other := o.signedIn(asha.Email)
	var list []struct{ ID, Token string }
	r := o.call(asha.Token, "GET", "/api/auth/list-sessions", "").want(200)
	if r.into(&list); len(list) != 2 || strings.Contains(r.body, other) || !strings.Contains(r.body, asha.Token) {
		t.Fatalf("the list is %s", r.body)
	}
	handle := list[0].Token
	o.post(bina.Token, "/revoke-session", `{"token":"`+handle+`"}`).want(200, `{"status":true}`)
	o.post(bina.Token, "/revoke-session", `{"token":"`+other+`"}`).want(200)
	o.getSession(other).want(200, asha.ID)
	o.post(asha.Token, "/revoke-session", `{"token":"`+handle+`"}`).want(200)
	// ASVS 7.5.2
	o.wantEnded(other)
	third := o.signedIn(asha.Email)
	o.post(asha.Token, "/revoke-session", `{"token":"`+third+`"}`).want(200)
	o.wantEnded(third)
	o.post(asha.Token, "/revoke-session", `{"token":"unknown"}`).want(200)
	o.post(asha.Token, "/revoke-session", `{}`).
		want(400, "[body.token] Invalid input: expected string, received undefined")
	if got := o.types(asha.ID); strings.Count(got, "session_revoked") != 2 {
		t.Errorf("published %s", got)
	}
}

// S7.auth.12-13: revoke-sessions ends all sessions of the user, revoke-other-sessions all but the current one. Other
// users' sessions stay live.
func TestRevokeSessionsEndsOwnSessionsOnly(t *testing.T) {
	o := open(t)
	asha, bina := o.join("asha"), o.join("bina")
	other := o.signedIn(asha.Email)
	o.post(asha.Token, "/revoke-other-sessions", "").want(200, `{"status":true}`)
	o.wantEnded(other)
	o.getSession(asha.Token).want(200, asha.ID)
	again := o.signedIn(asha.Email)
	r := o.post(asha.Token, "/revoke-sessions", `{}`).want(200, `{"status":true}`)
	if len(r.cookies()) != 0 {
		t.Errorf("sets %v", r.cookies())
	}
	// ASVS 7.5.2
	o.wantEnded(asha.Token, again)
	o.getSession(bina.Token).want(200, bina.ID)
	events := o.events(asha.ID)
	if ended, _ := events[len(events)-1].After["sessionIds"].([]any); len(ended) != 2 {
		t.Errorf("published %+v", events[len(events)-1])
	}
}

// Some calls of better-auth reject a session that is a day old. Other calls accept it.
func TestSomeCallsNeedAFreshSession(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.inUse(asha.Token, 24*time.Hour)
	for _, call := range []struct{ method, path, body string }{
		{"GET", "/api/auth/list-sessions", ""}, {"POST", "/api/auth/unlink-account", `{"accountId":"x"}`},
	} {
		// ASVS 7.5.2
		o.call(asha.Token, call.method, call.path, call.body).wantCode(403, "SESSION_NOT_FRESH")
	}
	o.call(asha.Token, "GET", "/api/auth/list-accounts", "").want(200)
	o.post(asha.Token, "/delete-user", `{}`).wantCode(400, "SESSION_EXPIRED")
	o.post(asha.Token, "/revoke-other-sessions", "").want(200)
}

// A call with a session renews the session if a renewal is due, and sets the cookie again.
func TestAnyCallRenewsItsSession(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.later(72 * time.Minute)
	o.call(asha.Token, "GET", "/api/auth/list-accounts", "").want(200).wantCookie(asha.Token, cookieAge)
	if r := o.call(asha.Token, "GET", "/api/auth/list-accounts", ""); len(r.cookies()) != 0 {
		t.Error("renewed twice")
	}
}

// withSession lists the calls that need a session, with valid bodies.
var withSession = []struct{ method, path, body string }{
	{"GET", "/list-sessions", ""},
	{"POST", "/revoke-session", `{"token":"x"}`},
	{"POST", "/revoke-sessions", ""},
	{"POST", "/revoke-other-sessions", ""},
	{"POST", "/update-user", `{"name":"A"}`},
	{"POST", "/change-email", `{"newEmail":"new@example.com"}`},
	{"POST", "/change-password", body("currentPassword", "x", "newPassword", password)},
	{"POST", "/delete-user", `{}`},
	{"GET", "/list-accounts", ""},
	{"GET", "/account-info?accountId=x", ""},
	{"POST", "/account-info", `{"accountId":"x"}`},
	{"POST", "/get-access-token", `{"accountId":"x"}`},
	{"POST", "/refresh-token", `{"accountId":"x"}`},
	{"POST", "/link-social", `{"provider":"google"}`},
	{"POST", "/unlink-account", `{"accountId":"x"}`},
}

// Without a session each call returns 401, four of them with an empty body. With an inactive account each call returns
// 403.
func TestCallsWithoutASessionAreUnauthorized(t *testing.T) {
	o := open(t)
	asha, admin := o.join("asha"), o.admin("boss")
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":false}`).want(200)
	for _, call := range withSession {
		r := o.call("", call.method, "/api/auth"+call.path, call.body).want(401)
		path, _, _ := strings.Cut(call.path, "?")
		empty := path == "/account-info" || path == "/get-access-token" || path == "/refresh-token"
		if empty != (r.body == "") {
			t.Errorf("%s: %q", call.path, r.body)
		} else if !empty && r.code() != "UNAUTHORIZED" {
			t.Errorf("%s: %s", call.path, r.body)
		}
		o.call(asha.Token, call.method, "/api/auth"+call.path, call.body).wantCode(403, "account_inactive")
	}
}

// The checks run in better-auth's order: media type and JSON, origin, redirect targets, fields. Then come the session
// or, for a sign-in, the check of its origin, and last the call itself.
func TestChecksRunInBetterAuthsOrder(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	cookie := o.sessionCookie(asha.Token)
	evil := []string{"Cookie", cookie, "Origin", "https://evil.example"}
	ours := []string{"Cookie", cookie, "Origin", site}
	cases := []struct {
		name, path, body string
		headers          []string
		status           int
		code             string
	}{
		{"media type before origin", "/change-email", `{}`, append(evil, "Content-Type", "text/plain"), 415,
			"UNSUPPORTED_MEDIA_TYPE"},
		{"syntax before origin", "/change-email", `{`, evil, 400, "BAD_REQUEST"},
		{"origin before target", "/change-email", `{"callbackURL":"//evil"}`, evil, 403, "INVALID_ORIGIN"},
		{"target before fields", "/change-email", `{"callbackURL":"//evil"}`, ours, 403, "INVALID_CALLBACK_URL"},
		{"fields before session", "/change-email", `{}`, nil, 400, "VALIDATION_ERROR"},
		{"session before the call", "/change-email", `{"newEmail":"asha@example.com"}`, nil, 401, "UNAUTHORIZED"},
		{"the call", "/change-email", `{"newEmail":"asha@example.com"}`, ours, 400, ""},
		{"fields before the login check", "/sign-in/email", `{}`, evil[2:], 400, "VALIDATION_ERROR"},
		{"the login check before the call", "/sign-in/email", credentials("x", "x"), evil[2:], 403, "INVALID_ORIGIN"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if r := o.call("", "POST", "/api/auth"+c.path, c.body, c.headers...).want(c.status); r.code() != c.code {
				t.Errorf("answered %s", r.body)
			}
		})
	}
}

// Only live sessions are listed. If a change of the password replaces a session that ends with the browser, the new
// session also ends with the browser.
func TestABriefSessionStaysBrief(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	brief := func() (made struct{ Token string }) {
		o.post("", "/sign-in/email", `{"email":"asha@example.com","password":"`+password+`","rememberMe":false}`).
			want(200).into(&made)
		return made
	}
	token := brief().Token
	r := o.post(token, "/change-password", `{"currentPassword":"`+password+`","newPassword":"`+newPassword+
		`","revokeOtherSessions":true}`).want(200)
	var made struct{ Token string }
	r.into(&made)
	r.wantCookie(made.Token, 0)
	o.exec(`INSERT INTO sessions SELECT $1, user_id, sha256('x'), remember, now() - interval '1 second', created_at,
		updated_at, '', '' FROM sessions WHERE user_id = $2`, data.NewID(), asha.ID)
	var list []struct{ ID string }
	o.call(made.Token, "GET", "/api/auth/list-sessions", "").want(200).into(&list)
	if len(list) != 1 {
		t.Errorf("%d sessions are listed", len(list))
	}
}
