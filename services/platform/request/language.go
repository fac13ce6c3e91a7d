package request

import (
	"net/http"
	"regexp"
	"slices"

	"golang.org/x/text/language"
)

// LanguageCookie names the cookie with the language that a reader has chosen. It has no other data about the reader.
const LanguageCookie = "baari_lang"

// mostAccept is the largest length, in bytes, of an Accept-Language header that is read.
const mostAccept = 512

var languageTag = regexp.MustCompile(`^[a-z]{2,3}$`)

// languages has the language of the cookie, "" for none, and the header Accept-Language of a request.
type languages struct{ cookie, accept string }

func readLanguages(r *http.Request) (l languages) {
	if cookie, err := r.Cookie(LanguageCookie); err == nil && languageTag.MatchString(cookie.Value) {
		l.cookie = cookie.Value
	}
	if header := r.Header.Get("Accept-Language"); len(header) <= mostAccept {
		l.accept = header
	}
	return l
}

// accepted returns the languages of Accept-Language without their regions, the preferred one first.
func (l languages) accepted() (all []string) {
	tags, _, _ := language.ParseAcceptLanguage(l.accept) // a malformed header has no preferences
	for _, tag := range tags {
		base, _ := tag.Base()
		all = append(all, base.String())
	}
	return all
}

// Languages returns the language of the cookie, which the reader has chosen, "" for none, and the languages of the
// browser, the preferred one first.
func Languages(r *http.Request) (chosen string, accepted []string) {
	l := readLanguages(r)
	return l.cookie, l.accepted()
}

// Language returns the offered language for the reader: the chosen one if it is offered, else the first of the
// browser's preferred languages that is offered, else offered[0].
func (i Info) Language(offered []string) string {
	for _, name := range append([]string{i.languages.cookie}, i.languages.accepted()...) {
		if slices.Contains(offered, name) {
			return name
		}
	}
	return offered[0]
}
