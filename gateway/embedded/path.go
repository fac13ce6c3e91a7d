package embedded

import (
	"net/url"
	"path"
	"strings"

	"baari.dev/gateway"
)

// canonical returns the form of a path that is routed and sent upstream: unescaped, without empty or dot segments, and
// with one /api of a doubled /api/api removed. It returns false for a path that parsers could read in two ways, such as
// one with an escaped slash.
func canonical(u *url.URL) (string, bool) {
	if !strings.HasPrefix(u.Path, "/") || gateway.UncleanPath.MatchString(u.EscapedPath()) {
		return "/", false
	}
	clean := path.Clean(u.Path)
	if strings.HasSuffix(u.Path, "/") && clean != "/" {
		clean += "/"
	}
	if clean == "/api/api" || strings.HasPrefix(clean, "/api/api/") {
		clean = strings.TrimPrefix(clean, "/api")
	}
	return clean, true
}
