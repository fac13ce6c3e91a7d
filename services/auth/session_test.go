package auth

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"baari.dev/services/auth/data"
	"baari.dev/services/contract"
	"baari.dev/services/platform/identity"
)

const cookieName = "better-auth.session_token"

// S7.auth.01, S7.auth.06, S7.auth.10: sign-up and sign-in create a session and answer in the form of better-auth.
func TestSignUpAndSignInCreateSessions(t *testing.T) {
	o := open(t)
	var up struct {
		Token string
		User  map[string]any
	}
	r := o.call("", "POST", "/api/auth/sign-up/email",
		`{"name":"  Asha Verma ","email":"Asha@Example.com","password":"`+password+
			`","callbackURL":"/dashboard","role":"admin","isActive":false}`).want(200)
	r.into(&up)
	if u := up.User; u["name"] != "Asha Verma" || u["email"] != "asha@example.com" ||
		u["role"] != "reception" || u["isActive"] != true {
		t.Errorf("S6.role.01: the account is %v, want role and isActive of the sign-up ignored", u)
	}
	r.wantCookie(up.Token, cookieAge)

	in := o.post("", "/sign-in/email",
		`{"email":"ASHA@example.com","password":"`+password+`","callbackURL":"/dashboard","rememberMe":true}`).
		want(200, `"redirect":true`, `"url":"/dashboard"`)
	if got := in.header.Get("Location"); got != "/dashboard" {
		t.Errorf("Location is %q", got)
	}
	o.post("", "/sign-in/email", credentials("asha@example.com", password)).want(200, `"redirect":false`)
	got := o.types(up.User["id"].(string))
	if got != "user_registered session_signed_in session_signed_in session_signed_in" {
		t.Errorf("published %s", got)
	}
}

// wantCookie fails the test unless the response has the cookie and headers of the session.
func (r reply) wantCookie(token string, maxAge int) {
	r.t.Helper()
	signed := r.header.Get("set-auth-token")
	if text, ok := (signer{[]byte(secret)}).open(signed); !ok || text != token {
		r.t.Errorf("set-auth-token %q is not the signed token", signed)
	}
	if got := r.header.Get("access-control-expose-headers"); got != "set-auth-token" {
		r.t.Errorf("access-control-expose-headers is %q", got)
	}
	cookie, err := http.ParseSetCookie(r.cookies()[0])
	if err != nil {
		r.t.Fatal(err)
	}
	value, _ := url.PathUnescape(cookie.Value)
	if cookie.Name != cookieName || value != signed || cookie.MaxAge != maxAge || cookie.Path != "/" ||
		!cookie.HttpOnly || cookie.Secure || cookie.SameSite != http.SameSiteLaxMode || cookie.Domain != "" {
		r.t.Errorf("the cookie is %s", r.cookies()[0])
	}
}

// wantCleared fails the test unless the response deletes the three cookies of a session.
func (r reply) wantCleared() {
	r.t.Helper()
	var names []string
	for _, line := range r.cookies() {
		cookie, err := http.ParseSetCookie(line)
		if err != nil || cookie.Value != "" || cookie.MaxAge != -1 {
			r.t.Errorf("%s does not delete a cookie", line)
			continue
		}
		names = append(names, cookie.Name)
	}
	if got := strings.Join(names, " "); got != cookieName+" better-auth.session_data better-auth.dont_remember" {
		r.t.Errorf("deleted %q", got)
	}
}

// S7.auth.03, S7.auth.04: get-session returns session and user for the cookie and for a bearer token, which is plain,
// signed, or signed and URL-encoded.
func TestGetSessionAcceptsCookieAndBearer(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	signed := o.Service.cookies.signer.sign(asha.Token)
	carriers := map[string][]string{
		"cookie":                 {"Cookie", "other=1; " + cookieName + "=" + url.QueryEscape(signed)},
		"plain bearer":           {"Authorization", "Bearer " + asha.Token},
		"signed bearer":          {"Authorization", "bearer " + signed},
		"signed bearer, encoded": {"Authorization", "BEARER " + url.QueryEscape(signed)},
		"a bearer with a bad signature beside the cookie": {
			"Authorization", "Bearer " + asha.Token + ".AAAA", "Cookie", cookieName + "=" + url.QueryEscape(signed)},
	}
	for name, headers := range carriers {
		var got struct {
			Session struct{ Token, UserID, UserAgent, IPAddress string }
			User    struct{ ID string }
		}
		r := o.call("", "GET", "/api/auth/get-session", "", append(headers, "User-Agent", "a browser")...).want(200)
		if r.into(&got); got.Session.Token != asha.Token || got.User.ID != asha.ID || got.Session.UserID != asha.ID {
			t.Errorf("%s: %s", name, r.body)
		}
		if r.header.Get("Cache-Control") != "no-store" || r.header.Get("Pragma") != "no-cache" || len(r.cookies()) != 0 {
			t.Errorf("%s: headers %v", name, r.header)
		}
	}
}

