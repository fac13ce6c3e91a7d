package auth

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// A request with a cookie must come from a trusted origin. A request with only a bearer token needs no origin.
func TestRequestsWithACookieNeedATrustedOrigin(t *testing.T) {
	o := open(t, func(options *Options) {
		options.TrustedOrigins = []string{"http://127.0.0.1:8080", "https://*.example.com"}
	})
	asha := o.join("asha")
	cookie := o.sessionCookie(asha.Token)
	cases := []struct {
		name    string
		headers []string
		code    string
	}{
		{"the site's own", []string{"Origin", site}, ""},
		{"a configured one", []string{"Origin", "http://127.0.0.1:8080"}, ""},
		{"one of a wildcard", []string{"Origin", "https://desk.example.com"}, ""},
		{"a referer of the site", []string{"Referer", site + "/dashboard?x=1"}, ""},
		{"the wildcard's name before another", []string{"Origin", "https://desk.example.com.evil.example"},
			"INVALID_ORIGIN"},
		{"the site's name before another", []string{"Origin", site + ".evil.example"}, "INVALID_ORIGIN"},
		{"another scheme", []string{"Origin", strings.Replace(site, "http", "https", 1)}, "INVALID_ORIGIN"},
		{"a referer elsewhere", []string{"Referer", "https://evil.example/" + site}, "INVALID_ORIGIN"},
		{"null", []string{"Origin", "null"}, "MISSING_OR_NULL_ORIGIN"},
		{"none", nil, "MISSING_OR_NULL_ORIGIN"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := o.post("", "/update-user", `{"name":"Asha"}`, append(c.headers, "Cookie", cookie)...)
			if c.code == "" {
				r.want(200)
			} else if r.want(403); r.code() != c.code {
				// ASVS 3.5.1
				t.Error(r.body)
			}
		})
	}
	o.post(asha.Token, "/update-user", `{"name":"Asha"}`, "Origin", "https://evil.example").want(200)
	o.call("", "GET", "/api/auth/get-session", "", "Cookie", cookie, "Origin", "https://evil.example").want(200, asha.ID)
}

// Sign-in and sign-up check the origin of browsers even without a cookie. Requests without a browser's headers are
// accepted.
func TestSignInChecksTheOriginOfBrowsers(t *testing.T) {
	o := open(t)
	o.join("asha")
	cases := []struct {
		name    string
		headers []string
		code    string
	}{
		{"a program", nil, ""},
		{"our page", []string{"Origin", site, "Sec-Fetch-Site", "same-origin"}, ""},
		{"another page", []string{"Origin", "https://evil.example"}, "INVALID_ORIGIN"},
		{"a browser without an origin", []string{"Sec-Fetch-Mode", "cors"}, "MISSING_OR_NULL_ORIGIN"},
		{"a form of another site", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Origin", site},
			"CROSS_SITE_NAVIGATION_LOGIN_BLOCKED"},
		{"any cookie at all", []string{"Cookie", "theme=dark"}, "MISSING_OR_NULL_ORIGIN"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := o.post("", "/sign-in/email", credentials("asha@example.com", password), c.headers...)
			if c.code == "" {
				r.want(200)
			} else if r.want(403); r.code() != c.code {
				// ASVS 7.6.2
				t.Error(r.body)
			}
		})
	}
}

func TestRedirectTargetsStayOnTrustedOrigins(t *testing.T) {
	o := newOrigins(site, []string{"https://desk.example.com"})
	good := []string{
		"/", "/dashboard", "/reset-password?token=a%2Fb", "/a/b#c", "/a.b/.c", "/a?next=//b", site + "/dashboard",
		"https://desk.example.com/x",
	}
	bad := []string{
		"//evil", `/\evil`, `\\evil`, "https:evil", "/%2f%2fevil", "%2f%2fevil", "/%5cevil", "/%5Cevil",
		"javascript:alert(1)", "/a\r\nSet-Cookie: x=1", "/a\nb", "/a\tb",
		"https://evil.example", "http://localhost:8080@evil.example", "http://localhost:8080.evil.example",
		"data:text/html,x", "dashboard", "/ a", "/\x00", "/" + strings.Repeat("a", 2048),
		"https://u@desk.example.com/",
		"/.//evil.example", "/..//evil.example", "/a//evil.example", "/./", "/a/..", "/%2e//evil.example", "/%2E%2e/a",
	}
	for _, target := range good {
		if !o.target(target) {
			t.Errorf("%q is rejected", target)
		}
	}
	for _, target := range bad {
		// ASVS 1.2.2, 3.7.2
		if o.target(target) {
			t.Errorf("%q is accepted", target)
		}
	}
}

func TestEveryRedirectTargetIsChecked(t *testing.T) {
	o := open(t)
	for member, code := range map[string]string{
		"callbackURL":        "INVALID_CALLBACK_URL",
		"redirectTo":         "INVALID_REDIRECT_URL",
		"errorCallbackURL":   "INVALID_ERROR_CALLBACK_URL",
		"newUserCallbackURL": "INVALID_NEW_USER_CALLBACK_URL",
	} {
		// ASVS 1.2.2
		o.post("", "/sign-in/social", `{"provider":"google","`+member+`":"//evil"}`).wantCode(403, code)
	}
	o.post("", "/sign-out?callbackURL=//evil", `{}`).want(403, "INVALID_CALLBACK_URL")
	o.get("/api/auth/verify-email?token=x&callbackURL=//evil").want(403, "INVALID_CALLBACK_URL")
	o.get("/api/auth/reset-password/x?callbackURL=//evil").want(403, "INVALID_CALLBACK_URL")
}

// The call of /api/users that accepts a cookie checks the origin like the calls of /api/auth.
func TestProductCookieCallUsesTheSameCheck(t *testing.T) {
	o := open(t)
	r := httptest.NewRequest("POST", "/api/users", nil)
	r.Header.Set("Cookie", "a=b")
	if err := o.origins.check(r); err == nil {
		t.Error("a cookie without an origin is accepted")
	}
}
