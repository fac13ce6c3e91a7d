package auth

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	offices "baari.dev/services/platform/office"
)

var (
	placeholder = regexp.MustCompile(`\{\w+\}`)
	latinWord   = regexp.MustCompile(`[A-Za-z]+`)
)

// Each language has every text, with the placeholders of English and no English word.
func TestMailsAreTranslatedWhole(t *testing.T) {
	got, want := slices.Sorted(maps.Keys(mailCatalogue)), slices.Sorted(slices.Values(offices.Languages))
	if !slices.Equal(got, want) {
		t.Fatalf("the catalogues are %v", got)
	}
	english := reflect.ValueOf(mailCatalogue["en"])
	for language, texts := range mailCatalogue {
		for field, value := range reflect.ValueOf(texts).Fields() {
			text, original := value.String(), english.FieldByIndex(field.Index).String()
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s has no %s", language, field.Name)
			}
			want, got := placeholder.FindAllString(original, -1), placeholder.FindAllString(text, -1)
			if !slices.Equal(want, got) {
				t.Errorf("%s, %s: placeholders %v, want %v", language, field.Name, got, want)
			}
			if words := latinWord.FindAllString(placeholder.ReplaceAllString(text, ""), -1); language != "en" && words != nil {
				t.Errorf("%s, %s: untranslated words %v", language, field.Name, words)
			}
		}
	}
}

func TestAMailIsInTheLanguageOfItsReader(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.post(asha.Token, "/update-user", `{"language":"hi"}`).want(200)
	o.post(asha.Token, "/change-email", `{"newEmail":"new@example.com"}`).want(200)
	o.settle()
	hindi := mailCatalogue["hi"]
	for address, want := range map[string]string{
		asha.Email: hindi.StopSubject, "new@example.com": hindi.NewEmailSubject,
	} {
		mail := o.nthMail(address, 1)
		if mail.Subject != want || !strings.Contains(mail.HTML, `<html lang="hi">`) ||
			!strings.Contains(mail.Text, "नमस्ते") {
			t.Errorf("to %s: %s\n%s", address, mail.Subject, mail.Text)
		}
	}
}
