package auth

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"baari.dev/services/platform/fault"
)

// The faults of requests that another site may have caused.
var (
	errInvalidOrigin  = fault.New(fault.Forbidden, "INVALID_ORIGIN", "Invalid origin")
	errMissingOrigin  = fault.New(fault.Forbidden, "MISSING_OR_NULL_ORIGIN", "Missing or null Origin")
	errCrossSiteLogin = fault.New(fault.Forbidden, "CROSS_SITE_NAVIGATION_LOGIN_BLOCKED",
		"Cross-site navigation login blocked. This request appears to be a CSRF attack.")
	errInvalidCallback = fault.New(fault.Forbidden, "INVALID_CALLBACK_URL", "Invalid callbackURL")
	errInvalidRedirect = fault.New(fault.Forbidden, "INVALID_REDIRECT_URL", "Invalid redirectURL")
	errInvalidErrorURL = fault.New(fault.Forbidden, "INVALID_ERROR_CALLBACK_URL", "Invalid errorCallbackURL")
	errInvalidNewUser  = fault.New(fault.Forbidden, "INVALID_NEW_USER_CALLBACK_URL", "Invalid newUserCallbackURL")
)

// maxRedirect is the length of the longest accepted redirect target, in bytes.
const maxRedirect = 2000

// Parts of a redirect target that browsers can read as another site.
var (
	encodedSlash    = regexp.MustCompile(`(?i)%2f|%5c`)
	emptySegment    = regexp.MustCompile(`(?i)//|/(\.|%2e){1,2}(/|#|$)`) // also dot segments, which browsers remove
	unsafeCharacter = regexp.MustCompile(`[\x00-\x20\x7f-\x{9f}\\]`)     // controls, blanks and backslashes
)

// origins has the origins whose pages are trusted to send requests with cookies and to be redirect targets.
type origins struct{ patterns []*regexp.Regexp }

// newOrigins trusts the origin of the base URL and those in trusted, where * matches any characters except a slash.
func newOrigins(base string, trusted []string) origins {
	var o origins
	for _, origin := range append([]string{originOf(base)}, trusted...) {
		quoted := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSuffix(origin, "/")), `\*`, `[^/]*`)
		if !strings.Contains(origin, "://") {
			quoted = `https?://` + quoted
		}
		o.patterns = append(o.patterns, regexp.MustCompile(`^`+quoted+`$`))
	}
	return o
}

func (o origins) trusts(origin string) bool {
	for _, pattern := range o.patterns {
		if origin != "" && pattern.MatchString(origin) {
			return true
		}
	}
	return false
}

// check returns an error for a request that has a cookie and does not come from a page of a trusted origin.
func (o origins) check(r *http.Request) error {
	if r.Header.Get("Cookie") == "" {
		return nil
	}
	return o.page(r)
}

// checkLogin checks the origin of a sign-in or sign-up. Without a cookie it does so only if a browser sent the request.
func (o origins) checkLogin(r *http.Request) error {
	h := r.Header
	if h.Get("Cookie") == "" && h.Get("Sec-Fetch-Site") == "cross-site" && h.Get("Sec-Fetch-Mode") == "navigate" {
		return errCrossSiteLogin
	}
	for _, name := range browserHeaders {
		if h.Get(name) != "" {
			return o.page(r)
		}
	}
	return nil
}

// browserHeaders are the headers by which a request of a browser is recognised.
var browserHeaders = []string{"Cookie", "Origin", "Referer", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest"}

// page checks the Origin of a request or, without an Origin, its Referer.
func (o origins) page(r *http.Request) error {
	origin := r.Header.Get("Origin")
	if origin == "" {
		origin = originOf(r.Header.Get("Referer"))
	}
	switch {
	case origin == "" || origin == "null":
		return errMissingOrigin
	case !o.trusts(origin):
		return errInvalidOrigin
	}
	return nil
}

// target reports whether address is allowed as a redirect target: a path of this site, or a URL of a trusted origin.
func (o origins) target(address string) bool {
	if len(address) > maxRedirect || unsafeCharacter.MatchString(address) {
		return false
	}
	if strings.HasPrefix(address, "/") {
		path, _, _ := strings.Cut(address, "?")
		return !emptySegment.MatchString(path) && !encodedSlash.MatchString(path)
	}
	return o.trusts(originOf(address))
}

// originOf returns the origin of a URL, "" if it has none.
func originOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" || parsed.User != nil {
		return ""
	}
	return parsed.Scheme + "://" + strings.ToLower(parsed.Host)
}
