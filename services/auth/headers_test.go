package auth

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func replaceAll(text string, pairs ...string) string {
	return strings.NewReplacer(pairs...).Replace(text)
}

// T29: every response of every route, including errors, forbids caching and content sniffing, and every cookie is
// HttpOnly and SameSite.
func TestT29HeadersAndCookieFlagsOnEveryRoute(t *testing.T) {
	for _, address := range []string{site, "https://desk.example.com"} {
		t.Run(address, func(t *testing.T) {
			o := open(t, func(options *Options) { options.BaseURL = address })
			asha := o.join("asha")
			cookie := o.Service.cookies.name(cookieName) + "=" + url.QueryEscape(o.Service.cookies.signer.sign(asha.Token))
			good := `{"name":"A","email":"new@example.com","password":"` + password + `","rememberMe":false}`
			cookies := 0
			for _, route := range o.table.Routes() {
				target := replaceAll(route.Pattern, "{id}", asha.ID, "{token}", "x")
				for _, r := range []reply{
					o.raw(route.Method, target, ""),
					o.raw(route.Method, target, `{`, "Content-Type", "application/json"),
					o.raw(route.Method, target, good, "Content-Type", "application/json", "Cookie", cookie, "Origin", address),
					o.raw(route.Method, target, good, "Content-Type", "text/plain"),
					o.raw(route.Method, target, strings.Repeat(" ", 64<<10)+"{}", "Content-Type", "application/json"),
					o.raw("BREW", target, ""),
					o.raw(route.Method, target+"/nothing", ""),
				} {
					// ASVS 3.2.1, 3.3.1, 3.3.2, 3.3.4, 3.4.4, 14.3.2
					r.wantSafe(route.Method+" "+target, strings.HasPrefix(address, "https:"))
					cookies += len(r.cookies())
				}
			}
			if cookies == 0 {
				t.Error("no route has set a cookie")
			}
		})
	}
}

// wantSafe fails the test unless the response has the required headers and attributes of cookies.
func (r reply) wantSafe(call string, secure bool) {
	r.t.Helper()
	if h := r.header; h.Get("Cache-Control") != "no-store" || h.Get("X-Content-Type-Options") != "nosniff" ||
		h.Get("X-Request-Id") == "" {
		r.t.Errorf("%s answers %d with %v", call, r.status, r.header)
	}
	for _, line := range r.cookies() {
		set, err := http.ParseSetCookie(line)
		if err != nil || !set.HttpOnly || set.SameSite != http.SameSiteLaxMode || set.Path != "/" || set.Domain != "" ||
			set.Secure != secure || strings.HasPrefix(set.Name, "__Secure-") != secure {
			r.t.Errorf("%s sets %s", call, line)
		}
	}
}
