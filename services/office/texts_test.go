package office_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"baari.dev/services/office"
)

// edited puts the default document's section with its first occurrence of a JSON text replaced.
func edited(t *testing.T, d office.Document, key, from, to string) (office.Document, error) {
	t.Helper()
	was := valueOf(t, key, d)
	is := strings.Replace(was, from, to, 1)
	if is == was {
		t.Fatalf("%s is not in %s", from, was)
	}
	return put(d, key, is)
}

// The texts of a section are cleaned as those of other forms: bidi and control characters are named by their key, and
// a text that is invisible is missing.
func TestTheTextsOfASectionAreCleaned(t *testing.T) {
	d := read(t)
	brand := `"brand":"` + d.Brand + `"`
	for _, c := range []struct {
		section, from, to, key string
		code                   office.Code
	}{
		{"contact", brand, `"brand":"Lekha \u202exaT"`, "/brand", office.IllegalText},
		{"contact", brand, `"brand":"Lekha\u0007"`, "/brand", office.IllegalText},
		{"contact", brand, `"brand":"Lekha\nTax"`, "/brand", office.IllegalText},
		{"contact", brand, `"brand":"\u200b\u2060"`, "/brand", office.Required},
		{"contact", `"address":["`, `"address":["\u2066`, "/address/0", office.IllegalText},
		{"page", `"certificationTexts":{"hi":{"`, `"certificationTexts":{"hi":{"\u202eA":"B","`,
			"/certificationTexts/hi/\u202eA", office.IllegalText},
		{"notice", `"title":"`, `"title":"\u2069`, "/notice/purposes/0/title", office.IllegalText},
		{"board", `"notice":""`, `"notice":"Tea\u2028"`, "/board/notice", office.IllegalText},
	} {
		_, err := edited(t, d, c.section, c.from, c.to)
		var problems office.Problems
		errors.As(err, &problems)
		if !slices.ContainsFunc(problems, func(p office.Problem) bool { return p.Key == c.key && p.Code == c.code }) {
			t.Errorf("%s with %s: %v, want %s of %s", c.section, c.to, err, c.code, c.key)
		}
	}
	after, err := edited(t, d, "contact", brand, `"brand":"  Lekhā Tax\u200d "`)
	if err != nil || after.Brand != "Lekhā Tax\u200d" {
		t.Errorf("the brand is %q, %v", after.Brand, err)
	}
	after, err = edited(t, d, "page", `"text":"`, `"text":"One line.\nAnother. `)
	if err != nil || !strings.HasPrefix(after.WhyUs[0].Text, "One line.\nAnother. ") {
		t.Errorf("a text of two lines: %+v, %v", after.WhyUs, err)
	}
}

// A notice stays letter by letter. Texts that a file has, and that do not change, are not judged.
func TestWhatIsNotTypedIsNotCleaned(t *testing.T) {
	d := read(t)
	d.Brand = "Lekha\u202e"
	d.Notice.Version, d.Notice.Text = "next", "\u0958 is not composed.\n"
	after, err := edited(t, d, "contact", `"phone":"`, `"phone":"1`)
	if err != nil || after.Brand != d.Brand {
		t.Errorf("the brand of a file: %q, %v", after.Brand, err)
	}
	notice, err := json.Marshal(map[string]any{"notice": d.Notice})
	if err != nil {
		t.Fatal(err)
	}
	after, err = office.Put(read(t), map[string]jsontext.Value{"notice": notice})
	if err != nil || after.Notice.Text != d.Notice.Text {
		t.Errorf("the notice is %q, %v", after.Notice.Text, err)
	}
}
