package embedded

import (
	"net/url"
	"path"
	"strings"
	"testing"

	"baari.dev/gateway"
)

// A forwarded path is absolute, has no empty and no dot segments, and does not match UncleanPath.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{
		"/", "//api/./visits", "/api/api/x", "/api%2fx", "/%61pi/../internal", "/api/visits/", `/a\b`, "/a%00",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, asked string) {
		u, err := url.ParseRequestURI(asked)
		if err != nil || u.Path == "" {
			return
		}
		got, clean := canonical(u)
		if !clean {
			return
		}
		if !strings.HasPrefix(got, "/") || strings.TrimSuffix(path.Clean(got), "/") != strings.TrimSuffix(got, "/") {
			t.Errorf("%q became %q, which is not clean", asked, got)
		}
		if strings.ContainsAny(got, "\\\x00\r\n;?#%") &&
			gateway.UncleanPath.MatchString((&url.URL{Path: got}).EscapedPath()) {
			t.Errorf("%q became %q, which is unclean", asked, got)
		}
	})
}
