package auth

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"baari.dev/services/auth/data"
	"baari.dev/services/platform/request"
)

var oddTexts = []string{
	"", " ", "\t\n", "\x00", "a\x00b", "\x1b[31m", "a\r\nSet-Cookie: x=1", "'; DROP TABLE users; --", `" OR ""="`, `\`,
	"%00", "%s%n", "{{7*7}}", "${jndi:ldap://x}", "<script>alert(1)</script>", "../../etc/passwd", "=cmd|' /C calc'!A0",
	"अमित शर्मा", "தமிழ்", "👩‍👩‍👧", "e\u0301", "\u00e9", "\u202eabc", "\u200b", "\ufeff", "\ufffe",
	"ＡＤＭＩＮ", "admın", "null", "undefined", "NaN", "-0", "1e999", strings.Repeat("a", 10_000), strings.Repeat("👩", 200),
	"a@b.co\n", "a@b.co,c@d.co", "A@EXAMPLE.COM",
	"//evil", `/\evil`, "javascript:alert(1)", "https://evil.example", "/%2f%2fevil",
}

// oddValues are values of other types than text, and texts with a lone surrogate, invalid UTF-8 or U+0000.
var oddValues = []string{
	"null", "true", "0", "-0", "1e999", "123456789012345678901234567890", "[]", "{}", `["a"]`, `{"$ne":null}`,
	`"\ud800"`, "\"\xff\"", `"\u0000"`,
	strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000),
}

// textCalls are calls that take text. The test replaces each member of their bodies.
var textCalls = []struct{ method, path, body string }{
	{"POST", "/api/auth/sign-up/email", `{"name":"A","email":"{n}@example.com","password":"` + password +
		`","image":"x","callbackURL":"/","rememberMe":true}`},
	{"POST", "/api/auth/sign-in/email",
		`{"email":"nobody@example.com","password":"x","callbackURL":"/","rememberMe":true}`},
	{"POST", "/api/auth/sign-in/social",
		`{"provider":"x","callbackURL":"/","errorCallbackURL":"/","newUserCallbackURL":"/"}`},
	{"POST", "/api/auth/sign-out", `{"callbackURL":"/"}`},
	{"POST", "/api/auth/update-user", `{"name":"A","image":"x"}`},
	{"POST", "/api/auth/change-password",
		`{"currentPassword":"x","newPassword":"` + newPassword + `","revokeOtherSessions":true}`},
	{"POST", "/api/auth/change-email", `{"newEmail":"new@example.com","callbackURL":"/"}`},
	{"POST", "/api/auth/send-verification-email", `{"email":"a@example.com","callbackURL":"/"}`},
	{"POST", "/api/auth/request-password-reset", `{"email":"a@example.com","redirectTo":"/"}`},
	{"POST", "/api/auth/forget-password", `{"email":"a@example.com","redirectTo":"/"}`},
	{"POST", "/api/auth/reset-password", `{"newPassword":"` + newPassword + `","token":"x"}`},
	{"POST", "/api/auth/revoke-session", `{"token":"x"}`},
	{"POST", "/api/auth/account-info", `{"accountId":"x"}`},
	{"POST", "/api/auth/get-access-token", `{"accountId":"x","providerId":"x"}`},
	{"POST", "/api/auth/refresh-token", `{"accountId":"x","providerId":"x"}`},
	{"POST", "/api/auth/link-social", `{"provider":"x","callbackURL":"/"}`},
	{"POST", "/api/auth/unlink-account", `{"accountId":"x","providerId":"x"}`},
	{"POST", "/api/auth/delete-user", `{"password":"a wrong password","token":"x","callbackURL":"/"}`},
	{"PUT", "/api/users/{id}", `{"name":"A","role":"reception","isActive":true,"is_active":true}`},
	{"POST", "/api/users", `{"name":"A","email":"a@example.com","role":"pa"}`},
}

// No odd value in a body of textCalls causes a server error, and a rejected request changes nothing.
func TestUnexpectedInputCausesNoServerError(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	requests, state := 0, o.count(fingerprint)
	for _, call := range textCalls {
		var members map[string]any
		if err := json.Unmarshal([]byte(call.body), &members); err != nil {
			t.Fatal(err)
		}
		for member := range members {
			for _, value := range oddValues {
				state = o.wantNoFailure(asha, state, call.method, call.path, withMember(members, member, value))
				requests++
			}
			for _, text := range oddTexts {
				value, err := json.Marshal(text)
				if err != nil {
					t.Fatal(err)
				}
				state = o.wantNoFailure(asha, state, call.method, call.path, withMember(members, member, string(value)))
				requests++
			}
		}
	}
	if requests < 2000 {
		t.Errorf("only %d requests were sent", requests)
	}
}

