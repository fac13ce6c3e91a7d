package request

import (
	"net/http"
	"regexp"
	"slices"

	"golang.org/x/text/language"
)

// LanguageCookie keeps the language that a reader has chosen on a page. It has no data about the reader.
const LanguageCookie = "baari_lang"

// mostAccept is the longest Accept-Language that is read, in bytes.
const mostAccept = 512

var languageTag = regexp.MustCompile(`^[a-z]{2,3}$`)

// accept returns Accept-Language, after the language of the cookie if there is one.
func accept(r *http.Request) string {
	header := r.Header.Get("Accept-Language")
	if len(header) > mostAccept {
		header = ""
	}
	cookie, err := r.Cookie(LanguageCookie)
	if err != nil || !languageTag.MatchString(cookie.Value) {
		return header
	}
	return cookie.Value + "," + header
}

// Language returns the language of the reader among those that are offered: the chosen one, else the first of the
// browser's by preference, else the first that is offered.
func (i Info) Language(offered []string) string {
	// A malformed header has no preferences.
	tags, _, _ := language.ParseAcceptLanguage(i.Accept)
	for _, tag := range tags {
		if base, _ := tag.Base(); slices.Contains(offered, base.String()) {
			return base.String()
		}
	}
	return offered[0]
}
