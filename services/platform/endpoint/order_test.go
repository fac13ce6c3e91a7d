package endpoint

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"baari.dev/services/platform/identity"
)

// Each rejected request with a body also fails every later check, so that its response shows the order: 404/405, 401,
// inactive 403, role 403, 415, 413, 400.
func TestTheOrderOfChecks(t *testing.T) {
	table := shop(t)
	huge := `{"name":` + strings.Repeat(" ", 64<<10) + `}`
	const nonsense = "text/plain"
	cases := []struct{ name, method, path, token, kind, body, want string }{
		{"an unknown path", "POST", "/nothing", "", nonsense, huge, "404 not_found"},
		{"another verb", "PATCH", "/orders", "", nonsense, huge, "405 method_not_allowed"},
		{"no caller", "POST", "/orders", "", nonsense, huge, "401 unauthorized"},
		{"a session that ended", "POST", "/orders", "expired", nonsense, huge, "401 unauthorized"},
		{"auth away", "POST", "/orders", "auth-away", nonsense, huge, "503 unavailable"},
		{"an inactive account of another role", "POST", "/orders", "inactive-guest", nonsense, huge, "403 account_inactive"},
		{"another role", "POST", "/orders", "guest", nonsense, huge, "403 forbidden"},
		{"another media type", "POST", "/orders", "clerk", nonsense, huge, "415 media_type"},
		{"too large", "POST", "/orders", "clerk", "application/json", huge, "413 too_large"},
		{"no JSON", "POST", "/orders", "clerk", "application/json", `{`, "400 bad_body"},
		{"a field", "POST", "/orders", "clerk", "application/json", `{}`, "400 validation"},
		{"all is well", "POST", "/orders", "clerk", "application/json", `{"name":"a"}`, "201 "},
		{"an inactive account where it may", "GET", "/me", "inactive-clerk", "", "", "200 "},
		{"an inactive account of no role there", "GET", "/me", "inactive-guest", "", "", "403 forbidden"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := call(table, c.method, c.path, c.body, "Authorization", "Bearer "+c.token, "Content-Type", c.kind)
			if got := short(w); got != c.want {
				t.Errorf("answered %s, want %s", got, c.want)
			}
		})
	}
}

func short(w *httptest.ResponseRecorder) string {
	_, rest, _ := strings.Cut(w.Body.String(), `"code":"`)
	code, _, _ := strings.Cut(rest, `"`)
	return strings.TrimSuffix(w.Result().Status, http.StatusText(w.Code)) + code
}

func TestAnUncleanPathIsNotFound(t *testing.T) {
	table := shop(t)
	for path, want := range map[string]int{
		"/open": 200, "/%6fpen": 200, "/open/": 404, "//open": 404, "/./open": 404, "/open/.": 404, "/open/..": 404,
		"/x/../open": 404, "/OPEN": 404, "/open;x": 404, "/open%2F": 404, "/open%00": 404,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		var err error
		if r.URL, err = url.Parse("http://office" + path); err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		table.ServeHTTP(w, r)
		// ASVS 1.1.1
		if w.Code != want {
			t.Errorf("%s answered %d %s, want %d", path, w.Code, w.Header().Get("Location"), want)
		}
	}
}

func TestAnotherMethodIsAnsweredWithAllow(t *testing.T) {
	w := call(shop(t), "PUT", "/orders/7", "")
	if allow := w.Header().Get("Allow"); w.Code != 405 || allow != "DELETE, GET, HEAD" {
		t.Errorf("answered %d, Allow %q", w.Code, allow)
	}
	if w := call(shop(t), "HEAD", "/orders/7", ""); w.Code != http.StatusUnauthorized {
		t.Errorf("HEAD without a session answered %d", w.Code)
	}
}

// A cookie is accepted only on routes that allow it, and not for a change that a page of another origin requests.
func TestTheCookie(t *testing.T) {
	table := shop(t)
	const cookie = identity.SessionCookie + "=clerk.signature"
	cases := []struct {
		name, method, path string
		headers            []string
		want               string
	}{
		{"a row without cookie", "GET", "/orders/7", []string{"Cookie", cookie}, "401 unauthorized"},
		{"a trusted origin", "POST", "/me", []string{"Cookie", cookie, "Origin", "https://office.example"}, "200 "},
		{"another origin", "POST", "/me", []string{"Cookie", cookie, "Origin", "https://evil.example"}, "403 forbidden"},
		{"a bearer needs no origin", "POST", "/me", []string{"Cookie", cookie, "Authorization", "Bearer clerk"}, "200 "},
		{"nothing", "POST", "/me", nil, "401 unauthorized"},
	}
	for _, c := range cases {
		if got := short(call(table, c.method, c.path, "", c.headers...)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