// withMember returns a body in which one member has another value.
func withMember(members map[string]any, name, value string) string {
	var text strings.Builder
	fmt.Fprintf(&text, `{%q:%s`, name, value)
	for other, its := range members {
		if other == name {
			continue
		}
		encoded, err := json.Marshal(its)
		if err != nil {
			panic(err) // texts and flags
		}
		fmt.Fprintf(&text, `,%q:%s`, other, strings.ReplaceAll(string(encoded), "{n}", data.NewID()))
	}
	return text.String() + "}"
}

// fingerprint selects a hash of all users, accounts and sessions, and of the number of reset tokens.
const fingerprint = `
SELECT hashtext(coalesce((SELECT string_agg(t::text, '' ORDER BY id) FROM users t), '')
  || coalesce((SELECT string_agg(t::text, '' ORDER BY id) FROM accounts t), '')
  || coalesce((SELECT string_agg(t::text, '' ORDER BY id) FROM sessions t), '')
  || (SELECT count(*) FROM reset_tokens))`

// wantNoFailure sends a request and returns the fingerprint after it. before is the fingerprint before it.
func (o *office) wantNoFailure(p person, before int, method, path, body string) (after int) {
	o.t.Helper()
	r := o.raw(method, strings.ReplaceAll(path, "{id}", p.ID), body,
		"Content-Type", "application/json", "Authorization", "Bearer "+p.Token)
	if r.status < 400 {
		o.settle() // a mail job can store a reset token
	}
	after = o.count(fingerprint)
	switch {
	case r.status >= 500:
		o.t.Errorf("%s %s %.200q answers %d %s", method, path, body, r.status, r.body)
	case r.status >= 400 && after != before:
		o.t.Errorf("%s %s %.200q was rejected with %d and changed a row", method, path, body, r.status)
	}
	return after
}

func TestForgedCookiesAndHeadersAreIgnored(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	signed := o.Service.cookies.signer.sign(asha.Token)
	named := func(value string) string { return cookieName + "=" + url.QueryEscape(value) }
	forged := []string{
		named(""), named("."), named(asha.Token), named(asha.Token + "."), named(signed[:len(signed)-1]),
		named(strings.ToLower(signed)), named(signed + "="), named("x" + signed), cookieName + "=%00%ff",
		named(strings.Repeat("a", 8000)), "__Secure-" + named(signed), "__Host-" + named(signed),
		strings.ToUpper(cookieName) + "=" + url.QueryEscape(signed),
		"better-auth.session_data=" + url.QueryEscape(signed), "better-auth.dont_remember=true", "\x7f=;;;,==",
	}
	for _, cookie := range forged {
		for _, call := range []struct{ method, path, body string }{
			{"GET", "/api/auth/get-session", ""},
			{"POST", "/api/auth/update-user", `{"name":"Forged"}`},
		} {
			r := o.raw(call.method, call.path, call.body, "Content-Type", "application/json", "Cookie", cookie, "Origin", site)
			if r.status >= 500 || r.status == 200 && r.body != "null" {
				t.Errorf("%s with %.80q answers %d %s", call.path, cookie, r.status, r.body)
			}
		}
	}
	attempt := credentials("asha@example.com", "a wrong password")
	for _, name := range []string{
		"Authorization", "Origin", "Referer", "Cookie", "Content-Type", "User-Agent", "X-Forwarded-For",
		"X-Forwarded-Proto", "X-Request-Id", "Traceparent", "Sec-Fetch-Site",
	} {
		for _, text := range oddTexts {
			r := o.raw("POST", "/api/auth/sign-in/email", attempt, "Content-Type", "application/json", name, text)
			if r.status >= 500 || r.status == 200 {
				t.Errorf("%s: %.80q answers %d %s", name, text, r.status, r.body)
			}
		}
	}
	for _, name := range []string{"X-User-Id", "X-User-Role", "X-Forwarded-User", "X-Baari-User"} {
		if r := o.raw("GET", "/api/auth/get-session", "", name, asha.ID); r.body != "null" {
			t.Errorf("%s authenticates: %s", name, r.body)
		}
	}
	o.getSession(asha.Token).want(200, `"name":"asha"`)
}

// A long User-Agent is truncated between two characters, so that the database accepts it.
func TestALongUserAgentIsCutBetweenCharacters(t *testing.T) {
	for before := range 4 {
		long := strings.Repeat("a", before) + strings.Repeat("👩", 200)
		got := agent(request.With(t.Context(), request.Info{Agent: long}))
		if len(got) > maxAgent || len(got) < maxAgent-3 || !utf8.ValidString(got) {
			t.Errorf("%d bytes, valid: %v", len(got), utf8.ValidString(got))
		}
	}
}
