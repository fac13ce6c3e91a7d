package visits_test

import (
	"fmt"
	"net/http"
	"testing"
)

// The language of a consent record must be one in which the office has its notice: English, or one of the translations.
func TestAConsentIsForANoticeThatExists(t *testing.T) {
	d := newDesk(t)
	exec(t, d.owner, `INSERT INTO office (notice_version, notice_languages) VALUES ('2026-11', '{en,hi,kn}')`)
	for language, status := range map[string]int{
		"en": http.StatusOK, "hi": http.StatusOK, "kn": http.StatusOK,
		"ur": http.StatusBadRequest, "ta": http.StatusBadRequest, "fr": http.StatusBadRequest, "": http.StatusBadRequest,
	} {
		id := d.registered("")
		body := fmt.Sprintf(`{"purpose":"later","means":"read","given":true,"language":%q}`, language)
		got, a := d.consents("reception", id, body)
		if a.status != status || status == http.StatusOK && (len(got) != 1 || got[0].Language != language) ||
			status == http.StatusBadRequest && a.Fields["language"] == "" {
			t.Errorf("%q answered %d %s", language, a.status, a.text)
		}
	}
}

func TestAReceiptOfAVisitorWhoseLanguageTheNoticeLacksIsEnglish(t *testing.T) {
	d := newDesk(t)
	exec(t, d.owner, `INSERT INTO office (notice_version, notice_languages) VALUES ('2026-11', '{en,hi}')`)
	id := d.registered(`,"language":"ta","told_by":"aloud"`)
	got, a := d.consents("reception", id, agrees)
	if a.status != http.StatusOK || len(got) != 2 || got[0].Language != "en" || got[1].Language != "en" {
		t.Errorf("answered %d %s", a.status, a.text)
	}
	hindi := d.registered(`,"language":"hi","told_by":"aloud"`)
	if got, _ := d.consents("reception", hindi); len(got) != 1 || got[0].Language != "hi" {
		t.Errorf("in Hindi: %+v", got)
	}
}
