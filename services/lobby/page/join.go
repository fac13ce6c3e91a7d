package page

import (
	"bytes"
	_ "embed"
	"html/template"
	"strconv"
	"time"
)

//go:embed join.html
var joinHTML string

var join = template.Must(template.New("join").Funcs(function).Parse(joinHTML))

// Join is the page on which visitors ask for a token.
type Join struct {
	Language string
	Offered  []string // languages of the office
	Office   string   // its name
	Chosen   bool     // the language is known; otherwise the page asks for it
	Sent     bool     // reception has the request for a token
	Opens    *Opening // next opening of an office that is closed today; the page then has no form. Else nil.
	Notice   NoticeText
	Services []Choice
	Messages bool // the office sends messages, and the visitor can agree to them
	Values   Request
	Problems map[string]string // the key of the text about each field's problem
}

// NoticeText is the office's privacy notice in one language.
type NoticeText struct {
	Language, Version, Title, Contact string
	Paragraphs                        []string
	Purposes                          []Purpose
	Children                          string // text that says who registers a child
}

// Purpose is an entry of the notice that says what the office uses data for.
type Purpose struct{ Title, Text string }

// Choice is a service on offer.
type Choice struct{ ID, Name string }

// Opening is a day on which the office opens, with the time of day, such as "09:00". It is zero for an office that does
// not open again.
type Opening struct {
	Day  time.Time
	Time string
}

// Closed returns the sentence that says when the office opens next, if that is known.
func (j Join) Closed() string {
	if *j.Opens == (Opening{}) {
		return j.T("joinClosedToday")
	}
	weekday := j.T("day_" + strconv.Itoa(int(j.Opens.Day.Weekday())))
	return text(j.Language, "joinClosed", "day", weekday+", "+j.Opens.Day.Format("2/1"), "time", j.Opens.Time)
}

// Request has the fields of the form.
type Request struct {
	Name, Phone, ServiceID string
	Messages               bool
}

// T returns the text of a key.
func (j Join) T(key string) string { return text(j.Language, key) }

// Problem returns what is wrong with a field, "" if nothing is.
func (j Join) Problem(field string) string {
	if key := j.Problems[field]; key != "" {
		return j.T(key)
	}
	return ""
}

// Render returns the HTML of the page.
func (j Join) Render() ([]byte, error) {
	var out bytes.Buffer
	err := join.Execute(&out, struct {
		Join
		Style template.CSS
	}{j, style})
	return out.Bytes(), err
}
