package suite

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"baari.dev/tools/stack"
)

// Each language has a title and a description of every setting of the schema, and of nothing else.
func TestTheSettingsAreDescribedInSixLanguages(t *testing.T) {
	root, err := stack.FindRoot()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, officeSchema))
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := decodeOrdered(json.NewDecoder(strings.NewReader(string(text))))
	if err != nil {
		t.Fatal(err)
	}
	schema, _ := decoded.(object)
	var want []string
	for _, one := range describedSettings(schema) {
		want = append(want, one.pointer)
	}
	slices.Sort(want)
	for _, language := range []string{"en", "hi", "kn", "ta", "te", "mr"} {
		var texts struct {
			Setting map[string]struct{ Title, Description string }
		}
		text, err := os.ReadFile(filepath.Join(root, "web", "src", "locales", language, "settings.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &texts); err != nil {
			t.Fatal(err)
		}
		if got := slices.Sorted(maps.Keys(texts.Setting)); !slices.Equal(got, want) {
			t.Errorf("%s describes %v, want %v", language, got, want)
		}
		for pointer, one := range texts.Setting {
			if one.Title == "" || one.Description == "" {
				t.Errorf("%s: %s has no title or no description", language, pointer)
			}
		}
	}
}

func TestAnAPIDocumentWithoutTheSectionIsAnError(t *testing.T) {
	if _, err := fillOfficeAPI(object{}, []byte("paths: {}\n")); err == nil {
		t.Error("no error")
	}
}
