package office_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"baari.dev/services/office"
)

type schema struct {
	Type        any               `json:"type"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Section     string            `json:"x-section"`
	Shown       []string          `json:"x-shown"`
	Ref         string            `json:"$ref"`
	Enum        []string          `json:"enum"`
	Items       *schema           `json:"items"`
	Properties  map[string]schema `json:"properties"`
	Patterns    map[string]schema `json:"patternProperties"`
	Definitions map[string]schema `json:"definitions"`
}

func readSchema(t *testing.T) schema {
	t.Helper()
	var whole schema
	if err := json.Unmarshal(office.Schema, &whole); err != nil {
		t.Fatal(err)
	}
	return whole
}

func (s schema) of(node schema) schema {
	if name, referred := strings.CutPrefix(node.Ref, "#/definitions/"); referred {
		return s.Definitions[name]
	}
	return node
}

// The schema names the section of each key, as the table of sections does.
func TestTheSchemaNamesTheSectionsOfKeys(t *testing.T) {
	whole := readSchema(t)
	for _, section := range office.Sections {
		for _, key := range section.Keys {
			node := whole
			for name := range strings.SplitSeq(key[1:], "/") {
				node = whole.of(node).Properties[name]
			}
			if node.Section != section.Key {
				t.Errorf("%s is in the section %q of the schema, want %s", key, node.Section, section.Key)
			}
		}
	}
}

// Every setting says what it does in one sentence, and where it is shown.
func TestEverySettingIsDescribed(t *testing.T) {
	whole := readSchema(t)
	settings := 0
	var walk func(node schema, key string)
	walk = func(node schema, key string) {
		if node.Title != "" && key != "" {
			settings++
			if !strings.HasSuffix(node.Description, ".") || strings.Contains(node.Description, ". ") || len(node.Shown) == 0 {
				t.Errorf("%s: %q, shown on %v", key, node.Description, node.Shown)
			}
			return
		}
		inner := whole.of(node).Properties
		if len(inner) == 0 && key != "/timeZone" && key != "/services" {
			t.Errorf("%s has no title", key)
		}
		for name, one := range inner {
			walk(one, key+"/"+name)
		}
	}
	walk(whole, "")
	if settings != 64 {
		t.Errorf("%d settings", settings)
	}
}

func TestTheSchemaHasTheLanguages(t *testing.T) {
	whole := readSchema(t)
	if got := whole.Properties["languages"].Items.Enum; !slices.Equal(got, office.Languages) {
		t.Errorf("the languages are %v", got)
	}
	pattern := func(languages []string) string { return "^(" + strings.Join(languages, "|") + ")$" }
	if _, has := whole.Properties["certificationTexts"].Patterns[pattern(office.Languages)]; !has {
		t.Error("texts have other languages")
	}
	if _, has := whole.Definitions["Notice"].Properties["translations"].Patterns[pattern(office.NoticeLanguages)]; !has {
		t.Error("the notice has other languages")
	}
}
