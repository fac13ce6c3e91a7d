package identity

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

const signed = "evbEZpT1RnH8MhmHjgMNC8UyIsT2uIAE.ab+cd/ef==" // a token and its signature in the form that auth produces

func bearing(header string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header["Authorization"] = []string{header}
	return r
}

func TestTheBearerToken(t *testing.T) {
	for header, want := range map[string]string{
		"":                                   "",
		"Bearer":                             "",
		"Bearer ":                            "",
		"Basic abc":                          "",
		"Bearer abc":                         "abc",
		"bEARER abc":                         "abc",
		"Bearer   abc ":                      "abc",
		"Bearer " + signed:                   signed,
		"Bearer " + url.QueryEscape(signed):  signed,
		"Bearer a+b%3D":                      "a+b=", // a plus stays a plus, also beside escapes
		"Bearer a%":                          "",
		"Bearer a b":                         "",
		"Bearer a%20b":                       "",
		"Bearer a%00":                        "",
		"Bearer \xff":                        "",
		"Bearer %ff":                         "",
		"Bearer " + strings.Repeat("a", 256): strings.Repeat("a", 256),
		"Bearer " + strings.Repeat("a", 257): "",
	} {
		if got := Bearer(bearing(header)); got != want {
			t.Errorf("%q gave %q, want %q", header, got, want)
		}
	}
}

func TestTheSessionCookie(t *testing.T) {
	for header, want := range map[string]string{
		"":                           "",
		SessionCookie + "=" + signed: signed,
		SessionCookie + "=" + url.QueryEscape(signed):                   signed,
		"__Secure-" + SessionCookie + "=a.b; " + SessionCookie + "=c.d": "a.b",
		"__Secure-" + SessionCookie + "=; " + SessionCookie + "=c.d":    "c.d",
		SessionCookie + "=unsigned":                                     "",
		SessionCookie + "=a.%ff":                                        "",
		"other=a.b":                                                     "",
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Cookie", header)
		if got := Cookie(r); got != want {
			t.Errorf("%q gave %q, want %q", header, got, want)
		}
	}
}

// T5: for any header the result is "" or a short visible text that can be sent to auth.
func FuzzToken(f *testing.F) {
	f.Fuzz(func(t *testing.T, header string) {
		r := bearing(header)
		r.Header["Cookie"] = []string{header}
		for _, token := range []string{Bearer(r), Cookie(r)} {
			if len(token) > longestToken {
				t.Errorf("%d bytes", len(token))
			}
			if strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }) {
				t.Errorf("%q is not visible ASCII", token)
			}
		}
	})
}

func TestTheCallerOfAContext(t *testing.T) {
	if _, ok := From(context.Background()); ok {
		t.Error("a context without a caller has one")
	}
	if caller, ok := From(With(context.Background(), Caller{ID: "1"})); !ok || caller.ID != "1" {
		t.Errorf("found %+v, %v", caller, ok)
	}
}
