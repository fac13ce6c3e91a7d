package breach

import (
	_ "embed"
	"io"
	"text/template"
	"time"

	"baari.dev/services/operate/markdown"
)

//go:embed document.md.tmpl
var documentText string

var document = template.Must(template.New("document").Funcs(template.FuncMap{
	"text": markdown.Text,
	"time": func(at time.Time) string { return at.UTC().Format("2006-01-02 15:04") },
}).Parse(documentText))

// Who returns a reader's name and e-mail address, or the id if the name is unknown.
func (r Report) Who(id string) string {
	if person, known := r.People[id]; known {
		return person.Name + " <" + person.Email + ">"
	}
	return id
}

// Write writes the report in Markdown. list is the name of the file of persons; took is how long the report took.
func (r Report) Write(out io.Writer, list string, took time.Duration) error {
	return document.Execute(out, struct {
		Report
		List     string
		Exported int
		Took     time.Duration
	}{r, list, r.exportedVisitors, took.Round(time.Millisecond)})
}
