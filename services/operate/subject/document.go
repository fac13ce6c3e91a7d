package subject

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/template"
	"time"

	"baari.dev/services/operate/markdown"
)

//go:embed document.md.tmpl
var documentText string

var document = template.Must(template.New("document").Funcs(template.FuncMap{"fields": fields}).Parse(documentText))

// Write writes the data as one Markdown document. The date of the document is the day of now.
func (d Data) Write(out io.Writer, phone string, now time.Time) error {
	return document.Execute(out, struct {
		Data
		Phone, Day string
	}{d, phone, now.Format("2 January 2006")})
}

// fields returns a record's fields as lines sorted by name, without empty ones. Values are user input, so their markup
// is escaped.
func fields(record Record) (lines []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(record)) {
		value := record[name]
		if value == nil || value == "" {
			continue
		}
		text, plain := value.(string)
		if !plain {
			data, err := json.Marshal(value)
			if err != nil {
				return nil, err
			}
			text = string(data)
		}
		lines = append(lines, fmt.Sprintf("%s: %s", markdown.Text(name), markdown.Text(text)))
	}
	return lines, nil
}
