package papers

import (
	"net/http"
	"regexp"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// The papers of a visit in requests and answers.

type documentsAnswer struct {
	Documents       []documentBody        `json:"documents"`
	Acknowledgement *acknowledgementShort `json:"acknowledgement"` // the last one
	Version         int64                 `json:"version"`
	at              feed.Position
}

// documentBody is a paper. Events have neither the office's note nor the author and the time of the last change.
type documentBody struct {
	contract.VisitDocument
	Note string     `json:"note"`
	By   string     `json:"by"` // "" for a paper last changed before names were stored
	At   *wire.Time `json:"at"`
}

// VisitPapers are the papers of a visit in the export of a person's data.
type VisitPapers struct {
	contract.VisitDocuments
	Documents []documentBody `json:"documents"`
}

// acknowledgementShort is a receipt without its papers.
type acknowledgementShort struct {
	No string    `json:"no"`
	At wire.Time `json:"at"`
	By string    `json:"by"`
}

// Headers implements kithttp.Headerer.
func (a documentsAnswer) Headers() http.Header { return row.FeedHeader(a.at) }

func documentBodies(all []visit.Document) []documentBody {
	list := make([]documentBody, len(all))
	for i, shown := range eventDocuments(all) {
		list[i] = documentBody{VisitDocument: shown, Note: all[i].Note, By: all[i].By}
		if at := all[i].At; !at.IsZero() {
			list[i].At = wire.TimeOf(&at)
		}
	}
	return list
}

func documentsOfBodies(list []documentBody) []visit.Document {
	all := make([]visit.Document, len(list))
	for i, d := range list {
		all[i] = visit.Document{
			No: d.No, Key: orEmpty(d.Key), Label: d.Label, Required: d.Required, State: visit.DocumentState(d.State),
			Form: orEmpty(d.Form), Pages: d.Pages, Acknowledgement: orEmpty(d.Acknowledgement), Note: d.Note, By: d.By,
		}
		if d.At != nil {
			all[i].At = time.Time(*d.At)
		}
	}
	return all
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

const (
	longestLabel     = 120
	longestPaperNote = 200
	mostPages        = 9999
)

var (
	documentsWrong = fault.NewMessage(fault.CodeInvalidText,
		"Please enter each paper in 1 to 120 letters, digits and punctuation, with a state from the list").
		With("min", 1).With("max", longestLabel)
	documentsMany  = fault.NewMessage(fault.CodeTooMany, "Please enter at most 40 papers").With("max", visit.MostDocuments)
	paperNoteWrong = fault.NewMessage(fault.CodeInvalidText,
		"Please enter the note of a paper in up to 200 letters, digits and punctuation").
		With("min", 0).With("max", longestPaperNote)
	pagesWrong = fault.NewMessage(fault.CodeInvalidNumber, "Please enter the pages as a number from 1 to 9,999").
			With("min", 1).With("max", mostPages)
	documentAcknowledged = fault.NewMessage(fault.CodeContradiction,
		"A paper with a receipt can only be returned")
	documentNeverLeft = fault.NewMessage(fault.CodeContradiction, "Only a paper that was left can be returned")
)

// validKey matches the key of a paper in the checklist, or "".
var validKey = regexp.MustCompile(`^[a-z0-9-]{0,40}$`)

// Field is the list of papers in a request. A paper without a number is new.
type Field = wire.Field[[]documentBody]

type documentsBody struct {
	Documents Field             `json:"documents"`
	Version   wire.Field[int64] `json:"version"`
}

func readDocuments(r *http.Request) (changeDocuments, error) {
	var body documentsBody
	if err := wire.Read(r, &body); err != nil {
		return changeDocuments{}, err
	}
	var rejected fault.Fields
	if !body.Documents.Present {
		rejected.Reject("documents", documentsWrong)
	}
	req := changeDocuments{
		Documents: readDocumentList(body.Documents, &rejected),
		Version:   wire.Version(body.Version, r.Header.Get("If-Match"), &rejected),
	}
	if err := rejected.Err(); err != nil {
		return req, err
	}
	id, err := row.ReadID(r)
	req.ID = id
	return req, err
}

// ReadNew reads the papers of a registration, and numbers them.
func ReadNew(field Field, rejected *fault.Fields) []visit.Document {
	all, err := visit.ChangeDocuments(nil, readDocumentList(field, rejected), "", time.Time{})
	if err != nil {
		rejected.Reject("documents", documentsWrong)
	}
	return all
}

func readDocumentList(field Field, rejected *fault.Fields) []visit.Document {
	if field.Wrong {
		rejected.Reject("documents", documentsWrong)
	}
	if len(field.Value) > visit.MostDocuments {
		rejected.Reject("documents", documentsMany)
		return nil
	}
	all := documentsOfBodies(field.Value)
	for i, d := range all {
		label := wire.Clean(d.Label, false)
		if label.Empty || label.Illegal || label.Length > longestLabel || !d.Valid() || !validKey.MatchString(d.Key) {
			rejected.Reject("documents", documentsWrong)
		}
		if d.Pages != nil && (*d.Pages < 1 || *d.Pages > mostPages) {
			rejected.Reject("documents", pagesWrong)
		}
		note := wire.Clean(d.Note, false)
		if note.Illegal || note.Length > longestPaperNote {
			rejected.Reject("documents", paperNoteWrong)
		}
		all[i].Label, all[i].Note, all[i].By, all[i].At = label.Value, note.Value, "", time.Time{}
	}
	return all
}
