package visits_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// inLanguage registers a visitor with a language; "" omits it.
func (d *desk) inLanguage(language string) answer {
	d.t.Helper()
	body := fmt.Sprintf(`{"name":"Asha","phone":"9876543210","service_id":%q`, d.offered)
	if language != "" {
		body += fmt.Sprintf(`,"language":%q`, language)
	}
	return d.as("reception", http.MethodPost, "/api/visits", body+"}")
}

// A visit has the language of the registration, otherwise the office's default language. A lookup of the phone number
// returns the language of the last visit.
func TestAVisitHasTheLanguageOfItsVisitor(t *testing.T) {
	d := newDesk(t)
	exec(t, d.owner, `INSERT INTO office (notice_version, language) VALUES ('', 'mr')
		ON CONFLICT (only_row) DO UPDATE SET language = 'mr'`)
	for given, want := range map[string]string{"": "mr", "kn": "kn", "en": "en"} {
		a := d.inLanguage(given)
		if a.status != http.StatusCreated || a.Visit.Language != want {
			t.Errorf("the language %q answered %d %s, want %q", given, a.status, a.text, want)
			continue
		}
		if n := count(t, d, `SELECT count(*) FROM outbox WHERE entity_id = $1 AND after->>'language' = $2`,
			a.Visit.ID, want); n != 1 {
			t.Errorf("the event of %q does not have the language %q", given, want)
		}
		known := d.as("reception", http.MethodPost, "/api/visits/lookup", `{"phone":"9876543210"}`)
		if !strings.Contains(known.text, fmt.Sprintf(`"language":%q`, want)) {
			t.Errorf("after %q the visitor is %s", given, known.text)
		}
	}
}

func TestAnUnknownLanguageIsRejected(t *testing.T) {
	d := newDesk(t)
	for _, language := range []string{`"xx"`, `"EN"`, `""`, `5`} {
		body := d.createBody(`"name":"Asha","phone":"9876543210","language":` + language)
		a := d.as("reception", http.MethodPost, "/api/visits", body)
		if a.status != http.StatusBadRequest || a.Error != "Please choose a language from the list" {
			t.Errorf("the language %s answered %d %s", language, a.status, a.text)
		}
	}
	if n := count(t, d, `SELECT count(*) FROM visits`); n != 0 {
		t.Errorf("%d visits are stored", n)
	}
}

// Before the service knows the office's languages, a visit has no language.
func TestAVisitWithoutALanguageIsShown(t *testing.T) {
	d := newDesk(t)
	v := d.arrive("Asha")
	if v.Language != "" {
		t.Errorf("without an office the language is %q", v.Language)
	}
}
