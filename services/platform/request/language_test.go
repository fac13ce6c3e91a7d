package request

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestTheReadersLanguageIsTheChosenOneThenTheBrowsersThenTheFirst(t *testing.T) {
	offered := []string{"kn", "en", "hi"}
	for _, c := range []struct{ cookie, header, want string }{
		{"", "", "kn"},
		{"", "fr, de", "kn"},
		{"", "en;q=0.5, hi-IN;q=0.9", "hi"},
		{"hi", "en", "hi"},
		{"hi", "", "hi"},
		{"fr", "en", "en"},
		{"h!", "en", "en"},
		{"", "en;q=x", "kn"},
		{"", strings.Repeat("x", 600) + ", en", "kn"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Language", c.header)
		if c.cookie != "" {
			r.Header.Set("Cookie", LanguageCookie+"="+c.cookie)
		}
		if got := Read(r, 0).Language(offered); got != c.want {
			t.Errorf("cookie %q, header %q: %s, want %s", c.cookie, c.header, got, c.want)
		}
	}
}
