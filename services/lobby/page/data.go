package page

import (
	"bytes"
	_ "embed"
	"html/template"
	"slices"
)

//go:embed data.html
var dataHTML string

//go:embed office_notice.html
var officeNoticeHTML string

var (
	data         = template.Must(template.New("data").Funcs(function).Parse(dataHTML))
	officeNotice = template.Must(template.New("office notice").Funcs(function).Parse(officeNoticeHTML))
)

// Kinds are the kinds of privacy requests that a visitor can send.
var Kinds = []string{"access", "correction", "erasure", "grievance", "nomination"}

// Data is the page on which visitors see which kinds of data the office stores, withdraw their consents, and send
// privacy requests. The page shows none of the stored values.
type Data struct {
	Code, Language  string
	Office, Contact string
	Agreed          bool // the visitor agreed to messages
	Pushed          bool // a browser receives push
	Sent            bool // the office has the privacy request
	Full            bool // no more privacy requests are accepted
	Values          Asking
	Problems        map[string]string // the key of the text about each field's problem
}

// Asking has the fields of the form, except the digits of the phone.
type Asking struct{ Kind, Text string }

// T returns the text of a key.
func (d Data) T(key string) string { return text(d.Language, key) }

// Problem returns what is wrong with a field, "" if nothing is.
func (d Data) Problem(field string) string {
	if key := d.Problems[field]; key != "" {
		return d.T(key)
	}
	return ""
}

// Render returns the HTML of the page.
func (d Data) Render() ([]byte, error) {
	var out bytes.Buffer
	err := data.Execute(&out, struct {
		Data
		Kinds []string
		Style template.CSS
	}{d, Kinds, style})
	return out.Bytes(), err
}

// OfficeNotice is the page with the office's privacy notice in one language.
type OfficeNotice struct {
	Office    string // its name
	Notice    NoticeText
	Languages []string // the notice's languages
}

// Direction returns the direction in which the script of the notice is written.
func (n OfficeNotice) Direction() string {
	if slices.Contains([]string{"ks", "sd", "ur"}, n.Notice.Language) {
		return "rtl"
	}
	return "ltr"
}

// Render returns the HTML of the page.
func (n OfficeNotice) Render() ([]byte, error) {
	var out bytes.Buffer
	err := officeNotice.Execute(&out, struct {
		OfficeNotice
		Style template.CSS
	}{n, style})
	return out.Bytes(), err
}
