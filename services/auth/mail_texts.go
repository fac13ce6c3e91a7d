package auth

import (
	"context"
	"embed"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"baari.dev/services/auth/account"
	"baari.dev/services/platform/request"
)

// mailTexts are the texts of the mails, and of the page for their links that do not work, in one language. {name} and the like are placeholders for filled.
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
	LinkTitle        string `json:"linkTitle"`
	LinkText         string `json:"linkText"`
	LinkLogin        string `json:"linkLogin"`
}

const english = "en"

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

// languages returns the languages that the office offers and the mails have, the default first.
func (s *Service) languages() []string {
	offered := slices.DeleteFunc(slices.Clone(s.options.Languages), func(name string) bool {
		_, translated := mailCatalogue[name]
		return !translated
	})
	if len(offered) == 0 {
		return []string{english}
	}
	return offered
}

// languageFor returns the language of a mail that a user has asked for: the one of the account, else that of the
// request.
func (s *Service) languageFor(ctx context.Context, u account.User) string {
	if u.Language != nil {
		return *u.Language
	}
	return request.From(ctx).Language(s.languages())
}

// languageOfOther returns the language of a mail that another person has asked for: the one of the account, else the
// office's default.
func (s *Service) languageOfOther(u account.User) string {
	if u.Language != nil {
		return *u.Language
	}
	return s.languages()[0]
}

// filled replaces the placeholder {name} in a text by a value.
func filled(text, name, value string) string { return strings.ReplaceAll(text, "{"+name+"}", value) }

// greeting returns the first line of a mail; name may be "".
func (t mailTexts) greeting(name string) string {
	if name == "" {
		return t.GreetingNameless
	}
	return filled(t.Greeting, "name", name)
}
