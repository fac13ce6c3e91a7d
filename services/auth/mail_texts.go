package auth

import (
	"embed"
	"strings"

	"github.com/go-json-experiment/json"

	"baari.dev/services/auth/account"
)

// mailTexts are the texts of the mails in one language. {name} and the like are placeholders for filled.
type mailTexts struct {
	Greeting         string `json:"greeting"`
	GreetingNameless string `json:"greetingNameless"`
	Closing          string `json:"closing"`
	VerifySubject    string `json:"verifySubject"`
	VerifyButton     string `json:"verifyButton"`
	VerifyLine       string `json:"verifyLine"`
	NewEmailSubject  string `json:"newEmailSubject"`
	NewEmailLine     string `json:"newEmailLine"`
	StopSubject      string `json:"stopSubject"`
	StopButton       string `json:"stopButton"`
	StopLine         string `json:"stopLine"`
	StopHow          string `json:"stopHow"`
	StopClosing      string `json:"stopClosing"`
	ResetSubject     string `json:"resetSubject"`
	ResetLine        string `json:"resetLine"`
	StoppedLine      string `json:"stoppedLine"`
	InviteSubject    string `json:"inviteSubject"`
	InviteButton     string `json:"inviteButton"`
	InviteLine       string `json:"inviteLine"`
}

// mailLanguage is the language of mails to users who have not chosen one.
const mailLanguage = "en"

//go:embed mails/*.json
var mailFiles embed.FS

// mailCatalogue has the texts by language.
var mailCatalogue = readMailTexts()

func readMailTexts() map[string]mailTexts {
	catalogue := map[string]mailTexts{}
	entries, err := mailFiles.ReadDir("mails")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	for _, entry := range entries {
		data, err := mailFiles.ReadFile("mails/" + entry.Name())
		if err != nil {
			panic(err)
		}
		var texts mailTexts
		if err := json.Unmarshal(data, &texts, json.RejectUnknownMembers(true)); err != nil {
			panic("mails/" + entry.Name() + ": " + err.Error()) // read by every test of this package
		}
		catalogue[strings.TrimSuffix(entry.Name(), ".json")] = texts
	}
	return catalogue
}

// languageOf returns the language of mails to a user.
func languageOf(u account.User) string {
	if u.Language == nil {
		return mailLanguage
	}
	return *u.Language
}

// textsFor returns the texts of mails to a user.
func textsFor(u account.User) mailTexts { return mailCatalogue[languageOf(u)] }

// filled replaces the placeholder {name} in a text by a value.
func filled(text, name, value string) string { return strings.ReplaceAll(text, "{"+name+"}", value) }

// greeting returns the first line of a mail; name may be "".
func (t mailTexts) greeting(name string) string {
	if name == "" {
		return t.GreetingNameless
	}
	return filled(t.Greeting, "name", name)
}
