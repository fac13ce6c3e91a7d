package mailing

import (
	"context"
	"embed"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"baari.dev/services/auth/account"
	"baari.dev/services/platform/request"
)

// Texts has the texts of the mails, and of the page for links that do not work, in one language. Filled replaces
// placeholders such as {name}.
type Texts struct {
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
	LinkTitle        string `json:"linkTitle"`
	LinkText         string `json:"linkText"`
	LinkLogin        string `json:"linkLogin"`
}

const english = "en"

//go:embed mails/*.json
var mailFiles embed.FS

// catalogue has the texts by language.
var catalogue = readTexts()

// TextsOf returns the texts in a language of the catalogue.
func TextsOf(language string) Texts { return catalogue[language] }

func readTexts() map[string]Texts {
	read := map[string]Texts{}
	entries, err := mailFiles.ReadDir("mails")
	if err != nil {
		panic(err) // the folder is embedded
	}
	for _, entry := range entries {
		data, err := mailFiles.ReadFile("mails/" + entry.Name())
		if err != nil {
			panic(err)
		}
		var texts Texts
		if err := json.Unmarshal(data, &texts, json.RejectUnknownMembers(true)); err != nil {
			panic("mails/" + entry.Name() + ": " + err.Error()) // cannot happen: a test of this package would fail
		}
		read[strings.TrimSuffix(entry.Name(), ".json")] = texts
	}
	return read
}

// Languages returns the office's languages that the mails have, the default first, or English if there are none.
func (m *Mailing) Languages() []string {
	offered := slices.DeleteFunc(slices.Clone(m.settings.Office().Languages), func(name string) bool {
		_, translated := catalogue[name]
		return !translated
	})
	if len(offered) == 0 {
		return []string{english}
	}
	return offered
}

// LanguageFor returns the language of a mail that the user requested: the account's language, else the request's.
func (m *Mailing) LanguageFor(ctx context.Context, u account.User) string {
	if u.Language != nil {
		return *u.Language
	}
	return request.From(ctx).Language(m.Languages())
}

// LanguageOfOther returns the language of a mail that another person requested: the account's language, else the
// office's default.
func (m *Mailing) LanguageOfOther(u account.User) string {
	if u.Language != nil {
		return *u.Language
	}
	return m.Languages()[0]
}

// Filled replaces the placeholder {name} in a text by a value.
func Filled(text, name, value string) string { return strings.ReplaceAll(text, "{"+name+"}", value) }

func (t Texts) greeting(name string) string {
	if name == "" {
		return t.GreetingNameless
	}
	return Filled(t.Greeting, "name", name)
}
