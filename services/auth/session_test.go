package auth

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/identity"
)

const cookieName = "better-auth.session_token"

// S7.auth.01, S7.auth.06, S7.auth.10: sign-up signs in, and the answers have the shapes that better-auth's client reads.
func TestSignUpAndSignIn(t *testing.T) {
	o := open(t)
	var up struct {
		Token string
		User  map[string]any
	}
	r := o.call("", "POST", "/api/auth/sign-up/email",
		`{"name":"  Asha Verma ","email":"Asha@Example.com","password":"`+password+`","callbackURL":"/dashboard","role":"admin","isActive":false}`).want(200)
	r.into(&up)
	if up.User["name"] != "Asha Verma" || up.User["email"] != "asha@example.com" || up.User["role"] != "reception" || up.User["isActive"] != true {
		t.Errorf("S6.role.01: the account is %v; role and isActive of a sign-up are not looked at", up.User)
	}
	r.wantCookie(up.Token, cookieAge)

	in := o.call("", "POST", "/api/auth/sign-in/email", `{"email":"ASHA@example.com","password":"`+password+`","callbackURL":"/dashboard","rememberMe":true}`).
		want(200, `"redirect":true`, `"url":"/dashboard"`)
	if got := in.header.Get("Location"); got != "/dashboard" {
		t.Errorf("Location is %q", got)
	}
	o.call("", "POST", "/api/auth/sign-in/email", `{"email":"asha@example.com","password":"`+password+`"}`).want(200, `"redirect":false`)
	if got := o.types(up.User["id"].(string)); got != "user_registered session_signed_in session_signed_in session_signed_in" {
		t.Errorf("announced %s", got)
	}
}

// wantCookie fails unless the answer hands over the session in cookie and header as auth-api.md section 3 says.
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
	if cookie.Name != cookieName || value != signed || cookie.MaxAge != maxAge || cookie.Path != "/" || !cookie.HttpOnly || cookie.Secure ||
		cookie.SameSite != http.SameSiteLaxMode || cookie.Domain != "" {
		r.t.Errorf("the cookie is %s", r.cookies()[0])
	}
}

// wantCleared fails unless the answer takes all three cookies away.
func (r reply) wantCleared() {
	r.t.Helper()
	var names []string
	for _, line := range r.cookies() {
		cookie, err := http.ParseSetCookie(line)
		if err != nil || cookie.Value != "" || cookie.MaxAge != -1 {
			r.t.Errorf("%s does not clear", line)
			continue
		}
		names = append(names, cookie.Name)
	}
	if got := strings.Join(names, " "); got != cookieName+" better-auth.session_data better-auth.dont_remember" {
		r.t.Errorf("cleared %q", got)
	}
}

