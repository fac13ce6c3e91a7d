package webserver

import (
	"net/http"
	"slices"
	"strings"

	"baari.dev/services/office"
	"baari.dev/services/platform/request"
)

// languagesPath is a file of the build: the translation of each language, keyed by language. English has no entry.
const languagesPath = "/languages.json"

// translation has what pages in a language need in addition to what the English pages need.
type translation struct {
	Script     string   `json:"script"`     // sets the texts; runs before the application
	Staff      []string `json:"staff"`      // modules of all pages but the landing page
	Dashboard  []string `json:"dashboard"`  // modules of the dashboards
	StaffLogin string   `json:"staffLogin"` // title of the sign-in page; the office's title follows it
}

// english is the language of the application's own texts, which need no translation. Its language tag is en-IN.
const english = "en"

// cookieSeconds is the lifetime of the cookie with the chosen language, in seconds.
const cookieSeconds = 365 * 24 * 60 * 60

// languageQuery is the parameter of the links that choose a language.
const languageQuery = "lang"

// offered returns the office's languages that the build has, the default first, or English if there are none.
func (b built) offered(document office.Document) []string {
	languages := slices.DeleteFunc(slices.Clone(document.Languages), func(name string) bool {
		_, translated := b.languages[name]
		return name != english && !translated
	})
	if len(languages) == 0 {
		return []string{english}
	}
	return languages
}

// languageTag returns the language tag of a page's content (BCP 47).
func languageTag(name string) string {
	if name == english {
		return "en-IN"
	}
	return name
}

// chosenLanguage returns the first of these languages that the office offers: the query's, the cookie's, and then those
// of Accept-Language by preference. If the office offers none of them, chosenLanguage returns the office's default.
func chosenLanguage(r *http.Request, offered []string) string {
	chosen, accepted := request.Languages(r)
	for _, name := range append([]string{r.URL.Query().Get(languageQuery), chosen}, accepted...) {
		if slices.Contains(offered, name) {
			return name
		}
	}
	return offered[0]
}

// keepLanguage sets the cookie if the query chooses an offered language.
func (s *Server) keepLanguage(w http.ResponseWriter, r *http.Request, offered []string) {
	name := r.URL.Query().Get(languageQuery)
	if !slices.Contains(offered, name) {
		return
	}
	//nolint:gosec // not HttpOnly, because web/src/language.ts reads and sets it; Secure only on an HTTPS site
	http.SetCookie(w, &http.Cookie{
		Name: request.LanguageCookie, Value: name, Path: "/", MaxAge: cookieSeconds, SameSite: http.SameSiteLaxMode,
		Secure: strings.HasPrefix(s.base, "https:"),
	})
}
