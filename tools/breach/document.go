package breach

import (
	_ "embed"
	"io"
	"text/template"
	"time"

	"baari.dev/tools/markdown"
)

//go:embed document.md.tmpl
var documentText string

var document = template.Must(template.New("document").Funcs(template.FuncMap{
	"text": markdown.Text,
	"time": func(at time.Time) string { return at.UTC().Format("2006-01-02 15:04") },
}).Parse(documentText))

// Who names a reader.
func (r Report) Who(id string) string { return r.who(id) }

// Write writes the report as one readable document. list is where the persons are.
func (r Report) Write(out io.Writer, list string, took time.Duration) error {
	return document.Execute(out, struct {
		Report
		List     string
		Exported int
		Took     time.Duration
	}{r, list, r.exportedVisitors, took.Round(time.Millisecond)})
}
