package mailing

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	offices "baari.dev/services/office"
)

var (
	placeholder = regexp.MustCompile(`\{\w+\}`)
	latinWord   = regexp.MustCompile(`[A-Za-z]+`)
)

// Each language has every text, with the placeholders of English and no English word.
func TestMailsAreTranslatedWhole(t *testing.T) {
	got, want := slices.Sorted(maps.Keys(catalogue)), slices.Sorted(slices.Values(offices.Languages))
	if !slices.Equal(got, want) {
		t.Fatalf("the catalogues are %v", got)
	}
	english := reflect.ValueOf(catalogue["en"])
	for language, texts := range catalogue {
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
