package directory

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
	"text/template"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/office"
)

// requestText has the texts of the mails about appointment requests in one language. They contain the placeholders
// {service}, {when} and {count}.
type requestText struct {
	Subject string `json:"subject"`
	Intro   string `json:"intro"`
	Name    string `json:"name"`
	Phone   string `json:"phone"`
	Email   string `json:"email"`
	Service string `json:"service"`
	When    string `json:"when"`
	Decide  string `json:"decide"`
	Answer  string `json:"answer"`

	SeveralSubject string `json:"severalSubject"`
	Several        string `json:"several"`
}

func (t requestText) subjectOf(request contract.Appointment) string {
	when := request.PreferredDate + " " + request.PreferredTime
	return strings.NewReplacer("{service}", request.Service, "{when}", when).Replace(t.Subject)
}

// severalOf returns the subject and the text of the mail about several requests.
func (t requestText) severalOf(count int, link string) (subject, text string) {
	fill := strings.NewReplacer("{count}", strconv.Itoa(count))
	return fill.Replace(t.SeveralSubject), fill.Replace(t.Several) + "\n" + link + "\n"
}

var (
	//go:embed appointment.txt
	requestTemplate string

	//go:embed mails/*.json
	requestFiles embed.FS
)

var requestLetter = template.Must(template.New("appointment.txt").Funcs(template.FuncMap{
	"line": func(label string) string { return fmt.Sprintf("%-9s ", label+":") },
}).Parse(requestTemplate))

// requestTexts has the texts by language.
var requestTexts = readRequestTexts()

func readRequestTexts() map[string]requestText {
	catalogue := map[string]requestText{}
	for _, language := range office.Languages {
		data, err := requestFiles.ReadFile("mails/" + language + ".json")
		if err != nil {
			panic(err) // the folder is embedded
		}
		var texts requestText
		if err := json.Unmarshal(data, &texts, json.RejectUnknownMembers(true)); err != nil {
			panic("mails/" + language + ".json: " + err.Error()) // cannot happen: a test of this package would fail
		}
		catalogue[language] = texts
	}
	return catalogue
}
