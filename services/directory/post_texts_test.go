package directory

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"baari.dev/services/contract"
	"baari.dev/services/directory/settings"
	"baari.dev/services/office"
	"baari.dev/services/platform/mail"
)

var (
	placeholder = regexp.MustCompile(`\{\w+\}`)
	latinWord   = regexp.MustCompile(`[A-Za-z]+`)
)

// Each language has every text, with the placeholders of English. Translations have no English word.
func TestTheMailAboutARequestIsTranslatedWhole(t *testing.T) {
	english := reflect.ValueOf(requestTexts["en"])
	for _, language := range office.Languages {
		for field, value := range reflect.ValueOf(requestTexts[language]).Fields() {
			text, original := value.String(), english.FieldByIndex(field.Index).String()
			want, got := placeholder.FindAllString(original, -1), placeholder.FindAllString(text, -1)
			if strings.TrimSpace(text) == "" || !slices.Equal(want, got) {
				t.Errorf("%s, %s: %q, want the placeholders %v", language, field.Name, text, want)
			}
			if words := latinWord.FindAllString(placeholder.ReplaceAllString(text, ""), -1); language != "en" && words != nil {
				t.Errorf("%s, %s: untranslated words %v", language, field.Name, words)
			}
		}
	}
}

func TestTheMailAboutARequestIsInTheOfficesLanguage(t *testing.T) {
	request := contract.Appointment{
		Name: "Asha Rao", Phone: "9876543210", Email: "asha@example.com", Service: "ITR Filing",
		PreferredDate: "2026-11-20", PreferredTime: "11:00", Message: "With my father",
	}
	for language, want := range map[string]mail.Message{
		"en": {Subject: "Appointment request: ITR Filing, 2026-11-20 11:00", Text: `A visitor requests an appointment.

Name:     Asha Rao
Phone:    9876543210
Email:    asha@example.com
Service:  ITR Filing
When:     2026-11-20, 11:00

With my father

Confirm or decline it here:
https://desk.example/dashboard/receptionist?tab=appointments

Answer this mail to write to the visitor.
`},
		"kn": {Subject: "ಭೇಟಿ ಸಮಯದ ಕೋರಿಕೆ: ITR Filing, 2026-11-20 11:00", Text: `ಸಂದರ್ಶಕರೊಬ್ಬರು ಭೇಟಿ ಸಮಯ ಕೋರಿದ್ದಾರೆ.

ಹೆಸರು:    Asha Rao
ಫೋನ್ ಸಂಖ್ಯೆ: 9876543210
ಇಮೇಲ್:    asha@example.com
ಸೇವೆ:     ITR Filing
ಸಮಯ:      2026-11-20, 11:00

With my father

ಇದನ್ನು ಇಲ್ಲಿ ದೃಢಪಡಿಸಿ ಅಥವಾ ನಿರಾಕರಿಸಿ:
https://desk.example/dashboard/receptionist?tab=appointments

ಸಂದರ್ಶಕರಿಗೆ ಬರೆಯಲು ಈ ಇಮೇಲ್‌ಗೆ ಉತ್ತರಿಸಿ.
`},
	} {
		document := office.Document{Email: "desk@lekha.example", Languages: []string{language, "en"}}
		s := &Service{office: settings.New(settings.Options{File: document})}
		got, err := NewPost(s, nil, "https://desk.example", nil).message(request)
		if err != nil || got.Subject != want.Subject || got.Text != want.Text {
			t.Errorf("%s: %v, %s\n%s", language, err, got.Subject, got.Text)
		}
	}
}