// S4.auth.01: without a session get-session returns null. It deletes the cookies only for a token that belongs to no
// session. A cookie without a valid signature has no token.
func TestGetSessionIsNullWithoutASession(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	good := o.sessionCookie(asha.Token)
	dead := o.sessionCookie(data.NewToken())
	other := signer{[]byte("another")}.sign(asha.Token)
	cases := []struct {
		name    string
		headers []string
		cleared bool
	}{
		{"no cookie", nil, false},
		{"an unsigned cookie", []string{"Cookie", cookieName + "=" + asha.Token}, false},
		{"a bad signature", []string{"Cookie", good + "A"}, false},
		{"a signature of another secret", []string{"Cookie", cookieName + "=" + url.QueryEscape(other)}, false},
		{"a broken escape", []string{"Cookie", cookieName + "=%zz"}, false},
		{"a signed token of no session", []string{"Cookie", dead}, true},
		{"a plain bearer of no session beside a valid cookie",
			[]string{"Authorization", "Bearer nonsense", "Cookie", good}, true},
	}
	for _, c := range cases {
		r := o.call("", "GET", "/api/auth/get-session", "", c.headers...).want(200)
		if r.body != "null" {
			t.Errorf("%s: %s", c.name, r.body)
		}
		if c.cleared {
			r.wantCleared()
		} else if len(r.cookies()) != 0 {
			t.Errorf("%s: sets %v", c.name, r.cookies())
		}
	}
	r := o.post("", "/get-session", `{}`).want(405)
	if r.code() != "METHOD_NOT_ALLOWED_DEFER_SESSION_REQUIRED" {
		t.Errorf("POST: %s", r.body)
	}
}

// S7.auth.11: sign-out ends the session of the request and no other. Without a session it changes nothing.
func TestSignOutEndsOneSession(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	other := o.signedIn(asha.Email)
	o.post(asha.Token, "/sign-out", "").want(200, `{"success":true}`).wantCleared()
	o.post("", "/sign-out", `{}`).want(200, `{"success":true}`).wantCleared()
	// ASVS 7.4.1
	if r := o.getSession(asha.Token); r.body != "null" {
		t.Errorf("the session is still live: %s", r.body)
	}
	o.getSession(other).want(200, asha.ID)
	o.wantLastSessionEvent(asha, contract.SessionSignedOut, 1, asha)
}

// A use renews a session if a tenth of the idle limit has passed since the last renewal. The token stays the same. A
// session that is not remembered ends after a day, regardless of use.
func TestSessionsAreRenewedUntilTheyExpire(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	var brief struct{ Token string }
	r := o.post("", "/sign-in/email",
		`{"email":"asha@example.com","password":"`+password+`","rememberMe":false}`).want(200)
	r.into(&brief)
	r.wantCookie(brief.Token, 0)
	if cookie := r.cookies()[1]; !strings.HasPrefix(cookie, "better-auth.dont_remember=true.") ||
		!strings.HasSuffix(cookie, "; Path=/; HttpOnly; SameSite=Lax") {
		t.Errorf("the second cookie is %s", cookie)
	}

	o.later(71 * time.Minute)
	if r := o.getSession(asha.Token); len(r.cookies()) != 0 {
		t.Error("renewed within a tenth of the idle limit")
	}
	o.later(time.Minute)
	if r := o.call(asha.Token, "GET", "/api/auth/get-session?disableRefresh=true", ""); len(r.cookies()) != 0 {
		t.Error("renewed with disableRefresh")
	}
	o.getSession(asha.Token).want(200, asha.Token).wantCookie(asha.Token, cookieAge)

	o.inUse(asha.Token, 24*time.Hour-72*time.Minute)
	o.getSession(brief.Token).wantCleared()
	if n := o.count(`SELECT count(*) FROM sessions WHERE NOT remember`); n != 0 {
		t.Error("the row of the expired session is still stored")
	}

	o.later(10 * time.Hour)
	o.call(asha.Token, "GET", "/api/auth/get-session?disableRefresh=true", "").want(200, asha.Token)
	o.later(2 * time.Hour)
	// ASVS 7.3.1
	if r := o.getSession(asha.Token); r.body != "null" {
		t.Errorf("the session is still live: %s", r.body)
	}
}

// Both limits of sessions are configurable. Introspection counts as use.
func TestSessionLifetimesAreConfigurable(t *testing.T) {
	o := open(t, func(options *Options) {
		options.Lifetimes.Idle, options.Lifetimes.Absolute = 2*time.Hour, 5*time.Hour
	})
	asha := o.join("asha")
	used := func() bool {
		got, err := o.Introspect(context.Background(), introspectOf(asha.Token))
		if err != nil {
			t.Fatal(err)
		}
		return got.Active
	}
	for range 3 {
		o.later(90 * time.Minute)
		if !used() {
			t.Fatal("a session in use ended")
		}
	}
	o.later(30 * time.Minute)
	if used() {
		// ASVS 7.3.2
		t.Error("the session is live after five hours")
	}
	asha.Token = o.signedIn(asha.Email)
	o.later(2 * time.Hour)
	if used() {
		// ASVS 7.3.1
		t.Error("the session is live after two idle hours")
	}
}

