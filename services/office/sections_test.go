package office_test

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"baari.dev/services/office"
)

func read(t *testing.T) office.Document {
	t.Helper()
	document, err := office.Read(office.Default)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

func section(t *testing.T, key string) office.Section {
	t.Helper()
	found, known := office.SectionOf(key)
	if !known {
		t.Fatalf("no section %s", key)
	}
	return found
}

func valueOf(t *testing.T, key string, d office.Document) string {
	t.Helper()
	value, err := section(t, key).Of(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(value)
}

func put(d office.Document, key, value string) (office.Document, error) {
	return office.Put(d, map[string]jsontext.Value{key: jsontext.Value(value)})
}

// Every key of the document is in one section, but the services and the time zone. features has keys of two sections.
func TestEveryKeyBelongsToOneSection(t *testing.T) {
	var got []string
	for _, section := range office.Sections {
		for _, key := range section.Keys {
			if !strings.HasPrefix(key, "/features/") {
				got = append(got, key[1:])
			}
		}
	}
	want := []string{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[office.Document]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "services" && name != "timeZone" && name != "features" {
			want = append(want, name)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the sections have %v, the document has %v", got, want)
	}
}

// The value of each section can be put back, and changes nothing.
func TestASectionIsTakenOutAndPutIn(t *testing.T) {
	d := read(t)
	for _, section := range office.Sections {
		value := valueOf(t, section.Key, d)
		after, err := put(d, section.Key, value)
		if err != nil {
			t.Fatalf("%s: %v", section.Key, err)
		}
		for _, other := range office.Sections {
			if got, want := valueOf(t, other.Key, after), valueOf(t, other.Key, d); got != want {
				t.Errorf("%s changed %s to %s", section.Key, want, got)
			}
		}
	}
	after, err := put(d, "access", `{"features":{"registration":"approval","debug":false}}`)
	want := office.Features{Appointments: d.Features.Appointments, Registration: "approval"}
	if err != nil || after.Features != want || after.Brand != d.Brand {
		t.Errorf("%+v, %v", after.Features, err)
	}
}

// A section has all its keys, those that the document leaves out with their defaults.
func TestASectionIsWhole(t *testing.T) {
	d := read(t)
	d.Voice, d.Board, d.Offline, d.MessageHours, d.Languages = nil, nil, nil, nil, []string{"en", "kn"}
	for key, want := range map[string]string{
		"voice": `{"voice":{"most":2,"order":["en","kn"]}}`, "board": `{"board":{"next":0,"notice":""}}`,
		"desks": `{"offline":{"on":false}}`, "messages": `{"messageHours":{"from":9,"until":19},"messages":"off"}`,
		"access": `{"features":{"debug":true,"registration":"open"}}`,
	} {
		if key == "messages" {
			d.Messages = office.MessagesOff
		}
		if got := valueOf(t, key, d); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
	var hours map[string]any
	if err := json.Unmarshal([]byte(valueOf(t, "hours", d)), &hours); err != nil || len(hours) != 3 {
		t.Errorf("hours has %v, %v", slices.Sorted(maps.Keys(hours)), err)
	}
}

func TestAnInvalidValueOfASectionNamesItsKeys(t *testing.T) {
	page := valueOf(t, "page", read(t))
	huge := strings.Replace(page, `"publishedWait":22`, `"publishedWait":1e30`, 1)
	long := strings.Replace(page, `"publishedWait":22`, `"publishedWait":1441`, 1)
	for _, c := range []struct{ section, value, key string }{
		{"board", `[]`, ""},
		{"board", `{}`, "/board"},
		{"board", `{"board":{"next":0,"notice":""},"theme":"dark"}`, "/theme"},
		{"board", `{"board":{"next":9,"notice":""}}`, "/board/next"},
		{"board", `{"board":{"next":0,"notice":"","x":1}}`, "/board/x"},
		{"access", `{"features":{"registration":"open"}}`, "/features/debug"},
		{"access", `{"features":{"registration":"open","debug":true,"appointments":"live"}}`, "/features/appointments"},
		{"access", `{"features":1}`, "/features/registration"},
		{"languages", `{"languages":["en","xx"]}`, "/languages/1"},
		{"page", huge, "/publishedWait"},
		{"page", long, "/publishedWait"},
		{"hours", `{"hours":[{"days":"Monday","open":"9 AM","close":"1 PM"},{"days":"Monday","open":"2 PM","close":"5 PM"}],
			"yearly":[],"specialDays":[]}`, "/hours/1/days"},
	} {
		_, err := put(read(t), c.section, c.value)
		var problems office.Problems
		errors.As(err, &problems)
		if !slices.ContainsFunc(problems, func(p office.Problem) bool { return p.Key == c.key }) {
			t.Errorf("%s %s: %v, want %s", c.section, c.value, err, c.key)
		}
	}
}

func TestChangesNameTheKeysThatDiffer(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{`{"a":1}`, `{"a":1}`, ``},
		{`{"a":{"b":1,"c":[1,2]}}`, `{"a":{"b":2,"c":[1,3]}}`, `/a/b 1 2, /a/c/1 2 3`},
		{`{"a":[1]}`, `{"a":[1,2]}`, `/a [1] [1,2]`},
		{`{"a/b":1}`, `{"c":[]}`, `/a~1b 1 null, /c null []`},
		{`{"a":[]}`, `{"a":{}}`, `/a [] {}`},
	} {
		changes, err := office.Changes([]byte(c.before), []byte(c.after))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, change := range changes {
			got = append(got, change.Key+" "+string(change.Before)+" "+string(change.After))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("from %s to %s: %v, want %s", c.before, c.after, got, c.want)
		}
	}
}

// A release without breaks encodes the document of the same file in the same form.
func TestTheFormForOlderReleases(t *testing.T) {
	d := read(t)
	d.Hours = []office.Hours{hours("Monday-Friday", "9 AM", "7 PM", "1 PM", "2 PM"), hours("Sunday", "", "")}
	old := d.ForOlder()
	want := []office.Hours{
		hours("Monday-Friday", "9 AM", "1 PM"), hours("Monday-Friday", "2 PM", "7 PM"), hours("Sunday", "", ""),
	}
	if !reflect.DeepEqual(old.Hours, want) {
		t.Errorf("the hours are %+v", old.Hours)
	}
	data, err := json.Marshal(old)
	if err != nil || strings.Contains(string(data), `"appointments":{`) || strings.Contains(string(data), `"yearly"`) {
		t.Errorf("it has keys of this release: %v", err)
	}
	if again, err := office.Read(data); err != nil || !reflect.DeepEqual(again, d) {
		t.Errorf("it is read as another document: %v", err)
	}
}

func TestKeysThatAppointmentsLeaveOutHaveTheirDefaults(t *testing.T) {
	if got := read(t).Appointments; !reflect.DeepEqual(got, office.DefaultAppointments()) {
		t.Errorf("without the key: %+v", got)
	}
	with := func(value string) []byte {
		return []byte(strings.Replace(defaultFile(t), `"brand"`, `"appointments": `+value+`, "brand"`, 1))
	}
	want := office.DefaultAppointments()
	want.PerSlot, want.ByTime = 2, map[string]int{"09:00": 1}
	d, err := office.Read(with(`{"perSlot": 2, "byTime": {"09:00": 1}}`))
	if err != nil || !reflect.DeepEqual(d.Appointments, want) {
		t.Errorf("with some keys: %+v, %v", d.Appointments, err)
	}
	for value, key := range map[string]string{
		`{"perSlot": 51}`: "/appointments/perSlot", `{"byTime": {"09:30": 1}}`: "/appointments/byTime/09:30",
		`{"byTime": {"09:00": -1}}`: "/appointments/byTime/09:00", `{"daysAhead": 0}`: "/appointments/daysAhead",
		`{"leadMinutes": 1441}`:       "/appointments/leadMinutes",
		`{"changeUntilMinutes": -1}`:  "/appointments/changeUntilMinutes",
		`{"remindMinutesBefore": 29}`: "/appointments/remindMinutesBefore",
		`{"feedNames": "all"}`:        "/appointments/feedNames",
	} {
		if _, err := office.Read(with(value)); err == nil || !strings.Contains(err.Error(), key+" ") {
			t.Errorf("%s: %v", value, err)
		}
	}
}
