package mails

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	ical "github.com/arran4/golang-ical"

	"baari.dev/services/platform/calendar"
)

var update = flag.Bool("update", false, "write the entries and mails of testdata")

var (
	kolkata = time.FixedZone("IST", 5*3600+1800)
	labels  = map[string][2]string{
		"en": {"PAN card", "Form 16, of the last year"}, "hi": {"पैन कार्ड", "फ़ॉर्म 16, पिछले साल का"},
		"kn": {"ಪ್ಯಾನ್ ಕಾರ್ಡ್", "ಫಾರ್ಮ್ 16, ಕಳೆದ ವರ್ಷದ"}, "ta": {"பான் அட்டை", "படிவம் 16, கடந்த ஆண்டு"},
		"te": {"పాన్ కార్డు", "ఫారం 16, గత సంవత్సరం"}, "mr": {"पॅन कार्ड", "फॉर्म 16, मागील वर्षाचा"},
	}
)

func appointment(language string) Appointment {
	at := time.Date(2026, 11, 30, 11, 0, 0, 0, kolkata)
	return Appointment{
		ID: "01890000-0000-7000-8000-000000000009", Language: language, Sequence: 1, Changed: at.Add(-48 * time.Hour),
		At: at, Minutes: 45, Service: "ITR Filing",
		Papers: []Paper{{labels[language][0], true}, {labels[language][1], false}},
		Office: "Lekha Tax & Advisory", Phone: "080 0000 0142", Email: "desk@lekha.example",
		Address: []string{"12, MG Road", "Bengaluru 560001"}, MapsQuery: "Lekha Tax, MG Road", Host: "baari.example",
		Link: "https://baari.example/q/a/0123456789ABCDEFGHJK",
	}
}

// A change of these files is a change of what clients get; the flag -update writes them.
func TestMailsAndEntriesAreThoseOfTestdata(t *testing.T) {
	for language := range texts {
		a := appointment(language)
		confirmed, cancelled := a.Mail(Confirmed, "asha@example.com"), a.Mail(Cancelled, "asha@example.com")
		reminder := a.Mail(DayBefore, "asha@example.com")
		for name, got := range map[string]string{
			"confirmed.ics": confirmed.Calendar.Text, "cancelled.ics": cancelled.Calendar.Text,
			"confirmed.txt": confirmed.Subject + "\n\n" + confirmed.Text,
			"reminder.txt":  reminder.Subject + "\n\n" + reminder.Text,
		} {
			file := filepath.Join("testdata", language+"."+name)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil || string(want) != got {
				t.Errorf("%s: %v\n%s", file, err, got)
			}
		}
	}
}

func TestAnEntryInEachLanguageIsReadAgain(t *testing.T) {
	for language := range texts {
		a := appointment(language)
		for method, status := range map[string]string{
			calendar.Request: "CONFIRMED", calendar.Cancel: "CANCELLED", calendar.Publish: "CONFIRMED",
		} {
			parsed, err := ical.ParseCalendar(strings.NewReader(a.Entry(method, "asha@example.com")))
			if err != nil || len(parsed.Events()) != 1 {
				t.Fatalf("%s: %v", language, err)
			}
			event := parsed.Events()[0]
			value := func(name ical.ComponentProperty) string { return event.GetProperty(name).Value }
			from, errFrom := event.GetStartAt()
			to, errTo := event.GetEndAt()
			if errFrom != nil || errTo != nil || !from.Equal(a.At) || to.Sub(from) != 45*time.Minute {
				t.Errorf("%s: from %v to %v, %v %v", language, from, to, errFrom, errTo)
			}
			description := value(ical.ComponentPropertyDescription)
			if value(ical.ComponentPropertyStatus) != status || value(ical.ComponentPropertySequence) != "1" ||
				value(ical.ComponentPropertyLocation) != "12, MG Road, Bengaluru 560001" ||
				value(ical.ComponentPropertySummary) != "ITR Filing, Lekha Tax & Advisory" ||
				!strings.Contains(description, "- "+labels[language][0]+"\n- "+labels[language][1]+" (") ||
				!strings.HasSuffix(description, a.Link) || strings.Contains(description, a.Phone) {
				t.Errorf("%s, %s: %v", language, method, event.Properties)
			}
		}
	}
}

var place = regexp.MustCompile(`\{[a-z]+\}`)

func TestTheTextsHaveTheSameKeysAndPlaces(t *testing.T) {
	if len(texts) != 6 {
		t.Errorf("%d languages", len(texts))
	}
	for language, words := range texts {
		if got := slices.Sorted(maps.Keys(words)); !slices.Equal(got, slices.Sorted(maps.Keys(texts[english]))) {
			t.Errorf("%s has other keys than English", language)
		}
		for key, text := range words {
			got, want := place.FindAllString(text, -1), place.FindAllString(texts[english][key], -1)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) || text == "" || language != english && text == texts[english][key] {
				t.Errorf("%s, %s: %q", language, key, text)
			}
		}
	}
}

// A template is registered in one form of the time, so it has one in every language.
func TestATextMessageSaysWhenAndWhere(t *testing.T) {
	a := appointment("kn")
	if got := a.Values(); !slices.Equal(got, []string{"30 Nov 11 AM", "Lekha Tax & Advisory"}) {
		t.Errorf("the values are %q", got)
	}
	a.At = a.At.Add(150 * time.Minute)
	if got := a.Values()[0]; got != "30 Nov 1:30 PM" {
		t.Errorf("half past one is %q", got)
	}
}