// An open stream counts as use, up to the absolute limit. The response has the new expiry.
func TestAnOpenStreamRenewsItsSession(t *testing.T) {
	o := open(t, func(options *Options) {
		options.Lifetimes.Idle, options.Lifetimes.Absolute = 2*time.Hour, 5*time.Hour
	})
	asha, idle := o.join("asha"), o.join("idle")
	ids := []string{o.sessionOf(asha), data.NewID()}
	var began time.Time
	for hour := range 5 {
		o.later(59 * time.Minute)
		got, err := o.RenewActive(t.Context(), activeRequest{SessionIDs: ids})
		if err != nil || len(got.Sessions) != 1 || got.Sessions[0].SessionID != ids[0] {
			t.Fatalf("after %d hours: %+v, %v", hour, got, err)
		}
		end := time.Time(got.Sessions[0].ExpiresAt)
		if hour == 0 {
			began = end.Add(-2*time.Hour - 59*time.Minute)
		}
		want := min(time.Duration(hour+1)*59*time.Minute+2*time.Hour, 5*time.Hour)
		if end.Sub(began).Round(time.Minute) != want {
			t.Errorf("after %d hours it ends %s after its beginning, want %s", hour, end.Sub(began), want)
		}
	}
	o.getSession(asha.Token).want(200, asha.ID)
	o.wantEnded(idle.Token)
	o.later(5 * time.Minute)
	if got, err := o.RenewActive(t.Context(), activeRequest{SessionIDs: ids}); err != nil || len(got.Sessions) != 0 {
		t.Errorf("an expired session: %+v, %v", got, err)
	}
}

func (o *office) sessionOf(p person) string {
	o.t.Helper()
	got, err := o.Introspect(context.Background(), introspectOf(p.Token))
	if err != nil {
		o.t.Fatal(err)
	}
	return got.SessionID
}

func introspectOf(token string) (q introspect) {
	q.Token.Value, q.Token.Present = token, true
	return q
}

// Introspection accepts the plain and the signed form of a token. For any other text it returns an inactive session.
func TestIntrospectionReturnsTheUserOfAToken(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	signed := o.Service.cookies.signer.sign(asha.Token)
	for _, token := range []string{asha.Token, signed} {
		got, err := o.Introspect(context.Background(), introspectOf(token))
		if err != nil || !got.Active || got.SessionID == "" ||
			got.User.ID != asha.ID || got.User.Role != "reception" || !got.User.IsActive {
			t.Errorf("%+v, %v", got, err)
		}
	}
	for _, token := range []string{
		"", ".", asha.Token + ".", asha.Token + ".x", asha.ID, signed + "=", "\x00", "\xff", strings.Repeat("a", 10_000),
	} {
		got, err := o.Introspect(context.Background(), introspectOf(token))
		// ASVS 7.2.1
		if err != nil || got != (introspection{}) {
			t.Errorf("%q: %+v, %v", token, got, err)
		}
	}
}

// The tables of accounts, sessions and events contain no session token and no password.
func TestTokensAreStoredHashed(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	for _, table := range []string{"sessions", "users", "accounts", "outbox"} {
		if n := o.count(`SELECT count(*) FROM `+table+` t WHERE t::text LIKE '%' || $1 || '%'`, asha.Token); n != 0 {
			// ASVS 14.2.4
			t.Errorf("%s contains the token", table)
		}
		if n := o.count(`SELECT count(*) FROM `+table+` t WHERE t::text LIKE '%' || $1 || '%'`, password); n != 0 {
			t.Errorf("%s contains the password", table)
		}
	}
	if n := o.count(`SELECT count(*) FROM outbox WHERE after::text LIKE '%argon2id%'`); n != 0 {
		t.Error("an event contains the hash")
	}
}

// On https, cookies have the prefix __Secure- and the attribute Secure.
func TestCookiesAreSecureOnHTTPS(t *testing.T) {
	o := open(t, func(options *Options) { options.BaseURL = "https://desk.example.com" })
	r := o.post("", "/sign-up/email", registration("a")).want(200)
	for n, name := range []string{cookieName, markCookie} {
		// ASVS 3.3.1, 3.3.3
		cookie := r.cookies()[n]
		if !strings.HasPrefix(cookie, "__Secure-"+name+"=") || !strings.Contains(cookie, "; Secure") {
			t.Errorf("the cookie is %s", cookie)
		}
	}
	line, _, _ := strings.Cut(r.cookies()[0], ";")
	o.call("", "GET", "/api/auth/get-session", "", "Cookie", line).want(200, `"email":"a@example.com"`)
	o.call("", "GET", "/api/auth/get-session", "", "Cookie", strings.TrimPrefix(line, "__Secure-")).want(200, "null")
	if identity.SessionCookie != cookieName {
		t.Errorf("services read the cookie %s", identity.SessionCookie)
	}
}