// S7.auth.03, S7.auth.04: get-session answers session and user for the cookie, the plain bearer and both signed forms.
func TestGetSession(t *testing.T) {
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

// S4.auth.01: nobody is null, and only a signed cookie or a plain bearer of a dead session is cleared.
func TestNoSession(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	good := cookieName + "=" + url.QueryEscape(o.Service.cookies.signer.sign(asha.Token))
	dead := cookieName + "=" + url.QueryEscape(o.Service.cookies.signer.sign(newToken()))
	cases := []struct {
		name    string
		headers []string
		cleared bool
	}{
		{"nothing", nil, false},
		{"an unsigned cookie", []string{"Cookie", cookieName + "=" + asha.Token}, false},
		{"a bad signature", []string{"Cookie", good + "A"}, false},
		{"a signed token of another secret", []string{"Cookie", cookieName + "=" + url.QueryEscape(signer{[]byte("another")}.sign(asha.Token))}, false},
		{"a broken escape", []string{"Cookie", cookieName + "=%zz"}, false},
		{"a dead session", []string{"Cookie", dead}, true},
		{"a plain bearer of no session hides a good cookie", []string{"Authorization", "Bearer nonsense", "Cookie", good}, true},
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
	r := o.call("", "POST", "/api/auth/get-session", `{}`).want(405)
	if r.code() != "METHOD_NOT_ALLOWED_DEFER_SESSION_REQUIRED" {
		t.Errorf("POST: %s", r.body)
	}
}

// S7.auth.11: sign-out ends this session only, and tells which; without one it is harmless.
func TestSignOut(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	other := o.signedIn(asha.Email)
	o.call(asha.Token, "POST", "/api/auth/sign-out", "").want(200, `{"success":true}`).wantCleared()
	o.call("", "POST", "/api/auth/sign-out", `{}`).want(200, `{"success":true}`).wantCleared()
	// ASVS 7.4.1
	if r := o.call(asha.Token, "GET", "/api/auth/get-session", ""); r.body != "null" {
		t.Errorf("the session lives on: %s", r.body)
	}
	o.call(other, "GET", "/api/auth/get-session", "").want(200, asha.ID)
	events := o.events(asha.ID)
	last := events[len(events)-1]
	if ended, _ := last.After["sessionIds"].([]any); last.Type != contract.SessionSignedOut || len(ended) != 1 || last.Actor.ID != asha.ID {
		t.Errorf("announced %+v", last)
	}
}

// A session is renewed a tenth of the idle limit after the last time, keeping its token; one that is not remembered ends
// after a day, however much it is used.
func TestSessionRenewalAndEnd(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	var brief struct{ Token string }
	r := o.call("", "POST", "/api/auth/sign-in/email", `{"email":"asha@example.com","password":"`+password+`","rememberMe":false}`).want(200)
	r.into(&brief)
	r.wantCookie(brief.Token, 0)
	if marker := r.cookies()[1]; !strings.HasPrefix(marker, "better-auth.dont_remember=true.") || !strings.HasSuffix(marker, "; Path=/; HttpOnly; SameSite=Lax") {
		t.Errorf("the marker is %s", marker)
	}

	o.later(71 * time.Minute)
	if r := o.call(asha.Token, "GET", "/api/auth/get-session", ""); len(r.cookies()) != 0 {
		t.Error("renewed within a tenth of the idle limit")
	}
	o.later(time.Minute)
	if r := o.call(asha.Token, "GET", "/api/auth/get-session?disableRefresh=true", ""); len(r.cookies()) != 0 {
		t.Error("renewed where it should only look")
	}
	o.call(asha.Token, "GET", "/api/auth/get-session", "").want(200, asha.Token).wantCookie(asha.Token, cookieAge)

	o.inUse(asha.Token, 24*time.Hour-72*time.Minute)
	o.call(brief.Token, "GET", "/api/auth/get-session", "").wantCleared()
	if n := o.count(`SELECT count(*) FROM sessions WHERE NOT remember`); n != 0 {
		t.Error("the dead session's row is kept")
	}

	o.later(10 * time.Hour)
	o.call(asha.Token, "GET", "/api/auth/get-session?disableRefresh=true", "").want(200, asha.Token)
	o.later(2 * time.Hour)
	// ASVS 7.3.1
	if r := o.call(asha.Token, "GET", "/api/auth/get-session", ""); r.body != "null" {
		t.Errorf("it never ends: %s", r.body)
	}
}

// An office may end idle sessions and old ones; asking for a caller counts as use.
func TestShorterSessions(t *testing.T) {
	o := open(t, func(options *Options) {
		options.Lifetimes.Idle, options.Lifetimes.Absolute = 2*time.Hour, 5*time.Hour
	})
	asha := o.join("asha")
	used := func() bool {
		got, err := o.Introspect(context.Background(), question(asha.Token))
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
		t.Error("it outlived five hours")
	}
	asha.Token = o.signedIn(asha.Email)
	o.later(2 * time.Hour)
	if used() {
		// ASVS 7.3.1
		t.Error("it outlived two idle hours")
	}
}

// D8 of reliability.md: an open stream is use, up to the absolute limit; realtime learns when each session ends now.
func TestAnOpenStreamIsUse(t *testing.T) {
	o := open(t, func(options *Options) {
		options.Lifetimes.Idle, options.Lifetimes.Absolute = 2*time.Hour, 5*time.Hour
	})
	asha, idle := o.join("asha"), o.join("idle")
	ids := []string{o.sessionOf(asha), newID()}
	var began time.Time
	for hour := range 5 {
		o.later(59 * time.Minute)
		published, err := o.Activity(context.Background(), active{SessionIDs: ids})
		if err != nil || len(published.Sessions) != 1 || published.Sessions[0].SessionID != ids[0] {
			t.Fatalf("after %d hours: %+v, %v", hour, published, err)
		}
		end := time.Time(published.Sessions[0].ExpiresAt)
		if hour == 0 {
			began = end.Add(-2*time.Hour - 59*time.Minute)
		}
		if want := min(time.Duration(hour+1)*59*time.Minute+2*time.Hour, 5*time.Hour); end.Sub(began).Round(time.Minute) != want {
			t.Errorf("after %d hours it ends %s after its beginning, want %s", hour, end.Sub(began), want)
		}
	}
	o.call(asha.Token, "GET", "/api/auth/get-session", "").want(200, asha.ID)
	o.wantEnded(idle.Token)
	o.later(5 * time.Minute)
	if published, err := o.Activity(context.Background(), active{SessionIDs: ids}); err != nil || len(published.Sessions) != 0 {
		t.Errorf("a session that is over: %+v, %v", published, err)
	}
}

// sessionOf is the id of a person's session.
func (o *office) sessionOf(p person) string {
	o.t.Helper()
	got, err := o.Introspect(context.Background(), question(p.Token))
	if err != nil {
		o.t.Fatal(err)
	}
	return got.SessionID
}

func question(token string) (q introspect) {
	q.Token.Value, q.Token.Present = token, true
	return q
}

// Another service learns who calls, from the plain token and the signed one, and nothing from anything else.
func TestIntrospection(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	signed := o.Service.cookies.signer.sign(asha.Token)
	for _, token := range []string{asha.Token, signed} {
		got, err := o.Introspect(context.Background(), question(token))
		if err != nil || !got.Active || got.User.ID != asha.ID || got.User.Role != "reception" || !got.User.IsActive || got.SessionID == "" {
			t.Errorf("%+v, %v", got, err)
		}
	}
	for _, token := range []string{"", ".", asha.Token + ".", asha.Token + ".x", asha.ID, signed + "=", "\x00", "\xff", strings.Repeat("a", 10_000)} {
		got, err := o.Introspect(context.Background(), question(token))
		// ASVS 7.2.1
		if err != nil || got != (introspection{}) {
			t.Errorf("%q: %+v, %v", token, got, err)
		}
	}
}

// The token is with its owner only: what is stored cannot be used.
func TestTokensAreStoredHashed(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	for _, table := range []string{"sessions", "users", "accounts", "outbox"} {
		if n := o.count(`SELECT count(*) FROM `+table+` t WHERE t::text LIKE '%' || $1 || '%'`, asha.Token); n != 0 {
			// ASVS 14.2.4
			t.Errorf("%s holds the token", table)
		}
		if n := o.count(`SELECT count(*) FROM `+table+` t WHERE t::text LIKE '%' || $1 || '%'`, password); n != 0 {
			t.Errorf("%s holds the password", table)
		}
	}
	if n := o.count(`SELECT count(*) FROM outbox WHERE after::text LIKE '%argon2id%'`); n != 0 {
		t.Error("an event tells the hash")
	}
}

// On https the cookies have the prefix and the attribute.
func TestSecureCookies(t *testing.T) {
	o := open(t, func(options *Options) { options.BaseURL = "https://desk.example.com" })
	r := o.call("", "POST", "/api/auth/sign-up/email", `{"name":"A","email":"a@example.com","password":"`+password+`"}`).want(200)
	for n, name := range []string{cookieName, deviceCookie} {
		// ASVS 3.3.1, 3.3.3
		if cookie := r.cookies()[n]; !strings.HasPrefix(cookie, "__Secure-"+name+"=") || !strings.Contains(cookie, "; Secure") {
			t.Errorf("the cookie is %s", cookie)
		}
	}
	line, _, _ := strings.Cut(r.cookies()[0], ";")
	o.call("", "GET", "/api/auth/get-session", "", "Cookie", line).want(200, `"email":"a@example.com"`)
	o.call("", "GET", "/api/auth/get-session", "", "Cookie", strings.TrimPrefix(line, "__Secure-")).want(200, "null")
	if identity.SessionCookie != cookieName {
		t.Errorf("services look for the cookie %s", identity.SessionCookie)
	}
}
