package office

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Section is a part of the document that is edited, versioned and undone by itself. Keys are JSON pointers of the
// document. Every key belongs to one section, except services, which are records, and timeZone, which is fixed.
type Section struct {
	Key  string
	Keys []string
}

// Sections are all sections, in the order of the settings.
var Sections = []Section{
	{"hours", []string{"/hours", "/yearly", "/specialDays"}},
	{"contact", []string{
		"/brand", "/area", "/city", "/phone", "/email", "/address", "/landmarks", "/mapsQuery",
	}},
	{"page", []string{
		"/claims", "/certifications", "/certificationTexts", "/whyUs", "/publishedWait", "/publishedPeak", "/theme",
	}},
	{"languages", []string{"/languages"}},
	{"checkIn", []string{"/checkIn", "/back", "/arrivalsKept"}},
	{"messages", []string{"/messages", "/messageHours"}},
	{"voice", []string{"/voice"}},
	{"board", []string{"/board"}},
	{"line", []string{"/queue"}},
	{"desks", []string{"/offline"}},
	{"appointments", []string{"/appointmentSlots", "/features/appointments", "/appointments"}},
	{"access", []string{"/features/registration", "/features/debug"}},
	{"notice", []string{"/notice"}},
}

// SectionOf returns the section with a key.
func SectionOf(key string) (section Section, known bool) {
	i := slices.IndexFunc(Sections, func(one Section) bool { return one.Key == key })
	if i < 0 {
		return Section{}, false
	}
	return Sections[i], true
}

// Of returns the section's value in a document: an object with exactly the keys of the section, such as
// {"features":{"debug":false,"registration":"open"}}. Optional keys that the document lacks have their defaults. Equal
// values are equal bytes.
func (s Section) Of(d Document) (jsontext.Value, error) {
	document, err := treeOf(d)
	if err != nil {
		return nil, err
	}
	absent, err := defaultsOf(d)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(absent, func(name string, _ any) bool { _, there := document[name]; return there })
	maps.Copy(document, absent)
	value := map[string]any{}
	for _, key := range s.Keys {
		from, name := at(document, key)
		to, _ := at(value, key)
		to[name] = from[name]
	}
	return json.Marshal(value, json.Deterministic(true))
}

// Put returns the document with other values of some sections, keyed by section. Each must be whole. It returns
// Problems for a value that lacks a key or has another one, for a text with forbidden characters, and for a document
// that is invalid with the values. The texts of keys that differ are cleaned; a document from a file is not judged.
func Put(d Document, values map[string]jsontext.Value) (Document, error) {
	document, err := treeOf(d)
	if err != nil {
		return Document{}, err
	}
	var problems Problems
	for _, section := range Sections {
		if value, changed := values[section.Key]; changed {
			problems = append(problems, section.putInto(document, value)...)
		}
	}
	if problems != nil {
		return Document{}, problems
	}
	data, err := json.Marshal(document)
	if err != nil {
		return Document{}, err
	}
	after, err := decode(data)
	if err != nil {
		return Document{}, err
	}
	return after, after.check()
}

// putInto moves the members of a value to a decoded document.
func (s Section) putInto(document map[string]any, value jsontext.Value) (problems Problems) {
	var given map[string]any
	if err := json.Unmarshal(value, &given); err != nil || given == nil {
		return Problems{{What: "is no object", Code: InvalidValue}}
	}
	for _, key := range s.Keys {
		from, name := at(given, key)
		to, _ := at(document, key)
		if _, there := from[name]; !there {
			problems = append(problems, Problem{Key: key, What: "is missing", Code: Required})
		}
		if !reflect.DeepEqual(to[name], from[name]) {
			texts := cleaner{exact: key == "/notice"}
			to[name] = texts.value(jsontext.Pointer(key), from[name])
			problems = append(problems, texts.problems...)
		}
		delete(from, name)
	}
	return append(problems, s.others(given)...)
}

// others names the members of a value that remain after those of the section were taken out.
func (s Section) others(given map[string]any) Problems {
	var problems Problems
	for _, name := range slices.Sorted(maps.Keys(given)) {
		key := jsontext.Pointer("").AppendToken(name)
		group := slices.ContainsFunc(s.Keys, func(one string) bool { return strings.HasPrefix(one, string(key)+"/") })
		if !group {
			problems.when(true, string(key), "is no key of this section")
			continue
		}
		left, _ := given[name].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(left)) {
			problems.when(true, string(key.AppendToken(name)), "is no key of this section")
		}
	}
	return problems
}

// at returns the object that has a key of a section as a member, and the member's name. An object that is missing is
// added.
func at(tree map[string]any, key string) (object map[string]any, name string) {
	group, name, deeper := strings.Cut(key[1:], "/")
	if !deeper {
		return tree, group
	}
	object, is := tree[group].(map[string]any)
	if !is {
		object = map[string]any{}
		tree[group] = object
	}
	return object, name
}

// absentKeys are the values of optional keys that a document lacks; that of voice has its languages.
const absentKeys = `{"yearly": [], "specialDays": [], "certificationTexts": {},
  "messageHours": {"from": 9, "until": 19}, "voice": {"order": [], "most": 2},
  "board": {"next": 0, "notice": ""}, "offline": {"on": false}}`

func defaultsOf(d Document) (map[string]any, error) {
	var values map[string]any
	if err := json.Unmarshal([]byte(absentKeys), &values); err != nil {
		return nil, err
	}
	voice, _ := at(values, "/voice/order")
	voice["order"] = d.Languages
	return values, nil
}

// treeOf returns a document as decoded JSON.
func treeOf(d Document) (map[string]any, error) {
	data, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	return tree, json.Unmarshal(data, &tree)
}
