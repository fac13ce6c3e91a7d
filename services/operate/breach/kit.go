package breach

import (
	"archive/zip"
	"bytes"
	"context"
	"embed"
	"io"
	"text/template"
	"time"

	"baari.dev/services/operate"
)

//go:embed drafts/*.txt
var draftFiles embed.FS

var drafts = template.Must(template.ParseFS(draftFiles, "drafts/*.txt"))

// Languages are the languages of the drafts to the persons concerned.
var Languages = []string{"en", "hi", "kn", "ta", "te", "mr"}

// Incident is what the office knows of a breach when it asks for the kit.
type Incident struct {
	What    string
	Noticed time.Time
	Office  string // its name
	Contact string
}

// Time limits after a breach was noticed: for the report to CERT-In, and for the details to the Board.
const (
	certLimit    = 6 * time.Hour
	detailsLimit = 72 * time.Hour
)

// Kit returns a zip with the report, the list of persons to notify, a draft to them in each language and a draft to the
// Board with its deadlines. Nothing is sent. Its errors are those of Ask.
func Kit(
	ctx context.Context, installation operate.Installation, q Question, incident Incident,
) ([]byte, Report, error) {
	started := time.Now()
	var list, report bytes.Buffer
	found, err := Ask(ctx, installation, q, &list)
	if err != nil {
		return nil, found, err
	}
	const listName = "persons.csv"
	if err := found.Write(&report, listName, time.Since(started)); err != nil {
		return nil, found, err
	}
	var packed bytes.Buffer
	out := zip.NewWriter(&packed)
	add := func(name string, write func(io.Writer) error) {
		if err != nil {
			return
		}
		var file io.Writer
		if file, err = out.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: started}); err == nil {
			err = write(file)
		}
	}
	content := func(data []byte) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := w.Write(data)
			return err
		}
	}
	add("report.md", content(report.Bytes()))
	add(listName, content(list.Bytes()))
	values := draftOf(found, incident)
	add("board.txt", func(w io.Writer) error { return drafts.ExecuteTemplate(w, "board.txt", values) })
	for _, language := range Languages {
		add("persons-"+language+".txt", func(w io.Writer) error {
			return drafts.ExecuteTemplate(w, language+".txt", values)
		})
	}
	if err == nil {
		err = out.Close()
	}
	return packed.Bytes(), found, err
}

type draft struct {
	Incident
	From, To                     string
	Persons                      int
	Erased                       bool
	Noticed, DetailsDue, CertDue string
}

func draftOf(r Report, incident Incident) draft {
	at := func(t time.Time) string { return t.Format("2006-01-02 15:04 MST") }
	return draft{
		Incident: incident, From: r.From, To: r.To, Persons: r.Persons(), Erased: r.Erased,
		Noticed: at(incident.Noticed), DetailsDue: at(incident.Noticed.Add(detailsLimit)),
		CertDue: at(incident.Noticed.Add(certLimit)),
	}
}

// Persons counts the persons of the list. A visitor who also sent an appointment request is counted twice, because the
// list has a row for each.
func (r Report) Persons() int { return r.rows }
